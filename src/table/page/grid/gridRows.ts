import type { IDatasource, IGetRowsParams } from 'ag-grid-community';

/** A row as the grid holds it. */
export interface GridRow {
  fileRow: number;
  cells: string[];
  /** Cells of which only the beginning is loaded. */
  cut?: Set<number>;
  /** Has more or fewer cells than the header. */
  ragged?: boolean;
  /** Blocks of columns whose cells are loaded, see blocksOf; all when absent. */
  blocks?: Set<number>;
}

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
 * The rows of the grid, fetched as they come into view. The grid requests a block once, even if the
 * table is still too short for it. Such a block is completed as the table grows: the grid accepts
 * several responses, the last of which counts.
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

  /** The source of the grid's rows; a new one makes it request all of them again. */
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

  /** The rows were replaced or reordered: discards fetched rows. */
  replaced(rowCount: number): void {
    this.rowCount = rowCount;
    this.unfinished = new Set();
    this.prefetched.clear();
  }

  /**
   * Fetches rows around a position before the grid requests them, except blocks that it waits for.
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
      const known = before.get(start);
      const rows = known?.end === end ? known.rows : fetchRows(start, end);
      // A failure is reported when the grid requests the block.
      rows.catch(() => undefined);
      this.prefetched.set(start, { end, rows });
    }
  }

  /** The table has more rows: completes blocks that missed them, and retries failed ones. */
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

  /** Always calls back, even for a replaced source: the grid counts its pending requests. */
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

/** Milliseconds after which rows are scrolled to even without their cells. */
export const MAX_WAIT = 100;

/**
 * Waits for rows before scrolling to them: drawing them twice, first without cells, takes twice as
 * long.
 */
export class LoadedRows {
  private readonly waiting = new Set<() => void>();

  /** `isLoaded` may make the grid request the row. */
  constructor(private readonly isLoaded: (position: number) => boolean) {}

  /** Resolves once all rows at these positions are loaded, or after MAX_WAIT. */
  async wait(positions: readonly number[]): Promise<void> {
    // All are looked at, so that all are requested.
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

  /** More rows are loaded. */
  changed(): void {
    for (const check of [...this.waiting]) check();
  }
}

/*
 * Of thousands of columns, only visible ones are fetched, in blocks of adjacent file columns: a
 * response with all cells would take seconds.
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
function missingBlocks({ blocks }: GridRow, wanted: Iterable<number>): number[] {
  return blocks ? [...wanted].filter(block => !blocks.has(block)) : [];
}

/** A row fetched with some columns, its cells at their file positions. */
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

/** Completes visible rows of a table of thousands of columns during sideways scrolling. */
export class WideRows {
  private isFetching = false;
  /** Columns that a jump will show; empty without one. */
  private jumpColumns: readonly number[] = [];

  constructor(private readonly options: WideRowsOptions) {}

  /** Columns that rows are fetched with now. */
  get columns(): number[] {
    const { columnsInView, columnCount } = this.options;
    const { jumpColumns } = this;
    return columnsIn(blocksOf(jumpColumns.length > 0 ? jumpColumns : columnsInView()), columnCount());
  }

  /**
   * The user jumps to a column: until `arrived`, rows include the columns that will be visible
   * then.
   */
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

  /** Visible rows or columns changed: fetches missing cells, one request at a time. */
  async complete(): Promise<void> {
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      // The visible part may change before a response.
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
      // In a changed view it is another row, which is fetched separately.
      if (known?.fileRow !== row.fileRow) return;
      addCells(known, row);
      added++;
    });
    return added > 0;
  }
}
