import type { TableText } from '../../../../pages/page/pageText';
import type { TableModel } from '../../tableModel';
import { fetchCell, fetchRows } from '../rows/rowFetcher';
import { tabSeparated } from '../../../../pages/page/tabSeparated';

const ROWS_PER_REQUEST = 2000;
/** Cells that can be copied at once: what a clipboard and a spreadsheet can hold. */
export const MAX_COPIED_CELLS = 3_000_000;

export interface CellsToCopy {
  firstRow: number;
  lastRow: number;
  /** Columns of the file, in the order wanted. */
  columns: readonly number[];
  header: boolean;
}

/**
 * Cells of the view as it is now, as tab-separated text, each exactly as in the file. A single cell without header is its
 * bare text. Fails with a sentence of `text` when rows went away meanwhile.
 */
export async function cellsAsText(model: TableModel, text: TableText, cells: CellsToCopy): Promise<string> {
  const { firstRow, lastRow, columns, header } = cells;
  // The order or the filters may change before the rows arrive.
  const view = model.spec;
  const parts: string[] = [];
  if (header) parts.push(tabSeparated([columns.map(column => model.table.columns[column]?.name ?? '')]));
  for (let start = firstRow; start <= lastRow; start += ROWS_PER_REQUEST) {
    const end = Math.min(start + ROWS_PER_REQUEST, lastRow + 1);
    const rows = await fetchRows(model, { start, end, columns, view });
    // Copying fewer rows than selected would go unnoticed.
    if (rows.length < end - start) throw new Error(text.get('copyRowsMissing'));
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
