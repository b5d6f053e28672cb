/** A line of a CSV file (RFC 4180): cells are quoted where they must be. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}
