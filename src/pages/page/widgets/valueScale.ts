/** The part of a column's values that the color scale spreads over; values outside take the color of its ends. */
export interface ValueRange {
  low: number;
  high: number;
}

export function isSameRange(a: ValueRange | undefined, b: ValueRange | undefined): boolean {
  return a?.low === b?.low && a?.high === b?.high;
}

/** How values are spread: counts in equal bins from `min` to `max`. */
export interface ValueSpread {
  min: number;
  max: number;
  counts: Uint32Array;
}

const CUT = 0.01;

/** The spread of values, those that are no numbers left out; undefined when there are none. */
export function spreadOf(values: Iterable<number>, bins: number): ValueSpread | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return undefined;
  const counts = new Uint32Array(bins);
  const perUnit = max > min ? bins / (max - min) : 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    const bin = Math.min(bins - 1, Math.floor((value - min) * perUnit));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return { min, max, counts };
}

/** The range that leaves out a hundredth of the values at either end, so that a few outliers do not take all colors. */
export function usualRange({ min, max, counts }: ValueSpread): ValueRange {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const width = (max - min) / counts.length;
  const edge = (bins: Iterable<[number, number]>): number => {
    let passed = 0;
    for (const [bin, count] of bins) {
      passed += count;
      if (passed > total * CUT) return bin;
    }
    return 0;
  };
  const first = edge(counts.entries());
  const last = edge([...counts.entries()].reverse());
  const low = min + first * width;
  const high = last === counts.length - 1 ? max : min + (last + 1) * width;
  return { low, high };
}

/** Fewer, wider bins for a small image of the spread. */
export function coarser(counts: Uint32Array, bins: number): number[] {
  const each = Math.max(1, Math.ceil(counts.length / bins));
  const sums: number[] = [];
  for (let at = 0; at < counts.length; at += each) {
    sums.push(counts.subarray(at, at + each).reduce((sum, count) => sum + count, 0));
  }
  return sums;
}
