import type { GridRow } from '../rows/gridRow';

/*
 * Of a table of thousands of columns only those are fetched that are on the screen, in blocks of columns that follow each other
 * in the file: a response with all cells of its rows would take seconds.
 */

/** Columns beyond which rows are fetched in parts. */
export const MAX_WHOLE_COLUMNS = 400;
const BLOCK_COLUMNS = 32;

/** The blocks that columns are in. */
export function blocksOf(columns: Iterable<number>): Set<number> {
  const blocks = new Set<number>();
  for (const column of columns) blocks.add(Math.floor(column / BLOCK_COLUMNS));
  return blocks;
}

/** All columns of some blocks of a table, in the file's order. */
export function columnsIn(blocks: Iterable<number>, columnCount: number): number[] {
  return [...blocks]
    .sort((a, b) => a - b)
    .flatMap(block =>
      Array.from(
        { length: Math.max(0, Math.min(BLOCK_COLUMNS, columnCount - block * BLOCK_COLUMNS)) },
        (_, at) => block * BLOCK_COLUMNS + at,
      ),
    );
}

/** Whether the row has the whole text of a column's cell. */
export function hasWholeCell(row: GridRow, column: number): boolean {
  return row.cut?.has(column) !== true && missingBlocks(row, blocksOf([column])).length === 0;
}

/** Which of some blocks a row lacks. */
export function missingBlocks({ blocks }: GridRow, wanted: Iterable<number>): number[] {
  return blocks ? [...wanted].filter(block => !blocks.has(block)) : [];
}

/** A row that was fetched with some columns, with its cells where they are in the file. */
export function placedRow(row: GridRow, columns: readonly number[]): GridRow {
  const cells: string[] = [];
  columns.forEach((column, at) => (cells[column] = row.cells[at] ?? ''));
  const cut = [...(row.cut ?? [])].flatMap(at => columns[at] ?? []);
  return { ...row, cells, ...(cut.length > 0 && { cut: new Set(cut) }), blocks: blocksOf(columns) };
}

/** Adds to a row the cells of the same row that were fetched later. */
export function addCells(row: GridRow, { cells, cut, blocks }: GridRow): void {
  cells.forEach((cell, column) => (row.cells[column] = cell));
  if (cut) row.cut = new Set([...(row.cut ?? []), ...cut]);
  for (const block of blocks ?? []) row.blocks?.add(block);
}
