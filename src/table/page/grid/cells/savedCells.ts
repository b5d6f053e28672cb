import { cellBounds, type CellRange } from './cellRange';

/** What is selected, as it is saved with the view. */
export interface SavedCells {
  /** The row in focus, by its number in the file. */
  row: number | null;
  /** Its columns are those of the file, as others may be shown by then; null where no cell is selected. */
  range: CellRange | null;
}

/** What is selected, to be saved. `columns` are those shown. */
export function savedCells(
  row: number | null,
  range: CellRange | null,
  columns: readonly number[],
): SavedCells {
  const moved = range && withColumns(range, place => columns[place]);
  return { row, range: moved ?? null };
}

/**
 * The cells as they were saved; undefined where they are no longer there. `position` is where the row in focus is now: another
 * one than that of a selected row says that the rows are others. Undefined for no such row.
 */
export function restoredCells(
  { range }: SavedCells,
  columns: readonly number[],
  rowCount: number,
  position: number | undefined,
): CellRange | undefined {
  const restored = range && withColumns(range, column => columns.indexOf(column));
  if (!restored) return undefined;
  const { firstRow, lastRow } = cellBounds(restored, columns.length);
  if (firstRow < 0 || lastRow >= rowCount) return undefined;
  return position === undefined || (position >= firstRow && position <= lastRow) ? restored : undefined;
}

function withColumns(
  { anchor, active, wholeRows }: CellRange,
  columnOf: (column: number) => number | undefined,
): CellRange | undefined {
  const [from, to] = [columnOf(anchor.column), columnOf(active.column)];
  if (from === undefined || to === undefined || from < 0 || to < 0) return undefined;
  return {
    anchor: { position: anchor.position, column: from },
    active: { position: active.position, column: to },
    wholeRows,
  };
}
