import { type PageWords, t } from '../../pages/page/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { PartKey } from '../../base/parts';
import type { TableGroup } from '../../columns/columnStatistics';
import type { TablePageRequests } from '../../columns/tableRequests';
import type { TableColumn } from '../../columns/tableSummary';
import type { AxisScale, AxisScales } from '../../columns/axisScale';
import type { PlotWindow } from '../../columns/viewSpec';
import { digitsBetween } from '../../pages/page/numbers';
import { formatNumber } from '../../pages/page/columnName';
import type { ColumnHistogram } from '../../pages/page/widgets/columnHistogram';
import type { CommonParts } from '../../pages/page/widgets/commonParts';
import type { PlotAction } from './plotDrawing';

/** Measures of images rather than rows, such as object counts. Plots know them only by key. */
export interface ImageMeasures {
  /** The measures to choose from, and the chosen one in any case. */
  listed(chosen?: string): readonly { key: string; name: string }[];
  /** Finds out which measures there are. */
  offer(): void;
  /** Measures or their values changed; `renamed` if one has a new key. */
  onDidChange(listener: (renamed?: { from: string; to: string }) => void): void;
  /** Undefined for an unknown key. */
  nameOf(key: string): string | undefined;
  /** Groups with statistics of images' values, for matching rows or all. Undefined: unknown key. */
  groups(
    params: { by: number; key: string; all: boolean; limit: number },
    signal: AbortSignal,
  ): Promise<{ groups: TableGroup[]; total: number } | undefined>;
}

/** The key under which a subject adds measures of images. */
export const imageMeasuresOfPlots = new PartKey<ImageMeasures>('imageMeasures');

/** Where plots get the rows that match the table's filters; the table page's model is one. */
export interface PlotSource {
  readonly table: { readonly columns: readonly TableColumn[]; readonly decimalComma?: boolean };
  /** Whether filters leave out rows that plots would show. */
  readonly plotsAreFiltered: boolean;
  /** Whether plots show only one kind of rows, of groups or images, where the table shows both. */
  readonly statisticsAreNarrower: boolean;
  onDidChange(listener: (change: 'filters' | 'sort' | 'table') => void): { dispose(): void };
  /** Over a column's numbers, or an axis range; undefined without finite numbers on the axis. */
  histogram(
    params: { column: number; scale?: AxisScale; range?: [number, number] },
    signal?: AbortSignal,
  ): Promise<ColumnHistogram | undefined>;
  /**
   * Points of two numeric columns, at most `limit` of matching rows and of the others; if there are
   * more and no color, counts in a grid of `bins` × `bins`.
   */
  points(
    params: {
      x: number;
      y: number;
      scales?: AxisScales;
      color?: number;
      limit: number;
      bins?: number;
      window?: PlotWindow;
    },
    signal?: AbortSignal,
  ): Promise<TablePageRequests['tablePoints']['result']>;
  groups(
    params: { by: number[]; measures: number[]; limit?: number },
    signal?: AbortSignal,
  ): Promise<{ groups: TableGroup[]; total: number }>;
  /** Groups of all rows, regardless of the filters. */
  allGroups: PlotSource['groups'];
  /** The numbers of a row of the file; null where a cell has none. */
  rowNumbers(row: number, columns: readonly number[], signal?: AbortSignal): Promise<(number | null)[]>;
  /** What a column's known texts have in common; it is cut first. */
  commonParts(column: number): CommonParts;
  /** The text of a cell; the beginning of a long one. */
  cell(row: number, column: number, signal?: AbortSignal): Promise<string>;
}

/** What pointer and keys in a plot do. */
export interface PlotActions {
  /** The pointer is over a row, or over none. */
  hover: (row: number | null) => void;
  act: (action: PlotAction) => void;
  /** For screen readers. */
  say: (words: string) => void;
}

/** The table that plots are of: where their rows come from, and what is done to it with them. */
export interface PlotTable extends PlotActions {
  source: PlotSource;
  messages: {
    failed(words: PageWords, error: unknown): void;
    /** Writes a failure to the log alone, and returns its reason. */
    log(error: unknown): string;
  };
  /** The row selected in the table or on the masks. */
  selected: ReadonlySignal<number | null>;
  /** The row that the pointer is over, outside of the plots. */
  hovered: ReadonlySignal<number | null>;
  savePlot: (name: string, type: 'png' | 'svg', data: ArrayBuffer) => void;
  /** Gives the keyboard to the rows. */
  enterRows: () => void;
}

/** How plots write a number, and the ends of a bin. */
export interface NumberWords {
  number: (value: number) => string;
  between: (low: number, high: number) => string;
}

export function numberWords(): NumberWords {
  return {
    number: value => formatNumber(value),
    between: (low, high) => {
      if (low === high) return formatNumber(low);
      const digits = digitsBetween(low, high);
      return t('{0} – {1}', t.significant(low, digits), t.significant(high, digits));
    },
  };
}

/** Rows that are left out of a plot. */
export interface LeftOutRows {
  /** As a number is infinite. */
  infinite?: number | undefined;
  /** As one that isn't above 0 has no place on a logarithmic axis. */
  notPositive?: number | undefined;
}

/** What a plot leaves out, in words; false for what it doesn't. */
export function leftOutWords({ infinite = 0, notPositive = 0 }: LeftOutRows): (string | false)[] {
  return [
    infinite > 0 &&
      t.count(
        infinite,
        "1 infinite value isn't drawn or included in means.",
        "{0} infinite values aren't drawn or included in means.",
      ),
    notPositive > 0 &&
      t.count(
        notPositive,
        '1 row of 0 or less is counted as missing: a logarithmic axis has no place for it.',
        '{0} rows of 0 or less are counted as missing: a logarithmic axis has no place for them.',
      ),
  ];
}
