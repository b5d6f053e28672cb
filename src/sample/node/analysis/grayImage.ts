import type { Raster } from '../../../images/raster';
import { hematoxylin } from './colorDeconvolution';
import type { SamplePipeline } from './pipelines';

/** One value per pixel, row-major. */
export interface GrayImage {
  width: number;
  height: number;
  values: Float32Array;
  /** Smallest step between two samples of the file; contrasts below it are meaningless. */
  step: number;
}

/** Largest value of the scale that samples without a natural range are mapped to. */
const FULL_SCALE = 65535;

/** ITU-R BT.601, what "luma" means for an RGB image. */
const LUMA = [0.299, 0.587, 0.114];

/** Positions of the channels other than alpha. */
export function imageChannels(raster: Raster): number[] {
  return Array.from({ length: raster.channels }, (_, i) => i).filter(channel => channel !== raster.alpha);
}

/**
 * An image in which the objects of a pipeline are high. For bright ones that is its brightness: luma of RGB, the mean
 * of other channels, inverted where 0 is white in the file. For dark ones it is the inverse of that, and for stained ones
 * too, unless the image is RGB of 8 bits, whose colors tell the stain. Floats and 32-bit samples are scaled to 0…65535,
 * samples of fewer than 8 bits to 0…255; NaN is the lowest.
 */
export function grayImage(raster: Raster, objects: SamplePipeline['objects']): GrayImage {
  const { width, height, channels, samples } = raster;
  const used = imageChannels(raster);
  const isColor = raster.photometric === 'rgb' && used.length === 3;
  if (objects === 'hematoxylin' && isColor && raster.bitsPerSample === 8)
    return { width, height, values: hematoxylin(raster), step: 1 };
  const weights = used.map(i => (isColor ? (LUMA[i] ?? 0) : 1 / used.length));
  const values = new Float32Array(width * height);
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    let value = 0;
    for (let c = 0; c < used.length; c++) {
      value += (samples[i * channels + (used[c] ?? 0)] ?? 0) * (weights[c] ?? 0);
    }
    values[i] = value;
    if (Number.isFinite(value)) {
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
  }
  const inverted = (objects !== 'bright') !== (raster.photometric === 'white-is-zero');
  if (raster.bitsPerSample === 32) {
    const scale = highest > lowest ? FULL_SCALE / (highest - lowest) : 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      values[i] = Number.isFinite(value) ? (value - lowest) * scale : value > 0 ? FULL_SCALE : 0;
    }
  }
  const bits = raster.bitsPerSample;
  if (bits < 8)
    for (let i = 0; i < values.length; i++) values[i] = ((values[i] ?? 0) * 255) / (2 ** bits - 1);
  const top = bits <= 8 ? 255 : FULL_SCALE;
  if (inverted) for (let i = 0; i < values.length; i++) values[i] = top - (values[i] ?? 0);
  return { width, height, values, step: bits <= 8 ? 1 / used.length : 1 };
}
