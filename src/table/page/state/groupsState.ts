import { t } from '../../../pages/page/l10n';
import { findRowColumns, likelyGroupColumn } from '../../../columns/rowColumns';
import { type GroupOrder, columnStatisticNames } from '../../../columns/columnStatistics';
import { isColumnStatistic, type UnitStatisticId } from '../../../columns/unitStatistics';
import type { TableColumn } from '../../../columns/tableSummary';
import { idColumns } from '../grid/gridColumns';

/** A unit of statistics other than rows, such as images. */
export interface GroupUnit {
  /** The ID in saved views. */
  readonly id: string;
  readonly name: string;
  /**
   * Whether it has a SEM and a confidence interval. Rows and images don't: they aren't replicates.
   */
  readonly isReplicated: boolean;
}

/** Statistics of a measure that can be shown, in order. */
export const groupStatistics = [
  'count',
  'mean',
  'sd',
  'sem',
  'ciLow',
  'ciHigh',
  'median',
  'min',
  'max',
  'missing',
  'infinite',
] as const satisfies readonly UnitStatisticId[];

/** The available statistics of a unit; without a unit, of rows. */
export function statisticsOfUnit(
  unit: GroupUnit | undefined,
  statistics: readonly GroupStatisticId[] = groupStatistics,
): GroupStatisticId[] {
  return statistics.filter(id => unit?.isReplicated === true || isColumnStatistic(id));
}

export type GroupStatisticId = (typeof groupStatistics)[number];

/** Names of statistics that only groups have. */
const NAMES = { sem: t.later('SEM'), ciLow: t.later('CI95 low'), ciHigh: t.later('CI95 high') } as const;

/** The name of a statistic of groups. */
export function groupStatisticName(id: GroupStatisticId): string {
  return id === 'sem' || id === 'ciLow' || id === 'ciHigh' ? NAMES[id]() : columnStatisticNames[id](t);
}

/** Maximum number of measures shown at once. */
export const MAX_MEASURES = 30;
/** Number of measures shown at first. */
const FIRST_MEASURES = 3;

/** A measure of another subject, as JSON. */
export interface AddedMeasure {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** A measure: a column by position, or one of another subject. */
export type GroupMeasure = number | AddedMeasure;

/** Which groups and which of their statistics are shown. */
export interface GroupsSpec {
  /** The columns to group by: one or two; none until the first is chosen. */
  by: number[];
  measures: GroupMeasure[];
  statistics: GroupStatisticId[];
  /** ID of the unit; absent for rows. */
  of?: string | undefined;
}

/** The state of the groups, which the table page saves. */
export interface GroupsState extends GroupsSpec {
  open: boolean;
  /** Height below the rows, in pixels. */
  height: number;
  /** Width beside plots, in pixels. */
  width: number;
  /** Absent for the order of the groups' first rows. */
  order?: GroupOrder;
  /** Position of the first group in view. */
  first?: number;
}

export const INITIAL_GROUPS: GroupsState = {
  open: false,
  height: 240,
  width: 640,
  by: [],
  measures: [],
  statistics: ['mean', 'sd', 'median'],
};

/** The saved state without columns that are missing or have another kind now. */
export function validGroups(
  saved: Partial<GroupsState> | undefined,
  columns: readonly TableColumn[],
): GroupsState {
  const state = { ...INITIAL_GROUPS, ...saved };
  const by = [...new Set(state.by)].filter(column => columns[column]).slice(0, 2);
  const measures = [...new Set(state.measures)]
    .filter(measure => typeof measure !== 'number' || columns[measure]?.kind === 'number')
    .slice(0, MAX_MEASURES);
  const statistics = groupStatistics.filter(id => state.statistics.includes(id));
  const { order, of, ...otherState } = state;
  const valid = { ...otherState, by, measures, statistics, ...(of !== undefined && { of }) };
  return order && isValidOrder(order, valid) ? { ...valid, order } : valid;
}

/** Whether groups have the column of an order. */
export function isValidOrder(
  { of }: GroupOrder,
  { by, measures, statistics }: Pick<GroupsSpec, 'by' | 'measures' | 'statistics'>,
): boolean {
  if (of.kind === 'key') return of.key < by.length;
  return of.kind === 'rows' || of.value < measures.length * statistics.length;
}

/** The column to group by at first. Constant columns come last. */
export function firstKey(
  columns: readonly TableColumn[],
  likelyColumns: readonly number[],
  constants: readonly number[],
): number | undefined {
  const differing = likelyColumns.filter(column => !constants.includes(column));
  return likelyGroupColumn(columns, differing.length > 0 ? differing : likelyColumns);
}

/** Columns that can be measured: numbers that aren't IDs. */
export function measurable(columns: readonly TableColumn[]): TableColumn[] {
  const ids = idColumns(columns);
  return columns.filter(({ index, kind }) => kind === 'number' && !ids.has(index));
}

/** The columns measured at first. Positions and grouping columns are left out. */
export function firstMeasures(columns: readonly TableColumn[], by: readonly number[]): number[] {
  const { position } = findRowColumns(columns);
  const numbers = measurable(columns).filter(({ index }) => !by.includes(index));
  const measured = numbers.filter(({ index }) => index !== position?.x && index !== position?.y);
  return (measured.length > 0 ? measured : numbers).slice(0, FIRST_MEASURES).map(({ index }) => index);
}
