import type { Translate } from '../words/translate';

/*
 * The statistics of a column, in the order in which they are listed. A new one is an entry here and its name in
 * columnStatisticNames: the protocol's type, the engine's response and the page's list all derive from this record.
 * Standard deviation with n − 1, quartiles by linear interpolation, missing cells left out (docs/measurements.md).
 */

/** A column's cells as statistics read them. Of a column of text only the counts are known. */
interface ColumnContent {
  /** Cells that are not missing, and those that are. */
  present: number;
  missing: number;
  /** Different values: numbers by value, texts by exact text. Undefined for a group of rows, where they are not shown. */
  distinct?: number | undefined;
  /** The numbers in ascending order, without NaN. */
  sorted: Float64Array;
  /** Their sum and mean; NaN when there are none. */
  sum: number;
  mean: number;
}

interface ColumnStatistic {
  /** NaN, infinite or undefined where the column has no such statistic. */
  of: (content: ColumnContent) => number | undefined;
  /** False for one that is computed but not listed. */
  isListed?: false;
}

export const columnStatistics = {
  min: { of: ({ sorted }) => sorted[0] },
  q1: { of: ({ sorted }) => quantile(sorted, 0.25) },
  median: { of: ({ sorted }) => quantile(sorted, 0.5) },
  q3: { of: ({ sorted }) => quantile(sorted, 0.75) },
  max: { of: ({ sorted }) => sorted[sorted.length - 1] },
  mean: { of: content => content.mean },
  sd: { of: standardDeviation },
  count: { of: content => content.present },
  missing: { of: content => content.missing },
  distinct: { of: content => content.distinct },
  sum: { of: content => content.sum, isListed: false },
} as const satisfies Record<string, ColumnStatistic>;

export type ColumnStatisticId = keyof typeof columnStatistics;

/** A column's statistics; null where there is no such number, or none that JSON can express. */
type Statistics = Record<ColumnStatisticId, number | null>;

const definitions: readonly [ColumnStatisticId, ColumnStatistic][] = Object.entries(columnStatistics) as [
  ColumnStatisticId,
  ColumnStatistic,
][];

/** The statistics that pages list, in order. */
export const listedStatistics: readonly ColumnStatisticId[] = definitions
  .filter(([, { isListed }]) => isListed !== false)
  .map(([id]) => id);

/** Computes all statistics of a column. */
export function statisticsOf(counts: Omit<ColumnContent, 'sum' | 'mean'>): Statistics {
  const { sorted } = counts;
  const sum = sorted.length > 0 ? exactSum(sorted) : NaN;
  const { present, missing, distinct } = counts;
  const content = { present, missing, distinct, sorted, sum, mean: sum / sorted.length };
  // Stored one by one: pairs for Object.fromEntries made grouping into thousands of groups a third slower.
  const statistics: Partial<Statistics> = {};
  for (const [id, { of }] of definitions) statistics[id] = finiteOrNull(of(content));
  return statistics as Statistics;
}

function standardDeviation({ sorted, mean }: ColumnContent): number {
  const count = sorted.length;
  if (count < 2) return NaN;
  let squares = 0;
  let rest = 0;
  for (let at = 0; at < count; at++) {
    const off = (sorted[at] as number) - mean;
    squares += off * off;
    rest += off;
  }
  // What rounding left in the mean is taken out again.
  return Math.sqrt((squares - (rest * rest) / count) / (count - 1));
}

/** By linear interpolation between order statistics (numpy's default). */
function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] ?? NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? NaN;
  // Between a number and infinity there is nothing to weigh: 0 · ∞ is no number.
  if (low === high || place === below) return low;
  return low + (high - low) * (place - below);
}

/** The sum with what rounding loses added back (Neumaier). */
export function exactSum(values: Float64Array): number {
  let sum = 0;
  let lost = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  const total = sum + lost;
  return total === total ? total : sum;
}

/** Null for what JSON cannot express. */
export function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

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

/** How cells can be missing: nothing there, the words tools write, other such words (n/a, none, -), or a row too short. */
type MissingKind = 'empty' | 'NA' | 'NaN' | 'null' | 'other' | 'absent';

/** Statistics of a column; of a column of text only the counts. */
export interface ColumnStatistics extends Statistics {
  column: number;
  /** Missing cells by how they are missing. */
  missingKinds: Record<MissingKind, number>;
}

/** One group of rows. */
export interface TableGroup {
  /** The group's text in each grouping column; null for missing. */
  keys: (string | null)[];
  rows: number;
  /** For each measured column, in the order of the request; `distinct` is not counted and null. */
  measures: Statistics[];
}

/** What groups are sorted by: a key, the number of rows, or a statistic, by its index in GroupStatistics.values. */
export interface GroupOrder {
  of: { kind: 'key'; key: number } | { kind: 'rows' } | { kind: 'value'; value: number };
  descending: boolean;
}

/** One group of rows with the requested statistics. */
export interface GroupStatistics {
  /** The group's text in each grouping column, cut off where it is very long; null for missing. */
  keys: (string | null)[];
  /** Its first row in the file. */
  row: number;
  rows: number;
  /** All statistics of the first measured column, then of the second, and so on; null where there is no number. */
  values: (number | null)[];
}

/** Of the selected cells of a column: how many are numbers, and those numbers' statistics (null when there are none). */
export interface SelectionStatistics {
  column: number;
  numbers: number;
  sum: number | null;
  mean: number | null;
  min: number | null;
  max: number | null;
}
