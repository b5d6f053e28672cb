import type { Samples } from '../raster';

/*
 * The ends of the gray scale are percentiles, because a few hot or dead pixels would otherwise make the rest of an image
 * flat. 8- and 16-bit samples are counted exactly; wider ones are sorted, at most a million evenly spaced ones.
 */

/** Sample values shown as black and as white. */
export interface ChannelRange {
  low: number;
  high: number;
}

/** The histogram of a channel, and its percentile range. */
export interface SampleSpread extends ChannelRange {
  lowest: number;
  highest: number;
  /** Numbers of samples in 64 bins of equal width from the lowest to the highest. */
  counts: number[];
}

/** Share of the samples left below and above the range. */
const CLIPPED_SHARE = 0.0035;
/** Samples of a channel that are sorted, where counting isn't possible. */
const MAX_SORTED = 1_000_000;
const BINS = 64;

/**
 * The range from the 0.35th to the 99.65th percentile of the samples that are finite numbers. One range over several
 * channels keeps their balance: it reaches from the lowest of their percentiles to the highest.
 */
export function percentileRange(channels: readonly Samples[]): ChannelRange {
  let low = Infinity;
  let high = -Infinity;
  for (const samples of channels) {
    const range = samples.BYTES_PER_ELEMENT <= 2 ? countedRange(samples) : sortedRange(samples);
    if (!range) continue;
    low = Math.min(low, range.low);
    high = Math.max(high, range.high);
  }
  if (low > high) return { low: 0, high: 1 };
  return { low, high: high > low ? high : low + 1 };
}

/** The percentile range and the histogram of one channel, of its finite samples. */
export function spreadOf(samples: Samples): SampleSpread {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of samples) {
    if (!Number.isFinite(value)) continue;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  const counts = new Array<number>(BINS).fill(0);
  const range = percentileRange([samples]);
  if (lowest > highest) return { ...range, lowest: 0, highest: 1, counts };
  const width = (highest - lowest) / BINS || 1;
  for (const value of samples) {
    if (!Number.isFinite(value)) continue;
    const bin = Math.min(BINS - 1, Math.floor((value - lowest) / width));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return { ...range, lowest, highest, counts };
}

/** Positions of the black and the white sample among the sorted ones. */
function percentiles(count: number): [low: number, high: number] {
  return [Math.floor(CLIPPED_SHARE * (count - 1)), Math.ceil((1 - CLIPPED_SHARE) * (count - 1))];
}

/** The range of 8- or 16-bit samples, from how often each value occurs. */
function countedRange(samples: Samples): ChannelRange | undefined {
  const size = 2 ** (samples.BYTES_PER_ELEMENT * 8);
  const offset = samples instanceof Int8Array || samples instanceof Int16Array ? size / 2 : 0;
  const counts = new Uint32Array(size);
  for (const value of samples) counts[value + offset] = (counts[value + offset] as number) + 1;
  if (samples.length === 0) return undefined;
  const [low, high] = percentiles(samples.length);
  const range = { low: NaN, high: NaN };
  let seen = 0;
  for (let value = 0; value < size; value++) {
    seen += counts[value] as number;
    if (Number.isNaN(range.low) && seen > low) range.low = value - offset;
    if (seen > high) return { ...range, high: value - offset };
  }
  return undefined;
}

function sortedRange(samples: Samples): ChannelRange | undefined {
  const stride = Math.max(1, Math.ceil(samples.length / MAX_SORTED));
  const values = new Float64Array(Math.ceil(samples.length / stride));
  let count = 0;
  for (let at = 0; at < samples.length; at += stride) {
    const value = samples[at] as number;
    if (Number.isFinite(value)) values[count++] = value;
  }
  if (count === 0) return undefined;
  const sorted = values.subarray(0, count).sort();
  const [low, high] = percentiles(count);
  return { low: sorted[low] ?? 0, high: sorted[high] ?? 0 };
}
