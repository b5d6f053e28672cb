import type { ViewSpec } from '../../protocol/tableEngine';
import type { GridRow } from './gridRow';
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

/** The first rows of a view, and which view that was. */
export interface FirstRows {
  rows: GridRow[];
  view: string;
}

export async function fetchFirstRows(model: TableModel, most: number): Promise<FirstRows> {
  const view = JSON.stringify(model.spec);
  return { rows: await fetchRows(model, 0, Math.min(most, model.rowCount)), view };
}

/** Fetches a grid's rows; first rows that are here already are its first block, once, if the view is still that one. */
export function rowsAfter(
  model: TableModel,
  first: FirstRows,
): (start: number, end: number) => Promise<GridRow[]> {
  let unused: FirstRows | undefined = first;
  return (start, end) => {
    const here = unused;
    unused = undefined;
    const serves = start === 0 && here && here.rows.length >= end && here.view === JSON.stringify(model.spec);
    return serves ? Promise.resolve(here.rows) : fetchRows(model, start, end);
  };
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
