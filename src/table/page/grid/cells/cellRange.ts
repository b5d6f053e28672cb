/** A cell by its row's position in the view and its column's place among the columns shown, both from 0. */
export interface CellPlace {
  position: number;
  column: number;
}

/** A rectangle of selected cells between the anchor and the active cell; of all columns when rows were selected whole. */
export interface CellRange {
  anchor: CellPlace;
  active: CellPlace;
  wholeRows: boolean;
}

export interface CellBounds {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

/** The range after the user moved to a cell; extended from the anchor when `extend`. */
export function moveToCell(
  range: CellRange | null,
  to: CellPlace,
  extend: boolean,
  wholeRows = false,
): CellRange {
  if (!extend || !range) return { anchor: to, active: to, wholeRows };
  return { anchor: range.anchor, active: to, wholeRows: wholeRows || range.wholeRows };
}

/** First and last row and column, all included; columns within `columnCount`. */
export function cellBounds(range: CellRange, columnCount: number): CellBounds {
  const { anchor, active, wholeRows } = range;
  const last = Math.max(0, columnCount - 1);
  return {
    firstRow: Math.min(anchor.position, active.position),
    lastRow: Math.max(anchor.position, active.position),
    firstColumn: wholeRows ? 0 : Math.min(anchor.column, active.column, last),
    lastColumn: wholeRows ? last : Math.min(Math.max(anchor.column, active.column), last),
  };
}

export function cellsIn({ firstRow, lastRow, firstColumn, lastColumn }: CellBounds): number {
  return (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1);
}

export function holdsCell(bounds: CellBounds, position: number, column: number): boolean {
  return (
    position >= bounds.firstRow &&
    position <= bounds.lastRow &&
    column >= bounds.firstColumn &&
    column <= bounds.lastColumn
  );
}
