import type { SortKey } from '../../../columns/viewSpec';

/** Left and right of the text of a cell or header. Pixels. */
export const PADDING = 18;

/** The user's layout of columns: hidden ones, ones pinned to the left, and the order of all. */
export interface ColumnLayout {
  /** Column indexes of the file in the order shown. */
  order: number[];
  hidden: number[];
  pinned: number[];
}

/** The file's own order, nothing hidden; the first `pinned` columns are pinned. */
export function fileLayout(columnCount: number, pinned = 0): ColumnLayout {
  return {
    order: Array.from({ length: columnCount }, (_, column) => column),
    hidden: [],
    pinned: Array.from({ length: Math.min(pinned, columnCount) }, (_, column) => column),
  };
}

/**
 * A saved layout for the current table: without unknown columns, new ones last, never all hidden.
 */
export function fittingLayout(saved: Partial<ColumnLayout> | undefined, columnCount: number): ColumnLayout {
  const known = (columns: readonly number[] | undefined) => [
    ...new Set((columns ?? []).filter(each => Number.isInteger(each) && each >= 0 && each < columnCount)),
  ];
  const order = known(saved?.order);
  const placed = new Set(order);
  for (let column = 0; column < columnCount; column++) if (!placed.has(column)) order.push(column);
  const hidden = known(saved?.hidden);
  return { order, hidden: hidden.length < columnCount ? hidden : [], pinned: known(saved?.pinned) };
}

/** Visible columns, pinned ones first, each group in order. */
export function shownColumns({ order, hidden, pinned }: ColumnLayout): number[] {
  const [away, stuck] = [new Set(hidden), new Set(pinned)];
  const shown = order.filter(column => !away.has(column));
  return [...shown.filter(column => stuck.has(column)), ...shown.filter(column => !stuck.has(column))];
}

/** The layout with a column hidden or shown; the last one shown stays. */
export function withHidden(layout: ColumnLayout, column: number, hide: boolean): ColumnLayout {
  const others = layout.hidden.filter(each => each !== column);
  if (hide && others.length >= layout.order.length - 1) return layout;
  return { ...layout, hidden: hide ? [...others, column] : others };
}

export function withPinned(layout: ColumnLayout, column: number, pin: boolean): ColumnLayout {
  const others = layout.pinned.filter(each => each !== column);
  return { ...layout, pinned: pin ? [...others, column] : others };
}

/** The layout with a column to the right of another one. */
export function withBeside(layout: ColumnLayout, column: number, other: number): ColumnLayout {
  const order = layout.order.filter(each => each !== column);
  order.splice(order.indexOf(other) + 1, 0, column);
  return { ...layout, order };
}

/** The layout with a column moved by some places among all columns. */
export function withMoved(layout: ColumnLayout, column: number, by: number): ColumnLayout {
  const from = layout.order.indexOf(column);
  const to = Math.max(0, Math.min(layout.order.length - 1, from + by));
  if (from < 0 || from === to) return layout;
  const order = layout.order.filter(each => each !== column);
  order.splice(to, 0, column);
  return { ...layout, order };
}

export function sameColumns(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((column, at) => column === b[at]);
}

/** Columns that only one of two layouts with equal order hides or pins. */
export function changedColumns(a: ColumnLayout, b: ColumnLayout): number[] {
  const differing = (some: readonly number[], others: readonly number[]) => {
    const known = new Set(others);
    return some.filter(column => !known.has(column));
  };
  return [
    ...new Set([
      ...differing(a.hidden, b.hidden),
      ...differing(b.hidden, a.hidden),
      ...differing(a.pinned, b.pinned),
      ...differing(b.pinned, a.pinned),
    ]),
  ];
}

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
 * The sort after a click on a header: ascending, then descending, then none. `isMultiSort` keeps
 * other keys.
 */
export function nextSort(sort: readonly SortKey[], column: number, isMultiSort: boolean): SortKey[] {
  const current = sort.find(key => key.column === column);
  const next = current?.descending ? [] : [{ column, descending: current !== undefined }];
  if (!isMultiSort) return next;
  return current ? sort.flatMap(key => (key === current ? next : [key])) : [...sort, ...next];
}
