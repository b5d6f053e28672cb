/*
 * Browsers limit the height of an element. A grid of more rows stretches its scroll range: one pixel of scrolling passes several
 * pixels of rows, and the more rows there are the more it passes, so the same scroll position shows other rows.
 */

/** The rows of a grid and how far it scrolls; sizes in pixels. */
export interface ScrollRange {
  rowCount: number;
  rowHeight: number;
  /** Of the screen that rows take. */
  bodyHeight: number;
  /** The last scroll position. */
  lastScroll: number;
}

/** Where the rows stand: the first row that is whole on the screen, and how much of the rows is above the screen. */
export interface ScrollAnchor {
  row: number;
  above: number;
}

/** Pixels of rows that one pixel of scrolling passes; 1 where nothing is stretched. */
export function stretchOf({ rowCount, rowHeight, bodyHeight, lastScroll }: ScrollRange): number {
  return lastScroll > 0 ? Math.max(1, (rowCount * rowHeight - bodyHeight) / lastScroll) : 1;
}

/** Where the rows stand at a scroll position. */
export function anchorAt(range: ScrollRange, scroll: number): ScrollAnchor {
  const above = Math.floor(scroll * stretchOf(range));
  return { row: Math.ceil(above / range.rowHeight), above };
}

/** The scroll position that shows a row as the first one or in the middle, as far as the rows go. */
export function scrollShowing(range: ScrollRange, row: number, where: 'top' | 'middle'): number {
  const { rowHeight, bodyHeight, lastScroll } = range;
  const above = row * rowHeight - (where === 'middle' ? (bodyHeight - rowHeight) / 2 : 0);
  return Math.max(0, Math.min(lastScroll, Math.round(above / stretchOf(range))));
}

/** The scroll position that shows the rows where they stood, or as near as whole pixels allow with the same first row. */
export function scrollHolding(range: ScrollRange, { row, above }: ScrollAnchor): number {
  const exact = above / stretchOf(range);
  const distance = (scroll: number) => Math.abs(anchorAt(range, scroll).above - above);
  const [lower, upper] = [Math.floor(exact), Math.ceil(exact)];
  const nearest = distance(lower) <= distance(upper) ? [lower, upper] : [upper, lower];
  const scroll = nearest.find(each => anchorAt(range, each).row === row) ?? lower;
  return Math.min(range.lastScroll, scroll);
}
