import type { IDatasource, IGetRowsParams } from 'ag-grid-community';
import type { GridRow } from './gridRow';

export interface GridRowsOptions {
  rowCount: number;
  fetchRows: (start: number, end: number) => Promise<GridRow[]>;
  onFailure: (error: unknown) => void;
  onFirstRows: () => void;
  /** More rows have come. */
  onRows: () => void;
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
  /** Blocks of the current source that lack rows. */
  private unfinished = new Set<Block>();

  constructor(private readonly options: GridRowsOptions) {
    this.rowCount = options.rowCount;
  }

  /** Of the view, loaded or not. */
  get count(): number {
    return this.rowCount;
  }

  /** What the grid requests rows from; a new one, of other rows or in another order, makes it request all of them again. */
  source(rowCount = this.rowCount): IDatasource {
    this.replaced(rowCount);
    return {
      rowCount,
      getRows: request => {
        const { unfinished } = this;
        const block: Block = { request, rows: [], isLoading: false };
        unfinished.add(block);
        void this.load(block, unfinished);
      },
    };
  }

  /** The grid has dropped all rows: those it requests from now on are others, or in another order. */
  replaced(rowCount: number): void {
    this.rowCount = rowCount;
    this.unfinished = new Set<Block>();
  }

  /** More rows follow those there were: completes the blocks that lacked them, and fetches again what failed. */
  growTo(rowCount: number): void {
    this.rowCount = rowCount;
    const { unfinished } = this;
    for (const block of unfinished) if (!block.isLoading) void this.load(block, unfinished);
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
        block.rows = [...block.rows, ...(await this.options.fetchRows(from, Math.min(endRow, known)))];
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
