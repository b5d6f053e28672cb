/** A row as the grid holds it. */
export interface GridRow {
  fileRow: number;
  cells: string[];
  /** Cells of which only the beginning is loaded. */
  cut?: Set<number>;
  /** Has more or fewer cells than the header. */
  ragged?: boolean;
  /** Blocks of columns whose cells are loaded, see columnBlocks; all when absent. */
  blocks?: Set<number>;
}
