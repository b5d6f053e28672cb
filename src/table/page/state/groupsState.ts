import { t } from '../../../pages/page/l10n';
import { findRowColumns, likelyGroupColumn } from '../../../columns/rowColumns';
import { type GroupOrder, columnStatisticNames } from '../../../columns/columnStatistics';
import { isColumnStatistic, type UnitStatisticId } from '../../../columns/unitStatistics';
import type { TableColumn } from '../../../columns/tableSummary';
import { idColumns } from '../grid/gridColumns';

/** The unit of statistics if it isn't single rows, such as images. */
export interface GroupUnit {
  /** As saved views name it. */
  readonly id: string;
  readonly name: string;
  /** Whether it has a SEM and an interval: rows and images aren't replicates. */
  readonly isReplicated: boolean;
}

/** Statistics that can be shown of each measured column, in order. */
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

/** The statistics that there are of a unit, or of rows. */
export function statisticsOfUnit(
  unit: GroupUnit | undefined,
  statistics: readonly GroupStatisticId[] = groupStatistics,
): GroupStatisticId[] {
  return statistics.filter(id => unit?.isReplicated === true || isColumnStatistic(id));
}

export type GroupStatisticId = (typeof groupStatistics)[number];

/** Names of groups' statistics that columns don't have. */
const NAMES = { sem: t.later('SEM'), ciLow: t.later('CI95 low'), ciHigh: t.later('CI95 high') } as const;

/** The name of a statistic of groups. */
export function groupStatisticName(id: GroupStatisticId): string {
  return id === 'sem' || id === 'ciLow' || id === 'ciHigh' ? NAMES[id]() : columnStatisticNames[id](t);
}

/** Measured columns of which statistics can be shown at once. */
export const MAX_MEASURES = 30;
/** Measured columns to begin with. */
const FIRST_MEASURES = 3;

/** A subject's measure besides columns, as JSON. */
export interface AddedMeasure {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** The measure: a column by its position, or a subject's. */
export type GroupMeasure = number | AddedMeasure;

/** The groups and their measures. */
export interface GroupsSpec {
  /** The columns to group by: one or two, none before the first is selected. */
  by: number[];
  measures: GroupMeasure[];
  statistics: GroupStatisticId[];
  /** The ID of a unit; absent for rows. */
  of?: string | undefined;
}

/** The state of the groups; part of the table page's saved state. */
export interface GroupsState extends GroupsSpec {
  open: boolean;
  /** Height in pixels below the rows, and width beside the plots. */
  height: number;
  width: number;
  /** By their first rows if absent. */
  order?: GroupOrder;
  /** The first group in view. */
  first?: number;
}

export const CLOSED_GROUPS: GroupsState = {
  open: false,
  height: 240,
  width: 640,
  by: [],
  measures: [],
  statistics: ['mean', 'sd', 'median'],
};

/** The saved state without columns that the table no longer has, or that have another kind. */
export function validGroups(
  saved: Partial<GroupsState> | undefined,
  columns: readonly TableColumn[],
): GroupsState {
  const state = { ...CLOSED_GROUPS, ...saved };
  const by = [...new Set(state.by)].filter(column => columns[column]).slice(0, 2);
  const measures = [...new Set(state.measures)]
    .filter(measure => typeof measure !== 'number' || columns[measure]?.kind === 'number')
    .slice(0, MAX_MEASURES);
  const statistics = groupStatistics.filter(id => state.statistics.includes(id));
  const { order, of, ...others } = state;
  const valid = { ...others, by, measures, statistics, ...(of !== undefined && { of }) };
  return order && isValidOrder(order, valid) ? { ...valid, order } : valid;
}

/** Whether groups have the order's column, given all of their measures and statistics. */
export function isValidOrder(
  { of }: GroupOrder,
  { by, measures, statistics }: Pick<GroupsSpec, 'by' | 'measures' | 'statistics'>,
): boolean {
  if (of.kind === 'key') return of.key < by.length;
  return of.kind === 'rows' || of.value < measures.length * statistics.length;
}

/** The column to group rows by at first. Columns with one value in all rows come last. */
export function firstKey(
  columns: readonly TableColumn[],
  among: readonly number[],
  constant: readonly number[],
): number | undefined {
  const differing = among.filter(column => !constant.includes(column));
  return likelyGroupColumn(columns, differing.length > 0 ? differing : among);
}

/** Columns that can be measured: numbers other than IDs. */
export function measurable(columns: readonly TableColumn[]): TableColumn[] {
  const ids = idColumns(columns);
  return columns.filter(({ index, kind }) => kind === 'number' && !ids.has(index));
}

/** The first columns to measure: no positions, and no grouping columns. */
export function firstMeasures(columns: readonly TableColumn[], by: readonly number[]): number[] {
  const { position } = findRowColumns(columns);
  const numbers = measurable(columns).filter(({ index }) => !by.includes(index));
  const measured = numbers.filter(({ index }) => index !== position?.x && index !== position?.y);
  return (measured.length > 0 ? measured : numbers).slice(0, FIRST_MEASURES).map(({ index }) => index);
}
