/** Left and right of a cell's text. */
const PADDING = 18;
const NARROWEST = 64;
const WIDEST = 320;
/** The whole text is in the tooltip. */
const WIDEST_TEXT = 120;

export interface ColumnWidthParts {
  header: string;
  /** Those sampled, as they are shown. */
  cells: Iterable<string>;
  numeric: boolean;
  /** The width of a text in the font of headers or of cells. */
  measure: (text: string, font: 'header' | 'cell') => number;
}

/** Width in pixels that shows the sampled cells of a column, and its name in two lines, within limits. */
export function columnWidth({ header, cells, numeric, measure }: ColumnWidthParts): number {
  let widest = headerWidth(header, text => measure(text, 'header'));
  for (const cell of cells) {
    // Past a few hundred characters the limit is reached anyway; measuring them would only cost time.
    widest = Math.max(widest, measure(cell.slice(0, 200), 'cell'));
  }
  return Math.min(numeric ? WIDEST : WIDEST_TEXT, Math.max(NARROWEST, Math.ceil(widest) + PADDING));
}

/** Of the wider of two lines, words kept whole, at the break that makes it narrowest. */
function headerWidth(header: string, measure: (text: string) => number): number {
  const words = header.slice(0, 200).split(' ');
  let narrowest = measure(header.slice(0, 200));
  for (let at = 1; at < words.length; at++) {
    const lines = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    narrowest = Math.min(narrowest, Math.max(...lines.map(measure)));
  }
  return narrowest;
}
