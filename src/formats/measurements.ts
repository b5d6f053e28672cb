import { forEachColumnSpan, type ObjectMask } from './objectMask';
import { area } from './runLengthEncoding';

/** Shape of one object, in pixels; the definitions are those of scikit-image (see each function). */
export interface ShapeMeasurements {
  area: number;
  /** x1, y1 inclusive, x2, y2 exclusive. */
  bbox: [x1: number, y1: number, x2: number, y2: number];
  centroid: [x: number, y: number];
  perimeter: number;
  majorAxis: number;
  minorAxis: number;
  feretMaximum: number;
}

/** All shape measurements of a mask that has at least one pixel; of an empty one they are 0, its centroid NaN. */
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

/** Mean of the pixels' centres; the centre of pixel (0, 0) is (0.5, 0.5). NaN for an empty mask. */
export function centroid(mask: ObjectMask): [x: number, y: number] {
  let sumX = 0;
  let sumY = 0;
  let count = 0;
  // Relative to the box, so that sums of whole numbers stay exact.
  forEachColumnSpan(mask, (x, y0, y1) => {
    const length = y1 - y0;
    count += length;
    sumX += length * (2 * (x - mask.x) + 1);
    sumY += length * (y0 + y1 - 2 * mask.y);
  });
  return [mask.x + sumX / (2 * count), mask.y + sumY / (2 * count)];
}

/**
 * Axes of the ellipse with the mask's second central moments: 4 · √eigenvalue, pixels taken as points (no 1/12 term;
 * scikit-image's axis_major_length and axis_minor_length).
 */
export function axes(mask: ObjectMask): { majorAxis: number; minorAxis: number } {
  const [centreX, centreY] = centroid(mask);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  let count = 0;
  forEachColumnSpan(mask, (x, y0, y1) => {
    const length = y1 - y0;
    const dx = x + 0.5 - centreX;
    const dy = (y0 + y1) / 2 - centreY;
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
    // A straight line has none; what is left then is rounding.
    minorAxis: smaller <= 4 * Number.EPSILON * mean ? 0 : 4 * Math.sqrt(smaller),
  };
}

/** Length of a border pixel by 2 · edge neighbours + 10 · corner neighbours, those on the border counted, + 1. */
const BORDER_LENGTHS: readonly number[] = Array.from({ length: 50 }, (_, code) => {
  if ([5, 7, 15, 17, 25, 27].includes(code)) return 1;
  if ([21, 33].includes(code)) return Math.SQRT2;
  return [13, 23].includes(code) ? (1 + Math.SQRT2) / 2 : 0;
});

/**
 * Perimeter as scikit-image's `perimeter` with 4-neighbourhood: border pixels (those with a 4-neighbour outside, holes
 * included) weighted by how the border passes through them. 8 × 8 pixels give 28, one pixel 0.
 */
export function perimeter(mask: ObjectMask): number {
  const rows = mask.height + 2;
  // Three columns of the mask and three of its border pass by, padded above and below: no bitmap of the whole.
  const bits = [new Uint8Array(rows), new Uint8Array(rows), new Uint8Array(rows)];
  const border = [new Uint8Array(rows), new Uint8Array(rows), new Uint8Array(rows)];
  let total = 0;
  const advance = (next: Uint8Array | undefined) => {
    const [left, middle, right] = shift(bits, next);
    const [before, here, after] = shift(border, undefined);
    for (let y = 1; y < rows - 1; y++) {
      const inside = middle[y] === 1;
      const deep = left[y] === 1 && right[y] === 1 && middle[y - 1] === 1 && middle[y + 1] === 1;
      after[y] = inside && !deep ? 1 : 0;
    }
    for (let y = 1; y < rows - 1; y++) {
      if (here[y] !== 1) continue;
      const edges = at(before, y) + at(after, y) + at(here, y - 1) + at(here, y + 1);
      const corners = at(before, y - 1) + at(before, y + 1) + at(after, y - 1) + at(after, y + 1);
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

function at(column: Uint8Array, row: number): number {
  return column[row] ?? 0;
}

/** Drops the first of three columns and takes in the next, or an empty one. */
function shift(columns: Uint8Array[], next: Uint8Array | undefined): [Uint8Array, Uint8Array, Uint8Array] {
  const [first = new Uint8Array(0), second = new Uint8Array(0), third = new Uint8Array(0)] = columns;
  const last = next ?? first.fill(0);
  columns[0] = second;
  columns[1] = third;
  columns[2] = last;
  return [second, third, last];
}

/**
 * Largest distance between two points of the contour that runs half a pixel outside the centres of the convex hull's
 * pixels (scikit-image's feret_diameter_max): 8 × 8 pixels give √(8² + 7²) = 10.630, one pixel 1.
 */
export function feretMaximum(mask: ObjectMask): number {
  const tops = new Float64Array(mask.width).fill(Infinity);
  const bottoms = new Float64Array(mask.width).fill(-Infinity);
  forEachColumnSpan(mask, (x, y0, y1) => {
    const column = x - mask.x;
    tops[column] = Math.min(tops[column] ?? 0, y0 - mask.y);
    bottoms[column] = Math.max(bottoms[column] ?? 0, y1 - 1 - mask.y);
  });
  const lower = chain(contourPoints(tops, bottoms));
  const upper = chain(contourPoints(tops, bottoms).reverse()).reverse();
  // The hull's pixels are those whose centre it holds; some stick out of it by up to half a pixel.
  const hullTops = new Float64Array(mask.width);
  const hullBottoms = new Float64Array(mask.width);
  heightsAlong(lower, y => Math.ceil(y - ON_EDGE), hullTops);
  heightsAlong(upper, y => Math.floor(y + ON_EDGE), hullBottoms);
  const outline = contourPoints(hullTops, hullBottoms);
  const corners = [...chain(outline), ...chain(outline.reverse())];
  let largest = 0;
  for (let i = 0; i < corners.length; i++) {
    const [x, y] = corners[i] ?? [0, 0];
    for (let j = i + 1; j < corners.length; j++) {
      const [otherX, otherY] = corners[j] ?? [0, 0];
      largest = Math.max(largest, (x - otherX) ** 2 + (y - otherY) ** 2);
    }
  }
  return Math.sqrt(largest);
}

/** Below the distance of any centre from a hull's edge that does not pass through it, above rounding. */
const ON_EDGE = 1e-7;

type Point = readonly [x: number, y: number];

/** Half a pixel left, right, above and below the outermost pixel centres of each column, from left to right. */
function contourPoints(tops: Float64Array, bottoms: Float64Array): Point[] {
  const points: Point[] = [];
  for (let column = 0; column < tops.length; column++) {
    const top = tops[column] ?? Infinity;
    const bottom = bottoms[column] ?? -Infinity;
    if (top > bottom) continue;
    points.push([column - 0.5, top], [column - 0.5, bottom], [column, top - 0.5]);
    points.push([column, bottom + 0.5], [column + 0.5, top], [column + 0.5, bottom]);
  }
  return points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** One side of the convex hull of sorted points (monotone chain): the upper on the screen, for reversed ones the lower. */
function chain(sorted: Point[]): Point[] {
  const corners: Point[] = [];
  for (const point of sorted) {
    for (;;) {
      const last = corners.at(-1);
      const beforeLast = corners.at(-2);
      if (!last || !beforeLast || turn(beforeLast, last, point) > 0) break;
      corners.pop();
    }
    corners.push(point);
  }
  return corners;
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Rounded heights of a side of the hull, corners from left to right, at each column's centre. */
function heightsAlong(side: Point[], round: (y: number) => number, heights: Float64Array): void {
  let next = 1;
  for (let column = 0; column < heights.length; column++) {
    while (next < side.length - 1 && (side[next]?.[0] ?? 0) < column) next++;
    const [x1, y1] = side[next - 1] ?? [0, 0];
    const [x2, y2] = side[next] ?? [1, 0];
    heights[column] = round(x2 > x1 ? y1 + ((y2 - y1) * (column - x1)) / (x2 - x1) : y1);
  }
}
