import type { ScaleLinear } from 'd3-scale';
import { DensityCells } from './densityCells';
import type { ScatterPoints } from './scatterData';

/** Points in pixels of the plot's body. */
export interface PixelPoints {
  x: Float32Array;
  y: Float32Array;
  data: ScatterPoints;
  cells?: DensityCells;
}

type Scale = ScaleLinear<number, number>;

export function pixelPoints(data: ScatterPoints, x: Scale, y: Scale): PixelPoints {
  return {
    x: pixels(data.x, x),
    y: pixels(data.y, y),
    data,
    ...(data.grid && { cells: new DensityCells(data.grid, x, y) }),
  };
}

/** Applies a scale without a call for each value. */
function pixels(values: Float64Array, scale: Scale): Float32Array {
  const [low = 0, high = 1] = scale.domain();
  const [from = 0, to = 1] = scale.range();
  const factor = (to - from) / (high - low);
  const placed = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) placed[at] = from + ((values[at] as number) - low) * factor;
  return placed;
}

/** The index of a row among ascending rows; −1 for none. */
export function indexOfRow(row: number, rows: Uint32Array): number {
  let [low, high] = [0, rows.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = rows[middle] as number;
    if (found === row) return middle;
    if (found < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Pixels of a dot's radius: a few are large enough to hit, many leave room for each other. */
export function dotRadius(count: number): number {
  return Math.max(1.1, Math.min(4.5, 4.5 * (60 / Math.max(1, count)) ** 0.22));
}
