import { CodedError } from '../../base/errors';
import { eachPart, Pacer } from '../../base/node/slices';
import { type ColumnStatisticId, columnStatistics } from '../../columns/columnStatistics';
import type { DecimalMark } from '../../columns/csv/csvNumber';
import type { RowSubset } from '../../columns/engine/read/tableSource';
import { numberText } from '../../columns/engine/saveTable';
import { columnStatisticsOf } from '../../columns/engine/statistics/columnStatisticsOf';
import { groupedRows, groupKeys, groupTable } from '../../columns/engine/statistics/groups';
import type { TableView } from '../../columns/engine/tableView';
import type { Filter } from '../../columns/viewSpec';
import { pathsIn, plain, type Population } from '../population';

/** Maximum number of rows of the written table. */
const MAX_ROWS = 2_000_000;
const NO_GROUP = 0xffff_ffff;

interface PopulationGroups {
  /** Columns to group rows by; none means one group. */
  by: readonly number[];
  measures: readonly number[];
  statistics: readonly ColumnStatisticId[];
  /** Which rows to count. */
  filters: readonly Filter[];
  /** mm² by text of the first column in `by`. */
  areas?: { texts: readonly string[]; areas: readonly number[] } | undefined;
  decimalMark: DecimalMark;
}

/** Groups of the rows to count: keys and size of each group, and the group of each row. */
interface Groups {
  keys: (string | null)[][];
  counts: ArrayLike<number>;
  groupOf: (row: number) => number;
}

/**
 * A table with a row for each population and group, also if the population has no rows in the
 * group. Its texts: the population's path, the group's keys, the row count, its share of the
 * parent's rows and of all rows in the group, the count per mm² with `areas`, and statistics.
 * Throws `bad-request`, `cancelled`.
 */
export async function populationGroups(
  view: TableView,
  populations: readonly Population[],
  { by, measures, statistics, filters, areas, decimalMark }: PopulationGroups,
  signal: AbortSignal,
): Promise<string[][]> {
  for (const column of [...by, ...measures]) view.columnAt(column);
  for (const id of statistics)
    if (!Object.hasOwn(columnStatistics, id)) throw new CodedError('bad-request', `Unknown statistic ${id}`);
  const groups = await groupsOf(view, by, await view.filteredRows(filters, signal), signal);
  const total = groups.keys.length;
  if (populations.length * total > MAX_ROWS)
    throw new CodedError('too-many-objects', `More than ${MAX_ROWS} rows`);
  const counts = new Map<string, Float64Array>();
  const subsets = new Map<string, RowSubset>();
  for (const { name } of populations) {
    const subset = await view.filteredRows([...filters, { kind: 'population', name }], signal);
    subsets.set(plain(name), subset);
    counts.set(plain(name), await countByGroup(subset, groups, signal));
  }
  const number = (value: number | null | undefined) => numberText(value ?? null, decimalMark);
  const share = (part: number, whole: number) => number(whole > 0 ? part / whole : null);
  const areaOf = areas && new Map(areas.texts.map((text, index) => [text, areas.areas[index] ?? 0]));
  const rows: string[][] = [];
  const pathOf = pathsIn(populations);
  for (const { name } of populations) {
    const path = pathOf(name);
    const parent = path.at(-2);
    const populationCounts = counts.get(plain(name));
    const ofParent = parent === undefined ? groups.counts : counts.get(plain(parent));
    const subset = subsets.get(plain(name)) ?? { rows: new Uint32Array(0), count: 0 };
    const statisticsIn = { by, measures, statistics };
    const values = await valuesByGroup(view, statisticsIn, subset, groups, signal);
    for (let group = 0; group < total; group++) {
      const count = populationCounts?.[group] ?? 0;
      rows.push([
        path.join('/'),
        ...(groups.keys[group] ?? []).map(key => key ?? ''),
        number(count),
        share(count, ofParent?.[group] ?? 0),
        share(count, groups.counts[group] ?? 0),
        ...(areaOf ? [share(count, areaOf.get(groups.keys[group]?.[0] ?? '') ?? 0)] : []),
        ...values(group).map(number),
      ]);
    }
  }
  return rows;
}

/**
 * Makes a column of each group of the first key, with a row per population, number and group of the
 * other keys. Cells without a group are empty. `keyCount`: the number of keys.
 */
export function toWideTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  keyCount: number,
): { header: string[]; rows: string[][] } {
  const names = new Set(rows.map(row => row[1] ?? ''));
  const lines = new Map<string, { labels: string[]; cells: Map<string, string> }>();
  const numbers = header.slice(1 + keyCount);
  const populations = new Set(rows.map(row => row[0] ?? ''));
  for (const population of populations) {
    const populationRows = rows.filter(row => row[0] === population);
    for (const [index, number] of numbers.entries())
      for (const row of populationRows) {
        const labels = [population, number, ...row.slice(2, 1 + keyCount)];
        const key = JSON.stringify(labels);
        const line = lines.get(key) ?? { labels, cells: new Map<string, string>() };
        line.cells.set(row[1] ?? '', row[1 + keyCount + index] ?? '');
        lines.set(key, line);
      }
  }
  return {
    header: [header[0] ?? '', 'Measure', ...header.slice(2, 1 + keyCount), ...names],
    rows: [...lines.values()].map(({ labels, cells }) => [
      ...labels,
      ...[...names].map(name => cells.get(name) ?? ''),
    ]),
  };
}

async function groupsOf(
  { table }: TableView,
  by: readonly number[],
  subset: RowSubset,
  signal: AbortSignal,
): Promise<Groups> {
  if (by.length === 0) return { keys: [[]], counts: [subset.count], groupOf: () => 0 };
  const grouped = await groupedRows(table, by, subset, signal);
  const ofRow = new Uint32Array(table.rowCount).fill(NO_GROUP);
  await eachPart(subset.count, new Pacer(signal), (start, end) => {
    for (let index = start; index < end; index++)
      ofRow[subset.rows ? (subset.rows[index] as number) : index] = grouped.ids[index] as number;
  });
  const all = Array.from({ length: grouped.total }, (_, group) => group);
  const keys = groupKeys(table, by, grouped, all);
  return { keys, counts: grouped.counts, groupOf: row => ofRow[row] ?? NO_GROUP };
}

async function countByGroup(
  { rows, count }: RowSubset,
  { keys, groupOf }: Groups,
  signal: AbortSignal,
): Promise<Float64Array> {
  const counts = new Float64Array(keys.length);
  await eachPart(count, new Pacer(signal), (start, end) => {
    for (let index = start; index < end; index++) {
      const group = groupOf(rows ? (rows[index] as number) : index);
      if (group < counts.length) counts[group] = (counts[group] as number) + 1;
    }
  });
  return counts;
}

/** Returns a function that gives the measures' statistics in a group; null without numbers. */
async function valuesByGroup(
  { table }: TableView,
  { by, measures, statistics }: Pick<PopulationGroups, 'by' | 'measures' | 'statistics'>,
  subset: RowSubset,
  { groupOf }: Groups,
  signal: AbortSignal,
): Promise<(group: number) => (number | null)[]> {
  if (measures.length === 0) return () => [];
  if (by.length === 0) {
    const all: (number | null)[] = [];
    for (const column of measures) {
      const columnStatistic = await columnStatisticsOf(table, column, subset, signal);
      all.push(...statistics.map(id => columnStatistic[id]));
    }
    return () => all;
  }
  const none = measures.flatMap(() => statistics.map(() => null));
  if (subset.count === 0) return () => none;
  const grouped = await groupTable(table, { by, measures, statistics }, subset, signal);
  // Groups are matched by their rows, since the same key may be written differently in other rows.
  const indexOf = new Map(Array.from(grouped.firstRows, (row, group) => [groupOf(row), group]));
  return group => {
    const groupIndex = indexOf.get(group);
    if (groupIndex === undefined) return none;
    return grouped.values.map(values => {
      const value = values[groupIndex] as number;
      return Number.isNaN(value) ? null : value;
    });
  };
}
