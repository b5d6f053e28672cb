import { depthsIn, type Cell } from './cells';
import type { Random } from './random';

/** One channel of an image being drawn: light per pixel, row-major. */
export interface Plane {
  width: number;
  height: number;
  light: Float32Array;
}

export function newPlane(width: number, height: number, background = 0): Plane {
  return { width, height, light: new Float32Array(width * height).fill(background) };
}

/**
 * Draws a cell: calls `shade` with the depth of each pixel (0 on the outline, 1 at the center) and how much of
 * the pixel it covers (0…1, with an outline `softness` pixels wide), and takes the maximum of the present value and
 * what it returns.
 */
export function drawCell(
  plane: Plane,
  cell: Cell,
  softness: number,
  shade: (depth: number, cover: number, x: number, y: number) => number,
): void {
  const { width, height, light } = plane;
  const depthAt = depthsIn(cell);
  const reach = cell.radius * Math.sqrt(cell.elongation) * 1.4 + 2 * softness;
  for (let y = Math.max(0, Math.floor(cell.y - reach)); y < Math.min(height, cell.y + reach); y++) {
    for (let x = Math.max(0, Math.floor(cell.x - reach)); x < Math.min(width, cell.x + reach); x++) {
      const depth = depthAt(x + 0.5, y + 0.5);
      const edge = Math.min(1, Math.max(0, (depth * cell.radius) / softness + 0.5));
      if (edge === 0) continue;
      const value = shade(Math.max(0, depth), edge * edge * (3 - 2 * edge), x, y);
      const i = y * width + x;
      light[i] = Math.max(light[i] ?? 0, value);
    }
  }
}

/** A number from 0 to 1 for a point of a grid, the same for every call. */
function gridValue(x: number, y: number, seed: number): number {
  let bits = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 13), 0x297a2d39);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Cloudy texture from 0 to 1 with grains of about `grain` pixels. */
export function clouds(x: number, y: number, grain: number, seed: number): number {
  const column = Math.floor(x / grain);
  const row = Math.floor(y / grain);
  const u = ease(x / grain - column);
  const v = ease(y / grain - row);
  const top = gridValue(column, row, seed) * (1 - u) + gridValue(column + 1, row, seed) * u;
  const bottom = gridValue(column, row + 1, seed) * (1 - u) + gridValue(column + 1, row + 1, seed) * u;
  return top * (1 - v) + bottom * v;
}

function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

/** The illumination of a microscope: 1 in its center (in shares of the image), down to 1 − drop in far corners. */
export function illumination(plane: Plane, center: [x: number, y: number], drop: number): Float32Array {
  const { width, height } = plane;
  const field = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x / width - center[0], y / height - center[1]];
      field[y * width + x] = 1 - drop * Math.min(1, dx * dx + dy * dy);
    }
  }
  return field;
}

/**
 * A camera's image of the light: photons counted at `photons` for light 1 (Poisson), read noise in the same units
 * as the light (normal), scaled to `white` for light 1 and cut to 0…`highest`.
 */
export function expose(
  random: Random,
  plane: Plane,
  {
    photons,
    readNoise,
    white,
    highest,
  }: { photons: number; readNoise: number; white: number; highest: number },
): Float32Array {
  return plane.light.map(light => {
    const seen = random.poisson(light * photons) / photons + readNoise * random.normal();
    return Math.min(highest, Math.max(0, Math.round(seen * white)));
  });
}
