/** A threshold and the two groups it separates: `low` (at or below it) and `high` (above it). */
interface Split {
  threshold: number;
  lowMean: number;
  highMean: number;
  /** Standard deviation within the low group. */
  lowDeviation: number;
}

const BINS = 65_536;

/**
 * Otsu's threshold: the split with the largest variance between groups, over 65,536 bins spanning
 * the values' range. Undefined if all values are alike.
 */
export function otsu(values: ArrayLike<number>): Split | undefined {
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  if (!(highest > lowest)) return undefined;
  const width = (highest - lowest) / (BINS - 1);
  const perBin = 1 / width;
  const counts = new Uint32Array(BINS);
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const bin = (((values[i] ?? 0) - lowest) * perBin + 0.5) | 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
    sum += bin;
  }
  let best = -1;
  let first = 0;
  let last = 0;
  let count = 0;
  let lowSum = 0;
  for (let bin = 0; bin < BINS - 1; bin++) {
    count += counts[bin] ?? 0;
    lowSum += bin * (counts[bin] ?? 0);
    const highCount = values.length - count;
    if (count === 0 || highCount === 0) continue;
    const difference = (sum - lowSum) / highCount - lowSum / count;
    const between = count * highCount * difference * difference;
    if (between > best) {
      best = between;
      first = bin;
    }
    if (between >= best) last = bin;
  }
  // All thresholds in an empty range of the histogram give the same two groups. The middle of the
  // range is furthest from both groups.
  return describe(counts, (first + last) / 2, lowest, width);
}

function describe(counts: Uint32Array, middleBin: number, lowest: number, width: number): Split {
  const low = moments(counts, 0, Math.floor(middleBin) + 1);
  const high = moments(counts, Math.floor(middleBin) + 1, BINS);
  return {
    threshold: lowest + (middleBin + 0.5) * width,
    lowMean: lowest + low.mean * width,
    highMean: lowest + high.mean * width,
    lowDeviation: low.deviation * width,
  };
}

function moments(counts: Uint32Array, from: number, to: number): { mean: number; deviation: number } {
  let count = 0;
  let sum = 0;
  for (let bin = from; bin < to; bin++) {
    count += counts[bin] ?? 0;
    sum += bin * (counts[bin] ?? 0);
  }
  const mean = sum / count;
  let squares = 0;
  for (let bin = from; bin < to; bin++) squares += (counts[bin] ?? 0) * (bin - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / count) };
}

/** Statistics that outliers hardly change. */
interface RobustSpread {
  median: number;
  /** The median absolute deviation, scaled to the standard deviation of normal noise. */
  deviation: number;
}

/** The median of about this many values is exact enough. */
const MAX_SORTED = 100_000;

/** Median and deviation of values; both 0 without values. */
export function robustSpread(values: Float32Array): RobustSpread {
  const stride = Math.max(1, Math.floor(values.length / MAX_SORTED));
  const sample = new Float32Array(Math.ceil(values.length / stride));
  for (let i = 0; i < sample.length; i++) sample[i] = values[i * stride] ?? 0;
  const median = medianOf(sample);
  return { median, deviation: 1.4826 * medianOf(sample.map(value => Math.abs(value - median))) };
}

/**
 * The median, five times faster than by sorting (quickselect: partitions only the part that
 * contains the median). Reorders the values.
 */
function medianOf(values: Float32Array): number {
  const medianIndex = values.length >> 1;
  for (let from = 0, to = values.length - 1; from < to;) {
    const pivot = values[(from + to) >> 1] ?? 0;
    let low = from;
    let high = to;
    while (low <= high) {
      while ((values[low] ?? 0) < pivot) low++;
      while ((values[high] ?? 0) > pivot) high--;
      if (low > high) break;
      const moved = values[low] ?? 0;
      values[low++] = values[high] ?? 0;
      values[high--] = moved;
    }
    if (medianIndex <= high) to = high;
    else if (medianIndex >= low) from = low;
    else break;
  }
  return values[medianIndex] ?? 0;
}
