import type { Lasso } from '../../../columns/lasso';
import type { Filter } from '../../../columns/viewSpec';

/** A filter as the page saves it: a row set with the lasso that made it. */
export interface PageFilter {
  filter: Filter;
  lasso?: Lasso;
  /** The user has turned it off: it is listed, and leaves all rows. */
  off?: true;
}

export type FilterKind = Filter['kind'];

export function sameFilter(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The filters that leave out rows. */
export function activeFilters(filters: readonly PageFilter[]): PageFilter[] {
  return filters.filter(({ off }) => !off);
}

/** A filter turned on or off. */
export function turned({ filter, lasso }: PageFilter, on: boolean): PageFilter {
  return { filter, ...(lasso && { lasso }), ...(!on && { off: true }) };
}

/** The filter of a kind that a column has, if any. */
export function columnFilter<K extends Exclude<FilterKind, 'rowSet'>>(
  filters: readonly PageFilter[],
  column: number,
  kind: K,
): Extract<Filter, { kind: K }> | undefined {
  for (const { filter } of filters) {
    if (filter.kind !== 'rowSet' && filter.kind === kind && filter.column === column) {
      return filter as Extract<Filter, { kind: K }>;
    }
  }
  return undefined;
}

export function hasFilter(filters: readonly PageFilter[], column: number): boolean {
  return filters.some(({ filter }) => filter.kind !== 'rowSet' && filter.column === column);
}

/**
 * The filters with a column's filter of a kind replaced where it stands, added at the end, or removed for null. One that was off
 * is on then.
 */
export function withColumnFilter(
  filters: readonly PageFilter[],
  column: number,
  kind: Exclude<FilterKind, 'rowSet'>,
  filter: Filter | null,
): PageFilter[] {
  const isOld = (each: PageFilter) =>
    each.filter.kind !== 'rowSet' && each.filter.kind === kind && each.filter.column === column;
  if (!filter) return filters.filter(each => !isOld(each));
  if (!filters.some(isOld)) return [...filters, { filter }];
  return filters.map(each => (isOld(each) ? { filter } : each));
}

export function withoutColumn(filters: readonly PageFilter[], column: number): PageFilter[] {
  return filters.filter(({ filter }) => filter.kind === 'rowSet' || filter.column !== column);
}

/**
 * Saved filters that are still valid: those on columns the table has, and lassos, whose row sets must be requested again.
 * Row sets from the masks may have ended with the thread that held them, but for the one named.
 */
export function validFilters(
  saved: readonly PageFilter[] | undefined,
  columnCount: number,
  selectedSet?: number,
): PageFilter[] {
  const has = (column: number) => Number.isInteger(column) && column >= 0 && column < columnCount;
  return (saved ?? []).filter(({ filter, lasso }) => {
    if (filter.kind === 'rowSet') return lasso ? has(lasso.x) && has(lasso.y) : filter.set === selectedSet;
    return has(filter.column);
  });
}
