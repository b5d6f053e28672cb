import type { SelectionStatistics } from '../../../../columns/tableStatistics';
import { isCoded } from '../../../../base/errors';
import { LatestValue } from '../../../../pages/page/widgets/frameQueue';
import { cellBounds, cellsIn, holdsCell, moveToCell, type CellBounds, type CellRange } from './cellRange';
import type { TableModel } from '../../tableModel';

export interface CellSelectionOptions {
  model: TableModel;
  /** Columns shown, in order. */
  columns: () => readonly number[];
  /** The range has changed: to be marked. */
  onRange: (range: CellRange | null) => void;
  /** Statistics of the selected cells by column; undefined while they are not known. */
  onStatistics: (statistics: readonly SelectionStatistics[] | undefined) => void;
  onFailure: (error: unknown) => void;
}

/** The selected cells and their statistics. */
export class CellSelection {
  private current: CellRange | null = null;
  private pending = new AbortController();
  private readonly statistics = new LatestValue<CellRange | null>(null, range => void this.load(range));

  constructor(private readonly options: CellSelectionOptions) {}

  get range(): CellRange | null {
    return this.current;
  }

  /** First and last row and column, by position and by place among the columns shown. */
  get bounds(): CellBounds | undefined {
    return this.current ? cellBounds(this.current, this.options.columns().length) : undefined;
  }

  /** Selected columns of the file, in the order shown. */
  get columns(): number[] {
    const { bounds } = this;
    return bounds ? this.options.columns().slice(bounds.firstColumn, bounds.lastColumn + 1) : [];
  }

  /** Whether a cell is selected, or a row as a whole. */
  holds(position: number, column: number | 'row'): boolean {
    const { bounds, current } = this;
    if (!bounds) return false;
    const place = column === 'row' ? -1 : this.options.columns().indexOf(column);
    if (place < 0) return current?.wholeRows === true && holdsCell(bounds, position, 0);
    return holdsCell(bounds, position, place);
  }

  /** Moves to a cell, to a row as a whole, or on in the same column. */
  move(position: number, column: number | 'row' | 'same', extend: boolean): void {
    const before = this.current;
    const place =
      typeof column === 'number'
        ? Math.max(0, this.options.columns().indexOf(column))
        : (before?.active.column ?? 0);
    this.set(moveToCell(before, { position, column: place }, extend, column === 'row'));
  }

  selectRow(position: number): void {
    this.set(moveToCell(null, { position, column: 0 }, false, true));
  }

  selectAll(): void {
    const last = this.options.model.rowCount - 1;
    if (last < 0) return;
    const active = { position: last, column: 0 };
    this.set({ anchor: { position: 0, column: 0 }, active, wholeRows: true });
  }

  set(range: CellRange | null): void {
    this.current = range;
    this.options.onRange(range);
    this.pending.abort();
    this.options.onStatistics(undefined);
    this.statistics.set(range);
  }

  private async load(range: CellRange | null): Promise<void> {
    const { model, onStatistics, onFailure } = this.options;
    const { bounds, columns } = this;
    // The cells of one row are different measures: their sum means nothing.
    const oneRow = range?.wholeRows && bounds?.firstRow === bounds?.lastRow;
    if (!range || range !== this.current || !bounds || oneRow || cellsIn(bounds) < 2) return;
    const { signal } = (this.pending = new AbortController());
    try {
      const params = { start: bounds.firstRow, end: bounds.lastRow + 1, columns };
      const statistics = await model.request('tableSelection', params, signal);
      if (!signal.aborted) onStatistics(statistics.columns);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}
