import type { IDatasource, IGetRowsParams } from 'ag-grid-community';
import type { GridRow } from './gridRow';

export interface GridRowsOptions {
  rowCount: number;
  /** Rows of a block; the first is the table's first. */
  blockRows: number;
  fetchRows: (start: number, end: number) => Promise<GridRow[]>;
  onFailure: (error: unknown) => void;
  onFirstRows: () => void;
  /** More rows have come. */
  onRows: () => void;
}

/** About how many rows are on the screen above and below a row in the middle. */
export const ROWS_AROUND = 20;

/** Rows fetched before the grid requests them. */
interface PrefetchedRows {
  end: number;
  rows: Promise<GridRow[]>;
}

/** A block of rows that the grid requested. */
interface Block {
  request: Pick<IGetRowsParams<GridRow>, 'startRow' | 'endRow' | 'successCallback' | 'failCallback'>;
  /** Those fetched so far. */
  rows: GridRow[];
  isLoading: boolean;
}

/**
 * The rows of the grid, fetched as they come into view. The grid requests a block once, even if the table has too few rows for
 * it yet. Such a block is completed as the table grows: the grid accepts several responses, the last of which counts.
 */
export class GridRows {
  private rowCount: number;
  private hasRows = false;
  /** Blocks that miss some of their rows. */
  private unfinished = new Set<Block>();
  /** Blocks that the grid will request, by their first row. */
  private prefetched = new Map<number, PrefetchedRows>();

  constructor(private readonly options: GridRowsOptions) {
    this.rowCount = options.rowCount;
  }

  /** Of the view, loaded or not. */
  get count(): number {
    return this.rowCount;
  }

  /** What the grid requests rows from; a new one makes it request all of them again. */
  source(): IDatasource {
    return {
      rowCount: this.rowCount,
      getRows: request => {
        const { unfinished } = this;
        const block: Block = { request, rows: [], isLoading: false };
        unfinished.add(block);
        void this.load(block, unfinished);
      },
    };
  }

  /** The rows were replaced or reordered: discards what was fetched. */
  replaced(rowCount: number): void {
    this.rowCount = rowCount;
    this.unfinished = new Set();
    this.prefetched.clear();
  }

  /** Fetches the rows around a position before the grid requests them. */
  prefetch(position: number): void {
    const { blockRows, fetchRows } = this.options;
    const before = this.prefetched;
    this.prefetched = new Map();
    for (const near of [position, position - ROWS_AROUND, position + ROWS_AROUND]) {
      const start = Math.floor(near / blockRows) * blockRows;
      const end = Math.min(start + blockRows, this.rowCount);
      if (start < 0 || start >= end || this.prefetched.has(start)) continue;
      const known = before.get(start);
      const rows = known?.end === end ? known.rows : fetchRows(start, end);
      // A failure is reported when the grid requests the block.
      rows.catch(() => undefined);
      this.prefetched.set(start, { end, rows });
    }
  }

  /** The table has more rows: completes blocks that missed them, and fetches again what failed. */
  growTo(rowCount: number): void {
    this.rowCount = rowCount;
    // Blocks may have been prefetched with fewer rows.
    this.prefetched.clear();
    const { unfinished } = this;
    for (const block of unfinished) if (!block.isLoading) void this.load(block, unfinished);
  }

  private fetch(start: number, end: number): Promise<GridRow[]> {
    const prefetched = this.prefetched.get(start);
    this.prefetched.delete(start);
    // The block may have more rows by now.
    return prefetched?.end === end ? prefetched.rows : this.options.fetchRows(start, end);
  }

  /** Always calls back, even for a source that was replaced: the grid counts its pending requests. */
  private async load(block: Block, unfinished: Set<Block>): Promise<void> {
    const { startRow, endRow, successCallback, failCallback } = block.request;
    block.isLoading = true;
    try {
      let known: number;
      do {
        known = this.rowCount;
        const from = startRow + block.rows.length;
        block.rows = [...block.rows, ...(await this.fetch(from, Math.min(endRow, known)))];
        if (startRow + block.rows.length >= endRow) unfinished.delete(block);
        successCallback(block.rows, this.rowCount);
        this.options.onRows();
        if (!this.hasRows) this.options.onFirstRows();
        this.hasRows = true;
      } while (known !== this.rowCount && unfinished === this.unfinished && unfinished.has(block));
    } catch (error) {
      failCallback();
      this.options.onFailure(error);
    } finally {
      block.isLoading = false;
    }
  }
}
