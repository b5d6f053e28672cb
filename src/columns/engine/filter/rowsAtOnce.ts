const MAX_ROWS = 64;
/** Cells that are decoded in a few milliseconds. */
const MAX_CELLS = 8192;

/** How many rows of this number of columns a search decodes at a time: few where rows are long, as the work between stops for no other. */
export function rowsAtOnce(columns: number): number {
  return Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_CELLS / Math.max(1, columns))));
}

/** Rows of which a search looks at no cell before it may pause: to learn that, some blocks of the file are searched. */
export const ROWS_BETWEEN_PAUSES = 64;
