import type { GrayImage } from './grayImage';
import { squaredDistances } from './distances';
import { otsu } from './statistics';

/** Longest side of the reduced image in which the background is estimated. */
const REDUCED_SIDE = 256;

/**
 * Subtracts the background of an image, in place. Works in a reduced image: fits slowly varying
 * light, measures the thickest object among the pixels above that light, and takes a smoothed
 * morphological opening wider than that object as the background (a "rolling ball").
 */
export function subtractBackground(image: GrayImage): void {
  const factor = Math.max(1, Math.ceil(Math.max(image.width, image.height) / REDUCED_SIDE));
  const reduced = reduce(image, factor);
  const light = fitLight(reduced);
  // The opening works on values above the fitted light: it would cut off the peak of uneven light.
  const values = reduced.values.map((value, i) => value - (light[i] ?? 0));
  const radius = openingRadius({ ...reduced, values });
  const background = { ...reduced, values: boxMean({ ...reduced, values }, 1) };
  background.values = slidingExtreme(background, radius, Math.min);
  background.values = slidingExtreme(background, radius, Math.max);
  background.values = boxMean(background, Math.max(1, radius >> 1));
  background.values = background.values.map((value, i) => value + (light[i] ?? 0));
  subtractEnlarged(image, background, factor);
}

/** Means of squares of factor × factor pixels; squares at the right and bottom may be smaller. */
function reduce({ width, height, values, step }: GrayImage, factor: number): GrayImage {
  const columns = Math.ceil(width / factor);
  const rows = Math.ceil(height / factor);
  const sums = new Float32Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / factor) * columns;
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const cell = row + Math.floor(x / factor);
      sums[cell] = (sums[cell] ?? 0) + (values[i] ?? 0);
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cellWidth = Math.min(factor, width - column * factor);
      const cellHeight = Math.min(factor, height - row * factor);
      const cell = row * columns + column;
      sums[cell] = (sums[cell] ?? 0) / (cellWidth * cellHeight);
    }
  }
  return { width: columns, height: rows, values: sums, step };
}

/** Half the width of the opening: more than the thickest object above the fitted light. */
function openingRadius({ width, height, values }: GrayImage): number {
  const split = otsu(values);
  const mask = new Uint8Array(values.length);
  if (split) values.forEach((value, i) => (mask[i] = value > split.threshold ? 1 : 0));
  let thickest = 0;
  for (const squared of squaredDistances(mask, width, height)) thickest = Math.max(thickest, squared);
  const shorter = Math.min(width, height);
  const radius = Math.ceil(2 * Math.sqrt(thickest)) + 2;
  return Math.min(Math.max(radius, shorter >> 4), Math.max(1, shorter >> 1));
}

/** Number of terms 1, u, v, u², uv, v². */
const TERMS = 6;

function terms(u: number, v: number): number[] {
  return [1, u, v, u * u, u * v, v * v];
}

/** Fits a second-degree surface; each of five more rounds ignores pixels far above the surface. */
function fitLight({ width, height, values }: GrayImage): Float32Array {
  const fitted = new Float32Array(values.length);
  const stride = Math.max(1, Math.floor(Math.max(width, height) / 64));
  const uOf = (x: number) => (2 * x) / Math.max(1, width - 1) - 1;
  const vOf = (y: number) => (2 * y) / Math.max(1, height - 1) - 1;
  let limit = Infinity;
  let coefficients: number[] = [];
  for (let round = 0; round < 6; round++) {
    const matrix = Array.from({ length: TERMS }, () => new Array<number>(TERMS + 1).fill(0));
    const residuals: number[] = [];
    for (let y = 0; y < height; y += stride) {
      for (let x = 0; x < width; x += stride) {
        const basis = terms(uOf(x), vOf(y));
        const value = values[y * width + x] ?? 0;
        const residual = coefficients.length === 0 ? 0 : value - dot(basis, coefficients);
        residuals.push(residual);
        if (residual > limit) continue;
        for (let row = 0; row < TERMS; row++) {
          const line = matrix[row] ?? [];
          const term = basis[row] ?? 0;
          for (let column = 0; column < TERMS; column++)
            line[column] = (line[column] ?? 0) + term * (basis[column] ?? 0);
          line[TERMS] = (line[TERMS] ?? 0) + term * value;
        }
      }
    }
    coefficients = solve(matrix);
    limit = clippingLimit(residuals, round);
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) fitted[y * width + x] = dot(terms(uOf(x), vOf(y)), coefficients);
  }
  return fitted;
}

/** Values further above the fit than this are ignored: twice the spread of the values below it. */
function clippingLimit(residuals: number[], round: number): number {
  if (round === 0) return 0;
  const below = residuals.filter(residual => residual < 0).map(residual => residual * residual);
  const mean = below.reduce((sum, square) => sum + square, 0) / Math.max(1, below.length);
  return 2 * Math.sqrt(mean);
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Solves the normal equations by elimination with pivoting; undetermined terms are 0. */
function solve(matrix: number[][]): number[] {
  const size = matrix.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(matrix[row]?.[column] ?? 0) > Math.abs(matrix[pivot]?.[column] ?? 0)) pivot = row;
    }
    const pivotRow = matrix[pivot] ?? [];
    matrix[pivot] = matrix[column] ?? [];
    matrix[column] = pivotRow;
    if (Math.abs(pivotRow[column] ?? 0) < 1e-9) {
      pivotRow.fill(0);
      pivotRow[column] = 1;
    }
    for (let row = 0; row < size; row++) {
      const line = matrix[row];
      if (row === column || !line) continue;
      const share = (line[column] ?? 0) / (pivotRow[column] ?? 1);
      for (let i = column; i <= size; i++) line[i] = (line[i] ?? 0) - share * (pivotRow[i] ?? 0);
    }
  }
  return matrix.map((line, i) => (line[size] ?? 0) / (line[i] ?? 1));
}

/** Extreme value within `radius` along rows, then columns; the window is cut at the border. */
function slidingExtreme(
  { width, height, values }: GrayImage,
  radius: number,
  pick: (a: number, b: number) => number,
): Float32Array {
  const result = values.slice();
  const longest = Math.max(width, height);
  const line = new Float32Array(longest);
  // Positions whose values can still become the extreme, best first.
  const queue = new Int32Array(longest);
  const pass = (start: number, step: number, length: number) => {
    for (let i = 0; i < length; i++) line[i] = result[start + i * step] ?? 0;
    let head = 0;
    let tail = 0;
    for (let i = 0; i < length + radius; i++) {
      if (i < length) {
        const value = line[i] ?? 0;
        while (tail > head && pick(line[queue[tail - 1] ?? 0] ?? 0, value) === value) tail--;
        queue[tail++] = i;
      }
      const center = i - radius;
      if (center < 0) continue;
      while ((queue[head] ?? 0) < center - radius) head++;
      result[start + center * step] = line[queue[head] ?? 0] ?? 0;
    }
  };
  for (let y = 0; y < height; y++) pass(y * width, 1, width);
  for (let x = 0; x < width; x++) pass(x, width, height);
  return result;
}

/** Mean within `radius` along rows, then columns; the window is cut at the border. */
function boxMean({ width, height, values }: GrayImage, radius: number): Float32Array {
  const result = values.slice();
  const sums = new Float64Array(Math.max(width, height) + 1);
  const pass = (start: number, step: number, length: number) => {
    for (let i = 0; i < length; i++) sums[i + 1] = (sums[i] ?? 0) + (result[start + i * step] ?? 0);
    for (let i = 0; i < length; i++) {
      const from = Math.max(0, i - radius);
      const to = Math.min(length, i + radius + 1);
      result[start + i * step] = ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
    }
  };
  for (let y = 0; y < height; y++) pass(y * width, 1, width);
  for (let x = 0; x < width; x++) pass(x, width, height);
  return result;
}

/** Enlarges the reduced background bilinearly and subtracts it from the image, in place. */
function subtractEnlarged(image: GrayImage, background: GrayImage, factor: number): void {
  const { width, height, values } = image;
  const leftCells = new Int32Array(width);
  const shares = new Float32Array(width);
  const cellAt = (position: number, cells: number): [cell: number, share: number] => {
    const center = Math.min(Math.max((position + 0.5) / factor - 0.5, 0), cells - 1);
    const cell = Math.min(Math.floor(center), Math.max(0, cells - 2));
    return [cell, cells > 1 ? center - cell : 0];
  };
  for (let x = 0; x < width; x++) [leftCells[x], shares[x]] = cellAt(x, background.width);
  const next = background.width > 1 ? 1 : 0;
  for (let y = 0; y < height; y++) {
    const [row, lowerShare] = cellAt(y, background.height);
    const upper = row * background.width;
    const lower = background.height > 1 ? upper + background.width : upper;
    for (let x = 0; x < width; x++) {
      const cell = leftCells[x] ?? 0;
      const share = shares[x] ?? 0;
      const upperValue = mix(background.values[upper + cell], background.values[upper + cell + next], share);
      const lowerValue = mix(background.values[lower + cell], background.values[lower + cell + next], share);
      const i = y * width + x;
      values[i] = (values[i] ?? 0) - mix(upperValue, lowerValue, lowerShare);
    }
  }
}

function mix(a = 0, b = 0, share = 0): number {
  return a + (b - a) * share;
}
