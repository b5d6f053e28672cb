import type { DecimalMark } from '../../columns/csv/csvNumber';
import { findRowColumns } from '../../columns/rowColumns';
import { columnName } from '../../pages/page/columnName';
import { columnDecimals, shownNumber } from '../../pages/page/shownNumber';
import type { PlotText } from '../../pages/page/pageText';
import type { TipLine } from './plotDrawing';
import type { PlotSource } from './plotSource';

const MAX_CACHED = 200;
/** Characters of a value in a tooltip. */
const MAX_VALUE_LENGTH = 26;

/** How tooltips name a row: by the object's ID, and by its image or the first text column. Caches the latest. */
export class RowNames {
  private readonly names = new Map<number, TipLine[]>();

  constructor(
    private readonly source: PlotSource,
    private readonly text: PlotText,
  ) {}

  /** The lines that name a row, if they are loaded. */
  cached(row: number): TipLine[] | undefined {
    return this.names.get(row);
  }

  async load(row: number, signal: AbortSignal): Promise<TipLine[]> {
    const cached = this.names.get(row);
    if (cached) return cached;
    const { columns, decimalComma } = this.source.table;
    const { id, image } = findRowColumns(columns.map(({ name }) => name));
    const second = image ?? columns.find(({ kind, index }) => kind === 'text' && index !== id)?.index;
    const lines: TipLine[] = [];
    for (const column of [id, second]) {
      if (column === undefined) continue;
      const cell = await this.source.cell(row, column, signal);
      if (cell === '') continue;
      const value = column === id ? shownId(cell, decimalComma ? ',' : '.') : cell;
      // The end of a path says more than its beginning.
      const fits = (text: string) => text.length <= MAX_VALUE_LENGTH;
      const shown = this.source.commonParts(column).cut(value, fits, 'end');
      lines.push({ label: columnName(columns, column, this.text), value: shown });
    }
    if (id === undefined) lines.unshift({ label: this.text.get('tableRow', row + 1) });
    this.names.set(row, lines);
    const [oldest] = this.names.keys();
    if (this.names.size > MAX_CACHED && oldest !== undefined) this.names.delete(oldest);
    return lines;
  }

  /** The table was read again. */
  clear(): void {
    this.names.clear();
  }
}

/** As the grid shows it: 53 where the file has 53.0. */
function shownId(cell: string, mark: DecimalMark): string {
  const decimals = columnDecimals([cell], mark);
  return decimals === undefined ? cell : shownNumber(cell, decimals, mark);
}
