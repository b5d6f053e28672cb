const MIN_BINS = 5;
const MAX_BINS = 64;

/** How numbers are binned: in equal parts of their range or, where all are integers, so many integers a bin. */
export interface BinLayout {
  bins: number;
  /** The last bin may reach beyond the greatest integer. */
  integers?: number;
}

/**
 * The bins that numbers from `min` to `max` suggest. Equal parts of a range of integers hold unlike many of them, and would show
 * peaks that are none.
 */
export function binLayout(
  sample: Float64Array,
  of: { count: number; min: number; max: number },
  { areIntegers, isPart }: { areIntegers: boolean; isPart: boolean },
): BinLayout {
  const bins = binCount(sample, of);
  if (!areIntegers) return { bins };
  const distinct = of.max - of.min + 1;
  // A bin for each, and the same gaps between them; in a part of a column they are as wide as in the whole.
  if (distinct < MIN_BINS && !isPart) return { bins: Math.max(MIN_BINS, 2 * distinct - 1) };
  const integers = Math.max(1, Math.floor(distinct / bins), Math.ceil(distinct / MAX_BINS));
  return { bins: Math.ceil(distinct / integers), integers };
}

/**
 * How many bins a histogram of `count` numbers from `min` to `max` gets by Freedman and Diaconis, within limits: bins of twice the
 * interquartile range over the cube root of the count. `sample` are numbers in order that stand for all. Integers get no more
 * bins than there are between the ends.
 */
export function binCount(
  sample: Float64Array,
  { count, min, max }: { count: number; min: number; max: number },
): number {
  const range = max - min;
  if (!(range > 0) || sample.length === 0) return MIN_BINS;
  const at = (share: number) => sample[Math.round((sample.length - 1) * share)] ?? NaN;
  const width = (2 * (at(0.75) - at(0.25))) / Math.cbrt(count);
  // Where more than half of the numbers are equal, or differ by more than a double holds, by Sturges.
  const isKnown = width > 0 && Number.isFinite(width);
  const wanted = isKnown ? Math.ceil(range / width) : Math.ceil(Math.log2(count)) + 1;
  const distinct = sample.every(Number.isInteger) ? range + 1 : Infinity;
  return Math.max(MIN_BINS, Math.min(MAX_BINS, wanted, distinct));
}
