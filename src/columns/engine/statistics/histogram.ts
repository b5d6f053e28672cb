import { Pacer } from '../../../base/node/slices';
import { allOnAxis, fromAxis, type AxisScale } from '../../axisScale';
import { gatherNumbers, type NumberColumn, type RowSubset, type TableSource } from '../read/tableSource';

/** How many numbers of a column to sample to decide on the number of bins. */
const SAMPLE_SIZE = 1 << 16;
/** Integers up to this limit get an exact bin: bins begin halfway between two integers. */
const MAX_BINNED_INTEGER = 2 ** 50;

interface Histogram {
  /** Positions on the axis, see Bins. Null if no finite number is on it. */
  min: number | null;
  max: number | null;
  all: Uint32Array<ArrayBuffer>;
  filtered: Uint32Array<ArrayBuffer>;
  /** See BinLayout. */
  integers?: number;
  /** See binEnds; absent if the number of bins was given. */
  ends?: Float64Array<ArrayBuffer>;
}

/**
 * A column, the scale on which bins have equal widths, and the number of bins: by default, as many
 * as the values suggest.
 */
interface Bins {
  column: number;
  scale?: AxisScale | undefined;
  bins?: number | undefined;
}

/** A range of the axis, ends included. */
type CountedRange = readonly [min: number, max: number];

/** The range to count in: `range`, or all numbers of a column. */
interface HistogramRequest extends Bins {
  range?: CountedRange | undefined;
  /** The least and the greatest number of the rows to compare with, unless these are all rows. */
  whole?: CountedRange;
}

/** Bins that the values of a column suggest. */
interface SuggestedBins extends BinsBetween {
  ends: Float64Array<ArrayBuffer>;
}

/**
 * Counts in bins from the least to the greatest finite number of all rows, or over a given range,
 * ends included. If all numbers of the column are integers, so are the ends, and without `bins`
 * each bin has the same number of integers. A logarithmic axis has no such bins, and counts only
 * numbers above 0.
 */
export async function histogram(
  table: TableSource,
  { column, scale = 'linear', bins, range, whole: extent }: HistogramRequest,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const numbers = await positionsOnAxis(table, column, scale, signal);
  const pacer = new Pacer(signal);
  const whole = extent ?? (await columnExtent(numbers.values, pacer));
  const isEmpty = !(whole[0] <= whole[1]) || (range && !(range[0] <= range[1]));
  if (isEmpty) {
    const none = new Uint32Array(bins ?? 1);
    return { min: null, max: null, all: none, filtered: none.slice() };
  }
  const binning: BinsBetween | SuggestedBins =
    bins === undefined
      ? await suggestedBins(table, { column, scale, whole, range }, numbers, signal)
      : await givenBins(numbers.values, { bins, whole, range }, pacer);
  return histogramInBins(table, { column, scale, binning }, { numbers, subset }, signal);
}

/**
 * A column's numbers on an axis. Logarithms are cached, since dragging a range needs them often.
 */
function positionsOnAxis(
  table: TableSource,
  column: number,
  scale: AxisScale,
  signal?: AbortSignal,
): Promise<NumberColumn> {
  if (scale === 'linear') return table.numbers(column, signal);
  return table.cache.get(
    {
      key: JSON.stringify(['placed', table.rowCount, column, scale]),
      make: async shared => {
        const { values, firstRows } = await table.numbers(column, shared);
        const pacer = new Pacer(shared);
        const positions: Float64Array[] = [];
        for (const part of values) {
          if (pacer.isDue) await pacer.pause();
          positions.push(allOnAxis(part, scale));
        }
        return { values: positions, firstRows };
      },
      bytesOf: ({ values }) => values.reduce((sum, part) => sum + part.byteLength, 0),
    },
    signal,
  );
}

/** A histogram of some rows only: `all`, and the range if not given, are of these rows. */
export async function histogramAmong(
  table: TableSource,
  {
    column,
    scale = 'linear',
    bins,
    range,
    among,
  }: Bins & { range?: CountedRange | undefined; among: RowSubset },
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const values = await gatherNumbers(table, column, among, signal);
  const whole = extent(allOnAxis(values, scale), Infinity, -Infinity);
  const histogramOfRows = await histogram(table, { column, scale, bins, range, whole }, among, signal);
  const { filtered: all, min, max } = histogramOfRows;
  if (min === null || max === null) return histogramOfRows;
  // Uses the same bins even if more rows were read in the meantime.
  const binning = { ...histogramOfRows, min, max, bins: all.length };
  const numbers = await positionsOnAxis(table, column, scale, signal);
  return { ...(await histogramInBins(table, { column, scale, binning }, { numbers, subset }, signal)), all };
}

/**
 * Counts several lists of rows in the bins that `histogram` suggests for a column, or for a range
 * of its axis. Empty if it has no bins.
 */
export async function countsInBins(
  table: TableSource,
  { column, scale = 'linear', range }: Omit<HistogramRequest, 'bins' | 'whole'>,
  lists: readonly Uint32Array[],
  signal?: AbortSignal,
): Promise<Uint32Array[]> {
  const numbers = await positionsOnAxis(table, column, scale, signal);
  const whole = await table.cache.get(
    {
      key: JSON.stringify(['extent', table.rowCount, column, scale]),
      make: shared => columnExtent(numbers.values, new Pacer(shared)),
      bytesOf: () => 16,
    },
    signal,
  );
  if (!(whole[0] <= whole[1])) return lists.map(() => new Uint32Array(0));
  const binning = await suggestedBins(table, { column, scale, whole, range }, numbers, signal);
  const countsOfLists: Uint32Array[] = [];
  for (const rows of lists) {
    const counts = new Uint32Array(binning.bins);
    const values = await gatherNumbers(table, column, { rows, count: rows.length }, signal);
    addCounts(allOnAxis(values, scale), binning, counts);
    countsOfLists.push(counts);
  }
  return countsOfLists;
}

async function histogramInBins(
  table: TableSource,
  {
    column,
    scale,
    binning,
  }: { column: number; scale: AxisScale; binning: BinsBetween & { ends?: Float64Array<ArrayBuffer> } },
  { numbers, subset }: { numbers: NumberColumn; subset: RowSubset },
  signal?: AbortSignal,
): Promise<Histogram> {
  const { min, max, bins, integers, ends } = binning;
  const pacer = new Pacer(signal);
  const all = new Uint32Array(bins);
  for (const part of numbers.values) {
    if (pacer.isDue) await pacer.pause();
    addCounts(part, binning, all);
  }
  const filtered = subset.rows ? new Uint32Array(bins) : all.slice();
  if (subset.rows)
    addCounts(allOnAxis(await gatherNumbers(table, column, subset, signal), scale), binning, filtered);
  return {
    min,
    max,
    all,
    filtered,
    ...(integers !== undefined && { integers }),
    // A copy, because a response transfers its buffers, and those of the table are cached.
    ...(ends && { ends: ends.slice() }),
  };
}

/**
 * The bins that a column's numbers suggest. Cached, since only changes of the table affect them.
 */
function suggestedBins(
  table: TableSource,
  {
    column,
    scale,
    whole,
    range,
  }: { column: number; scale: AxisScale; whole: CountedRange; range: CountedRange | undefined },
  { values, firstRows }: NumberColumn,
  signal?: AbortSignal,
): Promise<SuggestedBins> {
  const make = async (shared: AbortSignal) => {
    const pacer = new Pacer(shared);
    const areIntegers = scale === 'linear' && (await areIntegersIn(values, whole, pacer));
    const [min, max] = countedRange(whole, range, areIntegers);
    const step = Math.max(1, Math.ceil(table.rowCount / SAMPLE_SIZE));
    const sample: number[] = [];
    values.forEach((part, index) => {
      const first = firstRows[index] ?? 0;
      for (let row = (step - (first % step)) % step; row < part.length; row += step) {
        const value = part[row] as number;
        if (value >= min && value <= max) sample.push(value);
      }
    });
    const count = sample.length * step;
    const isPart = range !== undefined;
    const sorted = Float64Array.from(sample).sort();
    const binning = { min, max, ...binLayout(sorted, { count, min, max }, { areIntegers, isPart }) };
    const { values: numbers } = await table.numbers(column, shared);
    return {
      ...binning,
      ends: await binEnds({ positions: values, numbers, scale }, binning, !isPart, pacer),
    };
  };
  const key = JSON.stringify(['bins', table.rowCount, column, scale, whole, range]);
  return table.cache.get({ key, make, bytesOf: ({ ends }) => ends.byteLength }, signal);
}

async function givenBins(
  values: readonly Float64Array[],
  { bins, whole, range }: { bins: number; whole: CountedRange; range: CountedRange | undefined },
  pacer: Pacer,
): Promise<BinsBetween> {
  const areIntegers = range !== undefined && (await areIntegersIn(values, whole, pacer));
  const [min, max] = countedRange(whole, range, areIntegers);
  return { min, max, bins };
}

/** All numbers, or those in a range; of integers, also those less than ½ away from it. */
function countedRange(
  whole: CountedRange,
  range: CountedRange | undefined,
  areIntegers: boolean,
): CountedRange {
  if (!range || !areIntegers) return range ?? whole;
  const low = Math.floor(range[0] + 0.5);
  return [low, Math.max(low, Math.ceil(range[1] - 0.5))];
}

/** Whether all numbers between two ends are integers small enough to be binned exactly. */
async function areIntegersIn(
  values: readonly Float64Array[],
  [min, max]: CountedRange,
  pacer: Pacer,
): Promise<boolean> {
  if (!(Math.max(Math.abs(min), Math.abs(max)) <= MAX_BINNED_INTEGER)) return false;
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    if (part.some(value => value >= min && value <= max && !Number.isInteger(value))) return false;
  }
  return true;
}

async function columnExtent(values: readonly Float64Array[], pacer: Pacer): Promise<CountedRange> {
  let [min, max] = [Infinity, -Infinity];
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    [min, max] = extent(part, min, max);
  }
  return [min, max];
}

/** The least and the greatest of the finite values, `min` and `max`. */
function extent(values: Float64Array, min: number, max: number): [number, number] {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value < min && value !== -Infinity) min = value;
    if (value > max && value !== Infinity) max = value;
  }
  return [min, max];
}

function addCounts(values: Float64Array, binning: BinsBetween, counts: Uint32Array): void {
  const { factor, from, scale } = binPlacing(binning);
  const [min, max] = [binning.min * factor, binning.max * factor];
  const scaled = factor === 1 ? values : values.map(value => value * factor);
  const last = counts.length - 1;
  for (let i = 0; i < scaled.length; i++) {
    const value = scaled[i] as number;
    if (!(value >= min && value <= max)) continue;
    let bin = ((value - from) * scale) | 0;
    if (bin > last) bin = last;
    counts[bin] = (counts[bin] as number) + 1;
  }
}

const MIN_BINS = 5;
const MAX_BINS = 64;

/** How numbers are binned: in equal parts of their range, or by a number of integers per bin. */
interface BinLayout {
  bins: number;
  /** The last bin may reach beyond the greatest integer. */
  integers?: number;
}

/**
 * The bins for numbers from `min` to `max`. Equal parts of an integer range have unequal counts,
 * and would show false peaks.
 */
function binLayout(
  sample: Float64Array,
  spread: { count: number; min: number; max: number },
  { areIntegers, isPart }: { areIntegers: boolean; isPart: boolean },
): BinLayout {
  const bins = binCount(sample, spread);
  if (!areIntegers) return { bins };
  const distinct = spread.max - spread.min + 1;
  // Few integers get a bin each, with empty bins of the same width between. Not in a range of a
  // column, whose bins are as wide as those of the whole column.
  if (distinct < MIN_BINS && !isPart) return { bins: Math.max(MIN_BINS, 2 * distinct - 1) };
  const integers = Math.max(1, Math.floor(distinct / bins), Math.ceil(distinct / MAX_BINS));
  return { bins: Math.ceil(distinct / integers), integers };
}

/**
 * The number of bins for `count` numbers from `min` to `max` by Freedman and Diaconis, within
 * limits: the width is twice the interquartile range over the cube root of the count. `sample`:
 * sorted numbers that represent all. Integers get no more bins than there are integers between the
 * ends.
 */
export function binCount(
  sample: Float64Array,
  { count, min, max }: { count: number; min: number; max: number },
): number {
  const range = max - min;
  if (!(range > 0) || sample.length === 0) return MIN_BINS;
  const quantile = (share: number) => sample[Math.round((sample.length - 1) * share)] ?? NaN;
  const width = (2 * (quantile(0.75) - quantile(0.25))) / Math.cbrt(count);
  // By Sturges if more than half of the numbers are equal, or if the width overflows.
  const isWidthUsable = width > 0 && Number.isFinite(width);
  const suggested = isWidthUsable ? Math.ceil(range / width) : Math.ceil(Math.log2(count)) + 1;
  const distinct = sample.every(Number.isInteger) ? range + 1 : Infinity;
  return Math.max(MIN_BINS, Math.min(MAX_BINS, suggested, distinct));
}

/*
 * A range filter includes its ends. So a filter with the exact ends of a bin would also match
 * numbers at the beginning of the next bin, and rounding the ends for display would change which
 * rows match. Therefore the ends of bins are short decimals between the numbers of the column.
 */

/** The numbers of a column, and their positions on the axis where bins have equal widths. */
interface NumbersOnAxis {
  positions: readonly Float64Array[];
  numbers: readonly Float64Array[];
  scale: AxisScale;
}

/** The least and the greatest number in each bin. */
interface BinContent {
  least: Float64Array;
  greatest: Float64Array;
}

/** The nearest numbers before and after all bins; NaN for none. */
interface NumbersBeyond {
  below: number;
  above: number;
}

/**
 * The two ends of each bin. A filter from the first end of a bin to the second end of the same or a
 * later bin matches exactly the numbers counted in these bins. The first and the last end are −∞
 * and ∞ if the column has no numbers beyond. With `isWhole`, only infinite numbers count as beyond:
 * the bins are of some rows, which have no others.
 */
async function binEnds(
  values: NumbersOnAxis,
  binning: BinsBetween,
  isWhole: boolean,
  pacer: Pacer,
): Promise<Float64Array<ArrayBuffer>> {
  const { min, max, bins, integers } = binning;
  const { factor } = binPlacing(binning);
  if (factor !== 1) {
    const scaleDown = (parts: readonly Float64Array[]) =>
      parts.map(part => part.map(value => value * factor));
    const scaledDown = {
      positions: scaleDown(values.positions),
      numbers: scaleDown(values.numbers),
      scale: values.scale,
    };
    const ends = await binEnds(scaledDown, { min: min * factor, max: max * factor, bins }, isWhole, pacer);
    return ends.map(end => end / factor);
  }
  const beyond = await beyondBins(values, binning, isWhole, pacer);
  const ends = new Float64Array(2 * bins);
  if (integers)
    for (let bin = 0; bin < bins; bin++) {
      ends[2 * bin] = min + bin * integers;
      ends[2 * bin + 1] = Math.min(max, min + (bin + 1) * integers - 1);
    }
  else
    setEndsBetweenBins(ends, binning, await contentOfBins(values, binning, pacer), {
      ...beyond,
      scale: values.scale,
    });
  if (Number.isNaN(beyond.below)) ends[0] = -Infinity;
  if (Number.isNaN(beyond.above)) ends[2 * bins - 1] = Infinity;
  return ends;
}

async function beyondBins(
  { positions, numbers, scale }: NumbersOnAxis,
  { min, max }: BinsBetween,
  isWhole: boolean,
  pacer: Pacer,
): Promise<NumbersBeyond> {
  let [below, above] = [NaN, NaN];
  for (const [index, part] of positions.entries()) {
    if (pacer.isDue) await pacer.pause();
    const values = numbers[index] ?? part;
    if (isWhole && scale === 'linear') {
      if (part.includes(-Infinity)) below = -Infinity;
      if (part.includes(Infinity)) above = Infinity;
      continue;
    }
    for (let row = 0; row < part.length; row++) {
      const value = values[row] as number;
      const position = part[row] as number;
      // Numbers that the axis can't show are below all others.
      if ((position < min || (position !== position && value === value)) && !(value <= below)) below = value;
      if (position > max && !(value >= above)) above = value;
    }
  }
  return { below, above };
}

async function contentOfBins(
  { positions, numbers }: NumbersOnAxis,
  binning: BinsBetween,
  pacer: Pacer,
): Promise<BinContent> {
  const { min, max, bins } = binning;
  const { from, scale } = binPlacing(binning);
  const least = new Float64Array(bins).fill(Infinity);
  const greatest = new Float64Array(bins).fill(-Infinity);
  for (const [index, part] of positions.entries()) {
    if (pacer.isDue) await pacer.pause();
    const values = numbers[index] ?? part;
    for (let row = 0; row < part.length; row++) {
      const position = part[row] as number;
      if (!(position >= min && position <= max)) continue;
      let bin = ((position - from) * scale) | 0;
      if (bin >= bins) bin = bins - 1;
      const value = values[row] as number;
      if (value < (least[bin] as number)) least[bin] = value;
      if (value > (greatest[bin] as number)) greatest[bin] = value;
    }
  }
  return { least, greatest };
}

/** Sets the ends between bins, each between the last number before and the first after. */
function setEndsBetweenBins(
  ends: Float64Array,
  { min, max, bins }: BinsBetween,
  { least, greatest }: BinContent,
  { below, above, scale }: NumbersBeyond & { scale: AxisScale },
): void {
  /** For each bin, the least number in it or in later bins. */
  const next = new Float64Array(bins + 1).fill(Number.isNaN(above) ? Infinity : above);
  for (let bin = bins - 1; bin >= 0; bin--)
    next[bin] = Math.min(next[bin + 1] as number, least[bin] as number);
  const width = (max - min) / bins;
  const numberAt = (edge: number) => fromAxis(min + edge * width, scale);
  let before = Number.isNaN(below) ? -Infinity : below;
  for (let edge = 0; edge <= bins; edge++) {
    if (edge > 0) before = Math.max(before, greatest[edge - 1] as number);
    const binWidth = scale === 'linear' ? width : numberAt(edge + 1) - numberAt(edge);
    const [to, from] = endsBetween(before, next[edge] as number, numberAt(edge), binWidth);
    if (edge > 0) ends[2 * edge - 1] = to;
    if (edge < bins) ends[2 * edge] = from;
  }
}

/**
 * The end of a bin and the beginning of the next, given the last number of the one and the first of
 * the other. Both are the decimal between these that is near the edge, with two significant digits
 * of a bin's width or as many as needed. If there is none, they are the two numbers.
 */
function endsBetween(before: number, after: number, edge: number, width: number): [number, number] {
  const position = Math.min(Math.max(edge, before), after);
  for (let decimals = 1 - Math.floor(Math.log10(width || Math.abs(edge) || 1)); ; decimals++) {
    const digits = Math.round(position * 10 ** decimals);
    if (!Number.isSafeInteger(digits)) break;
    for (const near of [digits, digits - 1, digits + 1]) {
      const value = Number(`${near}e${-decimals}`);
      if (value > before && value < after) return [value, value];
    }
  }
  return [Number.isFinite(before) ? before : position, Number.isFinite(after) ? after : position];
}

/** A number of bins from the least number counted to the greatest. */
interface BinsBetween {
  min: number;
  max: number;
  bins: number;
  /** See BinLayout. */
  integers?: number;
}

/** The bin of a number in the range: ⌊(number · factor − from) · scale⌋, at most the last bin. */
interface BinPlacing {
  /** ½ if the difference of the ends would overflow, else 1. */
  factor: 0.5 | 1;
  from: number;
  scale: number;
}

function binPlacing({ min, max, bins, integers }: BinsBetween): BinPlacing {
  // Keeps integers from being rounded into the bin before.
  if (integers) return { factor: 1, from: min - 0.5, scale: 1 / integers };
  const factor = Number.isFinite(max - min) ? 1 : 0.5;
  return { factor, from: min * factor, scale: max > min ? bins / (max * factor - min * factor) : 0 };
}
