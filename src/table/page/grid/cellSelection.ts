import { type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import { fromJsonNumber, type SelectionStatistics } from '../../../columns/columnStatistics';
import { LatestValue } from '../../../pages/page/widgets/timing';
import type { TableModel } from '../tableModel';

interface CellSelectionOptions {
  model: Pick<TableModel, 'request' | 'rowCount'>;
  /** Visible columns, in order. */
  columns: () => readonly number[];
  /** The number in the file of the row at a position, if loaded. */
  rowAt: (position: number) => number | undefined;
  /** Saves the selection with the view. */
  save: (cells: SavedCells) => void;
  onFailure: (error: unknown) => void;
}

/** Size of the selection. */
interface SelectedSize {
  rows: number;
  columns: number;
  wholeRows: boolean;
  /** Number in the file of the row in focus, if known. */
  fileRow: number | undefined;
}

/** The selected cells, the row in focus, and statistics of the cells. */
export class CellSelection {
  /** The row in focus, by its number in the file. */
  private row: number | null = null;
  private readonly current = signal<CellRange | null>(null);
  private readonly selectedSize = signal<SelectedSize>({
    rows: 0,
    columns: 0,
    wholeRows: false,
    fileRow: undefined,
  });
  private readonly loadedStatistics = signal<readonly SelectionStatistics[] | undefined>(undefined);
  private pending = new AbortController();
  private readonly queue = new LatestValue<CellRange | null>(null, range => void this.load(range));

  constructor(private readonly options: CellSelectionOptions) {}

  get range(): CellRange | null {
    return this.current.value;
  }

  /** A new object for each change of the selection. */
  get size(): ReadonlySignal<SelectedSize> {
    return this.selectedSize;
  }

  /** Statistics of the selected cells by column; undefined until loaded. */
  get statistics(): ReadonlySignal<readonly SelectionStatistics[] | undefined> {
    return this.loadedStatistics;
  }

  get rowInFocus(): number | null {
    return this.row;
  }

  /** The active cell: position in the view, and column of the file. A search continues there. */
  get activeCell(): { position: number; column: number } | undefined {
    const active = this.range?.active;
    const column = active && this.options.columns()[active.column];
    return active && column !== undefined ? { position: active.position, column } : undefined;
  }

  /** First and last row and column: positions in the view, and places among visible columns. */
  get bounds(): CellBounds | undefined {
    const { range } = this;
    return range ? new CellBounds(range, this.options.columns().length) : undefined;
  }

  /** Selected columns of the file, in the order shown. */
  get columns(): number[] {
    const { bounds } = this;
    return bounds ? this.options.columns().slice(bounds.firstColumn, bounds.lastColumn + 1) : [];
  }

  /** Whether a cell is selected, or a whole row. */
  holds(position: number, column: number | 'row'): boolean {
    const { bounds, range } = this;
    if (!bounds) return false;
    const place = column === 'row' ? -1 : this.options.columns().indexOf(column);
    if (place < 0) return range?.wholeRows === true && bounds.holds(position, 0);
    return bounds.holds(position, place);
  }

  /** Moves to a cell, to a whole row, or within the same column. */
  move(position: number, column: number | 'row' | 'same', extend: boolean): void {
    const before = this.range;
    const place =
      typeof column === 'number'
        ? Math.max(0, this.options.columns().indexOf(column))
        : (before?.active.column ?? 0);
    this.select(moveToCell(before, { position, column: place }, extend, column === 'row'));
  }

  selectRow(position: number): void {
    this.select(moveToCell(null, { position, column: 0 }, false, true));
  }

  selectAll(): void {
    const last = this.options.model.rowCount - 1;
    if (last < 0) return;
    const active = { position: last, column: 0 };
    this.select({ anchor: { position: 0, column: 0 }, active, wholeRows: true });
  }

  /** Sets the row in focus; the selection of its cells follows. */
  focusRow(row: number | null): void {
    this.row = row;
  }

  /** The row of the active cell was loaded. */
  activeRowLoaded(row: number | null): void {
    this.row = row;
    this.publish();
  }

  select(range: CellRange | null): void {
    this.current.value = range;
    this.publish();
    this.pending.abort();
    this.loadedStatistics.value = undefined;
    this.queue.set(range);
  }

  /** The visible columns changed. */
  columnsChanged(): void {
    this.select(this.range);
  }

  private publish(): void {
    const { bounds, range, columns, row } = this;
    const { rowAt, save } = this.options;
    // Unreliable alone: the grid may still have rows of the previous view.
    const rowOfActiveCell = range ? rowAt(range.active.position) : undefined;
    this.selectedSize.value = {
      rows: bounds ? bounds.lastRow - bounds.firstRow + 1 : 0,
      columns: columns.length,
      wholeRows: range?.wholeRows === true,
      fileRow: row ?? rowOfActiveCell,
    };
    save(savedCells(row, range, this.options.columns()));
  }

  private async load(range: CellRange | null): Promise<void> {
    const { model, onFailure } = this.options;
    const { bounds, columns } = this;
    // The cells of one row are different measures: their sum is meaningless.
    const isOneRow = range?.wholeRows && bounds?.firstRow === bounds?.lastRow;
    if (!range || range !== this.range || !bounds || isOneRow || bounds.count < 2) return;
    const { signal } = (this.pending = new AbortController());
    try {
      const params = { start: bounds.firstRow, end: bounds.lastRow + 1, columns };
      const statistics = await model.request('tableSelection', params, signal);
      if (!signal.aborted)
        this.loadedStatistics.value = statistics.columns.map(columnStatistics => ({
          ...columnStatistics,
          min: fromJsonNumber(columnStatistics.min),
          max: fromJsonNumber(columnStatistics.max),
        }));
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}

/** A cell: position of its row in the view, and place of its column among visible ones, from 0. */
interface CellPlace {
  position: number;
  column: number;
}

/** A rectangle of selected cells between anchor and active cell; whole rows have all columns. */
export interface CellRange {
  anchor: CellPlace;
  active: CellPlace;
  wholeRows: boolean;
}

/** The range after a move to a cell. With `extend`, it extends from the anchor. */
export function moveToCell(
  range: CellRange | null,
  to: CellPlace,
  extend: boolean,
  wholeRows = false,
): CellRange {
  if (!extend || !range) return { anchor: to, active: to, wholeRows };
  return { anchor: range.anchor, active: to, wholeRows: wholeRows || range.wholeRows };
}

/** First and last row and column of a range, inclusive; columns are limited by `columnCount`. */
export class CellBounds {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;

  constructor({ anchor, active, wholeRows }: CellRange, columnCount: number) {
    const last = Math.max(0, columnCount - 1);
    this.firstRow = Math.min(anchor.position, active.position);
    this.lastRow = Math.max(anchor.position, active.position);
    this.firstColumn = wholeRows ? 0 : Math.min(anchor.column, active.column, last);
    this.lastColumn = wholeRows ? last : Math.min(Math.max(anchor.column, active.column), last);
  }

  /** Number of cells in the bounds. */
  get count(): number {
    return (this.lastRow - this.firstRow + 1) * (this.lastColumn - this.firstColumn + 1);
  }

  holdsRow(position: number): boolean {
    return position >= this.firstRow && position <= this.lastRow;
  }

  holds(position: number, column: number): boolean {
    return this.holdsRow(position) && column >= this.firstColumn && column <= this.lastColumn;
  }
}

/** The selection in the saved view. */
export interface SavedCells {
  /** The row in focus, by its number in the file. */
  row: number | null;
  /** Columns are the file's, as visible ones may change. Null without selected cells. */
  range: CellRange | null;
}

/** The selection to save. `columns`: the visible columns. */
export function savedCells(
  row: number | null,
  range: CellRange | null,
  columns: readonly number[],
): SavedCells {
  const moved = range && withColumns(range, place => columns[place]);
  return { row, range: moved ?? null };
}

/**
 * The saved selection; undefined if its cells are gone. `position`: current position of the row in
 * focus, if there is one. If that row isn't in the range any more, the range has other rows.
 */
export function restoredCells(
  { range }: SavedCells,
  columns: readonly number[],
  rowCount: number,
  position: number | undefined,
): CellRange | undefined {
  const restored = range && withColumns(range, column => columns.indexOf(column));
  if (!restored) return undefined;
  const bounds = new CellBounds(restored, columns.length);
  if (bounds.firstRow < 0 || bounds.lastRow >= rowCount) return undefined;
  return position === undefined || bounds.holdsRow(position) ? restored : undefined;
}

function withColumns(
  { anchor, active, wholeRows }: CellRange,
  columnOf: (column: number) => number | undefined,
): CellRange | undefined {
  const [from, to] = [columnOf(anchor.column), columnOf(active.column)];
  if (from === undefined || to === undefined || from < 0 || to < 0) return undefined;
  return {
    anchor: { position: anchor.position, column: from },
    active: { position: active.position, column: to },
    wholeRows,
  };
}
