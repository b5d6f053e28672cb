import { Pacer } from '../../slices';
import { gatherNumbers, type RowSubset } from '../read/gather';
import type { TableSource } from '../read/tableSource';

export interface Histogram {
  /** Null when there is no finite number. */
  min: number | null;
  max: number | null;
  all: Uint32Array<ArrayBuffer>;
  filtered: Uint32Array<ArrayBuffer>;
}

/** A column, and how many bins its values are counted in. */
export interface Bins {
  column: number;
  bins: number;
}

/** Counts in equal bins from the least to the greatest finite number of all rows, or over a given range, ends included. */
export async function histogram(
  table: TableSource,
  { column, bins, range }: Bins & { range?: readonly [number, number] | undefined },
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const { values } = await table.numbers(column, signal);
  const pacer = new Pacer(signal);
  const all = new Uint32Array(bins);
  let min = range?.[0] ?? Infinity;
  let max = range?.[1] ?? -Infinity;
  if (!range)
    for (const part of values) {
      if (pacer.isDue) await pacer.pause();
      [min, max] = extent(part, min, max);
    }
  if (!(min <= max)) return { min: null, max: null, all, filtered: new Uint32Array(bins) };
  for (const part of values) {
    if (pacer.isDue) await pacer.pause();
    count(part, min, max, all);
  }
  if (!subset.rows) return { min, max, all, filtered: all.slice() };
  const filtered = new Uint32Array(bins);
  count(await gatherNumbers(table, column, subset, signal), min, max, filtered);
  return { min, max, all, filtered };
}

/** A histogram whose range and `all` are those of some rows of a table, not of all it has. */
export async function histogramAmong(
  table: TableSource,
  { column, bins, among }: Bins & { among: RowSubset },
  subset: RowSubset,
  signal?: AbortSignal,
): Promise<Histogram> {
  const [min, max] = extent(await gatherNumbers(table, column, among, signal), Infinity, -Infinity);
  const counted = { column, bins, range: [min, max] } as const;
  const { filtered: all } = await histogram(table, counted, among, signal);
  return { ...(await histogram(table, counted, subset, signal)), all };
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
