import { Pacer } from '../../../base/node/slices';
import { gatherNumbers, type RowSubset } from '../read/gather';
import type { NumberColumn, TableSource } from '../read/tableSource';
import { binLayout } from './binCount';
import { binEnds } from './binEnds';
import { binPlacing, type BinsBetween } from './binPlacing';

/** Numbers that stand for all of a column where the number of bins is decided. */
const SAMPLE = 1 << 16;
/** Up to here a double tells exactly in which bin of integers one is: bins begin half-way between two. */
const MAX_BINNED_INTEGER = 2 ** 50;

export interface Histogram {
  /** Null when there is no finite number. */
  min: number | null;
  max: number | null;
  all: Uint32Array<ArrayBuffer>;
  filtered: Uint32Array<ArrayBuffer>;
  /** See BinLayout. */
  integers?: number;
  /** See binEnds; absent where the number of bins was given. */
  ends?: Float64Array<ArrayBuffer>;
}

/** A column, and how many bins its values are counted in; as many as they suggest where that is left out. */
export interface Bins {
  column: number;
  bins?: number | undefined;
}

/** A range to count in, ends included. */
type CountedRange = readonly [min: number, max: number];

/** What is counted in: `range`, or all numbers of a column. */
interface Counted extends Bins {
  range?: CountedRange | undefined;
  /** The least and the greatest number of the rows to compare with, if not of all. */
  whole?: CountedRange;
}

/** Bins that were suggested. */
interface SuggestedBins extends BinsBetween {
  ends: Float64Array<ArrayBuffer>;
}

/**
 * Counts in bins from the least to the greatest finite number of all rows, or over a given range, ends included. Where all numbers
 * of the column are integers, so are the ends, and without `bins` each bin has as many of them.
 */
export async function histogram(
  table: TableSource,
  { column, bins, range, whole: known }: Counted,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const numbers = await table.numbers(column, signal);
  const pacer = new Pacer(signal);
  const whole = known ?? (await columnExtent(numbers.values, pacer));
  const isEmpty = !(whole[0] <= whole[1]) || (range && !(range[0] <= range[1]));
  if (isEmpty) {
    const none = new Uint32Array(bins ?? 1);
    return { min: null, max: null, all: none, filtered: none.slice() };
  }
  const counted: BinsBetween | SuggestedBins =
    bins === undefined
      ? await suggestedBins(table, { column, whole, range }, numbers, signal)
      : await givenBins(numbers.values, { bins, whole, range }, pacer);
  return countIn(table, { column, counted }, { numbers, subset }, signal);
}

/** A histogram whose `all`, and whose range if none is given, are those of some rows of a table, not of all it has. */
export async function histogramAmong(
  table: TableSource,
  { column, bins, range, among }: Bins & { range?: CountedRange | undefined; among: RowSubset },
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const whole = extent(await gatherNumbers(table, column, among, signal), Infinity, -Infinity);
  const ofSome = await histogram(table, { column, bins, range, whole }, among, signal);
  const { filtered: all, min, max } = ofSome;
  if (min === null || max === null) return ofSome;
  // In the same bins, also if more rows were read meanwhile.
  const counted = { ...ofSome, min, max, bins: all.length };
  const numbers = await table.numbers(column, signal);
  return { ...(await countIn(table, { column, counted }, { numbers, subset }, signal)), all };
}

async function countIn(
  table: TableSource,
  { column, counted }: { column: number; counted: BinsBetween & { ends?: Float64Array<ArrayBuffer> } },
  { numbers, subset }: { numbers: NumberColumn; subset: RowSubset },
  signal?: AbortSignal,
): Promise<Histogram> {
  const { min, max, bins, integers, ends } = counted;
  const pacer = new Pacer(signal);
  const all = new Uint32Array(bins);
  for (const part of numbers.values) {
    if (pacer.isDue) await pacer.pause();
    count(part, counted, all);
  }
  const filtered = subset.rows ? new Uint32Array(bins) : all.slice();
  if (subset.rows) count(await gatherNumbers(table, column, subset, signal), counted, filtered);
  return {
    min,
    max,
    all,
    filtered,
    ...(integers !== undefined && { integers }),
    // A copy: a response gives its buffers away, and those of the table are kept.
    ...(ends && { ends: ends.slice() }),
  };
}

/** The bins that a column's numbers suggest; kept, since they change with the table alone. */
function suggestedBins(
  table: TableSource,
  { column, whole, range }: { column: number; whole: CountedRange; range: CountedRange | undefined },
  { values, firstRows }: NumberColumn,
  signal?: AbortSignal,
): Promise<SuggestedBins> {
  const make = async (shared: AbortSignal) => {
    const pacer = new Pacer(shared);
    const areIntegers = await areIntegersIn(values, whole, pacer);
    const [min, max] = countedRange(whole, range, areIntegers);
    const step = Math.max(1, Math.ceil(table.rowCount / SAMPLE));
    const sample: number[] = [];
    values.forEach((part, at) => {
      const first = firstRows[at] ?? 0;
      for (let row = (step - (first % step)) % step; row < part.length; row += step) {
        const value = part[row] as number;
        if (value >= min && value <= max) sample.push(value);
      }
    });
    const count = sample.length * step;
    const isPart = range !== undefined;
    const sorted = Float64Array.from(sample).sort();
    const counted = { min, max, ...binLayout(sorted, { count, min, max }, { areIntegers, isPart }) };
    return { ...counted, ends: await binEnds(values, counted, !isPart, pacer) };
  };
  const key = JSON.stringify(['bins', table.rowCount, column, whole, range]);
  return table.kept.get({ key, make, bytesOf: ({ ends }) => ends.byteLength }, signal);
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

/** The whole, or a range of it: of integers from and to those whose half on either side reaches into it. */
function countedRange(
  whole: CountedRange,
  range: CountedRange | undefined,
  areIntegers: boolean,
): CountedRange {
  if (!range || !areIntegers) return range ?? whole;
  const low = Math.floor(range[0] + 0.5);
  return [low, Math.max(low, Math.ceil(range[1] - 0.5))];
}

/** Whether all numbers from one to another are integers that can be binned as such. */
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

/** The least and the greatest finite number of values, or those given. */
function extent(values: Float64Array, min: number, max: number): [number, number] {
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value < min && value !== -Infinity) min = value;
    if (value > max && value !== Infinity) max = value;
  }
  return [min, max];
}

function count(values: Float64Array, counted: BinsBetween, counts: Uint32Array): void {
  const { by, from, scale } = binPlacing(counted);
  const [min, max] = [counted.min * by, counted.max * by];
  const scaled = by === 1 ? values : values.map(value => value * by);
  const last = counts.length - 1;
  for (let at = 0; at < scaled.length; at++) {
    const value = scaled[at] as number;
    if (!(value >= min && value <= max)) continue;
    let bin = ((value - from) * scale) | 0;
    if (bin > last) bin = last;
    counts[bin] = (counts[bin] as number) + 1;
  }
}
