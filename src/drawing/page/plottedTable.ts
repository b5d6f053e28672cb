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

/**
 * Measures of images rather than rows, such as object counts. Plots identify a measure by its key.
 */
export interface ImageMeasures {
  /** The selectable measures, including the selected one. */
  listed(chosen?: string): readonly { key: string; name: string }[];
  /** Loads the available measures. */
  offer(): void;
  /** Fires when measures or their values changed; `renamed` gives the present key of a measure. */
  onDidChange(listener: (renamed: (key: string) => string) => void): void;
  /**
   * A column that can be measured in parts of the objects, and the measures of it to choose from,
   * '' for the column itself. `measured`: the column, or the measure by its key.
   */
  within(measured: {
    column?: string | undefined;
    key?: string | undefined;
  }): { column: string; options: readonly (readonly [key: string, words: string])[] } | undefined;
  /** Undefined for an unknown key. */
  nameOf(key: string): string | undefined;
  /** Groups with statistics of images, for matching or all rows; undefined for an unknown key. */
  groups(
    params: { by: number; key: string; all: boolean; limit: number },
    signal: AbortSignal,
  ): Promise<{ groups: TableGroup[]; total: number } | undefined>;
}

/** The key of a part that provides measures of images. */
export const imageMeasuresOfPlots = new PartKey<ImageMeasures>('imageMeasures');

/** The source of rows that match the table's filters, such as the model of the table's page. */
export interface PlotSource {
  readonly table: { readonly columns: readonly TableColumn[]; readonly decimalComma?: boolean };
  /** Whether filters hide rows that plots would show. */
  readonly plotsAreFiltered: boolean;
  /** Whether plots show only rows of one kind (groups or images) although the table shows both. */
  readonly statisticsAreNarrower: boolean;
  onDidChange(listener: (change: 'filters' | 'sort' | 'table') => void): { dispose(): void };
  /**
   * The histogram of a column's numbers, or of a range of its axis; undefined without finite
   * numbers on the axis.
   */
  histogram(
    params: { column: number; scale?: AxisScale; range?: [number, number] },
    signal?: AbortSignal,
  ): Promise<ColumnHistogram | undefined>;
  /**
   * Points of two numeric columns: at most `limit` matching rows and as many others. With more rows
   * and no color, counts in a grid of `bins` × `bins`.
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
  /** The numbers in a row of the file; null for a cell without a number. */
  rowNumbers(row: number, columns: readonly number[], signal?: AbortSignal): Promise<(number | null)[]>;
  /** The common parts of a column's known texts, which are removed from labels. */
  commonParts(column: number): CommonParts;
  /** The text of a cell, shortened if long. */
  cell(row: number, column: number, signal?: AbortSignal): Promise<string>;
}

/** Actions of pointer and keys in a plot. */
export interface PlotActions {
  /** The row under the pointer changed; null without a row. */
  hover: (row: number | null) => void;
  /** `adds`: to what is selected, as a click with Shift does. */
  act: (action: PlotAction, adds?: boolean) => void;
  /** Announces a text to screen readers. */
  say: (words: string) => void;
}

/** The table of plots: the source of their rows, and actions on it. */
export interface PlotTable extends PlotActions {
  source: PlotSource;
  messages: {
    failed(words: PageWords, error: unknown): void;
    /** Logs a failure and returns its reason. */
    log(error: unknown): string;
  };
  /** The row selected in the table or on the masks. */
  selected: ReadonlySignal<number | null>;
  /** The row under the pointer outside the plots. */
  hovered: ReadonlySignal<number | null>;
  /** Saves a file that is still to be drawn. */
  savePlot: (name: string, type: 'png' | 'svg', draw: () => Promise<ArrayBuffer>) => Promise<void>;
  /** Moves the focus to the rows. */
  enterRows: () => void;
}

/** Formats of numbers and of the ends of bins in plots. */
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
  /** Number of rows with an infinite number. */
  infinite?: number | undefined;
  /** Number of rows with a number that isn't above 0, so not on a logarithmic axis. */
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
