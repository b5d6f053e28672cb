import type { DecimalMark } from '../../../formats/csv/csvNumber';
import { columnDecimals } from '../../page/shownNumber';

/** Digits that the numbers of each column are shown with, by the first of its cells that come. */
export class ColumnPrecision {
  private readonly decimals = new Map<number, number | undefined>();

  constructor(private readonly mark: DecimalMark) {}

  /** Undefined where numbers are shown as they are, and as long as none of the column's cells are known. */
  of(column: number): number | undefined {
    return this.decimals.get(column);
  }

  /** Cells of some columns have come. What is known of a column stays, so that its numbers don't change under the user. */
  learn(rows: readonly { cells: readonly string[] }[], columns: Iterable<number>): void {
    if (rows.length === 0) return;
    for (const column of columns) {
      if (this.decimals.has(column)) continue;
      const cells = rows.map(({ cells }) => cells[column] ?? '');
      this.decimals.set(column, columnDecimals(cells, this.mark));
    }
  }
}
