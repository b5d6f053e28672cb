import type { TableColumn } from '../../../model/tableSummary';
import type { Filter } from '../../../model/viewSpec';
import { sameFilter, withColumnFilter, type PageFilter } from '../filters/filterList';
import { typedRangeEnd } from '../filters/rangeEnd';

/*
 * A group is filtered to by a filter for each of its keys. While the filters name one group in this way, the groups are those of
 * the other filters: the group can be compared with the others, and nothing moves when it is selected.
 */

/** An integer as a cell may write it: with zeros after the decimal mark, or with the mark alone. */
const WHOLE = /^\s*([+-]?\d+)(?:[.,]0*)?\s*$/;

/** The rows that have a group's key in a column; null is a missing one. Undefined for a text that is no number in a column of numbers. */
export function keyFilter(
  { index, kind }: Pick<TableColumn, 'index' | 'kind'>,
  key: string | null,
  decimalComma: boolean,
): Filter | undefined {
  if (key === null) return { kind: 'values', column: index, values: [], missing: true };
  if (kind === 'text') return { kind: 'values', column: index, values: [key] };
  // 12.0 is 12, so the rows of a number are those of a range.
  const end = typedRangeEnd(WHOLE.exec(key)?.[1] ?? key, decimalComma);
  return end === undefined || end === null ? undefined : { kind: 'range', column: index, from: end, to: end };
}

/** The filters that leave one group of those by some columns, in the order of these, and the others; undefined where they don't. */
export function selectedGroup(
  filters: readonly PageFilter[],
  by: readonly number[],
): { own: PageFilter[]; others: PageFilter[] } | undefined {
  const own = by.map(column => filters.find(({ filter }) => isOfOneKey(filter, column)));
  const found = own.filter(each => each !== undefined);
  if (by.length === 0 || found.length < by.length) return undefined;
  return { own: found, others: filters.filter(each => !found.includes(each)) };
}

/** The filters with those that leave one group: they replace what its columns had of their kinds. */
export function withGroup(filters: readonly PageFilter[], keys: readonly Filter[]): PageFilter[] {
  return keys.reduce<PageFilter[]>(
    (before, key) => (key.kind === 'rowSet' ? before : withColumnFilter(before, key.column, key.kind, key)),
    withoutKeys(filters, keys),
  );
}

/** Whether filters are those of a group. */
export function areOfGroup(own: readonly PageFilter[], keys: readonly Filter[]): boolean {
  return keys.length === own.length && own.every(({ filter }, at) => sameFilter(filter, keys[at] ?? filter));
}

/** Without filters that leave one key of a column: a missing number is left by another kind of filter than a number. */
function withoutKeys(filters: readonly PageFilter[], keys: readonly Filter[]): PageFilter[] {
  return filters.filter(
    ({ filter }) => !keys.some(key => key.kind !== 'rowSet' && isOfOneKey(filter, key.column)),
  );
}

function isOfOneKey(filter: Filter, column: number): boolean {
  if (filter.kind === 'range')
    return filter.column === column && filter.from !== null && filter.from === filter.to;
  if (filter.kind !== 'values' || filter.column !== column || filter.exclude) return false;
  return filter.values.length + Number(filter.missing === true) === 1;
}
