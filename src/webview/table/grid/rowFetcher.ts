import type { ViewSpec } from '../../../model/viewSpec';
import type { TableModel } from '../tableModel';

/** A row as the grid holds it. */
export interface GridRow {
  fileRow: number;
  cells: string[];
  /** Cells of which only the beginning is here. */
  cut?: Set<number>;
  /** Has more or fewer cells than the header. */
  ragged?: boolean;
}

/** Rows by their positions in a view; all columns unless some are named, and the current view unless it is given. */
export interface RowRange {
  start: number;
  end: number;
  columns?: readonly number[];
  view?: ViewSpec;
}

/** Fetches rows of a view; requests again where fewer came, since the panel limits the size of a message. */
export async function fetchRows(
  model: TableModel,
  { start, end, columns, view = model.spec }: RowRange,
): Promise<GridRow[]> {
  const rows: GridRow[] = [];
  while (start + rows.length < end) {
    const first = start + rows.length;
    const params = { ...view, start: first, end, ...(columns && { columns: [...columns] }) };
    const block = await model.request('tableRows', params);
    if (block.rows.length === 0) break;
    const cut = new Map<number, Set<number>>();
    for (const [row, cell] of block.cut ?? []) cut.set(row, (cut.get(row) ?? new Set()).add(cell));
    const ragged = new Set(block.ragged);
    block.rows.forEach((cells, at) => {
      const cutCells = cut.get(at);
      rows.push({
        fileRow: block.fileRows[at] ?? first + at,
        cells,
        ...(cutCells && { cut: cutCells }),
        ...(ragged.has(at) && { ragged: true }),
      });
    });
  }
  return rows;
}

/** The first rows of a view, and which view that was. */
export interface FirstRows {
  rows: GridRow[];
  view: string;
}

export async function fetchFirstRows(model: TableModel, limit: number): Promise<FirstRows> {
  const view = JSON.stringify(model.spec);
  return { rows: await fetchRows(model, { start: 0, end: Math.min(limit, model.rowCount) }), view };
}

/** Fetches a grid's rows; rows fetched already are its first block, once, if the view is still that one. */
export function rowsAfter(
  model: TableModel,
  first: FirstRows,
): (start: number, end: number) => Promise<GridRow[]> {
  let unused: FirstRows | undefined = first;
  return (start, end) => {
    const fetched = unused;
    unused = undefined;
    const isFetched =
      start === 0 && fetched && fetched.rows.length >= end && fetched.view === JSON.stringify(model.spec);
    return isFetched ? Promise.resolve(fetched.rows) : fetchRows(model, { start, end });
  };
}

/** Longest text that one response holds, in UTF-16 units. */
const CELL_PART = 1_000_000;

/** A cell's text, up to about `limit` UTF-16 units; `length` is that of the whole text. */
export async function fetchCell(
  model: TableModel,
  row: number,
  column: number,
  limit = Infinity,
): Promise<{ text: string; length: number }> {
  const parts: string[] = [];
  let read = 0;
  for (;;) {
    const { text, length } = await model.request('tableCell', { row, column, start: read });
    parts.push(text);
    read += text.length;
    if (read >= Math.min(length, limit) || text.length === 0 || text.length < CELL_PART) {
      return { text: parts.join(''), length };
    }
  }
}
