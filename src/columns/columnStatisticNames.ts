import type { ColumnStatisticId } from './columnStatistics';
import type { Translate } from '../words/translate';

/** The name of each statistic of a column, as a list shows it. */
export const columnStatisticNames: Readonly<Record<ColumnStatisticId, (t: Translate) => string>> = {
  count: t => t('n'),
  missing: t => t('Missing'),
  distinct: t => t('Distinct'),
  sum: t => t('Sum'),
  mean: t => t('Mean'),
  sd: t => t('SD'),
  min: t => t('Min'),
  q1: t => t('Q1'),
  median: t => t('Median'),
  q3: t => t('Q3'),
  max: t => t('Max'),
};
