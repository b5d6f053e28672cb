import type { GroupOrder } from '../../../columns/tableStatistics';
import type { Filter } from '../../../columns/viewSpec';
import { tabSeparated } from '../../../pages/page/tabSeparated';
import { MAX_COPIED_CELLS } from '../grid/cells/copyCells';
import { fetchCell } from '../grid/rows/rowFetcher';
import type { TableText } from '../../../pages/page/pageText';
import type { TableModel } from '../tableModel';
import type { GroupColumn, GroupRow } from './groupColumns';
import type { GroupsSpec } from './groupsState';

/** Groups in one request. */
const GROUPS_PER_REQUEST = 2000;
/** A key with this many characters may be cut off. */
const CUT_KEY = 2000;

/** Groups of the rows that match some filters. */
export interface GroupsView extends GroupsSpec {
  filters: readonly Filter[];
}

/** Groups [start, end) in an order; requests again where fewer came, since the panel limits the size of a message. */
export async function fetchGroups(
  model: TableModel,
  { by, measures, statistics, filters }: GroupsView,
  { start, end, order }: { start: number; end: number; order: GroupOrder | undefined },
  signal?: AbortSignal,
): Promise<{ rows: GroupRow[]; total: number; all: Pick<GroupRow, 'rows' | 'values'> }> {
  const rows: GroupRow[] = [];
  for (;;) {
    const params = { filters, by, measures, statistics, ...(order && { order }) };
    const window = { start: start + rows.length, end };
    const { groups, total, all } = await model.request('tableGroups', { ...params, ...window }, signal);
    rows.push(...groups);
    if (groups.length === 0 || start + rows.length >= Math.min(end, total)) return { rows, total, all };
  }
}

/** A group's keys, fetched whole where they are cut off. */
export function wholeKeys(
  model: TableModel,
  by: readonly number[],
  { keys, row }: GroupRow,
): Promise<(string | null)[]> {
  return Promise.all(
    keys.map(async (key, at) => {
      const column = by[at];
      if (key === null || key.length < CUT_KEY || column === undefined) return key;
      return (await fetchCell(model, row, column)).text;
    }),
  );
}

/** All groups as tab-separated text, with a header and the row about all rows; numbers and keys are not shortened. */
export async function groupsAsText(
  model: TableModel,
  text: TableText,
  view: GroupsView,
  { order, columns, all }: { order: GroupOrder | undefined; columns: readonly GroupColumn[]; all: GroupRow },
  signal?: AbortSignal,
): Promise<{ text: string; groups: number }> {
  const cellsOf = (row: GroupRow) => columns.map(column => column.exact(row));
  const parts = [tabSeparated([columns.map(({ fullName }) => fullName)])];
  let groups = 0;
  for (let total = Infinity; groups < total;) {
    const window = { start: groups, end: groups + GROUPS_PER_REQUEST, order };
    const found = await fetchGroups(model, view, window, signal);
    ({ total } = found);
    const cells = (total + 1) * columns.length;
    if (cells > MAX_COPIED_CELLS) throw new Error(text.get('copyTooMany', MAX_COPIED_CELLS, cells));
    // There are fewer groups than before.
    if (found.rows.length === 0 && groups < total) throw new Error(text.get('copyRowsMissing'));
    const rows = [];
    for (const row of found.rows) rows.push(cellsOf({ ...row, keys: await wholeKeys(model, view.by, row) }));
    parts.push(tabSeparated(rows));
    groups += rows.length;
  }
  const ofAll = columns.map((column, at) => (at === 0 ? (all.all ?? '') : column.exact(all)));
  return { text: [...parts, tabSeparated([ofAll])].join(''), groups };
}
