import type { Translate } from '../words/translate';
import { exactSum, extentOf, type NumberExtent, squaresAbout } from './exactSum';

/*
 * The statistics of a column, in listed order. To add one, add an entry here and its name in
 * columnStatisticNames: the protocol's type, the engine's response and the page's list use this
 * record. Standard deviations are with n − 1, quartiles by linear interpolation, and missing cells
 * are left out (docs/measurements.md). Infinite numbers count as numbers for counts, minimum,
 * maximum and quantiles; sum, mean and SD leave them out.
 */

/** Counts of a column's cells. A column of text has only these statistics. */
interface Cells {
  /** Number of cells with a value. */
  present: number;
  /** Number of missing cells. */
  missing: number;
  /**
   * Number of distinct values: numbers by value, texts by exact text. Undefined for groups of rows.
   */
  distinct?: number | undefined;
}

/** A column's numbers, without NaN, in any order. */
export interface Numbers {
  values: Float64Array;
  extent: NumberExtent;
  /** The number of a rank in ascending order, from 0. Quantiles lie between two, see sharesOf. */
  valueAt: (rank: number) => number | undefined;
}

class ColumnContent {
  private cachedSum: number | undefined;
  private cachedFinite: Pick<Numbers, 'values' | 'extent'> | undefined;

  constructor(
    readonly cells: Cells,
    readonly numbers: Numbers,
  ) {}

  /** The finite numbers, which can be added up. */
  get finite(): Pick<Numbers, 'values' | 'extent'> {
    return (this.cachedFinite ??= finiteOf(this.numbers));
  }

  get infinite(): number {
    return this.numbers.values.length - this.finite.values.length;
  }

  /** NaN without numbers; then the mean is NaN, too. */
  get sum(): number {
    const { values, extent } = this.finite;
    return (this.cachedSum ??= values.length > 0 ? exactSum(values, extent) : NaN);
  }

  get mean(): number {
    return this.sum / this.finite.values.length;
  }
}

/** The finite numbers; without a copy if all are, as in nearly all columns. */
function finiteOf(numbers: Pick<Numbers, 'values' | 'extent'>): Pick<Numbers, 'values' | 'extent'> {
  const { least, greatest } = numbers.extent;
  if (least !== -Infinity && greatest !== Infinity) return numbers;
  const values = numbers.values.filter(Number.isFinite);
  return { values, extent: extentOf(values) };
}

interface ColumnStatistic {
  /** NaN or undefined if the column has no such statistic. */
  compute: (content: ColumnContent) => number | undefined;
  /** Only for a quantile: the share of numbers below it. */
  share?: number;
  /** False for a statistic that is computed but not listed. */
  isListed?: false;
}

export const columnStatistics = {
  min: quantileOf(0),
  q1: quantileOf(0.25),
  median: quantileOf(0.5),
  q3: quantileOf(0.75),
  max: quantileOf(1),
  mean: { compute: ({ mean }) => finiteOrNull(mean) ?? undefined },
  sd: { compute: standardDeviation },
  count: { compute: ({ cells }) => cells.present },
  missing: { compute: ({ cells }) => cells.missing },
  infinite: { compute: ({ infinite }) => infinite },
  distinct: { compute: ({ cells }) => cells.distinct },
  sum: { compute: ({ sum }) => finiteOrNull(sum) ?? undefined, isListed: false },
} as const satisfies Record<string, ColumnStatistic>;

export type ColumnStatisticId = keyof typeof columnStatistics;

/** A column's statistics; null for a missing one. */
export type Statistics = Record<ColumnStatisticId, number | null>;

/** A number that may be infinite, in JSON. */
export type JsonNumber = number | 'Infinity' | '-Infinity' | null;

export function jsonNumber(value: number | null | undefined): JsonNumber {
  if (value === Infinity) return 'Infinity';
  return value === -Infinity ? '-Infinity' : finiteOrNull(value ?? undefined);
}

export function fromJsonNumber(value: JsonNumber): number | null {
  return value === null ? null : Number(value);
}

/** Statistics in JSON. */
export type JsonStatistics = Record<ColumnStatisticId, JsonNumber>;

export function jsonStatistics<T extends Statistics>(
  statistics: T,
): Omit<T, ColumnStatisticId> & JsonStatistics {
  return { ...statistics, ...mapped(statistics, jsonNumber) };
}

export function fromJsonStatistics<T extends JsonStatistics>(
  statistics: T,
): Omit<T, ColumnStatisticId> & Statistics {
  return { ...statistics, ...mapped(statistics, fromJsonNumber) };
}

function mapped<A, B>(
  statistics: Record<ColumnStatisticId, A>,
  map: (value: A) => B,
): Record<ColumnStatisticId, B> {
  const entries = definitions.map(([id]) => [id, map(statistics[id])] as const);
  return Object.fromEntries(entries) as Record<ColumnStatisticId, B>;
}

const definitions: readonly [ColumnStatisticId, ColumnStatistic][] = Object.entries(columnStatistics) as [
  ColumnStatisticId,
  ColumnStatistic,
][];

/** The statistics that pages list, in order. */
export const listedStatistics: readonly ColumnStatisticId[] = definitions
  .filter(([, { isListed }]) => isListed !== false)
  .map(([id]) => id);

/** All statistics of a column, from its numbers in ascending order without NaN. */
export function statisticsOf({ sorted, ...cells }: Cells & { sorted: Float64Array }): Statistics {
  return allStatistics(cells, numbersFromSorted(sorted));
}

/** A quantile of numbers in ascending order without NaN, as of a column; NaN without numbers. */
export function quantile(sorted: Float64Array, share: number): number {
  return quantileOfNumbers(numbersFromSorted(sorted), share);
}

/** All statistics of a column. */
export function allStatistics(cells: Cells, numbers: Numbers): Statistics {
  const content = new ColumnContent(cells, numbers);
  // Assigned one by one: Object.fromEntries made grouping into thousands of groups a third slower.
  const statistics: Partial<Statistics> = {};
  for (const [id, { compute }] of definitions) statistics[id] = numberOrNull(compute(content));
  return statistics as Statistics;
}

/** Some statistics of a column, in order; null for a missing one. */
export function someStatistics(
  ids: readonly ColumnStatisticId[],
  cells: Cells,
  numbers: Numbers,
): (number | null)[] {
  const content = new ColumnContent(cells, numbers);
  return ids.map(id => numberOrNull(columnStatistics[id].compute(content)));
}

function numbersFromSorted(sorted: Float64Array): Numbers {
  const extent = { least: sorted[0] ?? Infinity, greatest: sorted[sorted.length - 1] ?? -Infinity };
  return { values: sorted, extent, valueAt: rank => sorted[rank] };
}

/**
 * The shares of numbers below the quantiles among `ids`, ascending, without minimum and maximum.
 */
export function sharesOf(ids: readonly ColumnStatisticId[]): number[] {
  const shares = ids.map(id => (columnStatistics[id] as ColumnStatistic).share ?? 0);
  return [...new Set(shares)].filter(share => share > 0 && share < 1).sort((a, b) => a - b);
}

function standardDeviation({ finite: { values, extent }, mean }: ColumnContent): number | undefined {
  const count = values.length;
  if (count < 2) return undefined;
  return finiteOrNull(Math.sqrt(squaresAbout(mean, values, extent) / (count - 1))) ?? undefined;
}

function quantileOf(share: number) {
  return { compute: ({ numbers }: ColumnContent) => quantileOfNumbers(numbers, share), share };
}

/**
 * A quantile by linear interpolation between order statistics (numpy's default); NaN without
 * numbers.
 */
export function quantileOfNumbers({ values, extent, valueAt }: Numbers, share: number): number {
  if (values.length === 0) return NaN;
  const rank = (values.length - 1) * share;
  const below = Math.floor(rank);
  const low = share === 0 ? extent.least : share === 1 ? extent.greatest : (valueAt(below) ?? NaN);
  const high = rank === below ? low : (valueAt(below + 1) ?? NaN);
  // −0 becomes 0: the order of both zeros isn't defined.
  if (low === high) return low + 0;
  // Between a number and an infinite one nothing can be weighted: the infinite one is the result.
  // Between both infinite ones there is no number.
  if (low === -Infinity || high === Infinity) return low + high;
  const weight = rank - below;
  const width = high - low;
  return Number.isFinite(width) ? low + width * weight : low * (1 - weight) + high * weight;
}

/** Null for no number; infinite numbers are numbers. */
function numberOrNull(value: number | undefined): number | null {
  return value === undefined || value !== value ? null : value;
}

/** Null for no number and for an infinite one. */
export function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** Names of a column's statistics in lists. */
export const columnStatisticNames: Readonly<Record<ColumnStatisticId, (t: Translate) => string>> = {
  count: t => t({ message: 'n', comment: 'Number of values' }),
  missing: t => t({ message: 'Missing', comment: 'Number of missing values of a column' }),
  infinite: t => t({ message: 'Infinite', comment: 'Number of infinite values of a column' }),
  distinct: t => t({ message: 'Distinct', comment: 'Number of distinct values of a column' }),
  sum: t => t({ message: 'Sum', comment: 'Statistic' }),
  mean: t => t({ message: 'Mean', comment: 'Statistic' }),
  sd: t => t({ message: 'SD', comment: 'Standard deviation' }),
  min: t => t({ message: 'Min', comment: 'Statistic' }),
  q1: t => t({ message: 'Q1', comment: 'First quartile' }),
  median: t => t('Median'),
  q3: t => t('Q3'),
  max: t => t({ message: 'Max', comment: 'Statistic' }),
};

/**
 * How a cell is missing: empty, a tool's word, another such word (n/a, none, -), or a row too
 * short.
 */
type MissingKind = 'empty' | 'NA' | 'NaN' | 'null' | 'other' | 'absent';

/** Statistics of a column; only the counts for a column of text. */
export interface ColumnStatistics extends Statistics {
  column: number;
  /** Missing cells, by how they are missing. */
  missingKinds: Record<MissingKind, number>;
}

/** Statistics of a column in JSON. */
export type JsonColumnStatistics = Omit<ColumnStatistics, ColumnStatisticId> & JsonStatistics;

/** A group of rows. */
export interface TableGroup<S = Statistics> {
  /** The group's text in each grouping column; null if missing. */
  keys: (string | null)[];
  rows: number;
  /** Statistics of each measured column, in the order of the request. `distinct` is null. */
  measures: S[];
}

/** The sort order of groups: by a key, by row count, or by an index in GroupStatistics.values. */
export interface GroupOrder {
  of: { kind: 'key'; key: number } | { kind: 'rows' } | { kind: 'value'; value: number };
  descending: boolean;
}

/** A group of rows with the requested statistics. */
export interface GroupStatistics<N = number | null> {
  /** The group's text in each grouping column, cut if very long; null if missing. */
  keys: (string | null)[];
  /** The group's first row in the file. */
  row: number;
  rows: number;
  /** All statistics of the first measured column, then of the next; null for a missing one. */
  values: N[];
}

/**
 * Statistics of the numbers among the selected cells of a column; null without numbers. Sum and
 * mean leave out infinite ones. `numbers`: their count.
 */
export interface SelectionStatistics<N = number | null> {
  column: number;
  numbers: number;
  /** Number of infinite numbers; absent if there are none. */
  infinite?: number;
  sum: number | null;
  mean: number | null;
  min: N;
  max: N;
}
