import { Pacer } from '../../base/node/slices';
import { type AxisScales, onAxis } from '../../columns/axisScale';
import type { GatePoint } from '../gate';
import { eachWord, lowest, noRows, type RowBits } from './rowBits';

/** The points of rows, as positions on axes. All rows in the set have one. */
export interface PlacedPoints {
  xs: Float64Array;
  ys: Float64Array;
  rows: RowBits;
}

/**
 * The rows whose point is inside a polygon by the even-odd rule, or on its lines, which are
 * straight on the axes. Throws `cancelled`.
 */
export async function rowsInPolygon(
  points: readonly GatePoint[],
  scales: AxisScales,
  { xs, ys, rows }: PlacedPoints,
  signal: AbortSignal | undefined,
): Promise<RowBits> {
  const { left, low, across, up, cells, isInside } = new GridPolygon(points, scales);
  const inside = noRows(32 * rows.length);
  await eachWord(rows, new Pacer(signal), (word, bits) => {
    const base = word * 32;
    let insideHere = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const bit = lowest(rest);
      const x = xs[base + bit] as number;
      const y = ys[base + bit] as number;
      // Points beyond the grid count to its outermost cells: a branch would be slower.
      const column = Math.min(GRID - 1, Math.max(0, (x - left) * across)) | 0;
      const row = Math.min(GRID - 1, Math.max(0, (y - low) * up)) | 0;
      const cell = cells[(row << GRID_BITS) | column] as number;
      insideHere |= (cell & INSIDE) << bit;
      if (cell === UNDECIDED && isInside(x, y)) insideHere |= 1 << bit;
    }
    inside[word] = insideHere;
  });
  return inside;
}

const GRID_BITS = 6;
/** Cells along each side of a polygon's grid. */
const GRID = 1 << GRID_BITS;
/** Cells that are wholly inside, and cells near a line. Those that are wholly outside are 0. */
const [INSIDE, UNDECIDED] = [1, 2];

/**
 * A polygon in a grid of cells. Most cells are wholly inside or outside. Only points in cells near
 * a line are compared with all lines. The outermost cells surround the polygon.
 */
class GridPolygon {
  readonly left: number;
  readonly low: number;
  /** Cells per unit of the axes. */
  readonly across: number;
  readonly up: number;
  readonly cells = new Uint8Array(GRID * GRID);
  readonly isInside: (x: number, y: number) => boolean;

  constructor(points: readonly GatePoint[], scales: AxisScales) {
    const xs = points.map(([x]) => onAxis(x, scales[0]));
    const ys = points.map(([, y]) => onAxis(y, scales[1]));
    const [left, width] = withMargin(xs);
    const [low, height] = withMargin(ys);
    this.left = left;
    this.low = low;
    this.across = GRID / width;
    this.up = GRID / height;
    this.isInside = insideOf(points, scales);
    const { cells, across, up } = this;
    points.forEach((_, at) => {
      const next = (at + 1) % points.length;
      const column = (of: number) => ((xs[of] ?? NaN) - left) * across;
      const row = (of: number) => ((ys[of] ?? NaN) - low) * up;
      markLine(cells, column(at), row(at), column(next), row(next));
    });
    for (let cell = 0; cell < cells.length; cell++) {
      if (cells[cell] === UNDECIDED) continue;
      const [column, row] = [cell & (GRID - 1), cell >> GRID_BITS];
      // Outermost cells can be inside if numbers are so large that the margin is lost to rounding.
      const isOutermost = column % (GRID - 1) === 0 || row % (GRID - 1) === 0;
      if (this.isInside(left + (column + 0.5) / across, low + (row + 0.5) / up))
        cells[cell] = isOutermost ? UNDECIDED : INSIDE;
    }
  }
}

/** Start and width of a range with a margin around numbers. */
function withMargin(places: readonly number[]): [from: number, width: number] {
  const [least, greatest] = [Math.min(...places), Math.max(...places)];
  const size = greatest - least || Math.abs(least) || 1;
  return [least - size / 48, greatest - least + size / 24];
}

/** Fraction of a cell within which a line counts as near. */
const NEAR = 1e-3;

/** Marks the cells that a line passes, or comes near to. */
function markLine(cells: Uint8Array, fromX: number, fromY: number, toX: number, toY: number): void {
  const [lowX, lowY, highX, highY] = fromY <= toY ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
  const slope = highY > lowY ? (highX - lowX) / (highY - lowY) : 0;
  const cellOf = (place: number) => Math.max(0, Math.min(GRID - 1, Math.floor(place)));
  for (let row = cellOf(lowY - NEAR); row <= cellOf(highY + NEAR); row++) {
    const begin = Math.max(lowY, row - NEAR);
    const end = Math.min(highY, row + 1 + NEAR);
    // A line that is nearly level may be anywhere between its ends.
    const isLevel = highY - lowY < NEAR;
    const [a, b] = isLevel ? [lowX, highX] : [lowX + (begin - lowY) * slope, lowX + (end - lowY) * slope];
    const last = cellOf(Math.max(a, b) + NEAR);
    for (let column = cellOf(Math.min(a, b) - NEAR); column <= last; column++)
      cells[(row << GRID_BITS) | column] = UNDECIDED;
  }
}

/** Returns a test whether a point is inside a polygon by the even-odd rule, or on its lines. */
function insideOf(
  points: readonly GatePoint[],
  [xScale, yScale]: AxisScales = ['linear', 'linear'],
): (x: number, y: number) => boolean {
  const xs = Float64Array.from(points, ([x]) => onAxis(x, xScale));
  const ys = Float64Array.from(points, ([, y]) => onAxis(y, yScale));
  const last = points.length - 1;
  const [left, right] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  const [low, high] = [ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))];
  return (x, y) => {
    if (x < left || x > right || y < low || y > high) return false;
    let odd = false;
    let fromX = xs[last] as number;
    let fromY = ys[last] as number;
    for (let at = 0; at <= last; at++) {
      const toX = xs[at] as number;
      const toY = ys[at] as number;
      if ((y >= fromY && y <= toY) || (y >= toY && y <= fromY)) {
        const side = (x - fromX) * (toY - fromY) - (y - fromY) * (toX - fromX);
        if (side === 0 && ((x >= fromX && x <= toX) || (x >= toX && x <= fromX))) return true;
        if (fromY > y !== toY > y && side < 0 === toY > fromY) odd = !odd;
      }
      fromX = toX;
      fromY = toY;
    }
    return odd;
  };
}
