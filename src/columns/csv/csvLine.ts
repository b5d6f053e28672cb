import { writtenCell } from './csvGrammar';

/**
 * A line of a CSV file (RFC 4180): cells are quoted where needed, and their text isn't changed. That includes cells that begin
 * with "=", which a spreadsheet may read as a formula: programs that read these files look names up.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell => writtenCell(cell, ',')).join(',')}\r\n`;
}
