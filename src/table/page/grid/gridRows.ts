import type { IDatasource, IGetRowsParams } from 'ag-grid-community';

/** A row as the grid holds it. */
export interface GridRow {
  fileRow: number;
  cells: string[];
  /** Columns whose cells were cut off when sent. */
  cut?: Set<number>;
  /** Whether the row has more or fewer cells than the header. */
  ragged?: boolean;
  /** Blocks of columns whose cells are loaded, see blocksOf; absent if all are. */
  blocks?: Set<number>;
}

export interface GridRowsOptions {
  rowCount: number;
  /** Rows of a block; the first block starts at the table's first row. */
  blockRows: number;
  fetchRows: (start: number, end: number) => Promise<GridRow[]>;
  onFailure: (error: unknown) => void;
  onFirstRows: () => void;
  /** More rows were loaded. */
  onRows: () => void;
}

/** Rows that the screen shows above and below a row in the middle, roughly. */
export const ROWS_AROUND = 20;

/** Rows that are fetched before the grid requests them. */
interface PrefetchedRows {
  end: number;
  rows: Promise<GridRow[]>;
}

/** A block of rows that the grid requested. */
interface Block {
  request: Pick<IGetRowsParams<GridRow>, 'startRow' | 'endRow' | 'successCallback' | 'failCallback'>;
  /** The rows fetched so far. */
  rows: GridRow[];
  isLoading: boolean;
}

/**
 * The rows of the grid, fetched when they come into view. The grid requests a block once, even if
 * the table is too short for it yet. Such a block is completed as the table grows: the grid accepts
 * several responses for it, and the last one counts.
 */
export class GridRows {
  private rowCount: number;
  private hasRows = false;
  /** Blocks that lack some of their rows. */
  private unfinished = new Set<Block>();
  /** Blocks that the grid will request, by their first row. */
  private prefetched = new Map<number, PrefetchedRows>();

  constructor(private readonly options: GridRowsOptions) {
    this.rowCount = options.rowCount;
  }

  /** Number of rows of the view, loaded or not. */
  get count(): number {
    return this.rowCount;
  }

  /** The data source for the grid. A new one makes the grid request all rows again. */
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

  /** The rows were replaced or reordered: drops fetched rows. */
  replaced(rowCount: number): void {
    this.rowCount = rowCount;
    this.unfinished = new Set();
    this.prefetched.clear();
  }

  /**
   * Fetches rows around a position before the grid requests them, except blocks that it has
   * requested.
   */
  prefetch(position: number): void {
    const { blockRows, fetchRows } = this.options;
    const before = this.prefetched;
    this.prefetched = new Map();
    const requested = new Set(Array.from(this.unfinished, ({ request }) => request.startRow));
    for (const near of [position, position - ROWS_AROUND, position + ROWS_AROUND]) {
      const start = Math.floor(near / blockRows) * blockRows;
      const end = Math.min(start + blockRows, this.rowCount);
      if (start < 0 || start >= end || this.prefetched.has(start) || requested.has(start)) continue;
      const prefetch = before.get(start);
      const rows = prefetch?.end === end ? prefetch.rows : fetchRows(start, end);
      // A failure is reported when the grid requests the block.
      rows.catch(() => undefined);
      this.prefetched.set(start, { end, rows });
    }
  }

  /** The table got more rows: completes unfinished blocks, and retries failed ones. */
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
    // A prefetched block may be outdated, as it can have more rows by now.
    return prefetched?.end === end ? prefetched.rows : this.options.fetchRows(start, end);
  }

  /** Always calls back, even for a replaced source: the grid counts its pending requests. */
  private async load(block: Block, unfinished: Set<Block>): Promise<void> {
    const { startRow, endRow, successCallback, failCallback } = block.request;
    block.isLoading = true;
    try {
      let rowCount: number;
      do {
        rowCount = this.rowCount;
        const from = startRow + block.rows.length;
        block.rows = [...block.rows, ...(await this.fetch(from, Math.min(endRow, rowCount)))];
        if (startRow + block.rows.length >= endRow) unfinished.delete(block);
        successCallback(block.rows, this.rowCount);
        this.options.onRows();
        if (!this.hasRows) this.options.onFirstRows();
        this.hasRows = true;
      } while (rowCount !== this.rowCount && unfinished === this.unfinished && unfinished.has(block));
    } catch (error) {
      failCallback();
      this.options.onFailure(error);
    } finally {
      block.isLoading = false;
    }
  }
}

/** Milliseconds to wait for cells before scrolling to rows without them. */
export const MAX_WAIT = 100;

/**
 * Waits for rows before scrolling to them. Drawing them first without and then with cells would
 * take twice as long.
 */
export class LoadedRows {
  private readonly waiting = new Set<() => void>();

  /** `isLoaded` may make the grid request the row. */
  constructor(private readonly isLoaded: (position: number) => boolean) {}

  /** Resolves once all rows at these positions are loaded, or after MAX_WAIT. */
  async wait(positions: readonly number[]): Promise<void> {
    // All are checked, so that all are requested.
    const areLoaded = () => positions.map(this.isLoaded).every(Boolean);
    if (areLoaded()) return;
    await new Promise<void>(resolve => {
      const check = () => {
        if (areLoaded()) done();
      };
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve();
      };
      const timer = setTimeout(done, MAX_WAIT);
      this.waiting.add(check);
    });
  }

  /** More rows were loaded. */
  changed(): void {
    for (const check of [...this.waiting]) check();
  }
}

/*
 * In a table of thousands of columns, only visible columns are fetched, in blocks of adjacent file
 * columns. A response with all cells would take seconds.
 */

/** Number of columns up to which whole rows are fetched. */
export const MAX_WHOLE_COLUMNS = 400;
const BLOCK_COLUMNS = 32;

/** The blocks that contain columns. */
export function blocksOf(columns: Iterable<number>): Set<number> {
  const blocks = new Set<number>();
  for (const column of columns) blocks.add(Math.floor(column / BLOCK_COLUMNS));
  return blocks;
}

/** All columns of some blocks, in the file's order. */
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

/** The needed blocks that a row lacks. */
function missingBlocks({ blocks }: GridRow, neededBlocks: Iterable<number>): number[] {
  return blocks ? [...neededBlocks].filter(block => !blocks.has(block)) : [];
}

/** A row that was fetched with some columns, with its cells at their file positions. */
export function placedRow(row: GridRow, columns: readonly number[]): GridRow {
  const cells: string[] = [];
  columns.forEach((column, at) => (cells[column] = row.cells[at] ?? ''));
  const cut = [...(row.cut ?? [])].flatMap(at => columns[at] ?? []);
  return { ...row, cells, ...(cut.length > 0 && { cut: new Set(cut) }), blocks: blocksOf(columns) };
}

/** Adds cells of the same row that were fetched later. */
function addCells(row: GridRow, { cells, cut, blocks }: GridRow): void {
  cells.forEach((cell, column) => (row.cells[column] = cell));
  if (cut) row.cut = new Set([...(row.cut ?? []), ...cut]);
  for (const block of blocks ?? []) row.blocks?.add(block);
}

export interface WideRowsOptions {
  columnCount: () => number;
  /** Columns on the screen, and neighbors that are drawn as well. */
  columnsInView: () => readonly number[];
  /** Columns that would be on the screen with a column that isn't yet. */
  columnsAround: (column: number) => readonly number[];
  /** Loaded rows on the screen, by position. */
  rowsInView: () => ReadonlyMap<number, GridRow>;
  /** Fetches rows with some columns, with each cell at its column's position. */
  fetch: (range: { start: number; end: number; columns: readonly number[] }) => Promise<GridRow[]>;
  /** Rows on the screen got more cells. */
  onCells: () => void;
  onFailure: (error: unknown) => void;
}

/** Completes visible rows of a table with thousands of columns when it is scrolled sideways. */
export class WideRows {
  private isFetching = false;
  /** Columns that the current jump will show; empty without a jump. */
  private jumpColumns: readonly number[] = [];

  constructor(private readonly options: WideRowsOptions) {}

  /** Columns that rows are fetched with now. */
  get columns(): number[] {
    const { columnsInView, columnCount } = this.options;
    const { jumpColumns } = this;
    return columnsIn(blocksOf(jumpColumns.length > 0 ? jumpColumns : columnsInView()), columnCount());
  }

  /**
   * The user jumps to a column. Until `arrived`, rows are fetched with the columns that will be
   * visible.
   */
  jumpTo(column: number): void {
    this.jumpColumns = this.options.columnsAround(column);
  }

  /** The jump is over. */
  arrived(): void {
    this.jumpColumns = [];
  }

  /** Fetches the cells that rows lack in the columns that the jump will show. */
  async prepare(rows: ReadonlyMap<number, GridRow>): Promise<void> {
    try {
      await this.fetchMissing(rows, this.jumpColumns);
    } catch (error) {
      this.options.onFailure(error);
    }
  }

  /** Visible rows or columns changed: fetches missing cells, one request at a time. */
  async complete(): Promise<void> {
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      // The visible part may change before a response arrives.
      while (await this.fetchMissing(this.options.rowsInView(), this.options.columnsInView()))
        this.options.onCells();
    } catch (error) {
      this.options.onFailure(error);
    } finally {
      this.isFetching = false;
    }
  }

  /** Returns whether rows got more cells. */
  private async fetchMissing(
    shown: ReadonlyMap<number, GridRow>,
    columnsShown: readonly number[],
  ): Promise<boolean> {
    const { columnCount, fetch } = this.options;
    const neededBlocks = blocksOf(columnsShown);
    const blocks = new Set<number>();
    const rows = new Map<number, GridRow>();
    for (const [position, row] of shown) {
      const missing = missingBlocks(row, neededBlocks);
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
      const rowInView = rows.get(start + at);
      // If the view has changed, this is another row, which is fetched separately.
      if (rowInView?.fileRow !== row.fileRow) return;
      addCells(rowInView, row);
      added++;
    });
    return added > 0;
  }
}
