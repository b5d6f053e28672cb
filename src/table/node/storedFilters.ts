import { CodedError } from '../../base/errors';
import type { TableColumn } from '../../columns/tableSummary';
import type { Filter, Lasso } from '../../columns/viewSpec';
import type { TableShown } from '../../linking/shownRows';
import type { ResultSource } from '../../session/node/resultSource';
import { sessionRows } from '../../linking/node/sessionRows';
import type { ResultSession } from '../../session/node/resultSession';
import type { SessionTables } from '../../session/node/sessionTables';

type NamedRows = Exclude<Filter, { kind: 'rowSet' }>;

/** A column at the time of filtering: on another column, the filter would match other rows. */
type KeptColumn = Pick<TableColumn, 'index' | 'name' | 'kind'>;

/** A filter of columns, or a lasso, whose rows are found again. */
type KeptFilter =
  | { filter: NamedRows; columns: KeptColumn[] }
  | { lasso: Lasso; exclude?: boolean; columns: KeptColumn[] };

/** The filters of an objects table. */
interface StoredFilters {
  /** Absent if too large to store. */
  filters?: KeptFilter[];
  accountId?: string;
}

/** Storage of VS Code for a workspace. */
interface WorkspaceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const STATE = 'imageAnalysis.tableFilters';
/** Maximum number of results with stored filters; the latest. */
const MAX_RESULTS = 50;
/** Characters of the filters of a table. */
const MAX_LENGTH = 1_000_000;

/**
 * The filters of objects tables as last shown by their pages, in this workspace. After a reload, VS
 * Code loads a table's page, which has its filters, only when its tab is shown: until then, the
 * masks follow these.
 */
export class FiltersInWorkspace {
  constructor(private readonly state: WorkspaceState) {}

  of({ key }: Pick<ResultSource, 'key'>): StoredFilters | undefined {
    return this.all[key];
  }

  /**
   * Null if the table has no filters, or is closed. Row sets selected on the masks aren't stored.
   */
  async set(
    { key, accountId }: Pick<ResultSource, 'key' | 'accountId'>,
    shown: TableShown | null,
    columns: readonly TableColumn[],
  ): Promise<void> {
    const { [key]: before, ...others } = this.all;
    const filters = shown ? keptOf(shown, columns) : [];
    if (filters.length === 0) {
      if (before) await this.state.update(STATE, others);
      return;
    }
    const isLarge = JSON.stringify(filters).length > MAX_LENGTH;
    const kept: StoredFilters = {
      ...(!isLarge && { filters }),
      ...(accountId !== undefined && { accountId }),
    };
    const latest = [...Object.entries(others), [key, kept]].slice(-MAX_RESULTS);
    await this.state.update(STATE, Object.fromEntries(latest));
  }

  /** Removes those of accounts that aren't in this list. */
  async keepAccounts(accountIds: ReadonlySet<string>): Promise<void> {
    const all = Object.entries(this.all);
    const left = all.filter(([, { accountId }]) => accountId === undefined || accountIds.has(accountId));
    if (left.length < all.length) await this.state.update(STATE, Object.fromEntries(left));
  }

  private get all(): Record<string, StoredFilters> {
    return { ...(this.state.get(STATE) as Record<string, StoredFilters> | undefined) };
  }
}

function keptOf({ view, lassos = [] }: TableShown, columns: readonly TableColumn[]): KeptFilter[] {
  const known = (...indexes: number[]) =>
    indexes.flatMap(at => {
      const column = columns[at];
      return column ? [{ index: at, name: column.name, kind: column.kind }] : [];
    });
  return (view.filters ?? []).flatMap((filter): KeptFilter[] => {
    if (filter.kind === 'population') return [{ filter, columns: [] }];
    if (filter.kind !== 'rowSet') return [{ filter, columns: known(filter.column) }];
    const found = lassos.find(({ set }) => set === filter.set);
    if (!found) return [];
    const { x, y, polygon, scales } = found;
    const { exclude } = filter;
    const lasso = { x, y, polygon, ...(scales && { scales }) };
    return [{ lasso, ...(exclude && { exclude }), columns: known(x, y) }];
  });
}

/**
 * Makes the masks follow the filters that the table had before its page closed. Throws as
 * shownAgain does.
 */
export function restoreFilters(session: ResultSession, kept: StoredFilters): Promise<void> {
  const { signal, tables, masks } = session;
  return session.get(sessionRows).restore(async () => {
    // The visible image is read first; the masks show a failure.
    await masks.open(signal).catch(() => undefined);
    return shownAgain(tables, kept, signal);
  });
}

/**
 * Rows that the stored filters match now. Throws `bad-request` if they were too large to store or
 * the table has other columns, and errors of opening the table.
 */
async function shownAgain(
  tables: Pick<SessionTables, 'open' | 'request' | 'whenRead'>,
  { filters: kept }: StoredFilters,
  signal: AbortSignal,
): Promise<TableShown> {
  if (!kept) throw new CodedError('bad-request', 'The filters were too large to be kept');
  await tables.open('objects', signal);
  await tables.whenRead('objects', signal);
  const { columns, rowCount: total } = await tables.open('objects', signal);
  const isSame = ({ index, name, kind }: KeptColumn) =>
    columns[index]?.name === name && columns[index].kind === kind;
  const filters: Filter[] = [];
  for (const each of kept) {
    if (!each.columns.every(isSame))
      throw new CodedError('bad-request', 'The table has other columns than those filtered by');
    if ('filter' in each) {
      filters.push(each.filter);
      continue;
    }
    const { set } = await tables.request('objects', 'tableLasso', { sort: [], ...each.lasso }, signal);
    filters.push({ kind: 'rowSet', set, ...(each.exclude && { exclude: true }) });
  }
  const view = { sort: [], filters };
  const { rowCount } = await tables.request('objects', 'tableView', view, signal);
  return { view, rowCount, total };
}
