import { eachPart, Pacer } from '../../base/node/slices';

/** Values of a group that are drawn one by one; more are drawn as a density. */
const MAX_POINTS = 400;
/** Bins in which percentiles, and then densities, are counted. */
const BINS = 4096;
const DENSITY_BINS = 512;
/** Heights of a density. */
const STEPS = 128;
/** Values that are left out of the window at each end, where there are many. */
const OUTSIDE = 0.001;
const MANY = 1000;
/** Bandwidths at which kernels end. */
const REACH = 4;

interface Density {
  low: number;
  high: number;
  heights: number[];
}

/** The values of several groups: few as points, many as a density. */
export interface Distributions {
  /** Nearly all values are in it; null where there are none. */
  window: [low: number, high: number] | null;
  /** Values that are in no window. */
  beyond: number;
  groups: { count: number; density?: Density }[];
  /** Positions among the values of those that are points. */
  points: Uint32Array;
}

/**
 * Distributions of values by group; `groupOf` returns the group of the value at a position, −1 for
 * none. Takes a few passes, without sorting: a million values take some tens of milliseconds.
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
      const place = group * DENSITY_BINS + bin;
      bins[place] = (bins[place] as number) + 1;
      const off = value - (sums[group] as number) / (counts[group] as number);
      squares[group] = (squares[group] as number) + off * off;
    }
  });
  const groups = Array.from(counts, (count, group) => {
    if (isDense[group] === 0 || width === 0) return { count };
    const own = bins.subarray(group * DENSITY_BINS, (group + 1) * DENSITY_BINS);
    const sd = Math.sqrt((squares[group] as number) / Math.max(1, count - 1));
    return { count, density: densityOf(own, sd, window) };
  });
  return { window, beyond, groups, points: Uint32Array.from(points) };
}

/** Without a few values at the ends of large groups, which would press all others together. */
async function shownWindow(
  values: Float64Array,
  groupOf: Int32Array,
  counts: Float64Array,
  [low, high]: [number, number],
  signal?: AbortSignal,
): Promise<[number, number]> {
  const width = high - low;
  if (!(width > 0) || !Number.isFinite(width)) return [low, high];
  const bins = new Float64Array(counts.length * BINS);
  await eachPart(values.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const group = groupOf[at] as number;
      const value = values[at] as number;
      if (group < 0 || value - value !== 0) continue;
      const place = group * BINS + Math.min(BINS - 1, Math.floor(((value - low) / width) * BINS));
      bins[place] = (bins[place] as number) + 1;
    }
  });
  let first = BINS - 1;
  let last = 0;
  counts.forEach((count, group) => {
    if (count === 0) return;
    const left = count > MANY ? count * OUTSIDE : 0;
    const own = bins.subarray(group * BINS, (group + 1) * BINS);
    first = Math.min(first, binAfter(own, left));
    last = Math.max(last, BINS - 1 - binAfter(own.slice().reverse(), left));
  });
  // Where they end at the ends, rounding would cut off the last value.
  return [
    first === 0 ? low : low + (first / BINS) * width,
    last === BINS - 1 ? high : low + ((last + 1) / BINS) * width,
  ];
}

/** The first bin with more than `left` values up to its end. */
function binAfter(bins: Float64Array, left: number): number {
  let sum = 0;
  const found = bins.findIndex(count => (sum += count) > left);
  return Math.max(0, found);
}

/**
 * A density by Gaussian kernels over binned values, with Silverman's bandwidth, 0.9 · min(SD,
 * IQR/1.34) · n^(−1/5); between the least and the greatest value, since a tail beyond them has no
 * object.
 */
function densityOf(bins: Float64Array, sd: number, [from, to]: [number, number]): Density {
  const binWidth = (to - from) / bins.length;
  const total = bins.reduce((sum, count) => sum + count, 0);
  const binAt = (share: number) => binAfter(bins, share * total);
  const spread = ((binAt(0.75) - binAt(0.25)) * binWidth) / 1.34;
  const least = Math.min(sd, spread > 0 ? spread : sd);
  const bandwidth = Math.max(0.9 * least * total ** -0.2, binWidth);
  const first = bins.findIndex(count => count > 0);
  const last = bins.findLastIndex(count => count > 0);
  const low = from + first * binWidth;
  const high = from + (last + 1) * binWidth;
  const heights = Array.from({ length: STEPS }, (_, step) => {
    const value = low + ((high - low) * step) / (STEPS - 1);
    const begin = Math.max(0, Math.floor((value - REACH * bandwidth - from) / binWidth));
    const end = Math.min(bins.length, Math.ceil((value + REACH * bandwidth - from) / binWidth));
    let height = 0;
    for (let bin = begin; bin < end; bin++) {
      const off = (value - from - (bin + 0.5) * binWidth) / bandwidth;
      height += (bins[bin] as number) * Math.exp(-0.5 * off * off);
    }
    return height;
  });
  const greatest = Math.max(...heights, Number.MIN_VALUE);
  return { low, high, heights: heights.map(height => Math.round((height / greatest) * 1e4) / 1e4) };
}
