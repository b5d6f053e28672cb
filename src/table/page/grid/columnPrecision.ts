import type { DecimalMark } from '../../../columns/csv/csvNumber';
import { columnDecimals } from '../../../pages/page/shownNumber';

/** The decimals that the numbers of each column are shown with, based on the first of its cells to be loaded. */
export class ColumnPrecision {
  private readonly decimals = new Map<number, number | undefined>();

  constructor(private readonly mark: DecimalMark) {}

  /** Undefined where numbers are shown as in the file, and until cells of the column are loaded. */
  of(column: number): number | undefined {
    return this.decimals.get(column);
  }

  /** Cells of some columns were loaded. Decimals are set once, so that shown numbers don't change later. */
  learn(rows: readonly { cells: readonly string[] }[], columns: Iterable<number>): void {
    if (rows.length === 0) return;
    for (const column of columns) {
      if (this.decimals.has(column)) continue;
      const cells = rows.map(({ cells }) => cells[column] ?? '');
      this.decimals.set(column, columnDecimals(cells, this.mark));
    }
  }
}
