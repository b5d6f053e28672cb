const PADDING = 24;
/** Room for the mark of sorting and the filter's button. */
const HEADER_MARKS = 52;
const NARROWEST = 80;
const WIDEST = 320;

/**
 * Width in pixels that shows a column's header and the sampled cells, within limits. `measure` gives the width of a
 * text in the font of headers or of cells.
 */
export function columnWidth(
  header: string,
  cells: Iterable<string>,
  measure: (text: string, font: 'header' | 'cell') => number,
): number {
  let widest = measure(header, 'header') + HEADER_MARKS;
  for (const cell of cells) {
    // Past a few hundred characters the limit is reached anyway; measuring them would only cost time.
    widest = Math.max(widest, measure(cell.slice(0, 200), 'cell'));
  }
  return Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(widest) + PADDING));
}
