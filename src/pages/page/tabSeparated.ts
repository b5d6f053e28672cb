/**
 * Rows as tab-separated text that spreadsheets can paste: a cell that holds a tab, a line break or a quote is quoted,
 * its quotes doubled. Lines end in \n, the last one too.
 */
export function tabSeparated(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => `${cells.map(quoted).join('\t')}\n`).join('');
}

function quoted(cell: string): string {
  return /[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
