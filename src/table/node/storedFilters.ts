import { CodedError } from '../../base/errors';
import type { TableColumn } from '../../columns/tableSummary';
import type { Filter, Lasso } from '../../columns/viewSpec';
import type { TableShown } from '../../linking/shownRows';
import type { ResultSource } from '../../session/node/resultSource';
import { sessionRows } from '../../linking/node/sessionRows';
import type { ResultSession } from '../../session/node/resultSession';
import type { SessionTables } from '../../session/node/sessionTables';

type StoredFilterKind = Exclude<Filter, { kind: 'rowSet' }>;

/** A column at the time of filtering: on another column, the filter would match other rows. */
type FilteredColumn = Pick<TableColumn, 'index' | 'name' | 'kind'>;

/** A filter of columns, or the lasso that a filter to rows was drawn with. */
type StoredFilter =
  | { filter: StoredFilterKind; columns: FilteredColumn[] }
  | { lasso: Lasso; exclude?: boolean; columns: FilteredColumn[] };

/** The stored filters of an objects table. */
interface StoredFilters {
  /** Absent if too large to store. */
  filters?: StoredFilter[];
  accountId?: string;
}

/** VS Code's storage for a workspace. */
interface WorkspaceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const STATE_KEY = 'imageAnalysis.tableFilters';
/** Maximum number of tables with stored filters; the latest ones are kept. */
const MAX_RESULTS = 50;
/** Maximum length of a table's filters as JSON. */
const MAX_LENGTH = 1_000_000;

/**
 * The filters that objects tables had last, stored in the workspace. After a reload, VS Code loads
 * a table's page, which has the filters, only once its tab is shown. Until then the masks follow
 * the stored filters.
 */
export class FiltersInWorkspace {
  constructor(private readonly state: WorkspaceState) {}

  of({ key }: Pick<ResultSource, 'key'>): StoredFilters | undefined {
    return this.all[key];
  }

  /**
   * Stores a table's filters; null if it has none or was closed. Rows selected on the masks aren't
   * stored.
   */
  async set(
    { key, accountId }: Pick<ResultSource, 'key' | 'accountId'>,
    shown: TableShown | null,
    columns: readonly TableColumn[],
  ): Promise<void> {
    const { [key]: before, ...otherTables } = this.all;
    const filters = shown ? storedFiltersOf(shown, columns) : [];
    if (filters.length === 0) {
      if (before) await this.state.update(STATE_KEY, otherTables);
      return;
    }
    const isLarge = JSON.stringify(filters).length > MAX_LENGTH;
    const stored: StoredFilters = {
      ...(!isLarge && { filters }),
      ...(accountId !== undefined && { accountId }),
    };
    const latest = [...Object.entries(otherTables), [key, stored]].slice(-MAX_RESULTS);
    await this.state.update(STATE_KEY, Object.fromEntries(latest));
  }

  /** Removes filters of accounts that aren't in the list. */
  async keepAccounts(accountIds: ReadonlySet<string>): Promise<void> {
    const entries = Object.entries(this.all);
    const remaining = entries.filter(
      ([, { accountId }]) => accountId === undefined || accountIds.has(accountId),
    );
    if (remaining.length < entries.length) await this.state.update(STATE_KEY, Object.fromEntries(remaining));
  }

  private get all(): Record<string, StoredFilters> {
    return { ...(this.state.get(STATE_KEY) as Record<string, StoredFilters> | undefined) };
  }
}

function storedFiltersOf({ view, lassos = [] }: TableShown, columns: readonly TableColumn[]): StoredFilter[] {
  const columnsAt = (...indexes: number[]) =>
    indexes.flatMap(index => {
      const column = columns[index];
      return column ? [{ index, name: column.name, kind: column.kind }] : [];
    });
  return (view.filters ?? []).flatMap((filter): StoredFilter[] => {
    if (filter.kind === 'population') return [{ filter, columns: [] }];
    if (filter.kind !== 'rowSet') return [{ filter, columns: columnsAt(filter.column) }];
    const match = lassos.find(({ set }) => set === filter.set);
    if (!match) return [];
    const { x, y, polygon, scales } = match;
    const { exclude } = filter;
    const lasso = { x, y, polygon, ...(scales && { scales }) };
    return [{ lasso, ...(exclude && { exclude }), columns: columnsAt(x, y) }];
  });
}

/**
 * Makes the masks follow the filters that the table had before its page closed. Throws as
 * `reapply` does.
 */
export function restoreFilters(session: ResultSession, stored: StoredFilters): Promise<void> {
  const { signal, tables, masks } = session;
  return session.get(sessionRows).restore(async () => {
    // The visible image is loaded first. The masks report a failure of that.
    await masks.open(signal).catch(() => undefined);
    return reapply(tables, stored, signal);
  });
}

/**
 * The rows that stored filters match now. Throws `bad-request` if the filters were too large to
 * store or the columns have changed, and errors of opening the table.
 */
async function reapply(
  tables: Pick<SessionTables, 'open' | 'request' | 'whenRead'>,
  { filters: stored }: StoredFilters,
  signal: AbortSignal,
): Promise<TableShown> {
  if (!stored) throw new CodedError('bad-request', 'The filters were too large to be kept');
  await tables.open('objects', signal);
  await tables.whenRead('objects', signal);
  const { columns, rowCount: total } = await tables.open('objects', signal);
  const isSame = ({ index, name, kind }: FilteredColumn) =>
    columns[index]?.name === name && columns[index].kind === kind;
  const filters: Filter[] = [];
  for (const storedFilter of stored) {
    if (!storedFilter.columns.every(isSame))
      throw new CodedError('bad-request', 'The table has other columns than those filtered by');
    if ('filter' in storedFilter) {
      filters.push(storedFilter.filter);
      continue;
    }
    const { set } = await tables.request(
      'objects',
      'tableLasso',
      { sort: [], ...storedFilter.lasso },
      signal,
    );
    filters.push({ kind: 'rowSet', set, ...(storedFilter.exclude && { exclude: true }) });
  }
  const view = { sort: [], filters };
  const { rowCount } = await tables.request('objects', 'tableView', view, signal);
  return { view, rowCount, total };
}
