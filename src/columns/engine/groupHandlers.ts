import { CodedError } from '../../base/errors';
import { columnStatistics, jsonNumber } from '../columnStatistics';
import type { TableRequests } from '../tableRequests';
import type { ViewSpec } from '../viewSpec';
import { saveGroups } from './saveTable';
import { groupKeys, groupOrder, groupTable, type GroupTable, groupTableBytes } from './statistics/groups';
import type { TypedFormat } from './typedFormat';
import type { TableView } from './tableView';

/** Maximum number of groups in one response, so that a message stays small. */
const MAX_GROUPS = 10_000;
/** Maximum number of characters in one response; at two bytes each they stay below 4 MB. */
const MAX_CHARACTERS = 1_500_000;
/** Maximum number of characters of a key in a response; tableCell returns the whole key. */
const MAX_KEY_CHARACTERS = 2000;
const GROUPS_PER_STEP = 256;
/** Maximum number of columns with statistics, so that a request can't use up the memory. */
const MAX_STATISTICS = 256;

type GroupsParams = Omit<TableRequests['tableGroups']['params'], 'start' | 'end' | 'table'>;

/** Groups [start, end) of a view. */
export async function groupsOfView(
  view: TableView,
  { start, end, ...params }: Omit<TableRequests['tableGroups']['params'], 'table'>,
  signal: AbortSignal,
): Promise<TableRequests['tableGroups']['result']> {
  if (!(end - start <= MAX_GROUPS))
    throw new CodedError('bad-request', `At most ${MAX_GROUPS} groups at once`);
  const { table, order } = await groupsAndOrder(view, params, signal);
  const { total, counts, firstRows, values, all } = table;
  const groupsEnd = Math.min(total, end);
  const groups: TableRequests['tableGroups']['result']['groups'] = [];
  let characters = 0;
  for (let i = start; i < groupsEnd && characters < MAX_CHARACTERS; i = start + groups.length) {
    const length = Math.min(GROUPS_PER_STEP, groupsEnd - i);
    const groupIndexes = Array.from({ length }, (_, offset) => order?.[i + offset] ?? i + offset);
    groupKeys(view.table, params.by, table, groupIndexes, MAX_KEY_CHARACTERS).forEach((keys, offset) => {
      const group = groupIndexes[offset] ?? 0;
      characters += keys.reduce((sum, key) => sum + (key?.length ?? 0), 20 * values.length);
      groups.push({
        keys,
        row: firstRows[group] ?? 0,
        rows: counts[group] ?? 0,
        values: values.map(numbers => jsonNumber(numbers[group])),
      });
    });
  }
  return { groups, total, all: { rows: all.rows, values: all.values.map(jsonNumber) }, ...infiniteOf(table) };
}

/** Saves all groups of a view. */
export async function saveGroupsOfView(
  view: TableView,
  {
    header,
    destination,
    overwrite,
    markHeader,
    withoutCounts = false,
    format,
    ...params
  }: Omit<TableRequests['tableGroupsSave']['params'], 'table'> & { format?: TypedFormat | undefined },
  decimalComma: boolean,
  signal: AbortSignal,
): Promise<TableRequests['tableGroupsSave']['result']> {
  const { table, order } = await groupsAndOrder(view, params, signal);
  const options = {
    by: params.by,
    header,
    groups: table,
    order,
    decimalMark: decimalComma ? (',' as const) : ('.' as const),
    destination,
    overwrite: overwrite === true,
    markHeader,
    withoutCounts,
    format,
  };
  return { ...(await saveGroups(view.table, options, signal)), ...infiniteOf(table) };
}

/** The measures with infinite numbers, and how many each has. */
function infiniteOf({ infinite }: GroupTable): { infinite?: number[] } {
  return infinite.some(count => count > 0) ? { infinite: [...infinite] } : {};
}

/** The groups of a view and their order. Both stay in memory for the next request. */
async function groupsAndOrder(
  view: TableView,
  { by, measures, statistics, order, filters }: GroupsParams & ViewSpec,
  signal: AbortSignal,
): Promise<{ table: GroupTable; order: Uint32Array | undefined }> {
  for (const column of [...by, ...measures]) view.columnAt(column);
  for (const id of statistics)
    if (!Object.hasOwn(columnStatistics, id)) throw new CodedError('bad-request', `Unknown statistic ${id}`);
  if (measures.length * statistics.length > MAX_STATISTICS)
    throw new CodedError('bad-request', `At most ${MAX_STATISTICS} statistics at once`);
  const { cache, rowCount, columns } = view.table;
  const subset = await view.filteredRows(filters, signal);
  // The type of a column can change while rows are being read.
  const key = JSON.stringify([
    'groups',
    rowCount,
    columns.map(({ kind }) => kind[0]).join(''),
    view.filtersKey(filters),
    by,
    measures,
    statistics,
  ]);
  const table = await cache.get(
    {
      key,
      make: shared => groupTable(view.table, { by, measures, statistics }, subset, shared),
      bytesOf: groupTableBytes,
    },
    signal,
  );
  if (!order) return { table, order: undefined };
  return {
    table,
    order: await cache.get(
      {
        key: JSON.stringify([key, order]),
        make: shared => groupOrder(view.table, by, table, order, shared),
        bytesOf: ({ byteLength }) => byteLength,
      },
      signal,
    ),
  };
}
