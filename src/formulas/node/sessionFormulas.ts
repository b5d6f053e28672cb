import { CodedError } from '../../base/errors';
import type { Disposable } from '../../base/disposable';
import { areSame, withChanges } from '../../base/namedList';
import { PartKey } from '../../base/parts';
import { reason } from '../../base/reasons';
import { type ComputedColumn, MAX_COMPUTED } from '../../columns/computedColumn';
import type { TableColumn, TableSummary } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from '../../session/node/resultSession';
import { type ComputedReport, programFormulas, type ProgramFormulas } from '../../session/node/programTable';
import type { EngineRequest, SessionLog } from '../../session/node/sessionEngine';
import type { SessionTables } from '../../session/node/sessionTables';
import { plainEnglish } from '../../words/translate';
import { checkColumns, namedColumn } from '../computedColumns';
import type { FormulaStore } from './formulaStore';
import { withRenamedInFormulas } from '../columnReferences';
import { problemWords } from '../formulaWords';

/** The computed columns of the tables of an open result. */
class SessionFormulas implements ProgramFormulas, Disposable {
  private readonly following: Disposable;
  private watching: Promise<Disposable | undefined> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  /** Changes that aren't complete. */
  private pending = 0;
  /** Columns of a program are there that aren't stored. */
  private isApart = false;
  /** Those of tables that have been opened, as the engine has them. */
  private readonly latest = new Map<TableKind, readonly ComputedColumn[]>();

  constructor(
    private readonly dependencies: {
      tables: Pick<SessionTables, 'open' | 'isOpen' | 'extended'>;
      request: EngineRequest;
      store: FormulaStore;
      log: Pick<SessionLog, 'info'>;
      signal: AbortSignal;
    },
  ) {
    const { store, log } = dependencies;
    this.following = store.onDidRenameColumns(names => {
      this.columnsRenamed(names).catch((error: unknown) => log.info('Renaming columns in formulas', error));
    });
  }

  /** A table is being opened: it gets its columns before anyone sees it. */
  async tableOpened(kind: TableKind, signal: AbortSignal): Promise<void> {
    const { store, log } = this.dependencies;
    try {
      this.watching ??= store.watch(() => {
        this.refresh().catch((error: unknown) => log.info('Computing columns', error));
      });
      if (!this.latest.has(kind)) this.latest.set(kind, await store.read(kind));
      if ((this.latest.get(kind)?.length ?? 0) > 0) await this.show(kind, signal);
    } catch (error) {
      // The table opens without them; the file's own columns are there.
      log.info('Computing columns', error);
    }
  }

  /**
   * Stores changes from some computed columns of a table to others; keeps what other windows stored
   * since. Throws `bad-request` for a taken name or a changed formula that isn't valid, and errors
   * of storing; then nothing changes.
   */
  change(
    kind: TableKind,
    before: readonly ComputedColumn[],
    after: readonly ComputedColumn[],
    signal: AbortSignal,
  ): Promise<void> {
    return this.inTurn(async () => {
      const { columns } = await this.dependencies.tables.open(kind, signal);
      const current = this.latest.get(kind) ?? [];
      checkChange(current, withChanges(current, before, after), columns);
      this.latest.set(kind, await this.dependencies.store.change(kind, before, after));
      await this.show(kind, signal);
    });
  }

  /** Loads changes that other windows stored. */
  refresh(): Promise<void> {
    const { store, tables, signal } = this.dependencies;
    return this.inTurn(async () => {
      for (const [kind, before] of this.latest) {
        const stored = await store.read(kind);
        if (signal.aborted || this.isApart || areSame(stored, before)) continue;
        this.latest.set(kind, stored);
        if (tables.isOpen(kind)) await this.show(kind, signal);
      }
    });
  }

  /**
   * Adds columns for a program, without storing them; replaces those of the same names. Throws as
   * `change`.
   */
  async compute(
    kind: TableKind,
    added: readonly ComputedColumn[],
    signal: AbortSignal,
  ): Promise<ComputedReport[]> {
    const { request, tables } = this.dependencies;
    const { columns } = await tables.open(kind, signal);
    const names = new Set(added.map(({ name }) => name));
    const before = (this.latest.get(kind) ?? []).filter(({ name }) => !names.has(name));
    checkChange(before, [...before, ...added], columns);
    this.isApart = true;
    this.latest.set(kind, [...before, ...added]);
    await this.show(kind, signal);
    const { columns: all } = await tables.open(kind, signal);
    const reports: ComputedReport[] = [];
    for (const { name, formula } of added) {
      const preview = { table: kind, sort: [], formula, instead: name, rows: 0, isWhole: true };
      const { report } = await request('tableFormulaPreview', preview, signal);
      const type = all.find(column => column.computed && column.name === name)?.computed?.type ?? 'text';
      reports.push({ name, type, rows: 0, missing: 0, ...report });
    }
    return reports;
  }

  /** Formulas for the same table of another result, written last. */
  last(kind: TableKind): Promise<readonly ComputedColumn[]> {
    return this.dependencies.store.last(kind);
  }

  dispose(): void {
    this.following.dispose();
    void this.watching?.then(watcher => watcher?.dispose());
  }

  /**
   * Columns of images have other names now: formulas that use them follow. The engine gets these at
   * once, as it gets the names next, and the table is shown with both. After a change that isn't
   * complete, they are as they are stored then.
   */
  private async columnsRenamed(names: ReadonlyMap<string, string>): Promise<void> {
    if (this.pending > 0 && !this.isApart) return this.refresh();
    const { request, tables, signal } = this.dependencies;
    const renamed = [...this.latest].flatMap(([table, before]) => {
      const computed = withRenamedInFormulas(before, names);
      return areSame(computed, before) ? [] : [{ table, computed }];
    });
    for (const { table, computed } of renamed) this.latest.set(table, computed);
    const shown = renamed.filter(({ table }) => tables.isOpen(table));
    await Promise.all(shown.map(params => request('computeColumns', params, signal)));
  }

  /** One change after the other: each begins with the result of the one before. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.pending++;
    const done = this.turn.then(work).finally(() => this.pending--);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async show(kind: TableKind, signal: AbortSignal): Promise<void> {
    const computed = this.latest.get(kind) ?? [];
    const summary: TableSummary = await this.dependencies.request(
      'computeColumns',
      { table: kind, computed },
      signal,
    );
    this.dependencies.tables.extended(kind, summary);
  }
}

/** Throws `bad-request` with the name of the column in the message, for programs and the log. */
function checkChange(
  before: readonly ComputedColumn[],
  computed: readonly ComputedColumn[],
  columns: readonly TableColumn[],
): void {
  if (computed.length > Math.max(before.length, MAX_COMPUTED))
    throw new CodedError('bad-request', `More than ${MAX_COMPUTED} computed columns`, {
      subject: 'computed',
      reason: reason('A table can have {0} computed columns at most', MAX_COMPUTED),
    });
  const others = columns.filter(column => !column.computed);
  const taken = new Set(others.map(({ name }) => name));
  for (const { name } of computed) {
    if (taken.has(name)) throw invalid(`There already is a column "${name}"`);
    taken.add(name);
  }
  const formulaOf = new Map(before.map(({ name, formula }) => [name, formula]));
  for (const column of checkColumns(computed, others.map(namedColumn))) {
    // Earlier columns may lack a column by now; the column itself shows that.
    if ('checked' in column || formulaOf.get(column.name) === column.formula) continue;
    const { problem, name } = column;
    const place = `character ${problem.start + 1}`;
    throw invalid(`The formula of "${name}" at ${place}: ${problemWords(plainEnglish, problem)}`);
  }
}

function invalid(message: string): CodedError {
  return new CodedError('bad-request', message, { subject: 'computed' });
}

export const sessionFormulas = new PartKey<SessionFormulas>('sessionFormulas');

/** Adds the formulas of a result to its session. */
export function addFormulas(session: ResultSession, store: FormulaStore): void {
  const { tables, request, log, signal } = session;
  const formulas = session.add(sessionFormulas, new SessionFormulas({ tables, request, store, log, signal }));
  session.add(programFormulas, formulas);
  tables.addColumns((kind, _summary, opening) => formulas.tableOpened(kind, opening));
}
