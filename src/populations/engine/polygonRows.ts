import { type AxisScales, onAxis } from '../../columns/axisScale';
import { extentOf } from '../../columns/exactSum';
import type { GatePoint } from '../gate';
import { lowestBit, markedRows, type RowBits } from './rowBits';

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
export function rowsInPolygon(
  corners: readonly GatePoint[],
  scales: AxisScales,
  points: PlacedPoints,
  signal: AbortSignal | undefined,
): Promise<RowBits> {
  const polygon = new GridPolygon(corners, scales);
  return markedRows(points.rows, signal, (inside, start, end) => polygon.mark(points, inside, start, end));
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
  private readonly xs: Float64Array;
  private readonly ys: Float64Array;
  private readonly left: number;
  private readonly low: number;
  /** Cells per unit of the x axis, and of the y axis. */
  private readonly across: number;
  private readonly up: number;
  private readonly cells = new Uint8Array(GRID * GRID);

  constructor(corners: readonly GatePoint[], scales: AxisScales) {
    const xs = (this.xs = Float64Array.from(corners, ([x]) => onAxis(x, scales[0])));
    const ys = (this.ys = Float64Array.from(corners, ([, y]) => onAxis(y, scales[1])));
    const [left, width] = withMargin(xs);
    const [low, height] = withMargin(ys);
    const [across, up] = [GRID / width, GRID / height];
    [this.left, this.low, this.across, this.up] = [left, low, across, up];
    const { cells } = this;
    corners.forEach((_, corner) => {
      const next = (corner + 1) % corners.length;
      const column = (index: number) => ((xs[index] ?? NaN) - left) * across;
      const row = (index: number) => ((ys[index] ?? NaN) - low) * up;
      markLine(cells, column(corner), row(corner), column(next), row(next));
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

  /** Marks the rows whose point is inside. */
  mark({ xs, ys, rows }: PlacedPoints, inside: RowBits, start: number, end: number): void {
    const { left, low, across, up, cells } = this;
    for (let word = start; word < end; word++) {
      const base = word * 32;
      let insideHere = 0;
      for (let bits = (rows[word] as number) | 0; bits !== 0; bits &= bits - 1) {
        const bit = lowestBit(bits);
        const x = xs[base + bit] as number;
        const y = ys[base + bit] as number;
        // Points beyond the grid count to its outermost cells: a branch would be slower.
        const column = Math.min(GRID - 1, Math.max(0, (x - left) * across)) | 0;
        const row = Math.min(GRID - 1, Math.max(0, (y - low) * up)) | 0;
        const cell = cells[(row << GRID_BITS) | column] as number;
        insideHere |= (cell & INSIDE) << bit;
        if (cell === UNDECIDED && this.isInside(x, y)) insideHere |= 1 << bit;
      }
      inside[word] = insideHere;
    }
  }

  /** Whether a point is inside by the even-odd rule, or on a line. */
  private isInside(x: number, y: number): boolean {
    const { xs, ys } = this;
    const last = xs.length - 1;
    let isOdd = false;
    let fromX = xs[last] as number;
    let fromY = ys[last] as number;
    for (let corner = 0; corner <= last; corner++) {
      const toX = xs[corner] as number;
      const toY = ys[corner] as number;
      if ((y >= fromY && y <= toY) || (y >= toY && y <= fromY)) {
        const side = (x - fromX) * (toY - fromY) - (y - fromY) * (toX - fromX);
        if (side === 0 && ((x >= fromX && x <= toX) || (x >= toX && x <= fromX))) return true;
        if (fromY > y !== toY > y && side < 0 === toY > fromY) isOdd = !isOdd;
      }
      fromX = toX;
      fromY = toY;
    }
    return isOdd;
  }
}

/** Start and width of a range with a margin around numbers. */
function withMargin(numbers: Float64Array): [from: number, width: number] {
  const { least, greatest } = extentOf(numbers);
  const size = greatest - least || Math.abs(least) || 1;
  return [least - size / 48, greatest - least + size / 24];
}

/** Fraction of a cell within which a line counts as near. */
const NEAR = 1e-3;

/** Marks the cells that a line passes, or comes near to. */
function markLine(cells: Uint8Array, fromX: number, fromY: number, toX: number, toY: number): void {
  const [lowX, lowY, highX, highY] = fromY <= toY ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
  const slope = highY > lowY ? (highX - lowX) / (highY - lowY) : 0;
  const cellOf = (position: number) => Math.max(0, Math.min(GRID - 1, Math.floor(position)));
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
