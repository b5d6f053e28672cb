import type { Raster } from '../../../images/raster';
import type { SamplePipeline } from './pipelines';

/** One value per pixel, row-major. */
export interface GrayImage {
  width: number;
  height: number;
  values: Float32Array;
  /** Smallest step between two samples of the file; contrasts below it are meaningless. */
  step: number;
}

/** Samples without a natural range (32 bits) are scaled to 0 to this value. */
const FULL_SCALE = 65535;

/** Weights of red, green and blue in luma, by ITU-R BT.601. */
const LUMA = [0.299, 0.587, 0.114];

/** Positions of the channels other than alpha. */
export function imageChannels(raster: Raster): number[] {
  return Array.from({ length: raster.channels }, (_, i) => i).filter(channel => channel !== raster.alpha);
}

/**
 * A gray image in which a pipeline's objects have high values.
 *
 * - For bright objects, the values are brightness: luma of RGB, else the mean of the channels,
 *   inverted where 0 is white in the file.
 * - For dark objects, the values are inverted brightness.
 * - For hematoxylin, the values are the amount of stain in an 8-bit RGB image. Other images have no
 *   colors to separate stains by: the values are inverted brightness.
 *
 * Floats and 32-bit samples are scaled to 0…65535, samples of fewer than 8 bits to 0…255. NaN
 * becomes the lowest value.
 */
export function grayImage(raster: Raster, objects: SamplePipeline['objects']): GrayImage {
  const { width, height, channels, samples } = raster;
  const channelIndexes = imageChannels(raster);
  const isColor = raster.photometric === 'rgb' && channelIndexes.length === 3;
  if (objects === 'hematoxylin' && isColor && raster.bitsPerSample === 8)
    return { width, height, values: hematoxylin(raster), step: 1 };
  const weights = channelIndexes.map(i => (isColor ? (LUMA[i] ?? 0) : 1 / channelIndexes.length));
  const values = new Float32Array(width * height);
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    let value = 0;
    for (let c = 0; c < channelIndexes.length; c++) {
      value += (samples[i * channels + (channelIndexes[c] ?? 0)] ?? 0) * (weights[c] ?? 0);
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
  return { width, height, values, step: bits <= 8 ? 1 / channelIndexes.length : 1 };
}

/* Stains absorb light. The optical density of red, green and blue is the sum over the stains of
 * amount times the stain's density in that color. The inverse of the matrix of stain densities
 * gives the amounts. See Ruifrok and Johnston, "Quantification of histochemical staining by color
 * deconvolution", Anal Quant Cytol Histol 23 (2001), 291–299.
 */

type Vector = readonly [red: number, green: number, blue: number];

/** Optical densities of red, green and blue, as Ruifrok and Johnston measured them. */
const HEMATOXYLIN: Vector = [0.65, 0.704, 0.286];
const DAB: Vector = [0.268, 0.57, 0.776];

/** Value of the result for an optical density of 1, at which a tenth of the light passes. */
const PER_DENSITY = 255;

/** Amount of hematoxylin per pixel of an 8-bit RGB image stained with hematoxylin and DAB. */
export function hematoxylin({ width, height, channels, samples }: Raster): Float32Array {
  // The third color of the matrix is perpendicular to both stains. The inverse matrix's row for
  // hematoxylin is perpendicular to DAB and to this third color.
  const row = cross(DAB, cross(HEMATOXYLIN, DAB));
  const weight = PER_DENSITY / dot(row, HEMATOXYLIN);
  // Level 0 has an infinite density; it counts as level 0.5.
  const density = Float64Array.from({ length: 256 }, (_, level) => -Math.log10(Math.max(level, 0.5) / 255));
  const amounts = new Float32Array(width * height);
  for (let i = 0; i < amounts.length; i++) {
    let amount = 0;
    for (let c = 0; c < 3; c++) amount += (row[c] ?? 0) * (density[samples[i * channels + c] ?? 0] ?? 0);
    amounts[i] = Math.max(0, amount * weight);
  }
  return amounts;
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
