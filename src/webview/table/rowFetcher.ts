import type { ViewSpec } from '../../protocol/tableEngine';
import type { GridRow } from './gridColumns';
import type { TableModel } from './tableModel';

/** Fetches rows of a view, asking again where fewer came than were asked for: a message stays small. */
export async function fetchRows(
  model: TableModel,
  start: number,
  end: number,
  columns?: readonly number[],
  view: ViewSpec = model.spec,
): Promise<GridRow[]> {
  const rows: GridRow[] = [];
  while (start + rows.length < end) {
    const first = start + rows.length;
    const asked = { ...view, start: first, end, ...(columns && { columns: [...columns] }) };
    const block = await model.ask('tableRows', asked);
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

/** Longest text that one answer holds, in UTF-16 units. */
const CELL_PART = 1_000_000;

/** A cell's whole text, up to `most` units of it; `length` is the whole's. */
export async function fetchCell(
  model: TableModel,
  row: number,
  column: number,
  most = Infinity,
): Promise<{ text: string; length: number }> {
  const parts: string[] = [];
  let read = 0;
  for (;;) {
    const { text, length } = await model.ask('tableCell', { row, column, start: read });
    parts.push(text);
    read += text.length;
    if (read >= Math.min(length, most) || text.length === 0 || text.length < CELL_PART) {
      return { text: parts.join(''), length };
    }
  }
}
