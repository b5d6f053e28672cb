import type { SortKey } from '../../../columns/viewSpec';

/** One column of the grid's sort model. */
export interface GridSort {
  colId: string;
  sort: 'asc' | 'desc';
}

const PREFIX = 'column-';

/** Name of a file column in the grid; the file's own headers may be empty or repeated. */
export function gridColumn(column: number): string {
  return `${PREFIX}${column}`;
}

/** File column of a grid column; undefined for the row number. */
export function fileColumn(gridColumn: string): number | undefined {
  return gridColumn.startsWith(PREFIX) ? Number(gridColumn.slice(PREFIX.length)) : undefined;
}

export function toSortKeys(model: readonly GridSort[]): SortKey[] {
  return model.flatMap(({ colId, sort }) => {
    const column = fileColumn(colId);
    return column === undefined ? [] : [{ column, descending: sort === 'desc' }];
  });
}

/** Saved sort keys whose columns the table still has. */
export function validSort(sort: readonly SortKey[] | undefined, columnCount: number): SortKey[] {
  const seen = new Set<number>();
  return (sort ?? []).filter(key => {
    const valid = Number.isInteger(key.column) && key.column >= 0 && key.column < columnCount;
    const first = valid && !seen.has(key.column);
    seen.add(key.column);
    return first;
  });
}

/**
 * The sort after a click on a column's header, which goes from ascending to descending to none. With `isMultiSort` the other
 * keys stay.
 */
export function nextSort(sort: readonly SortKey[], column: number, isMultiSort: boolean): SortKey[] {
  const current = sort.find(key => key.column === column);
  const next = current?.descending ? [] : [{ column, descending: current !== undefined }];
  if (!isMultiSort) return next;
  return current ? sort.flatMap(key => (key === current ? next : [key])) : [...sort, ...next];
}
