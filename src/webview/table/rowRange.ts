/** Rows the user has selected, by position in the present order: those between the anchor and the active one. */
export interface RowRange {
  anchor: number;
  active: number;
}

/** The range after the user moved to a row; extended from the anchor when `extend`. */
export function moveTo(range: RowRange | null, position: number, extend: boolean): RowRange {
  return { anchor: extend && range ? range.anchor : position, active: position };
}

/** First and last position, both included. */
export function bounds(range: RowRange): { first: number; last: number } {
  return { first: Math.min(range.anchor, range.active), last: Math.max(range.anchor, range.active) };
}

export function contains(range: RowRange | null, position: number): boolean {
  if (!range) return false;
  const { first, last } = bounds(range);
  return position >= first && position <= last;
}

export function rowsIn(range: RowRange | null): number {
  if (!range) return 0;
  const { first, last } = bounds(range);
  return last - first + 1;
}
