import type { Raster } from '../../formats/raster';

/** Sample values shown as black and as white. */
export interface ChannelRange {
  low: number;
  high: number;
}

/** Share of the samples left below and above the range. */
const CUT = 0.0035;
/** Samples looked at per channel. */
const MOST_SAMPLES = 4_000_000;

/** The channels that are painted: one as grey, else the first three as red, green and blue; alpha is left out. */
export function shownChannels({ channels, alpha }: Raster): number[] {
  const colours = Array.from({ length: channels }, (_, channel) => channel).filter(
    channel => channel !== alpha,
  );
  return colours.slice(0, 3);
}

/**
 * The range of each shown channel, fixed for the whole picture: from the 0.35th to the 99.65th percentile of up to four
 * million samples; one range for the three of an RGB picture, so that colours keep their balance. Undefined for 8-bit
 * RGB, which is shown as it is.
 */
export function contrastOf(raster: Raster): ChannelRange[] | undefined {
  const shown = shownChannels(raster);
  if (raster.photometric === 'rgb') {
    if (raster.bitsPerSample === 8) return undefined;
    const common = percentileRange(shown.map(channel => someSamples(raster, channel)));
    return shown.map(() => common);
  }
  return shown.map(channel => percentileRange([someSamples(raster, channel)]));
}

function percentileRange(channels: readonly Float64Array[]): ChannelRange {
  let low = Infinity;
  let high = -Infinity;
  for (const sorted of channels) {
    const last = sorted.length - 1;
    low = Math.min(low, sorted[Math.floor(CUT * last)] ?? Infinity);
    high = Math.max(high, sorted[Math.ceil((1 - CUT) * last)] ?? -Infinity);
  }
  if (low > high) return { low: 0, high: 1 };
  return { low, high: high > low ? high : low + 1 };
}

/** Finite samples of one channel, evenly spread over the picture, in rising order. */
function someSamples({ samples, width, height, channels }: Raster, channel: number): Float64Array {
  const pixels = width * height;
  let stride = Math.max(1, Math.ceil(pixels / MOST_SAMPLES));
  // A stride that divides the width would look at a few columns only.
  while (stride > 1 && commonDivisor(stride, width) > 1) stride++;
  const values = new Float64Array(Math.ceil(pixels / stride));
  let count = 0;
  for (let pixel = 0; pixel < pixels; pixel += stride) {
    const value = samples[pixel * channels + channel] ?? NaN;
    if (Number.isFinite(value)) values[count++] = value;
  }
  return values.subarray(0, count).sort();
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
