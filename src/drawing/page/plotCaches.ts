import { t } from '../../pages/page/l10n';
import { signal, untracked } from '@preact/signals';
import type { DecimalMark } from '../../columns/csv/csvNumber';
import { findRowColumns } from '../../columns/rowColumns';
import { columnName } from '../../pages/page/columnName';
import { columnDecimals, shownNumber } from '../../pages/page/numbers';
import type { PlotSource, PlotTable } from './plottedTable';
import type { RowMark, TipLine } from './plotDrawing';

const MAX_CACHED = 200;
/** Maximum length of a value in a tooltip. */
const MAX_VALUE_LENGTH = 26;

/**
 * Names of rows in tooltips: the object ID, and the image or first text column. Caches the names
 * that were loaded last.
 */
export class RowNames {
  private readonly names = new Map<number, TipLine[]>();

  constructor(private readonly source: PlotSource) {}

  /** The loaded lines with the name of a row. */
  cached(row: number): TipLine[] | undefined {
    return this.names.get(row);
  }

  async load(row: number, signal: AbortSignal): Promise<TipLine[]> {
    const cached = this.names.get(row);
    if (cached) return cached;
    const { columns, decimalComma } = this.source.table;
    const { id, image } = findRowColumns(columns);
    const textColumn = image ?? columns.find(({ kind, index }) => kind === 'text' && index !== id)?.index;
    const lines: TipLine[] = [];
    for (const column of [id, textColumn]) {
      if (column === undefined) continue;
      const cell = await this.source.cell(row, column, signal);
      if (cell === '') continue;
      const value = column === id ? shownId(cell, decimalComma ? ',' : '.') : cell;
      // The end of a path is more informative than its beginning.
      const fits = (text: string) => text.length <= MAX_VALUE_LENGTH;
      const shown = this.source.commonParts(column).cut(value, fits, 'end');
      lines.push({ label: columnName(columns, column), value: shown });
    }
    if (id === undefined) lines.unshift({ label: t('Row {0}', row + 1) });
    this.names.set(row, lines);
    const [oldest] = this.names.keys();
    if (this.names.size > MAX_CACHED && oldest !== undefined) this.names.delete(oldest);
    return lines;
  }

  /** Clears the cache when the table was read again. */
  clear(): void {
    this.names.clear();
  }
}

/** The ID as in the grid: 53 if the file has 53.0. */
function shownId(cell: string, mark: DecimalMark): string {
  const decimals = columnDecimals([cell], mark);
  return decimals === undefined ? cell : shownNumber(cell, decimals, mark);
}

interface Values {
  numbers: readonly (number | null)[];
  text: string;
}

/** The values of the selected row, requested once per row and set of columns. */
export class RowValues {
  private key = '';
  private readonly values = signal<Values | undefined>(undefined);
  private request = new AbortController();

  constructor(private readonly table: Pick<PlotTable, 'source' | 'messages'>) {}

  /** A row's values; undefined until loaded. Effects that read them run again then. */
  of(row: number, { columns, textColumn }: RowMark): Values | undefined {
    const key = JSON.stringify([row, columns, textColumn]);
    if (key !== this.key) {
      this.clear();
      this.key = key;
      untracked(() => void this.load(row, columns, textColumn, this.request.signal));
    }
    return this.values.value;
  }

  /** Cancels the request. The values are requested again on the next use. */
  clear(): void {
    this.key = '';
    this.values.value = undefined;
    this.request.abort();
    this.request = new AbortController();
  }

  private async load(
    row: number,
    columns: readonly number[],
    textColumn: number | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { source, messages } = this.table;
    try {
      const numbers = await source.rowNumbers(row, columns, signal);
      const text = textColumn === undefined ? '' : await source.cell(row, textColumn, signal);
      if (signal.aborted) return;
      this.values.value = { numbers, text };
    } catch (error) {
      messages.failed(t.later("Couldn't load the plot: {0}"), error);
    }
  }
}

type Groups = ReturnType<PlotSource['allGroups']>;

/** Groups of all rows, which don't depend on filters: requested once until the table changes. */
export class GroupCache {
  private readonly groups = new Map<string, Groups>();

  constructor(private readonly source: Pick<PlotSource, 'allGroups'>) {}

  get(params: Parameters<PlotSource['allGroups']>[0]): Groups {
    const key = JSON.stringify(params);
    const cached = this.groups.get(key);
    if (cached) return cached;
    const requested = this.source.allGroups(params);
    this.groups.set(key, requested);
    requested.catch(() => this.groups.get(key) === requested && this.groups.delete(key));
    return requested;
  }

  clear(): void {
    this.groups.clear();
  }
}
