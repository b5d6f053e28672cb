import type { TableModel } from './tableModel';
import { fetchCell, fetchRows } from './rowFetcher';
import { tabSeparated } from './tabSeparated';

const ROWS_PER_REQUEST = 2000;
/** Most cells that are copied at once: what a clipboard and a spreadsheet can bear. */
export const MOST_COPIED_CELLS = 3_000_000;

export interface CellsToCopy {
  firstRow: number;
  lastRow: number;
  /** Columns of the file, in the order wanted. */
  columns: readonly number[];
  header: boolean;
}

/**
 * Cells of the view as it is now, as tab-separated text, each exactly as in the file. A single cell without header is its
 * bare text.
 */
export async function cellsAsText(model: TableModel, cells: CellsToCopy): Promise<string> {
  const { firstRow, lastRow, columns, header } = cells;
  // The order or the filters may change while rows are on their way.
  const view = model.spec;
  const parts: string[] = [];
  if (header) parts.push(tabSeparated([columns.map(column => model.table.columns[column]?.name ?? '')]));
  for (let at = firstRow; at <= lastRow; at += ROWS_PER_REQUEST) {
    const end = Math.min(at + ROWS_PER_REQUEST, lastRow + 1);
    const rows = await fetchRows(model, at, end, columns, view);
    // Rather nothing than less than was asked for.
    if (rows.length < end - at) throw new Error(`${at + rows.length} < ${end}`);
    for (const row of rows) {
      for (const cell of row.cut ?? []) {
        const column = columns[cell];
        if (column !== undefined) row.cells[cell] = (await fetchCell(model, row.fileRow, column)).text;
      }
    }
    if (firstRow === lastRow && columns.length === 1 && !header) return rows[0]?.cells[0] ?? '';
    parts.push(tabSeparated(rows.map(row => row.cells)));
  }
  return parts.join('');
}
