import type { DecimalMark } from '../../formats/csv/csvNumber';
import { findRowColumns } from '../../formats/masks/rowColumns';
import { columnName } from '../page/columnName';
import { columnDecimals, shownNumber } from '../page/shownNumber';
import type { PlotText } from '../page/pageText';
import type { TipLine } from './plotDrawing';
import type { PlotSource } from './plotSource';

const MAX_KEPT = 200;
/** Characters of a value in a tip. */
const MAX_VALUE = 26;

/** What rows are called in a plot: the object's ID, and its image or the first text column. The latest are kept. */
export class RowNames {
  private readonly kept = new Map<number, TipLine[]>();

  constructor(
    private readonly source: PlotSource,
    private readonly text: PlotText,
  ) {}

  /** The lines that name a row; undefined while they are not known. */
  known(row: number): TipLine[] | undefined {
    return this.kept.get(row);
  }

  async load(row: number, signal: AbortSignal): Promise<TipLine[]> {
    const known = this.kept.get(row);
    if (known) return known;
    const { columns, decimalComma } = this.source.table;
    const { id, image } = findRowColumns(columns.map(({ name }) => name));
    const naming = [id, image ?? columns.find(({ kind, index }) => kind === 'text' && index !== id)?.index];
    const lines: TipLine[] = [];
    for (const column of naming) {
      if (column === undefined) continue;
      const cell = await this.source.cell(row, column, signal);
      if (cell === '') continue;
      const value = column === id ? shownId(cell, decimalComma ? ',' : '.') : cell;
      // The end of a path says more than its beginning.
      const shown = value.length > MAX_VALUE ? `…${value.slice(-MAX_VALUE)}` : value;
      lines.push({ label: columnName(columns, column, this.text), value: shown });
    }
    if (id === undefined) lines.unshift({ label: this.text.get('tableRow', row + 1) });
    this.kept.set(row, lines);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return lines;
  }

  /** The table was read again. */
  forget(): void {
    this.kept.clear();
  }
}

/** As the grid shows it: 53 where the file says 53.0. */
function shownId(cell: string, mark: DecimalMark): string {
  const decimals = columnDecimals([cell], mark);
  return decimals === undefined ? cell : shownNumber(cell, decimals, mark);
}
