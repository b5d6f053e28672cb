import { addCells, blocksOf, columnsIn, lackingBlocks } from './columnBlocks';
import type { GridRow } from '../rows/gridRow';

export interface WideRowsOptions {
  columnCount: () => number;
  /** Columns on the screen, and their neighbors that are drawn. */
  columnsInView: () => readonly number[];
  /** Loaded rows on the screen, by position. */
  rowsInView: () => ReadonlyMap<number, GridRow>;
  /** Fetches rows with some columns, each cell at the place of its column. */
  fetch: (range: { start: number; end: number; columns: readonly number[] }) => Promise<GridRow[]>;
  /** Rows on the screen have more cells now. */
  onCells: () => void;
  onFailure: (error: unknown) => void;
}

/** Completes the rows on the screen of a table of thousands of columns as the user scrolls sideways. */
export class WideRows {
  private isFetching = false;

  constructor(private readonly options: WideRowsOptions) {}

  /** Columns that rows are fetched with now. */
  get columns(): number[] {
    const { columnsInView, columnCount } = this.options;
    return columnsIn(blocksOf(columnsInView()), columnCount());
  }

  /** Other rows or columns are on the screen: fetches the cells that they lack, one request at a time. */
  async complete(): Promise<void> {
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      // What is on the screen once a response is there may be something else.
      while (await this.fetchLacking());
    } catch (error) {
      this.options.onFailure(error);
    } finally {
      this.isFetching = false;
    }
  }

  /** Whether some rows have more cells now. */
  private async fetchLacking(): Promise<boolean> {
    const { columnsInView, rowsInView, columnCount, fetch, onCells } = this.options;
    const wanted = blocksOf(columnsInView());
    const blocks = new Set<number>();
    const rows = new Map<number, GridRow>();
    for (const [position, row] of rowsInView()) {
      const lacking = lackingBlocks(row, wanted);
      for (const block of lacking) blocks.add(block);
      if (lacking.length > 0) rows.set(position, row);
    }
    if (rows.size === 0) return false;
    const start = Math.min(...rows.keys());
    const end = Math.max(...rows.keys()) + 1;
    const columns = columnsIn(blocks, columnCount());
    const fetched = await fetch({ start, end, columns });
    let added = 0;
    fetched.forEach((row, at) => {
      const known = rows.get(start + at);
      // In a view that changed meanwhile it is another row, which is fetched by itself.
      if (known?.fileRow !== row.fileRow) return;
      addCells(known, row);
      added++;
    });
    if (added > 0) onCells();
    return added > 0;
  }
}
