import { statisticsOf, type ColumnStatisticId } from '../../columnStatistics';
import type { GroupOrder } from '../../tableStatistics';
import { Pacer } from '../../../base/node/slices';
import { ordered, orderValues } from '../order/sortOrder';
import { sortedNumbers } from '../order/sortedNumbers';
import { gatherNumbers, type RowSubset } from '../read/gather';
import type { TableSource } from '../read/tableSource';
import { groupedRows, groupStarts, tooManyGroups, valuesByGroup } from './groupedRows';

/** Statistics of all groups together; 8 bytes each. */
const MAX_VALUES = 16_000_000;

export interface GroupTableSpec {
  /** One or two columns. */
  by: readonly number[];
  /** Columns whose statistics are computed for each group. */
  measures: readonly number[];
  statistics: readonly ColumnStatisticId[];
}

/** Statistics of groups of rows, in the order of each group's first row. */
export interface GroupTable {
  total: number;
  /** Rows of each group. */
  counts: Uint32Array;
  /** The first row of each group in the file, in ascending order. */
  firstRows: Uint32Array;
  /** For each grouping column: 1 for a group whose key is missing. */
  missing: Uint8Array[];
  /** All statistics of the first measure, then of the second…; each by group, NaN where there is none. */
  values: Float64Array[];
  /** The same of all rows. */
  all: { rows: number; values: number[] };
}

/**
 * Groups the rows of a subset, with statistics of each group and of all rows, as columnStatisticsOf computes them. Throws
 * `too-many-objects` for more than 1,000,000 groups or 16,000,000 statistics, `bad-request`, `cancelled`.
 */
export async function groupTable(
  table: TableSource,
  { by, measures, statistics }: GroupTableSpec,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<GroupTable> {
  const grouped = await groupedRows(table, by, subset, signal);
  const { total, counts, firstRows, missing } = grouped;
  const limit = Math.floor(MAX_VALUES / Math.max(1, measures.length * statistics.length));
  if (total > limit) throw tooManyGroups(limit);
  const starts = groupStarts(grouped);
  const pacer = new Pacer(signal);
  const values: Float64Array[] = [];
  const all: number[] = [];
  for (const column of measures) {
    const numbers = await gatherNumbers(table, column, subset, signal);
    const inGroups = await valuesByGroup(numbers, grouped, starts, signal);
    const requested = (sorted: Float64Array, rows: number) => {
      const found = statisticsOf({ present: sorted.length, missing: rows - sorted.length, sorted });
      return statistics.map(id => found[id] ?? NaN);
    };
    all.push(...requested(await sortedNumbers(numbers, signal), subset.count));
    const ofMeasure = statistics.map(() => new Float64Array(total));
    for (let group = 0; group < total; group++) {
      if (pacer.isDue) await pacer.pause();
      const sorted = await sortedNumbers(inGroups.subarray(starts[group], starts[group + 1]), signal);
      const found = requested(sorted, counts[group] as number);
      for (let at = 0; at < found.length; at++) (ofMeasure[at] as Float64Array)[group] = found[at] as number;
    }
    values.push(...ofMeasure);
  }
  return { total, counts, firstRows, missing, values, all: { rows: subset.count, values: all } };
}

/** The size of a table of groups. Bytes. */
export function groupTableBytes({ counts, firstRows, missing, values }: GroupTable): number {
  return [counts, firstRows, ...missing, ...values].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Sorts groups: missing values last, equal ones by their first rows. Throws `cancelled`. */
export async function groupOrder(
  table: TableSource,
  by: readonly number[],
  { total, counts, firstRows, values }: GroupTable,
  { of, descending }: GroupOrder,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const column = of.kind === 'key' ? by[of.key] : undefined;
  const numbers =
    column !== undefined
      ? await orderValues(table, column, { rows: firstRows, count: total }, signal)
      : [
          of.kind === 'value'
            ? (values[of.value]?.slice() ?? new Float64Array(total))
            : Float64Array.from(counts),
        ];
  return ordered(numbers, descending, undefined, signal);
}
