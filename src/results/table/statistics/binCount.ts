const MIN_BINS = 5;
const MAX_BINS = 64;

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
  // Where more than half of the numbers are equal, by Sturges.
  const wanted = width > 0 ? Math.ceil(range / width) : Math.ceil(Math.log2(count)) + 1;
  const distinct = sample.every(Number.isInteger) ? range + 1 : Infinity;
  return Math.max(MIN_BINS, Math.min(MAX_BINS, wanted, distinct));
}
