import type { Filter } from '../../protocol/tableEngine';

/** A lasso drawn in a plot: the set of rows can be made of it again after a reload. */
export interface Lasso {
  x: number;
  y: number;
  /** x0, y0, x1, y1, … in the columns' units. */
  polygon: number[];
}

/** A filter as the page keeps it: a set of rows knows where it came from and how many rows it holds. */
export interface PageFilter {
  filter: Filter;
  lasso?: Lasso;
  rows?: number;
}

export type FilterKind = Filter['kind'];

export function sameFilter(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
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

/** The filters with a column's filter of a kind replaced where it stands, added at the end, or taken away by null. */
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
 * Kept filters that still make sense: those on columns the table has, and lassos, whose sets have to be made again. Sets
 * of rows from the masks are gone with the thread that held them.
 */
export function validFilters(kept: readonly PageFilter[] | undefined, columnCount: number): PageFilter[] {
  const has = (column: number) => Number.isInteger(column) && column >= 0 && column < columnCount;
  return (kept ?? []).filter(({ filter, lasso }) => {
    if (filter.kind === 'rowSet') return lasso !== undefined && has(lasso.x) && has(lasso.y);
    return has(filter.column);
  });
}
