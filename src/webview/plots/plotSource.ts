import type { PlotWindow } from '../../model/plotWindow';
import type { TableColumn } from '../../model/tableSummary';
import type { TableGroup } from '../../model/tableStatistics';
import type { TablePageRequests } from '../../protocol/tableRequests';
import type { ColumnHistogram } from '../widgets/columnHistogram';

/** The rows that plots show: those of the table that match its filters. The table page's model is one. */
export interface PlotSource {
  readonly table: { readonly columns: readonly TableColumn[]; readonly decimalComma?: boolean };
  /** Whether filters leave out some of the rows that plots are of. */
  readonly hasRest: boolean;
  /** Whether plots show fewer rows than the table does: of rows of groups and of images only one kind. */
  readonly statisticsAreNarrower: boolean;
  onDidChange(listener: (change: 'filters' | 'sort' | 'table') => void): { dispose(): void };
  /** Undefined when the column has no finite number. */
  histogram(column: number, bins?: number, signal?: AbortSignal): Promise<ColumnHistogram | undefined>;
  /**
   * Points of two numeric columns, those that don't match the filters apart: at most `most` of each, or without a color
   * counts in a grid of `bins` × `bins` where there are more.
   */
  points(
    params: { x: number; y: number; color?: number; most: number; bins?: number; window?: PlotWindow },
    signal?: AbortSignal,
  ): Promise<TablePageRequests['tablePoints']['result']>;
  groups(
    params: { by: number[]; measures: number[]; limit?: number },
    signal?: AbortSignal,
  ): Promise<{ groups: TableGroup[]; total: number }>;
  /** The same of all rows, whatever the filters. */
  allGroups: PlotSource['groups'];
  /** The numbers of a row of the file; null where there are none. */
  rowNumbers(row: number, columns: readonly number[], signal?: AbortSignal): Promise<(number | null)[]>;
  /** The text of a cell, of a long one its beginning. */
  cell(row: number, column: number, signal?: AbortSignal): Promise<string>;
}
