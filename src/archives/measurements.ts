// Measurements are computed from runs, column by column, and agree with scikit-image bit for bit
// where it counts pixels and to rounding where it doesn't (docs/measurements.md; golden values in
// test/golden). No bitmap of an object is made: a mask of a whole slide costs as little as its
// outline.
import { forEachColumnSpan, type ObjectMask } from './objectMask';
import { area } from './runLengthEncoding';

/** Shape of one object in pixels, as scikit-image defines it (see each function). */
interface ShapeMeasurements {
  area: number;
  /** x1, y1 inclusive, x2, y2 exclusive. */
  bbox: [x1: number, y1: number, x2: number, y2: number];
  centroid: [x: number, y: number];
  perimeter: number;
  majorAxis: number;
  minorAxis: number;
  feretMaximum: number;
}

/** All shape measurements of a mask; an empty mask has zeros, and NaN as its centroid. */
export function measureShape(mask: ObjectMask): ShapeMeasurements {
  const { majorAxis, minorAxis } = axes(mask);
  return {
    area: area(mask.runs),
    bbox: [mask.x, mask.y, mask.x + mask.width, mask.y + mask.height],
    centroid: centroid(mask),
    perimeter: perimeter(mask),
    majorAxis,
    minorAxis,
    feretMaximum: feretMaximum(mask),
  };
}

/** Mean of the pixels' centers; the center of pixel (0, 0) is (0.5, 0.5). NaN for an empty mask. */
export function centroid(mask: ObjectMask): [x: number, y: number] {
  let sumX = 0;
  let sumY = 0;
  let count = 0;
  // Positions are relative to the box, so that sums of whole numbers stay exact.
  forEachColumnSpan(mask, (x, y0, y1) => {
    const length = y1 - y0;
    count += length;
    sumX += length * (2 * (x - mask.x) + 1);
    sumY += length * (y0 + y1 - 2 * mask.y);
  });
  return [mask.x + sumX / (2 * count), mask.y + sumY / (2 * count)];
}

/**
 * Axes of the ellipse with the mask's second central moments: 4 · √eigenvalue, pixels taken as
 * points (no 1/12 term; scikit-image's axis_major_length and axis_minor_length).
 */
export function axes(mask: ObjectMask): { majorAxis: number; minorAxis: number } {
  const [centerX, centerY] = centroid(mask);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  let count = 0;
  forEachColumnSpan(mask, (x, y0, y1) => {
    const length = y1 - y0;
    const dx = x + 0.5 - centerX;
    const dy = (y0 + y1) / 2 - centerY;
    count += length;
    xx += length * dx * dx;
    xy += length * dx * dy;
    yy += length * (dy * dy + (length * length - 1) / 12);
  });
  if (count === 0) return { majorAxis: 0, minorAxis: 0 };
  const mean = (xx + yy) / (2 * count);
  const spread = Math.hypot((xx - yy) / (2 * count), xy / count);
  const smaller = mean - spread;
  return {
    majorAxis: 4 * Math.sqrt(mean + spread),
    // A straight line has no minor axis; what remains is rounding.
    minorAxis: smaller <= 4 * Number.EPSILON * mean ? 0 : 4 * Math.sqrt(smaller),
  };
}

/** Length of a border pixel by 2 · edge neighbors + 10 · corner neighbors on the border, + 1. */
const BORDER_LENGTHS: readonly number[] = Array.from({ length: 50 }, (_, code) => {
  if ([5, 7, 15, 17, 25, 27].includes(code)) return 1;
  if ([21, 33].includes(code)) return Math.SQRT2;
  return [13, 23].includes(code) ? (1 + Math.SQRT2) / 2 : 0;
});

/**
 * Perimeter as scikit-image's `perimeter` with 4-neighborhood: border pixels (those with a
 * 4-neighbor outside, holes included) weighted by how the border passes through them. 8 × 8 pixels
 * give 28, one pixel 0.
 */
export function perimeter(mask: ObjectMask): number {
  const rows = mask.height + 2;
  // A sliding window of three columns of the mask and of its border, padded above and below.
  const bits = [new Uint8Array(rows), new Uint8Array(rows), new Uint8Array(rows)];
  const border = [new Uint8Array(rows), new Uint8Array(rows), new Uint8Array(rows)];
  let total = 0;
  const advance = (next: Uint8Array | undefined) => {
    const [left, middle, right] = shift(bits, next);
    const [leftBorder, middleBorder, rightBorder] = shift(border, undefined);
    for (let y = 1; y < rows - 1; y++) {
      const inside = middle[y] === 1;
      const isInterior = left[y] === 1 && right[y] === 1 && middle[y - 1] === 1 && middle[y + 1] === 1;
      rightBorder[y] = inside && !isInterior ? 1 : 0;
    }
    for (let y = 1; y < rows - 1; y++) {
      if (middleBorder[y] !== 1) continue;
      const edges =
        valueAt(leftBorder, y) +
        valueAt(rightBorder, y) +
        valueAt(middleBorder, y - 1) +
        valueAt(middleBorder, y + 1);
      const corners =
        valueAt(leftBorder, y - 1) +
        valueAt(leftBorder, y + 1) +
        valueAt(rightBorder, y - 1) +
        valueAt(rightBorder, y + 1);
      total += BORDER_LENGTHS[1 + 2 * edges + 10 * corners] ?? 0;
    }
  };
  let column = new Uint8Array(rows);
  let current = mask.x;
  forEachColumnSpan(mask, (x, y0, y1) => {
    for (; current < x; current++) {
      advance(column);
      column = new Uint8Array(rows);
    }
    column.fill(1, y0 - mask.y + 1, y1 - mask.y + 1);
  });
  advance(column);
  advance(undefined);
  advance(undefined);
  return total;
}

function valueAt(column: Uint8Array, row: number): number {
  return column[row] as number;
}

/** Drops the first of three columns and appends the next, or an empty one. */
function shift(columns: Uint8Array[], next: Uint8Array | undefined): [Uint8Array, Uint8Array, Uint8Array] {
  const [first = new Uint8Array(0), second = new Uint8Array(0), third = new Uint8Array(0)] = columns;
  const last = next ?? first.fill(0);
  columns[0] = second;
  columns[1] = third;
  columns[2] = last;
  return [second, third, last];
}

/**
 * Largest distance between two points of the contour that runs half a pixel outside the centers of
 * the convex hull's pixels (scikit-image's feret_diameter_max): 8 × 8 pixels give √(8² + 7²) =
 * 10.630, one pixel 1.
 */
export function feretMaximum(mask: ObjectMask): number {
  const tops = new Float64Array(mask.width).fill(Infinity);
  // Upside down, so that one function finds both sides.
  const bottoms = new Float64Array(mask.width).fill(Infinity);
  forEachColumnSpan(mask, (x, y0, y1) => {
    const column = x - mask.x;
    tops[column] = Math.min(tops[column] as number, y0 - mask.y);
    bottoms[column] = Math.min(bottoms[column] as number, mask.y - (y1 - 1));
  });
  // The hull's pixels have their centers inside; some extend beyond it by up to half a pixel.
  const upper = hullSide(hullPixels(tops));
  const lower = hullSide(hullPixels(bottoms));
  const x = [...upper.x, ...lower.x];
  const y = [...upper.y, ...lower.y.map(height => -height)];
  let largest = 0;
  for (let i = 0; i < x.length; i++)
    for (let j = i + 1; j < x.length; j++) {
      const dx = (x[i] as number) - (x[j] as number);
      const dy = (y[i] as number) - (y[j] as number);
      largest = Math.max(largest, dx * dx + dy * dy);
    }
  return Math.sqrt(largest);
}

/** More than rounding, less than any pixel center's distance from a hull edge beside it. */
const ON_EDGE = 1e-7;

/** Corners from left to right. */
interface Side {
  x: number[];
  y: number[];
}

/**
 * The upper side of the convex hull around the points half a pixel left, right and above of the
 * topmost pixel center of each column; Infinity stands for an empty column.
 */
function hullSide(tops: Float64Array): Side {
  const x: number[] = [];
  const y: number[] = [];
  const add = (nextX: number, nextY: number) => {
    // Monotone chain: removes corners that would bend inwards or lie on a straight line.
    for (let last = x.length - 1; last > 0; last--) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [x[last - 1], y[last - 1], x[last], y[last]];
      if ((x2 - x1) * (nextY - y1) > (y2 - y1) * (nextX - x1)) break;
      x.pop();
      y.pop();
    }
    x.push(nextX);
    y.push(nextY);
  };
  let previousTop = Infinity;
  for (let column = 0; column <= tops.length; column++) {
    const top = tops[column] ?? Infinity;
    const between = Math.min(previousTop, top);
    if (between < Infinity) add(column - 0.5, between);
    if (top < Infinity) add(column, top - 0.5);
    previousTop = top;
  }
  return { x, y };
}

/** The topmost pixel of each column whose center lies inside the hull. */
function hullPixels(tops: Float64Array): Float64Array {
  const { x, y } = hullSide(tops);
  let next = 1;
  return tops.map((_, column) => {
    while (next < x.length - 1 && (x[next] ?? 0) < column) next++;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [x[next - 1], y[next - 1], x[next], y[next]];
    return Math.ceil(y1 + ((y2 - y1) * (column - x1)) / (x2 - x1) - ON_EDGE);
  });
}
