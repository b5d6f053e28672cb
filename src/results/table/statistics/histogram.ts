import { Pacer } from '../../slices';
import { gatherNumbers, type RowSubset } from '../read/gather';
import type { NumberColumn, TableSource } from '../read/tableSource';
import { binLayout, type BinLayout } from './binCount';

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
}

/** A column, and how many bins its values are counted in; as many as they suggest where that is left out. */
export interface Bins {
  column: number;
  bins?: number | undefined;
}

/** A range to count in, ends included. */
type CountedRange = readonly [min: number, max: number];

/** What is counted in: all numbers of a column, or a range, which may be all that some rows have. */
interface Counted extends Bins {
  range?: CountedRange | undefined;
  isWhole?: boolean;
  /** With `bins`, see BinLayout. */
  integers?: number | undefined;
}

/**
 * Counts in bins from the least to the greatest finite number of all rows, or over a given range, ends included. Where all numbers
 * there are integers, so are the ends, and without `bins` each bin has as many of them.
 */
export async function histogram(
  table: TableSource,
  { column, bins, range, isWhole = range === undefined, integers: wanted }: Counted,
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const numbers = await table.numbers(column, signal);
  const { values } = numbers;
  const pacer = new Pacer(signal);
  let [min, max] = range ? await countedRange(values, range, pacer) : [Infinity, -Infinity];
  if (!range)
    for (const part of values) {
      if (pacer.isDue) await pacer.pause();
      [min, max] = extent(part, min, max);
    }
  const isEmpty = !(min <= max);
  const layout: BinLayout =
    bins !== undefined || isEmpty
      ? { bins: bins ?? 1, ...(wanted !== undefined && { integers: wanted }) }
      : await suggestedLayout(table, { column, min, max, isPart: !isWhole }, numbers, signal);
  const all = new Uint32Array(layout.bins);
  if (isEmpty) return { min: null, max: null, all, filtered: all.slice() };
  const { integers } = layout;
  const counted = { min, max, ...(integers !== undefined && { integers }) };
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    count(part, counted, all);
  }
  if (!subset.rows) return { ...counted, all, filtered: all.slice() };
  const filtered = new Uint32Array(layout.bins);
  count(await gatherNumbers(table, column, subset, signal), counted, filtered);
  return { ...counted, all, filtered };
}

/** A histogram whose `all`, and whose range if none is given, are those of some rows of a table, not of all it has. */
export async function histogramAmong(
  table: TableSource,
  { column, bins, range, among }: Bins & { range?: CountedRange | undefined; among: RowSubset },
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const wanted = range ?? extent(await gatherNumbers(table, column, among, signal), Infinity, -Infinity);
  const counted = { column, bins, range: wanted, isWhole: range === undefined };
  const { filtered: all, min, max, integers } = await histogram(table, counted, among, signal);
  // In the same bins, also if more rows were read meanwhile.
  const same = {
    column,
    bins: all.length,
    integers,
    range: min === null || max === null ? wanted : ([min, max] as const),
  };
  return { ...(await histogram(table, same, subset, signal)), all };
}

/** The bins that a column's numbers suggest; kept, since they change with the table alone. */
function suggestedLayout(
  table: TableSource,
  { column, min, max, isPart }: { column: number; min: number; max: number; isPart: boolean },
  { values, firstRows }: NumberColumn,
  signal?: AbortSignal,
): Promise<BinLayout> {
  const make = async (shared: AbortSignal) => {
    const step = Math.max(1, Math.ceil(table.rowCount / SAMPLE));
    const sample: number[] = [];
    values.forEach((part, at) => {
      const first = firstRows[at] ?? 0;
      for (let row = (step - (first % step)) % step; row < part.length; row += step) {
        const value = part[row] as number;
        if (value >= min && value <= max) sample.push(value);
      }
    });
    const areIntegers =
      areBinned([min, max]) &&
      Number.isInteger(min) &&
      Number.isInteger(max) &&
      sample.every(Number.isInteger) &&
      (await areIntegersIn(values, [min, max], new Pacer(shared)));
    const count = sample.length * step;
    return binLayout(Float64Array.from(sample).sort(), { count, min, max }, { areIntegers, isPart });
  };
  const key = JSON.stringify(['bins', table.rowCount, column, min, max, isPart]);
  return table.kept.get({ key, make, bytesOf: () => 2 * Float64Array.BYTES_PER_ELEMENT }, signal);
}

/** A range, or where it holds integers alone those whose half on either side reaches into it. */
async function countedRange(
  values: readonly Float64Array[],
  range: CountedRange,
  pacer: Pacer,
): Promise<CountedRange> {
  const [min, max] = range;
  if (!(min <= max) || !areBinned(range) || !(await areIntegersIn(values, range, pacer))) return range;
  const low = Math.floor(min + 0.5);
  return [low, Math.max(low, Math.ceil(max - 0.5))];
}

/** Whether integers of a range can be binned as such. */
function areBinned([min, max]: CountedRange): boolean {
  return Math.max(Math.abs(min), Math.abs(max)) <= MAX_BINNED_INTEGER;
}

/** Whether all values in a range are integers. */
async function areIntegersIn(
  values: readonly Float64Array[],
  [min, max]: CountedRange,
  pacer: Pacer,
): Promise<boolean> {
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    if (part.some(value => value >= min && value <= max && !Number.isInteger(value))) return false;
  }
  return true;
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

function count(
  values: Float64Array,
  { min, max, integers }: { min: number; max: number; integers?: number },
  counts: Uint32Array,
): void {
  if (!Number.isFinite(max - min)) {
    // They differ by more than a double holds; their halves do not.
    count(
      values.map(value => value / 2),
      { min: min / 2, max: max / 2 },
      counts,
    );
    return;
  }
  const last = counts.length - 1;
  const scale = integers ? 1 / integers : max > min ? counts.length / (max - min) : 0;
  // So that no integer is rounded into the bin before its own.
  const offset = integers ? 0.5 : 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (!(value >= min && value <= max)) continue;
    let bin = ((value - min + offset) * scale) | 0;
    if (bin > last) bin = last;
    counts[bin] = (counts[bin] as number) + 1;
  }
}
