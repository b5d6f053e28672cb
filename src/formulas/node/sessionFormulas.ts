import * as v from 'valibot';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { areSame, withChanges } from '../../base/namedList';
import { PartKey } from '../../base/parts';
import { reasonForLog } from '../../base/reasonForLog';
import { reason } from '../../base/reasons';
import { type ComputedColumn, computedColumn, MAX_COMPUTED } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import type { ChoiceOwner, ResultChoices } from '../../results/node/resultChoices';
import { listsKind, TableLists } from '../../results/node/tableLists';
import type { TableKind } from '../../service/resultParts';
import { type ComputedReport, programFormulas, type ProgramFormulas } from '../../session/node/programTable';
import type { ResultSession } from '../../session/node/resultSession';
import { choiceOwnerOf } from '../../session/node/resultSource';
import { checkColumns } from '../computedColumns';
import { withRenamedInFormulas } from '../formulaTokens';

/** The computed columns of the tables of a result, as they are stored with the choices for it. */
export const formulasKind = listsKind('formulas', value => (v.is(computedColumn, value) ? value : undefined));

type FormulaChoices = Pick<
  ResultChoices,
  'value' | 'values' | 'changeValue' | 'watchValue' | 'onDidRenameColumns'
>;

/** The computed columns of the tables of an open result. */
class SessionFormulas implements ProgramFormulas, Disposable {
  private readonly owner: ChoiceOwner;
  private readonly stored: TableLists<ComputedColumn>;
  private readonly renameSubscription: Disposable;
  private watching: Promise<Disposable | undefined> | undefined;
  private lastChange: Promise<unknown> = Promise.resolve();
  /** Number of incomplete changes. */
  private pending = 0;
  /** Whether a program added columns, which aren't stored. */
  private hasUnstored = false;
  /** The computed columns of opened tables, as the engine has them. */
  private readonly latest = new Map<TableKind, readonly ComputedColumn[]>();

  constructor(
    private readonly session: Pick<ResultSession, 'source' | 'tables' | 'request' | 'log' | 'signal'>,
    private readonly choices: FormulaChoices,
  ) {
    this.owner = choiceOwnerOf(session.source);
    this.stored = new TableLists(choices, formulasKind, this.owner);
    this.renameSubscription = choices.onDidRenameColumns(({ key, names }) => {
      if (key !== this.owner.key) return;
      this.columnsRenamed(names).catch((error: unknown) =>
        session.log.info('Renaming columns in formulas', error),
      );
    });
  }

  /** Adds the computed columns of a table that is being opened, before anyone sees it. */
  async tableOpened(kind: TableKind, signal: AbortSignal): Promise<void> {
    const { log } = this.session;
    try {
      this.watching ??= this.stored.watch(() => {
        this.refresh().catch((error: unknown) => log.info('Computing columns', error));
      });
      if (!this.latest.has(kind)) this.latest.set(kind, await this.stored.read(kind));
      if ((this.latest.get(kind)?.length ?? 0) > 0) await this.show(kind, signal);
    } catch (error) {
      // The table opens with the columns of its file only.
      log.info('Computing columns', error);
    }
  }

  /**
   * Stores the changes between two lists of computed columns of a table; later changes of other
   * windows stay. Throws `bad-request` for a taken name or a changed formula that isn't valid, and
   * errors of storing; then nothing changes.
   */
  change(
    kind: TableKind,
    before: readonly ComputedColumn[],
    after: readonly ComputedColumn[],
    signal: AbortSignal,
  ): Promise<void> {
    return this.inTurn(async () => {
      const { columns } = await this.session.tables.open(kind, signal);
      const current = this.latest.get(kind) ?? [];
      checkChange(current, withChanges(current, before, after), columns);
      this.latest.set(kind, await this.stored.change(kind, before, after));
      await this.show(kind, signal);
    });
  }

  /** Loads changes that other windows stored. */
  refresh(): Promise<void> {
    const { tables, signal } = this.session;
    return this.inTurn(async () => {
      for (const [kind, before] of this.latest) {
        const stored = await this.stored.read(kind);
        if (signal.aborted || this.hasUnstored || areSame(stored, before)) continue;
        this.latest.set(kind, stored);
        if (tables.isOpen(kind)) await this.show(kind, signal);
      }
    });
  }

  /**
   * Adds columns for a program without storing them. They replace columns with the same names.
   * Throws the same errors as `change`.
   */
  async compute(
    kind: TableKind,
    added: readonly ComputedColumn[],
    signal: AbortSignal,
  ): Promise<ComputedReport[]> {
    const { request, tables } = this.session;
    const { columns } = await tables.open(kind, signal);
    const names = new Set(added.map(({ name }) => name));
    const before = (this.latest.get(kind) ?? []).filter(({ name }) => !names.has(name));
    checkChange(before, [...before, ...added], columns);
    this.hasUnstored = true;
    this.latest.set(kind, [...before, ...added]);
    const shown = await this.show(kind, signal);
    const reports: ComputedReport[] = [];
    for (const { name, formula } of added) {
      const preview = { table: kind, sort: [], formula, replacedName: name, rows: 0, isWhole: true };
      const { report } = await request('tableFormulaPreview', preview, signal);
      const type = shown.find(column => column.computed && column.name === name)?.computed?.type ?? 'text';
      reports.push({ name, type, rows: 0, missing: 0, ...report });
    }
    return reports;
  }

  /** The computed columns of the same table in another result: the one that changed them last. */
  async last(kind: TableKind): Promise<readonly ComputedColumn[]> {
    const { key: ownKey, accountId } = this.owner;
    const results = Object.entries(await this.choices.values(formulasKind, accountId));
    return results.findLast(([key, tables]) => key !== ownKey && tables[kind]?.length)?.[1][kind] ?? [];
  }

  dispose(): void {
    this.renameSubscription.dispose();
    void this.watching?.then(watcher => watcher?.dispose());
  }

  /**
   * Renames columns of images in the formulas of all tables. The engine gets the formulas at once:
   * it gets the new names next, and the table shows both together. During an incomplete change,
   * the stored formulas are loaded after it instead.
   *
   * Each session of the result stores them, which is right while no new name is also a former one.
   */
  private async columnsRenamed(names: ReadonlyMap<string, string>): Promise<void> {
    const isChanging = this.pending > 0 && !this.hasUnstored;
    const stored = this.stored.changeAll(computed => withRenamedInFormulas(computed, names));
    if (isChanging) return stored.then(() => this.refresh());
    const { request, tables, signal } = this.session;
    const renamed = [...this.latest].flatMap(([table, before]) => {
      const computed = withRenamedInFormulas(before, names);
      return areSame(computed, before) ? [] : [{ table, computed }];
    });
    for (const { table, computed } of renamed) this.latest.set(table, computed);
    const shown = renamed.filter(({ table }) => tables.isOpen(table));
    await Promise.all([stored, ...shown.map(params => request('computeColumns', params, signal))]);
  }

  /** Runs changes one after another, so that each begins with the result of the previous one. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.pending++;
    const done = this.lastChange.then(work).finally(() => this.pending--);
    this.lastChange = done.catch(() => undefined);
    return done;
  }

  private async show(kind: TableKind, signal: AbortSignal): Promise<readonly TableColumn[]> {
    const computed = this.latest.get(kind) ?? [];
    const summary = await this.session.request('computeColumns', { table: kind, computed }, signal);
    this.session.tables.extended(kind, summary);
    return summary.columns;
  }
}

/** Checks changed columns. Throws `bad-request`; its message names the column, for programs. */
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
  for (const column of checkColumns(computed, others)) {
    // A formula from before the change may use a removed column: the table shows that problem.
    if ('checked' in column || formulaOf.get(column.name) === column.formula) continue;
    const { problem, name } = column;
    const position = `character ${problem.start + 1}`;
    throw invalid(`The formula of "${name}" at ${position}: ${reasonForLog(problem.reason)}`);
  }
}

function invalid(message: string): CodedError {
  return new CodedError('bad-request', message, { subject: 'computed' });
}

export const sessionFormulas = new PartKey<SessionFormulas>('sessionFormulas');

/** Adds the formulas of a result to its session. */
export function addFormulas(session: ResultSession, choices: FormulaChoices): void {
  const formulas = session.add(sessionFormulas, new SessionFormulas(session, choices));
  session.add(programFormulas, formulas);
  session.tables.addColumns((kind, _summary, opening) => formulas.tableOpened(kind, opening));
}
