import { columnStatisticNames } from './columnStatistics';
import type { Translate } from '../words/translate';

/** Names of statistics of images or replicates; only replicates have the last three. */
export const unitStatisticNames = {
  count: columnStatisticNames.count,
  mean: columnStatisticNames.mean,
  sd: columnStatisticNames.sd,
  median: columnStatisticNames.median,
  q1: columnStatisticNames.q1,
  q3: columnStatisticNames.q3,
  min: columnStatisticNames.min,
  max: columnStatisticNames.max,
  missing: columnStatisticNames.missing,
  infinite: columnStatisticNames.infinite,
  sem: t => t('SEM'),
  ciLow: t => t('CI95 low'),
  ciHigh: t => t('CI95 high'),
} as const satisfies Record<string, (t: Translate) => string>;

export type UnitStatisticId = keyof typeof unitStatisticNames;

export const unitStatisticIds = Object.keys(unitStatisticNames) as UnitStatisticId[];

/** Statistics that only replicates have. */
const REPLICATE_STATISTICS = ['sem', 'ciLow', 'ciHigh'] as const satisfies readonly UnitStatisticId[];

/** Whether a statistic of images or replicates is also one of a column's rows. */
export function isColumnStatistic<Id extends UnitStatisticId>(
  id: Id,
): id is Exclude<Id, (typeof REPLICATE_STATISTICS)[number]> {
  return !(REPLICATE_STATISTICS as readonly UnitStatisticId[]).includes(id);
}
