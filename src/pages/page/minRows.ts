/** What the rows of a table need beside plots or groups: header, scroll bar and three rows; row number, ID and a measurement. In pixels. */
export const MIN_ROWS = { width: 240, height: 180 };
