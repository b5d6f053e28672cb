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

/** Rows above and below a row that are on the screen with it, about. */
export const ROWS_AROUND = 20;

/** Rows fetched before the grid requested them. */
interface EarlyRows {
  end: number;
  rows: Promise<GridRow[]>;
}

/** A block of rows that the grid requested. */
interface Block {
  request: Pick<IGetRowsParams<GridRow>, 'startRow' | 'endRow' | 'successCallback' | 'failCallback'>;
  /** Those fetched by now. */
  rows: GridRow[];
  isLoading: boolean;
}

/**
 * The rows of the grid, fetched as they come into view. The grid requests a block once and never looks whether it is whole, so
 * one that the table had too few rows for is completed as the table grows: the grid takes the last answer to a request.
 */
export class GridRows {
  private rowCount: number;
  private hasRows = false;
  /** Blocks of the current rows that lack some. */
  private unfinished = new Set<Block>();
  /** Blocks that the grid will request, by their first rows. */
  private early = new Map<number, EarlyRows>();

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

  /** Other rows from now on, or the same in another order: what is fetched of those before is of no use. */
  replaced(rowCount: number): void {
    this.rowCount = rowCount;
    this.unfinished = new Set();
    this.early.clear();
  }

  /** Fetches the rows around a position, which the grid will request in a moment, without waiting for that. */
  prefetch(position: number): void {
    const { blockRows, fetchRows } = this.options;
    const before = this.early;
    this.early = new Map();
    for (const near of [position, position - ROWS_AROUND, position + ROWS_AROUND]) {
      const start = Math.floor(near / blockRows) * blockRows;
      const end = Math.min(start + blockRows, this.rowCount);
      if (start < 0 || start >= end || this.early.has(start)) continue;
      const known = before.get(start);
      const rows = known?.end === end ? known.rows : fetchRows(start, end);
      // Whoever requests the block hears of a failure.
      rows.catch(() => undefined);
      this.early.set(start, { end, rows });
    }
  }

  /** More rows follow those there were: completes the blocks that lacked them, and fetches again what failed. */
  growTo(rowCount: number): void {
    this.rowCount = rowCount;
    // What was fetched early may be of fewer rows.
    this.early.clear();
    const { unfinished } = this;
    for (const block of unfinished) if (!block.isLoading) void this.load(block, unfinished);
  }

  private fetch(start: number, end: number): Promise<GridRow[]> {
    const early = this.early.get(start);
    this.early.delete(start);
    // Of a table that grows there may be more rows by now.
    return early?.end === end ? early.rows : this.options.fetchRows(start, end);
  }

  /** Answers a request of the grid in any case: it counts those under way, even of a source that was replaced. */
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
