import type { SortKey } from '../../../columns/viewSpec';

/** Space at both sides of the text of a cell or header, in pixels. */
export const PADDING = 18;

/** The user's layout of columns: order, hidden columns, and columns pinned to the left. */
export interface ColumnLayout {
  /** All columns, by position in the file, in the order shown. */
  order: number[];
  hidden: number[];
  pinned: number[];
}

/** The layout in the file's order without hidden columns; the first `pinned` columns are pinned. */
export function fileLayout(columnCount: number, pinned = 0): ColumnLayout {
  return {
    order: Array.from({ length: columnCount }, (_, column) => column),
    hidden: [],
    pinned: Array.from({ length: Math.min(pinned, columnCount) }, (_, column) => column),
  };
}

/**
 * A saved layout for the current table: unknown columns are dropped, new ones come last, and at
 * least one is visible.
 */
export function fittingLayout(saved: Partial<ColumnLayout> | undefined, columnCount: number): ColumnLayout {
  const valid = (columns: readonly number[] | undefined) => [
    ...new Set(
      (columns ?? []).filter(column => Number.isInteger(column) && column >= 0 && column < columnCount),
    ),
  ];
  const order = valid(saved?.order);
  const placed = new Set(order);
  for (let column = 0; column < columnCount; column++) if (!placed.has(column)) order.push(column);
  const hidden = valid(saved?.hidden);
  return { order, hidden: hidden.length < columnCount ? hidden : [], pinned: valid(saved?.pinned) };
}

/** Visible columns: pinned ones first, each group in order. */
export function shownColumns({ order, hidden, pinned }: ColumnLayout): number[] {
  const [hiddenSet, pinnedSet] = [new Set(hidden), new Set(pinned)];
  const shown = order.filter(column => !hiddenSet.has(column));
  return [
    ...shown.filter(column => pinnedSet.has(column)),
    ...shown.filter(column => !pinnedSet.has(column)),
  ];
}

/** Hides or shows a column; the last visible one can't be hidden. */
export function withHidden(layout: ColumnLayout, column: number, hide: boolean): ColumnLayout {
  const otherHidden = layout.hidden.filter(other => other !== column);
  if (hide && otherHidden.length >= layout.order.length - 1) return layout;
  return { ...layout, hidden: hide ? [...otherHidden, column] : otherHidden };
}

export function withPinned(layout: ColumnLayout, column: number, pin: boolean): ColumnLayout {
  const otherPinned = layout.pinned.filter(otherColumn => otherColumn !== column);
  return { ...layout, pinned: pin ? [...otherPinned, column] : otherPinned };
}

/** Moves a column to the right of another one. */
export function withBeside(layout: ColumnLayout, column: number, neighbor: number): ColumnLayout {
  const order = layout.order.filter(placed => placed !== column);
  order.splice(order.indexOf(neighbor) + 1, 0, column);
  return { ...layout, order };
}

/** Moves a column by some places among all columns. */
export function withMoved(layout: ColumnLayout, column: number, by: number): ColumnLayout {
  const from = layout.order.indexOf(column);
  const to = Math.max(0, Math.min(layout.order.length - 1, from + by));
  if (from < 0 || from === to) return layout;
  const order = layout.order.filter(otherColumn => otherColumn !== column);
  order.splice(to, 0, column);
  return { ...layout, order };
}

export function sameColumns(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((column, at) => column === b[at]);
}

/** Columns that only one of two layouts of equal order hides or pins. */
export function changedColumns(a: ColumnLayout, b: ColumnLayout): number[] {
  const differing = (columns: readonly number[], excluded: readonly number[]) => {
    const excludedSet = new Set(excluded);
    return columns.filter(column => !excludedSet.has(column));
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

/** A column in the grid's sort order. */
export interface GridSort {
  colId: string;
  sort: 'asc' | 'desc';
}

const PREFIX = 'column-';

/** Name of a file column in the grid: headers of files may be empty or repeated. */
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

/** Saved sort keys, without those of missing columns. */
export function validSort(sort: readonly SortKey[] | undefined, columnCount: number): SortKey[] {
  const seen = new Set<number>();
  return (sort ?? []).filter(key => {
    const isValid = Number.isInteger(key.column) && key.column >= 0 && key.column < columnCount;
    const isFirst = isValid && !seen.has(key.column);
    seen.add(key.column);
    return isFirst;
  });
}

/**
 * The sort order after a click on a header: ascending, then descending, then none. `isMultiSort`
 * keeps other keys.
 */
export function nextSort(sort: readonly SortKey[], column: number, isMultiSort: boolean): SortKey[] {
  const current = sort.find(key => key.column === column);
  const next = current?.descending ? [] : [{ column, descending: current !== undefined }];
  if (!isMultiSort) return next;
  return current ? sort.flatMap(key => (key === current ? next : [key])) : [...sort, ...next];
}
