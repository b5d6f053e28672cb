import { statisticsOf } from '../../columnStatistics';
import type { TableGroup } from '../../tableStatistics';
import { Pacer } from '../../../base/node/slices';
import { gatherNumbers, type RowSubset } from '../read/gather';
import { sortedNumbers } from '../order/sortedNumbers';
import type { TableSource } from '../read/tableSource';
import { groupedRows, groupStarts, valuesByGroup } from './groupedRows';
import { groupKeys } from './groupKeys';

export interface Grouping {
  /** One or two columns. */
  by: readonly number[];
  /** Columns whose statistics are computed for each group. */
  measures: readonly number[];
  /** Groups at most. */
  limit: number;
}

/** The rows of a subset grouped by columns, with statistics of others, in the order of each group's first row; the first `limit`. */
export async function groupRows(
  table: TableSource,
  { by, measures, limit }: Grouping,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<{ groups: TableGroup[]; total: number }> {
  const grouped = await groupedRows(table, by, subset, signal);
  const { total, counts } = grouped;
  const starts = groupStarts(grouped);
  const shown = Math.min(limit, total);
  const groups: TableGroup[] = [];
  const pacer = new Pacer(signal);
  for (let group = 0; group < shown; group++) {
    if (pacer.isDue) await pacer.pause();
    const [keys = []] = groupKeys(table, by, grouped, [group]);
    groups.push({ keys, rows: counts[group] ?? 0, measures: [] });
  }
  for (const column of measures) {
    const values = await gatherNumbers(table, column, subset, signal);
    const inGroups = await valuesByGroup(values, grouped, starts, signal);
    for (let group = 0; group < shown; group++) {
      if (pacer.isDue) await pacer.pause();
      const sorted = await sortedNumbers(inGroups.subarray(starts[group], starts[group + 1]), signal);
      const present = sorted.length;
      const missing = (counts[group] as number) - present;
      groups[group]?.measures.push(statisticsOf({ present, missing, sorted }));
    }
  }
  return { groups, total };
}
