import { narrowestLines } from './headers/nameLines';

/** Left and right of the text of a cell or header. Pixels. */
export const PADDING = 18;
const NARROWEST = 64;
const WIDEST = 320;
/** The whole text is in the tooltip. */
const WIDEST_TEXT = 120;

export interface ColumnWidthParts {
  header: string;
  /** How many lines the name may have. */
  lines: number;
  /** Those sampled, as they are shown. */
  cells: Iterable<string>;
  numeric: boolean;
  /** The width of a text in the font of headers or of cells. */
  measure: (text: string, font: 'header' | 'cell') => number;
  /** No narrower than this; below the type and the histogram of a column there is no room for less than the usual. */
  narrowest?: number;
}

/** Width in pixels that shows the sampled cells of a column, and its name in some lines, within limits. */
export function columnWidth({
  header,
  lines,
  cells,
  numeric,
  measure,
  narrowest = NARROWEST,
}: ColumnWidthParts): number {
  let widest = narrowestLines(header, lines, text => measure(text, 'header'));
  for (const cell of cells) {
    // Past a few hundred characters the limit is reached anyway; measuring them would only cost time.
    widest = Math.max(widest, measure(cell.slice(0, 200), 'cell'));
  }
  return Math.min(numeric ? WIDEST : WIDEST_TEXT, Math.max(narrowest, Math.ceil(widest) + PADDING));
}
