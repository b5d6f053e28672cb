import { eachPart, Pacer } from '../../base/node/slices';

/** Maximum number of values of a group that are drawn as points; more are drawn as a density. */
const MAX_POINTS = 400;
/** Number of bins of a group: to find the window, and to compute densities. */
const WINDOW_BINS = 4096;
const DENSITY_BINS = 512;
/** Number of heights in a density. */
const DENSITY_STEPS = 128;
/** Share of values outside the window at each end, for groups with more than MANY_VALUES. */
const OUTSIDE_SHARE = 0.001;
const MANY_VALUES = 1000;
/** The distance from the center of a kernel to its end, in bandwidths. */
const KERNEL_RADIUS = 4;

interface Density {
  low: number;
  high: number;
  heights: number[];
}

/** The values of several groups: few as points, many as a density. */
export interface Distributions {
  /** The range of nearly all values; null if there are none. */
  window: [low: number, high: number] | null;
  /** Number of values outside the window. */
  beyond: number;
  groups: { count: number; density?: Density }[];
  /** Positions of the values that are drawn as points. */
  points: Uint32Array;
}

/**
 * Distributions of values by group; `groupOf` has the group of each value, −1 without one. Takes a
 * few passes without sorting: tens of milliseconds for a million values.
 */
export async function distributionsOf(
  values: Float64Array,
  groupOf: Int32Array,
  groupCount: number,
  signal?: AbortSignal,
): Promise<Distributions> {
  const counts = new Float64Array(groupCount);
  const sums = new Float64Array(groupCount);
  let low = Infinity;
  let high = -Infinity;
  await eachPart(values.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const group = groupOf[at] as number;
      const value = values[at] as number;
      if (group < 0 || value - value !== 0) continue;
      counts[group] = (counts[group] as number) + 1;
      sums[group] = (sums[group] as number) + value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  });
  if (low > high)
    return {
      window: null,
      beyond: 0,
      groups: [...counts].map(count => ({ count })),
      points: new Uint32Array(0),
    };
  const isDense = Uint8Array.from(counts, count => Number(count > MAX_POINTS));
  const window = isDense.includes(1)
    ? await shownWindow(values, groupOf, counts, [low, high], signal)
    : ([low, high] as [number, number]);

  const [from, to] = window;
  const width = to - from;
  const bins = new Float64Array(groupCount * DENSITY_BINS);
  const squares = new Float64Array(groupCount);
  const points: number[] = [];
  let beyond = 0;
  await eachPart(values.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const group = groupOf[at] as number;
      const value = values[at] as number;
      if (group < 0 || value - value !== 0) continue;
      if (value < from || value > to) {
        beyond++;
        continue;
      }
      if (isDense[group] === 0) {
        points.push(at);
        continue;
      }
      const bin =
        width > 0 ? Math.min(DENSITY_BINS - 1, Math.floor(((value - from) / width) * DENSITY_BINS)) : 0;
      const binIndex = group * DENSITY_BINS + bin;
      bins[binIndex] = (bins[binIndex] as number) + 1;
      const difference = value - (sums[group] as number) / (counts[group] as number);
      squares[group] = (squares[group] as number) + difference * difference;
    }
  });
  const groups = Array.from(counts, (count, group) => {
    if (isDense[group] === 0 || width === 0) return { count };
    const binsOfGroup = bins.subarray(group * DENSITY_BINS, (group + 1) * DENSITY_BINS);
    const sd = Math.sqrt((squares[group] as number) / Math.max(1, count - 1));
    return { count, density: densityOf(binsOfGroup, sd, window) };
  });
  return { window, beyond, groups, points: Uint32Array.from(points) };
}

/** The range without a few extreme values of large groups, which would squeeze all others. */
async function shownWindow(
  values: Float64Array,
  groupOf: Int32Array,
  counts: Float64Array,
  [low, high]: [number, number],
  signal?: AbortSignal,
): Promise<[number, number]> {
  const width = high - low;
  if (!(width > 0) || !Number.isFinite(width)) return [low, high];
  const bins = new Float64Array(counts.length * WINDOW_BINS);
  await eachPart(values.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const group = groupOf[at] as number;
      const value = values[at] as number;
      if (group < 0 || value - value !== 0) continue;
      const binIndex =
        group * WINDOW_BINS + Math.min(WINDOW_BINS - 1, Math.floor(((value - low) / width) * WINDOW_BINS));
      bins[binIndex] = (bins[binIndex] as number) + 1;
    }
  });
  let first = WINDOW_BINS - 1;
  let last = 0;
  counts.forEach((count, group) => {
    if (count === 0) return;
    const outsideCount = count > MANY_VALUES ? count * OUTSIDE_SHARE : 0;
    const binsOfGroup = bins.subarray(group * WINDOW_BINS, (group + 1) * WINDOW_BINS);
    first = Math.min(first, binAfter(binsOfGroup, outsideCount));
    last = Math.max(last, WINDOW_BINS - 1 - binAfter(binsOfGroup.slice().reverse(), outsideCount));
  });
  // If nothing is cut off at an end, rounding must not cut off the last value.
  return [
    first === 0 ? low : low + (first / WINDOW_BINS) * width,
    last === WINDOW_BINS - 1 ? high : low + ((last + 1) / WINDOW_BINS) * width,
  ];
}

/** The first bin where the running count exceeds `skippedCount`. */
function binAfter(bins: Float64Array, skippedCount: number): number {
  let sum = 0;
  const index = bins.findIndex(count => (sum += count) > skippedCount);
  return Math.max(0, index);
}

/**
 * A density by Gaussian kernels over binned values, with Silverman's bandwidth, 0.9 · min(SD,
 * IQR/1.34) · n^(−1/5). It ends at the minimum and maximum, as no object is beyond.
 */
function densityOf(bins: Float64Array, sd: number, [from, to]: [number, number]): Density {
  const binWidth = (to - from) / bins.length;
  const total = bins.reduce((sum, count) => sum + count, 0);
  const binAt = (share: number) => binAfter(bins, share * total);
  const spread = ((binAt(0.75) - binAt(0.25)) * binWidth) / 1.34;
  const deviation = Math.min(sd, spread > 0 ? spread : sd);
  const bandwidth = Math.max(0.9 * deviation * total ** -0.2, binWidth);
  const first = bins.findIndex(count => count > 0);
  const last = bins.findLastIndex(count => count > 0);
  const low = from + first * binWidth;
  const high = from + (last + 1) * binWidth;
  const heights = Array.from({ length: DENSITY_STEPS }, (_, step) => {
    const value = low + ((high - low) * step) / (DENSITY_STEPS - 1);
    const begin = Math.max(0, Math.floor((value - KERNEL_RADIUS * bandwidth - from) / binWidth));
    const end = Math.min(bins.length, Math.ceil((value + KERNEL_RADIUS * bandwidth - from) / binWidth));
    let height = 0;
    for (let bin = begin; bin < end; bin++) {
      const distance = (value - from - (bin + 0.5) * binWidth) / bandwidth;
      height += (bins[bin] as number) * Math.exp(-0.5 * distance * distance);
    }
    return height;
  });
  const maxHeight = Math.max(...heights, Number.MIN_VALUE);
  return { low, high, heights: heights.map(height => Math.round((height / maxHeight) * 1e4) / 1e4) };
}
