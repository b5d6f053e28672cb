import type { Translate } from '../words/translate';
import { exactSum, extentOf, type NumberExtent, squaresAbout } from './exactSum';

/*
 * The statistics of a column, in the order in which they are listed. A new one is an entry here and
 * its name in columnStatisticNames: the protocol's type, the engine's response and the page's list
 * all derive from this record. Standard deviation with n − 1, quartiles by linear interpolation,
 * missing cells left out (docs/measurements.md). Infinite numbers are numbers for counts, least,
 * greatest and quantiles; sum, mean and SD leave them out.
 */

/** A column's cells as statistics read them. Of a column of text only the counts are known. */
interface Cells {
  /** Numbers of missing and other cells. */
  present: number;
  missing: number;
  /** Distinct numbers by value, texts exactly. Undefined for groups of rows, which show none. */
  distinct?: number | undefined;
}

/** A column's numbers, without NaN, in any order. */
export interface Numbers {
  values: Float64Array;
  extent: NumberExtent;
  /** The number at a place in ascending order: a quantile lies between two, see sharesOf. */
  valueAt: (place: number) => number | undefined;
}

class ColumnContent {
  private knownSum: number | undefined;
  private knownFinite: Pick<Numbers, 'values' | 'extent'> | undefined;

  constructor(
    readonly cells: Cells,
    readonly numbers: Numbers,
  ) {}

  /** The numbers that can be added up. */
  get finite(): Pick<Numbers, 'values' | 'extent'> {
    return (this.knownFinite ??= finiteOf(this.numbers));
  }

  get infinite(): number {
    return this.numbers.values.length - this.finite.values.length;
  }

  /** NaN when there are no numbers, and so is the mean. */
  get sum(): number {
    const { values, extent } = this.finite;
    return (this.knownSum ??= values.length > 0 ? exactSum(values, extent) : NaN);
  }

  get mean(): number {
    return this.sum / this.finite.values.length;
  }
}

/** All of nearly all columns, without a copy. */
function finiteOf(numbers: Pick<Numbers, 'values' | 'extent'>): Pick<Numbers, 'values' | 'extent'> {
  const { least, greatest } = numbers.extent;
  if (least !== -Infinity && greatest !== Infinity) return numbers;
  const values = numbers.values.filter(Number.isFinite);
  return { values, extent: extentOf(values) };
}

interface ColumnStatistic {
  /** NaN or undefined where the column has no such statistic. */
  of: (content: ColumnContent) => number | undefined;
  /** Of a quantile: the share of the numbers below it. */
  share?: number;
  /** False for one that is computed but not listed. */
  isListed?: false;
}

export const columnStatistics = {
  min: quantileOf(0),
  q1: quantileOf(0.25),
  median: quantileOf(0.5),
  q3: quantileOf(0.75),
  max: quantileOf(1),
  mean: { of: ({ mean }) => finiteOrNull(mean) ?? undefined },
  sd: { of: standardDeviation },
  count: { of: ({ cells }) => cells.present },
  missing: { of: ({ cells }) => cells.missing },
  infinite: { of: ({ infinite }) => infinite },
  distinct: { of: ({ cells }) => cells.distinct },
  sum: { of: ({ sum }) => finiteOrNull(sum) ?? undefined, isListed: false },
} as const satisfies Record<string, ColumnStatistic>;

export type ColumnStatisticId = keyof typeof columnStatistics;

/** A column's statistics; null where there is no such number. */
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

/** All statistics of a column whose numbers are known in ascending order, without NaN. */
export function statisticsOf({ sorted, ...cells }: Cells & { sorted: Float64Array }): Statistics {
  return allStatistics(cells, inOrder(sorted));
}

/** All statistics of a column. */
export function allStatistics(cells: Cells, numbers: Numbers): Statistics {
  const content = new ColumnContent(cells, numbers);
  // Stored one by one: pairs for Object.fromEntries made grouping into thousands of groups a third
  // slower.
  const statistics: Partial<Statistics> = {};
  for (const [id, { of }] of definitions) statistics[id] = numberOrNull(of(content));
  return statistics as Statistics;
}

/** Some statistics of a column, in order; null as in Statistics. */
export function someStatistics(
  ids: readonly ColumnStatisticId[],
  cells: Cells,
  numbers: Numbers,
): (number | null)[] {
  const content = new ColumnContent(cells, numbers);
  return ids.map(id => numberOrNull(columnStatistics[id].of(content)));
}

function inOrder(sorted: Float64Array): Numbers {
  const extent = { least: sorted[0] ?? Infinity, greatest: sorted[sorted.length - 1] ?? -Infinity };
  return { values: sorted, extent, valueAt: place => sorted[place] };
}

/** Shares of the numbers below the quantiles among some statistics, ascending; no min and max. */
export function sharesOf(ids: readonly ColumnStatisticId[]): number[] {
  const shares = ids.map(id => (columnStatistics[id] as ColumnStatistic).share ?? 0);
  return [...new Set(shares)].filter(share => share > 0 && share < 1).sort((a, b) => a - b);
}

function standardDeviation({ finite: { values, extent }, mean }: ColumnContent): number | undefined {
  const count = values.length;
  if (count < 2) return undefined;
  return finiteOrNull(Math.sqrt(squaresAbout(mean, values, extent) / (count - 1))) ?? undefined;
}

/** By linear interpolation between order statistics (numpy's default). */
function quantileOf(share: number) {
  const of = ({ numbers: { values, extent, valueAt } }: ColumnContent) => {
    if (values.length === 0) return NaN;
    const place = (values.length - 1) * share;
    const below = Math.floor(place);
    const low = share === 0 ? extent.least : share === 1 ? extent.greatest : (valueAt(below) ?? NaN);
    const high = place === below ? low : (valueAt(below + 1) ?? NaN);
    // −0 becomes 0: which zero is where isn't known.
    if (low === high) return low + 0;
    // Between a number and an infinite one there is nothing to weigh; between both infinite ones,
    // no number.
    if (low === -Infinity || high === Infinity) return low + high;
    const weight = place - below;
    const width = high - low;
    return Number.isFinite(width) ? low + width * weight : low * (1 - weight) + high * weight;
  };
  return { of, share };
}

/** Null for no number; an infinite one is one. */
function numberOrNull(value: number | undefined): number | null {
  return value === undefined || value !== value ? null : value;
}

/** Null for no number, and for an infinite one. */
export function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** The name of each statistic of a column, as a list shows it. */
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

/** How cells are missing: empty, tools' words, other such words (n/a, none, -), a row too short. */
type MissingKind = 'empty' | 'NA' | 'NaN' | 'null' | 'other' | 'absent';

/** Statistics of a column; of a column of text only the counts. */
export interface ColumnStatistics extends Statistics {
  column: number;
  /** Missing cells by how they are missing. */
  missingKinds: Record<MissingKind, number>;
}

/** The same in JSON. */
export type JsonColumnStatistics = Omit<ColumnStatistics, ColumnStatisticId> & JsonStatistics;

/** One group of rows. */
export interface TableGroup<S = Statistics> {
  /** The group's text in each grouping column; null for missing. */
  keys: (string | null)[];
  rows: number;
  /** For each measured column, in the order of the request; `distinct` is not counted and null. */
  measures: S[];
}

/** What groups are sorted by: a key, row count, or an index in GroupStatistics.values. */
export interface GroupOrder {
  of: { kind: 'key'; key: number } | { kind: 'rows' } | { kind: 'value'; value: number };
  descending: boolean;
}

/** One group of rows with the requested statistics. */
export interface GroupStatistics<N = number | null> {
  /** The group's text in each grouping column, cut off where it is very long; null for missing. */
  keys: (string | null)[];
  /** Its first row in the file. */
  row: number;
  rows: number;
  /** All statistics of the first measured column, then of the next; null without a number. */
  values: N[];
}

/**
 * How many selected cells of a column are numbers, and these numbers' statistics (null without
 * any). Sum and mean leave out infinite ones.
 */
export interface SelectionStatistics<N = number | null> {
  column: number;
  numbers: number;
  /** Absent where there are none. */
  infinite?: number;
  sum: number | null;
  mean: number | null;
  min: N;
  max: N;
}
