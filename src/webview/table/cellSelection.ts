import { isCoded } from '../../base/errors';
import type { SelectionFigures } from '../../protocol/tableEngine';
import { LatestValue } from '../frameQueue';
import { cellBounds, cellsIn, moveToCell, type CellBounds, type CellRange } from './cellRange';
import type { TableModel } from './tableModel';

export interface CellSelectionOptions {
  model: TableModel;
  /** Columns shown, in order. */
  columns: () => readonly number[];
  /** The range has changed: to be marked. */
  onRange: (range: CellRange | null) => void;
  /** What the selected cells add up to; undefined while that is not known. */
  onFigures: (figures: SelectionFigures | undefined) => void;
  onFailure: (error: unknown) => void;
}

/** The cells a person has selected, and what they add up to. */
export class CellSelection {
  private current: CellRange | null = null;
  private asking = new AbortController();
  private readonly figures = new LatestValue<CellRange | null>(null, range => void this.ask(range));

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
    this.asking.abort();
    this.options.onFigures(undefined);
    this.figures.set(range);
  }

  private async ask(range: CellRange | null): Promise<void> {
    const { model, onFigures, onFailure } = this.options;
    const { bounds, columns } = this;
    // One row's cells are of different measures: adding them up would mean nothing.
    const oneRow = range?.wholeRows && bounds?.firstRow === bounds?.lastRow;
    if (!range || range !== this.current || !bounds || oneRow || cellsIn(bounds) < 2) return;
    const { signal } = (this.asking = new AbortController());
    try {
      const asked = { start: bounds.firstRow, end: bounds.lastRow + 1, columns };
      const figures = await model.ask('tableSelection', asked, signal);
      if (!signal.aborted) onFigures(figures);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}
