import type { Translate } from '../words/translate';
import { exactSum, type NumberExtent, squaresAbout } from './exactSum';

/*
 * The statistics of a column, in the order in which they are listed. A new one is an entry here and its name in
 * columnStatisticNames: the protocol's type, the engine's response and the page's list all derive from this record.
 * Standard deviation with n − 1, quartiles by linear interpolation, missing cells left out (docs/measurements.md).
 */

/** A column's cells as statistics read them. Of a column of text only the counts are known. */
interface Cells {
  /** Cells that are not missing, and those that are. */
  present: number;
  missing: number;
  /** Different values: numbers by value, texts by exact text. Undefined for a group of rows, where they are not shown. */
  distinct?: number | undefined;
}

/** A column's numbers, without NaN, in any order. */
export interface Numbers {
  values: Float64Array;
  extent: NumberExtent;
  /** The number at a place of their ascending order: one that a quantile of what is computed lies between, see sharesOf. */
  valueAt: (place: number) => number | undefined;
}

class ColumnContent {
  private knownSum: number | undefined;

  constructor(
    readonly cells: Cells,
    readonly numbers: Numbers,
  ) {}

  /** NaN when there are no numbers, and so is the mean. */
  get sum(): number {
    const { values, extent } = this.numbers;
    return (this.knownSum ??= values.length > 0 ? exactSum(values, extent) : NaN);
  }

  get mean(): number {
    return this.sum / this.numbers.values.length;
  }
}

interface ColumnStatistic {
  /** NaN, infinite or undefined where the column has no such statistic. */
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
  mean: { of: content => content.mean },
  sd: { of: standardDeviation },
  count: { of: ({ cells }) => cells.present },
  missing: { of: ({ cells }) => cells.missing },
  distinct: { of: ({ cells }) => cells.distinct },
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

/** All statistics of a column whose numbers are known in ascending order, without NaN. */
export function statisticsOf({ sorted, ...cells }: Cells & { sorted: Float64Array }): Statistics {
  return allStatistics(cells, inOrder(sorted));
}

/** All statistics of a column. */
export function allStatistics(cells: Cells, numbers: Numbers): Statistics {
  const content = new ColumnContent(cells, numbers);
  // Stored one by one: pairs for Object.fromEntries made grouping into thousands of groups a third slower.
  const statistics: Partial<Statistics> = {};
  for (const [id, { of }] of definitions) statistics[id] = finiteOrNull(of(content));
  return statistics as Statistics;
}

/** Some statistics of a column, in order; null as in Statistics. */
export function someStatistics(
  ids: readonly ColumnStatisticId[],
  cells: Cells,
  numbers: Numbers,
): (number | null)[] {
  const content = new ColumnContent(cells, numbers);
  return ids.map(id => finiteOrNull(columnStatistics[id].of(content)));
}

function inOrder(sorted: Float64Array): Numbers {
  const extent = { least: sorted[0] ?? Infinity, greatest: sorted[sorted.length - 1] ?? -Infinity };
  return { values: sorted, extent, valueAt: place => sorted[place] };
}

/** The shares of the numbers below the quantiles that are among some statistics, ascending; without least and greatest. */
export function sharesOf(ids: readonly ColumnStatisticId[]): number[] {
  const shares = ids.map(id => (columnStatistics[id] as ColumnStatistic).share ?? 0);
  return [...new Set(shares)].filter(share => share > 0 && share < 1).sort((a, b) => a - b);
}

function standardDeviation({ numbers: { values, extent }, mean }: ColumnContent): number {
  const count = values.length;
  return count < 2 ? NaN : Math.sqrt(squaresAbout(mean, values, extent) / (count - 1));
}

/** By linear interpolation between order statistics (numpy's default). */
function quantileOf(share: number) {
  const of = ({ numbers: { values, extent, valueAt } }: ColumnContent) => {
    if (values.length === 0) return NaN;
    const place = (values.length - 1) * share;
    const below = Math.floor(place);
    const low = share === 0 ? extent.least : share === 1 ? extent.greatest : (valueAt(below) ?? NaN);
    const high = place === below ? low : (valueAt(below + 1) ?? NaN);
    // Between a number and infinity there is nothing to weigh: 0 · ∞ is no number. −0 becomes 0: which zero is where isn't known.
    return low === high ? low + 0 : low + (high - low) * (place - below);
  };
  return { of, share };
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
