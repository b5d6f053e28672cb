/** A threshold and the two groups it separates: `low` is at or below it, `high` above. */
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
    const rest = values.length - count;
    if (count === 0 || rest === 0) continue;
    const difference = (sum - lowSum) / rest - lowSum / count;
    const between = count * rest * difference * difference;
    if (between > best) {
      best = between;
      first = bin;
    }
    if (between >= best) last = bin;
  }
  // Every threshold in an empty range of the histogram gives the same groups: its middle is
  // furthest from both.
  return describe(counts, (first + last) / 2, lowest, width);
}

function describe(counts: Uint32Array, middle: number, lowest: number, width: number): Split {
  const low = moments(counts, 0, Math.floor(middle) + 1);
  const high = moments(counts, Math.floor(middle) + 1, BINS);
  return {
    threshold: lowest + (middle + 0.5) * width,
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

/** Median, and standard deviation of normal noise of that deviation: outliers hardly count. */
interface RobustSpread {
  median: number;
  deviation: number;
}

/** Some 100,000 values are enough. */
const MAX_SORTED = 100_000;

/** The spread of most of the values, whatever a minority is; 0 and 0 without values. */
export function robustSpread(values: Float32Array): RobustSpread {
  const stride = Math.max(1, Math.floor(values.length / MAX_SORTED));
  const sample = new Float32Array(Math.ceil(values.length / stride));
  for (let i = 0; i < sample.length; i++) sample[i] = values[i * stride] ?? 0;
  const median = middle(sample);
  return { median, deviation: 1.4826 * middle(sample.map(value => Math.abs(value - median))) };
}

/**
 * The median, five times faster than by sorting: of two parts, only the one with the median is
 * divided again. Reorders the values.
 */
function middle(values: Float32Array): number {
  const wanted = values.length >> 1;
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
    if (wanted <= high) to = high;
    else if (wanted >= low) from = low;
    else break;
  }
  return values[wanted] ?? 0;
}
