import * as v from 'valibot';
import { type Disposable, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { areSame } from '../../base/namedList';
import { PartKey } from '../../base/parts';
import { tablePopulations } from '../../linking/node/tablePopulations';
import type { ResultChoices } from '../../results/node/resultChoices';
import { listsKind, TableLists } from '../../results/node/tableLists';
import type { TableKind } from '../../service/resultParts';
import { choiceOwnerOf } from '../../session/node/resultSource';
import type { AddSessionParts, ResultSession } from '../../session/node/resultSession';
import { columnsBehind, MAX_POPULATIONS, pathsIn, type Population, populationsInTable } from '../population';
import { withRenamedColumns } from '../renamedPopulations';
import { inTreeOrder, withFilterSets } from '../populationList';
import { population } from '../populationSchemas';

/** The stored populations of a result's tables. */
export const storedPopulations = listsKind('populations', value => {
  const { success, output } = v.safeParse(population, value);
  return success ? output : undefined;
});

interface PopulationsChange {
  kind: TableKind;
  populations: readonly Population[];
  /** The part that made this change, and so can ignore it. */
  by: unknown;
}

/**
 * The populations of an open result's tables: stored with it, and set in its engine before any
 * table is shown. Other windows may change them.
 */
export class SessionPopulations implements Disposable {
  private readonly lists: TableLists<Population>;
  private readonly latest = new Map<TableKind, readonly Population[]>();
  private readonly changed = new Emitter<PopulationsChange>();
  private watching: Promise<Disposable | undefined> | undefined;
  private lastChange: Promise<unknown> = Promise.resolve();
  readonly onDidChange = this.changed.event;
  private readonly drawn = new Emitter<TableKind>();
  /** Tables for which the engine may have populations that aren't stored. */
  private readonly drafts = new Set<TableKind>();
  /** Tables whose old filters are populations now, though they may still be stored. */
  private readonly takenOver = new Set<TableKind>();
  /** Fires while a gate is being drawn, and afterwards: the engine's populations have changed. */
  readonly onDidDraw = this.drawn.event;
  private readonly renameSubscription: Disposable;

  constructor(
    private readonly session: Pick<ResultSession, 'source' | 'request' | 'log' | 'signal'>,
    private readonly choices: Pick<
      ResultChoices,
      'value' | 'changeValue' | 'watchValue' | 'oldFilterSets' | 'dropOldFilterSets' | 'onDidRenameColumns'
    >,
  ) {
    const owner = choiceOwnerOf(session.source);
    this.lists = new TableLists(choices, storedPopulations, owner);
    this.renameSubscription = choices.onDidRenameColumns(({ key, names }) => {
      if (key !== owner.key) return;
      this.columnsRenamed(names).catch((error: unknown) => session.log.info('Populations', error));
    });
  }

  /** The populations of a table that has been opened. */
  listOf(kind: TableKind): readonly Population[] {
    return this.latestOf(kind) ?? [];
  }

  /** Likewise; undefined if they could not be read. */
  latestOf(kind: TableKind): readonly Population[] | undefined {
    return this.latest.get(kind);
  }

  /** Replaces the populations of a table. */
  async set(kind: TableKind, all: readonly Population[], signal: AbortSignal): Promise<void> {
    await this.refresh();
    await this.change(kind, this.listOf(kind), all, signal);
  }

  /**
   * Stores the changes between two lists, and keeps what other windows stored in the meantime.
   * Resolves once the engine has the new list.
   */
  change(
    kind: TableKind,
    before: readonly Population[],
    after: readonly Population[],
    signal: AbortSignal,
    by?: unknown,
  ): Promise<void> {
    return this.inTurn(async () => {
      await this.lists.change(kind, before, after);
      const stored = await this.read(kind);
      try {
        await this.setInEngine(kind, stored, signal);
      } finally {
        // The list is stored even if the engine fails.
        this.changed.fire({ kind, populations: stored, by: areSame(stored, after) ? by : undefined });
      }
    });
  }

  /** Call when the engine got populations of a table that aren't stored. */
  noteDraft(kind: TableKind): void {
    this.drafts.add(kind);
    this.drawn.fire(kind);
  }

  /** Sends the populations of a table to the engine before the table is shown. */
  async tableOpened(kind: TableKind, signal: AbortSignal): Promise<void> {
    const { log } = this.session;
    try {
      this.watching ??= this.lists.watch(() => {
        this.refresh().catch((error: unknown) => log.info('Populations', error));
      });
      await this.inTurn(async () => {
        await this.setInEngine(kind, this.latest.get(kind) ?? (await this.read(kind)), signal);
      });
    } catch (error) {
      // The table can be used without its populations.
      log.info('Populations could not be read', error);
    }
  }

  /**
   * Sends the stored populations to the engine again: a page may have closed during temporary
   * counts, such as while dragging a gate.
   */
  async sendToEngine(kind: TableKind): Promise<void> {
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
        const stored = await this.read(kind);
        if (this.session.signal.aborted || areSame(stored, before)) continue;
        await this.setInEngine(kind, stored, this.session.signal);
        this.changed.fire({ kind, populations: stored, by: undefined });
      }
    });
  }

  /**
   * Stores populations with the current names of columns, also for tables that aren't open. Each
   * session of the result does so, which is right while no new name is also a former one.
   */
  private async columnsRenamed(names: ReadonlyMap<string, string>): Promise<void> {
    await this.inTurn(() => this.lists.changeAll(all => withRenamedColumns(all, names)));
    await this.refresh();
  }

  /**
   * The stored populations. Named filters of an earlier version become populations; if these can't
   * be stored, they are converted again by the next read, and have the same names.
   */
  private async read(kind: TableKind): Promise<readonly Population[]> {
    const owner = choiceOwnerOf(this.session.source);
    // Rows of an aggregate table aren't objects.
    const isDone = kind === 'aggregate' || this.takenOver.has(kind);
    const sets = isDone ? [] : await this.choices.oldFilterSets(owner, kind);
    const stored = await this.lists.read(kind);
    if (sets.length === 0) return stored;
    const converted = withFilterSets(stored, sets);
    try {
      await this.lists.change(kind, stored, converted);
      this.takenOver.add(kind);
      // Keeps the filters if some were beyond the limit.
      if (converted.length < MAX_POPULATIONS) await this.choices.dropOldFilterSets(owner, kind);
    } catch (error) {
      this.session.log.info('Named filters', error);
    }
    return converted;
  }

  dispose(): void {
    this.renameSubscription.dispose();
    this.changed.dispose();
    this.drawn.dispose();
    void this.watching?.then(watcher => watcher?.dispose());
  }

  private async setInEngine(kind: TableKind, all: readonly Population[], signal: AbortSignal): Promise<void> {
    this.latest.set(kind, all);
    await this.session.request('setPopulations', { table: kind, populations: [...all] }, signal);
  }

  /** Runs changes one after the other, so that each sees the result of the one before. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.lastChange.then(work);
    this.lastChange = done.catch(() => undefined);
    return done;
  }
}

export const sessionPopulations = new PartKey<SessionPopulations>('populations');

export function populationParts(choices: ResultChoices): AddSessionParts {
  return session => {
    const part = session.add(sessionPopulations, new SessionPopulations(session, choices));
    session.add(tablePopulations, {
      onDidChange: listener => {
        const changed = part.onDidChange(({ kind }) => kind === 'objects' && listener());
        const drawn = part.onDidDraw(kind => kind === 'objects' && listener());
        return toDisposable(() => [changed, drawn].forEach(listener => listener.dispose()));
      },
      areIn: kind => part.listOf(kind).length > 0,
      pathsIn: kind => {
        const all = part.listOf(kind);
        const pathOf = pathsIn(all);
        return inTreeOrder(all).map(({ population: { name } }) => pathOf(name).join('/'));
      },
      impossible: (kind, columns) =>
        populationsInTable(part.listOf(kind), columns).find(({ placement }) => 'problem' in placement)
          ?.population.name,
      columnsBehind: (kind, name, columns) => columnsBehind(part.listOf(kind), name, columns),
      withoutDrafts: kind => part.sendToEngine(kind),
    });
    session.tables.addColumns((kind, _summary, signal) => part.tableOpened(kind, signal));
  };
}
