import type { Raster } from '../../../images/raster';

/*
 * Stains absorb: their amounts add up in the optical density of red, green and blue, each in the ratio of its own color.
 * The amounts follow from the densities by the inverse of the matrix of these ratios. See Ruifrok and Johnston,
 * "Quantification of histochemical staining by color deconvolution", Anal Quant Cytol Histol 23 (2001), 291–299.
 */

type Vector = readonly [red: number, green: number, blue: number];

/** Optical densities of red, green and blue, as Ruifrok and Johnston measured them. */
const HEMATOXYLIN: Vector = [0.65, 0.704, 0.286];
const DAB: Vector = [0.268, 0.57, 0.776];

/** Steps of the result in an optical density of 1, where a tenth of the light passes. */
const PER_DENSITY = 255;

/** The amount of hematoxylin per pixel of an 8-bit RGB image that is stained with hematoxylin and DAB; none is 0. */
export function hematoxylin({ width, height, channels, samples }: Raster): Float32Array {
  // What neither stain explains is a third color, at right angles to both. The row of the inverse for hematoxylin is at
  // right angles to DAB and to that.
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
