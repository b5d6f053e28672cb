import { Pacer } from '../../slices';
import { gatherNumbers, type RowSubset } from '../read/gather';
import type { NumberColumn, TableSource } from '../read/tableSource';
import { binCount } from './binCount';

/** Numbers that stand for all of a column where the number of bins is decided. */
const SAMPLE = 1 << 16;

export interface Histogram {
  /** Null when there is no finite number. */
  min: number | null;
  max: number | null;
  all: Uint32Array<ArrayBuffer>;
  filtered: Uint32Array<ArrayBuffer>;
}

/** A column, and how many bins its values are counted in; as many as they suggest where that is left out. */
export interface Bins {
  column: number;
  bins?: number | undefined;
}

/** A range to count in, ends included. */
type CountedRange = readonly [min: number, max: number];

/**
 * Counts in equal bins from the least to the greatest finite number of all rows, or over a given range, ends included. Of a
 * column whose numbers there are integers the range is widened to integers, so that each bin has about as many of them.
 */
export async function histogram(
  table: TableSource,
  { column, bins, range }: Bins & { range?: CountedRange | undefined },
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
  const wanted = bins ?? (isEmpty ? 1 : await suggestedBins(table, { column, min, max }, numbers, signal));
  const all = new Uint32Array(wanted);
  if (isEmpty) return { min: null, max: null, all, filtered: new Uint32Array(wanted) };
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    count(part, min, max, all);
  }
  if (!subset.rows) return { min, max, all, filtered: all.slice() };
  const filtered = new Uint32Array(wanted);
  count(await gatherNumbers(table, column, subset, signal), min, max, filtered);
  return { min, max, all, filtered };
}

/** A histogram whose `all`, and whose range if none is given, are those of some rows of a table, not of all it has. */
export async function histogramAmong(
  table: TableSource,
  { column, bins, range, among }: Bins & { range?: CountedRange | undefined; among: RowSubset },
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const wanted = range ?? extent(await gatherNumbers(table, column, among, signal), Infinity, -Infinity);
  const counted = { column, bins, range: wanted } as const;
  const { filtered: all } = await histogram(table, counted, among, signal);
  return { ...(await histogram(table, { ...counted, bins: all.length }, subset, signal)), all };
}

/** The number of bins that a column's numbers suggest; kept, since it changes with the table alone. */
function suggestedBins(
  table: TableSource,
  { column, min, max }: { column: number; min: number; max: number },
  { values, firstRows }: NumberColumn,
  signal?: AbortSignal,
): Promise<number> {
  const make = () => {
    const step = Math.max(1, Math.ceil(table.rowCount / SAMPLE));
    const sample: number[] = [];
    values.forEach((part, at) => {
      const first = firstRows[at] ?? 0;
      for (let row = (step - (first % step)) % step; row < part.length; row += step) {
        const value = part[row] as number;
        if (value >= min && value <= max) sample.push(value);
      }
    });
    return Promise.resolve(
      binCount(Float64Array.from(sample).sort(), { count: sample.length * step, min, max }),
    );
  };
  const key = JSON.stringify(['bins', table.rowCount, column, min, max]);
  return table.kept.get({ key, make, bytesOf: () => Float64Array.BYTES_PER_ELEMENT }, signal);
}

/** A range, or where it holds integers alone the smallest one around it that ends on integers. */
async function countedRange(
  values: readonly Float64Array[],
  [min, max]: CountedRange,
  pacer: Pacer,
): Promise<CountedRange> {
  const [low, high] = [Math.floor(min), Math.ceil(max)];
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    if (part.some(value => value >= min && value <= max && !Number.isInteger(value))) return [min, max];
  }
  return [low, high];
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

function count(values: Float64Array, min: number, max: number, counts: Uint32Array): void {
  if (!Number.isFinite(max - min)) {
    // They differ by more than a double holds; their halves do not.
    count(
      values.map(value => value / 2),
      min / 2,
      max / 2,
      counts,
    );
    return;
  }
  const last = counts.length - 1;
  const scale = max > min ? counts.length / (max - min) : 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (!(value >= min && value <= max)) continue;
    let bin = ((value - min) * scale) | 0;
    if (bin > last) bin = last;
    counts[bin] = (counts[bin] as number) + 1;
  }
}
