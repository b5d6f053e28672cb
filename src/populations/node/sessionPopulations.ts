import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { PartKey } from '../../base/parts';
import type { StoredKind } from '../../base/storedKind';
import * as v from 'valibot';
import type { TableKind } from '../../service/resultParts';
import type { ResultChoices } from '../../results/node/resultChoices';
import { choiceOwnerOf } from '../../session/node/resultSource';
import type { AddSessionParts, ResultSession } from '../../session/node/resultSession';
import { type Population, withRenamedColumns } from '../population';
import { withFilterSets } from '../populationList';
import { populations } from '../populationSchemas';

/** The populations of the tables of a result, as they are stored. */
export const storedPopulations: StoredKind<Partial<Record<TableKind, Population[]>>> = {
  name: 'populations',
  valid: value => {
    const { success, output } = v.safeParse(v.record(v.string(), v.unknown()), value);
    if (!success) return undefined;
    const parts = Object.entries(output).flatMap(([part, stored]) => {
      const found = v.safeParse(populations, stored);
      return found.success ? [[part, found.output] as const] : [];
    });
    return Object.fromEntries(parts);
  },
};

interface Changed {
  kind: TableKind;
  populations: readonly Population[];
  /** Who has changed them, and needs not be told. */
  by: unknown;
}

/**
 * The populations of the tables of an open result: stored with it, and known to its engine before
 * anyone sees a table.
 */
export class SessionPopulations {
  private readonly read = new Map<TableKind, readonly Population[]>();
  private readonly changed = new Emitter<Changed>();
  readonly onDidChange = this.changed.event;
  private readonly following: Disposable;

  constructor(
    private readonly session: Pick<ResultSession, 'source' | 'request' | 'log' | 'signal'>,
    private readonly choices: Pick<
      ResultChoices,
      'value' | 'setValue' | 'oldFilterSets' | 'dropOldFilterSets' | 'onDidRenameColumns'
    >,
  ) {
    const { key } = choiceOwnerOf(session.source);
    this.following = choices.onDidRenameColumns(renamed => {
      if (renamed.key === key) void this.columnsRenamed(renamed.names);
    });
  }

  async of(kind: TableKind): Promise<readonly Population[]> {
    const known = this.read.get(kind);
    if (known) return known;
    const owner = choiceOwnerOf(this.session.source);
    const found = await this.withOldFilterSets(kind, owner);
    this.read.set(kind, found);
    return found;
  }

  /** With filters to which an earlier version gave a name: these are populations from then on. */
  private async withOldFilterSets(kind: TableKind, owner: ChoiceOwner): Promise<readonly Population[]> {
    const before = await this.choices.value(storedPopulations, owner);
    const stored = before?.[kind] ?? [];
    const sets = await this.choices.oldFilterSets(owner, kind);
    if (sets.length === 0) return stored;
    const all = withFilterSets(stored, sets);
    await this.choices.setValue(storedPopulations, owner, { ...before, [kind]: all });
    await this.choices.dropOldFilterSets(owner, kind);
    return all;
  }

  /** Also those of tables that no page shows, which would follow. */
  private async columnsRenamed(names: ReadonlyMap<string, string>): Promise<void> {
    const owner = choiceOwnerOf(this.session.source);
    try {
      const before = await this.choices.value(storedPopulations, owner);
      const tables = Object.entries(before ?? {}) as [TableKind, Population[]][];
      const after = Object.fromEntries(
        tables.map(([kind, all]) => [kind, withRenamedColumns(all, names)]),
      ) as Partial<Record<TableKind, Population[]>>;
      if (JSON.stringify(after) === JSON.stringify(before ?? {})) return;
      await this.choices.setValue(storedPopulations, owner, after);
      for (const kind of this.read.keys()) {
        const populations = after[kind] ?? [];
        this.read.set(kind, populations);
        await this.session.request('setPopulations', { table: kind, populations }, this.session.signal);
      }
    } catch (error) {
      this.session.log.info('Populations could not follow columns', error);
    }
  }

  /** Those of a table that has been opened. */
  known(kind: TableKind): readonly Population[] {
    return this.read.get(kind) ?? [];
  }

  /** Stores them; filters are of them once the engine has been told. */
  async set(kind: TableKind, all: readonly Population[], signal: AbortSignal, by?: unknown): Promise<void> {
    const owner = choiceOwnerOf(this.session.source);
    const before = await this.choices.value(storedPopulations, owner);
    await this.choices.setValue(storedPopulations, owner, { ...before, [kind]: [...all] });
    this.read.set(kind, all);
    await this.session.request('setPopulations', { table: kind, populations: [...all] }, signal);
    this.changed.fire({ kind, populations: all, by });
  }

  /** Has the engine know them, before anyone sees the table. */
  async tableOpened(kind: TableKind, signal: AbortSignal): Promise<void> {
    try {
      const all = await this.of(kind);
      await this.session.request('setPopulations', { table: kind, populations: [...all] }, signal);
    } catch (error) {
      // The table is more than its populations.
      this.session.log.info('Populations could not be read', error);
    }
  }

  dispose(): void {
    this.following.dispose();
    this.changed.dispose();
  }
}

export const sessionPopulations = new PartKey<SessionPopulations>('populations');

export function populationParts(choices: ResultChoices): AddSessionParts {
  return session => {
    const part = session.add(sessionPopulations, new SessionPopulations(session, choices));
    session.tables.addColumns((kind, _summary, signal) => part.tableOpened(kind, signal));
  };
}
