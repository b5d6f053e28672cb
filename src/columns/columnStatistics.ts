/*
 * The statistics of a column, in the order in which they are listed. A new one is an entry here and its name in
 * src/columns/columnStatisticNames: the protocol's type, the engine's response and the page's list all derive from this record.
 * Standard deviation with n − 1, quartiles by linear interpolation, missing cells left out (docs/measurements.md).
 */

/** A column's cells as statistics read them. Of a column of text only the counts are known. */
export interface ColumnContent {
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
export type Statistics = Record<ColumnStatisticId, number | null>;

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
