import type { TableColumn } from '../../model/tableSummary';
import type { TableGroup } from '../../model/tableStatistics';
import type { TablePageRequests } from '../../protocol/tableRequests';
import type { ColumnHistogram } from '../widgets/columnHistogram';

/** The rows that plots show: those of the table that match its filters. The table page's model is one. */
export interface PlotSource {
  readonly table: { readonly columns: readonly TableColumn[] };
  readonly isFiltered: boolean;
  /** Whether plots show fewer rows than the table does: of rows of groups and of images only one kind. */
  readonly statisticsAreNarrower: boolean;
  onDidChange(listener: (change: 'filters' | 'sort' | 'table') => void): { dispose(): void };
  /** Undefined when the column has no finite number. */
  histogram(column: number, bins: number, signal?: AbortSignal): Promise<ColumnHistogram | undefined>;
  /** Points of two numeric columns, at most `most`, or counts in a grid of `bins` × `bins`. */
  points(
    params: { x: number; y: number; color?: number; most: number; bins?: number },
    signal?: AbortSignal,
  ): Promise<TablePageRequests['tablePoints']['result']>;
  groups(
    params: { by: number[]; measures: number[]; limit?: number },
    signal?: AbortSignal,
  ): Promise<{ groups: TableGroup[]; total: number }>;
}
