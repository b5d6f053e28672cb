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

/** Largest value of the scale that samples without a natural range are mapped to. */
const FULL_SCALE = 65535;

/** ITU-R BT.601, what "luma" means for an RGB image. */
const LUMA = [0.299, 0.587, 0.114];

/** Positions of the channels other than alpha. */
export function imageChannels(raster: Raster): number[] {
  return Array.from({ length: raster.channels }, (_, i) => i).filter(channel => channel !== raster.alpha);
}

/**
 * An image in which the objects of a pipeline are high. For bright ones that is its brightness:
 * luma of RGB, the mean of other channels, inverted where 0 is white in the file. For dark ones it
 * is the inverse of that, and for stained ones too, unless the image is RGB of 8 bits, whose colors
 * tell the stain. Floats and 32-bit samples are scaled to 0…65535, samples of fewer than 8 bits to
 * 0…255; NaN is the lowest.
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

/*
 * Stains absorb: their amounts add up in the optical density of red, green and blue, each in the
 * ratio of its own color. The amounts follow from the densities by the inverse of the matrix of
 * these ratios. See Ruifrok and Johnston, "Quantification of histochemical staining by color
 * deconvolution", Anal Quant Cytol Histol 23 (2001), 291–299.
 */

type Vector = readonly [red: number, green: number, blue: number];

/** Optical densities of red, green and blue, as Ruifrok and Johnston measured them. */
const HEMATOXYLIN: Vector = [0.65, 0.704, 0.286];
const DAB: Vector = [0.268, 0.57, 0.776];

/** Steps of the result in an optical density of 1, where a tenth of the light passes. */
const PER_DENSITY = 255;

/** Hematoxylin per pixel of an 8-bit RGB image stained with hematoxylin and DAB; 0 for none. */
export function hematoxylin({ width, height, channels, samples }: Raster): Float32Array {
  // What neither stain explains is a third color, at right angles to both. The row of the inverse
  // for hematoxylin is at right angles to DAB and to that.
  const row = cross(DAB, cross(HEMATOXYLIN, DAB));
  const weight = PER_DENSITY / dot(row, HEMATOXYLIN);
  // A pixel without any light counts as half a step.
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
