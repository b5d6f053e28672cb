/**
 * A line of a CSV file (RFC 4180): cells are quoted where they must be, and their text is kept as it is. A cell that begins
 * with "=" is no exception, although a spreadsheet may take it for a formula: what reads these files looks names up.
 */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}
