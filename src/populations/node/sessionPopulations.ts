import * as v from 'valibot';
import { type Disposable, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { areSame } from '../../base/namedList';
import { PartKey } from '../../base/parts';
import { knownPopulations } from '../../linking/node/knownPopulations';
import type { ResultChoices } from '../../results/node/resultChoices';
import { listsKind, TableLists } from '../../results/node/tableLists';
import type { TableKind } from '../../service/resultParts';
import { choiceOwnerOf } from '../../session/node/resultSource';
import type { AddSessionParts, ResultSession } from '../../session/node/resultSession';
import { columnsBehind, MAX_POPULATIONS, type Population, populationsInTable } from '../population';
import { withRenamedColumns } from '../renamedPopulations';
import { withFilterSets } from '../populationList';
import { population } from '../populationSchemas';

/** The stored populations of a result's tables. */
export const storedPopulations = listsKind('populations', value => {
  const { success, output } = v.safeParse(population, value);
  return success ? output : undefined;
});

interface Changed {
  kind: TableKind;
  populations: readonly Population[];
  /** The source of this change, which needs no event. */
  by: unknown;
}

/**
 * The populations of an open result's tables: stored with it, and set in its engine before any
 * table is shown. Other windows may change them.
 */
export class SessionPopulations implements Disposable {
  private readonly lists: TableLists<Population>;
  private readonly latest = new Map<TableKind, readonly Population[]>();
  private readonly changed = new Emitter<Changed>();
  private watching: Promise<Disposable | undefined> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  readonly onDidChange = this.changed.event;
  private readonly drawn = new Emitter<TableKind>();
  /** Tables whose engine may have populations that aren't stored. */
  private readonly drafts = new Set<TableKind>();
  /** A gate of a table is being drawn: its engine has populations that aren't stored. */
  readonly onDidDraw = this.drawn.event;
  private readonly following: Disposable;

  constructor(
    private readonly session: Pick<ResultSession, 'source' | 'request' | 'log' | 'signal'>,
    private readonly choices: Pick<
      ResultChoices,
      'value' | 'changeValue' | 'watchValue' | 'oldFilterSets' | 'dropOldFilterSets' | 'onDidRenameColumns'
    >,
  ) {
    const owner = choiceOwnerOf(session.source);
    this.lists = new TableLists(choices, storedPopulations, owner);
    this.following = choices.onDidRenameColumns(({ key, names }) => {
      if (key !== owner.key) return;
      this.columnsRenamed(names).catch((error: unknown) => session.log.info('Populations', error));
    });
  }

  /** Those of a table that has been opened. */
  listOf(kind: TableKind): readonly Population[] {
    return this.latest.get(kind) ?? [];
  }

  /** Stores them in place of all others of the table. */
  async set(kind: TableKind, all: readonly Population[], signal: AbortSignal): Promise<void> {
    await this.refresh();
    await this.change(kind, this.listOf(kind), all, signal);
  }

  /**
   * Stores the changes between two lists; filters use the new list once the engine has it. Keeps
   * what other windows stored since.
   */
  change(
    kind: TableKind,
    before: readonly Population[],
    after: readonly Population[],
    signal: AbortSignal,
    by?: unknown,
  ): Promise<void> {
    return this.inTurn(async () => {
      const stored = await this.lists.change(kind, before, after);
      try {
        await this.show(kind, stored, signal);
      } finally {
        // They are stored, whatever the engine says.
        this.changed.fire({ kind, populations: stored, by: areSame(stored, after) ? by : undefined });
      }
    });
  }

  /** The engine has populations of a table that aren't stored, or no more. */
  tellDrawn(kind: TableKind): void {
    this.drafts.add(kind);
    this.drawn.fire(kind);
  }

  /** Has the engine know them, before anyone sees the table. */
  async tableOpened(kind: TableKind, signal: AbortSignal): Promise<void> {
    const { log } = this.session;
    try {
      this.watching ??= this.lists.watch(() => {
        this.refresh().catch((error: unknown) => log.info('Populations', error));
      });
      await this.inTurn(async () => {
        if (!this.latest.has(kind))
          await this.takeFilterSets(kind).catch((error: unknown) => log.info('Named filters', error));
        await this.show(kind, this.latest.get(kind) ?? (await this.lists.read(kind)), signal);
      });
    } catch (error) {
      // The table is more than its populations.
      log.info('Populations could not be read', error);
    }
  }

  /**
   * Sets the stored ones in the engine: a page may have closed during temporary counts, such as
   * while dragging a gate.
   */
  async tellEngine(kind: TableKind): Promise<void> {
    const { signal, log } = this.session;
    const all = this.latest.get(kind);
    if (!all || signal.aborted) return;
    try {
      await this.session.request('setPopulations', { table: kind, populations: [...all] }, signal);
      if (this.drafts.delete(kind)) this.drawn.fire(kind);
    } catch (error) {
      log.info('Populations', error);
    }
  }

  /** Reads changes that other windows may have stored. */
  async refresh(): Promise<void> {
    await this.inTurn(async () => {
      for (const [kind, before] of this.latest) {
        const stored = await this.lists.read(kind);
        if (this.session.signal.aborted || areSame(stored, before)) continue;
        await this.show(kind, stored, this.session.signal);
        this.changed.fire({ kind, populations: stored, by: undefined });
      }
    });
  }

  /** Pages follow too; populations of tables without a page are stored with the current names. */
  private async columnsRenamed(names: ReadonlyMap<string, string>): Promise<void> {
    for (const [kind, before] of this.latest) {
      const renamed = withRenamedColumns(before, names);
      if (!areSame(renamed, before)) await this.change(kind, before, renamed, this.session.signal);
    }
  }

  /** Filters to which an earlier version gave a name are populations from then on. */
  private async takeFilterSets(kind: TableKind): Promise<void> {
    const owner = choiceOwnerOf(this.session.source);
    // Rows of an aggregate table are no objects.
    const sets = kind === 'aggregate' ? [] : await this.choices.oldFilterSets(owner, kind);
    if (sets.length === 0) return;
    const stored = await this.lists.read(kind);
    const taken = withFilterSets(stored, sets);
    await this.lists.change(kind, stored, taken);
    // Those beyond the limit stay.
    if (taken.length < MAX_POPULATIONS) await this.choices.dropOldFilterSets(owner, kind);
  }

  dispose(): void {
    this.following.dispose();
    this.changed.dispose();
    this.drawn.dispose();
    void this.watching?.then(watcher => watcher?.dispose());
  }

  private async show(kind: TableKind, all: readonly Population[], signal: AbortSignal): Promise<void> {
    this.latest.set(kind, all);
    await this.session.request('setPopulations', { table: kind, populations: [...all] }, signal);
  }

  /** One change after the other: each begins with the result of the one before. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}

export const sessionPopulations = new PartKey<SessionPopulations>('populations');

export function populationParts(choices: ResultChoices): AddSessionParts {
  return session => {
    const part = session.add(sessionPopulations, new SessionPopulations(session, choices));
    session.add(knownPopulations, {
      onDidChange: listener => {
        const changed = part.onDidChange(({ kind }) => kind === 'objects' && listener());
        const drawn = part.onDidDraw(kind => kind === 'objects' && listener());
        return toDisposable(() => [changed, drawn].forEach(listener => listener.dispose()));
      },
      areIn: kind => part.listOf(kind).length > 0,
      impossible: (kind, columns) =>
        populationsInTable(part.listOf(kind), columns).find(({ placement }) => 'problem' in placement)
          ?.population.name,
      columnsBehind: (kind, name, columns) => columnsBehind(part.listOf(kind), name, columns),
      withoutDrafts: kind => part.tellEngine(kind),
    });
    session.tables.addColumns((kind, _summary, signal) => part.tableOpened(kind, signal));
  };
}
