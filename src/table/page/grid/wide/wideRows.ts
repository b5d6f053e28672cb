import { addCells, blocksOf, columnsIn, missingBlocks } from './columnBlocks';
import type { GridRow } from '../rows/gridRow';

export interface WideRowsOptions {
  columnCount: () => number;
  /** Columns on the screen, and their neighbors that are drawn. */
  columnsInView: () => readonly number[];
  /** Columns that would be on the screen together with one that isn't. */
  columnsAround: (column: number) => readonly number[];
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
  /** Columns that are about to be on the screen; none without a jump. */
  private jumpColumns: readonly number[] = [];

  constructor(private readonly options: WideRowsOptions) {}

  /** Columns that rows are fetched with now. */
  get columns(): number[] {
    const { columnsInView, columnCount } = this.options;
    const { jumpColumns } = this;
    return columnsIn(blocksOf(jumpColumns.length > 0 ? jumpColumns : columnsInView()), columnCount());
  }

  /** The user jumps to a column: until `arrived`, rows are fetched with the columns that will be on the screen then. */
  jumpTo(column: number): void {
    this.jumpColumns = this.options.columnsAround(column);
  }

  /** The jump is over. */
  arrived(): void {
    this.jumpColumns = [];
  }

  /** Fetches cells that rows miss in the columns jumped to. */
  async prepare(rows: ReadonlyMap<number, GridRow>): Promise<void> {
    try {
      await this.fetchMissing(rows, this.jumpColumns);
    } catch (error) {
      this.options.onFailure(error);
    }
  }

  /** Other rows or columns are on the screen: fetches the cells that they lack, one request at a time. */
  async complete(): Promise<void> {
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      // What is on the screen once a response is there may be something else.
      while (await this.fetchMissing(this.options.rowsInView(), this.options.columnsInView()))
        this.options.onCells();
    } catch (error) {
      this.options.onFailure(error);
    } finally {
      this.isFetching = false;
    }
  }

  /** Whether some rows have more cells now. */
  private async fetchMissing(
    shown: ReadonlyMap<number, GridRow>,
    columnsShown: readonly number[],
  ): Promise<boolean> {
    const { columnCount, fetch } = this.options;
    const wanted = blocksOf(columnsShown);
    const blocks = new Set<number>();
    const rows = new Map<number, GridRow>();
    for (const [position, row] of shown) {
      const missing = missingBlocks(row, wanted);
      for (const block of missing) blocks.add(block);
      if (missing.length > 0) rows.set(position, row);
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
    return added > 0;
  }
}
