import { onAxis } from '../../columns/axisScale';
import type { PlotWindow } from '../../columns/viewSpec';
import { svg } from '../../pages/page/widgets/element';
import type { PlotColors } from '../../drawing/page/plotColors';
import {
  arrowDirection,
  type MoveKey,
  type PlotAction,
  type PlotTargets,
  type TipLine,
} from '../../drawing/page/plotDrawing';
import type { PlotFrame } from '../../drawing/page/plotFrame';
import type { PointColors } from './plotLegend';
import {
  type DensityCell,
  dotRadius,
  type PixelPoints,
  type ScatterData,
  type ScatterPoints,
  type ScatterWords,
} from './scatterPoints';

/** Maximum distance of the pointer from a point, in pixels. */
const REACH = 12;

interface ScatterTargetsDependencies {
  data: ScatterData;
  words: ScatterWords;
  colors: PlotColors;
  box: PlotFrame['box'];
  /** Converts positions on the axes to pixels of the box. */
  toPixels: (x: number, y: number) => [number, number];
  shown: PixelPoints;
  filteredOut: PixelPoints | undefined;
  pointColors: PointColors | undefined;
}

/**
 * What the pointer can be on: points that match the filters, points that don't, and density cells,
 * numbered in this order.
 */
export class ScatterTargets implements PlotTargets {
  private readonly index: PointIndex;
  private readonly xs: Float32Array;
  private readonly ys: Float32Array;
  private readonly shownCount: number;
  private readonly pointCount: number;

  constructor(private readonly dependencies: ScatterTargetsDependencies) {
    const { shown, filteredOut, box } = dependencies;
    this.xs = joined(shown.x, filteredOut?.x);
    this.ys = joined(shown.y, filteredOut?.y);
    this.shownCount = shown.x.length;
    this.pointCount = this.xs.length;
    this.index = new PointIndex(this.xs, this.ys, box);
  }

  readonly targetAt = (px: number, py: number): number | undefined => {
    const { left, top, width, height } = this.dependencies.box;
    const [x, y] = [px - left, py - top];
    if (x < -REACH || y < -REACH || x > width + REACH || y > height + REACH) return undefined;
    return this.index.nearest(x, y, REACH) ?? this.cellTarget(this.dependencies.shown.cells?.at(x, y));
  };

  readonly next = (from: number | undefined, key: MoveKey): number | undefined => {
    const { shown, box } = this.dependencies;
    if (shown.cells)
      return this.cellTarget(shown.cells.next(from === undefined ? undefined : from - this.pointCount, key));
    if (key === 'Home' || key === 'End') return this.index.outermost(key === 'Home' ? 'left' : 'right');
    const { width, height } = box;
    if (from === undefined || from >= this.pointCount)
      return this.index.nearest(width / 2, height / 2, Math.hypot(width, height));
    return this.index.nextInDirection(from, ...arrowDirection(key)) ?? from;
  };

  readonly anchor = (target: number): { x: number; y: number } => {
    const { left, top } = this.dependencies.box;
    const { x, y } = this.cellAt(target) ?? { x: this.xs[target] ?? NaN, y: this.ys[target] ?? NaN };
    return { x: x + left, y: y + top };
  };

  readonly outline = (target: number): SVGElement => {
    const { box, colors } = this.dependencies;
    const cell = this.cellAt(target);
    if (cell)
      return svg('rect', {
        x: box.left + cell.left,
        y: box.top + cell.top,
        width: Math.max(2, cell.right - cell.left),
        height: Math.max(2, cell.bottom - cell.top),
        fill: 'none',
        stroke: colors.foreground,
        'stroke-width': 1.5,
      });
    const point = this.anchor(target);
    const lines = `M${box.left} ${point.y}H${point.x}M${point.x} ${point.y}V${box.top + box.height}`;
    const radius = Math.max(4, dotRadius(this.shownCount) + 2);
    return svg(
      'g',
      {},
      svg('path', { d: lines, stroke: colors.faint, 'stroke-dasharray': '2 3', fill: 'none' }),
      ring(point, { radius, width: 1.5 }, colors),
    );
  };

  readonly tip = (target: number): TipLine[] => {
    const { words, data } = this.dependencies;
    const cell = this.cellAt(target);
    if (cell)
      return [
        { label: words.rows, value: words.number(cell.count) },
        { label: words.x, value: words.between(...cell.xNumbers) },
        { label: words.y, value: words.between(...cell.yNumbers) },
      ];
    const point = this.pointAt(target);
    if (!point) return [];
    const { points, index } = point;
    return [
      { label: words.x, value: words.number(points.x[index] ?? NaN) },
      { label: words.y, value: words.number(points.y[index] ?? NaN) },
      ...(points === data.shown ? this.colorLine(index) : []),
    ];
  };

  readonly action = (target: number): PlotAction | undefined => {
    const row = this.rowOf(target);
    return row === undefined ? undefined : { kind: 'select', row };
  };

  readonly rowOf = (target: number): number | undefined => {
    const point = this.pointAt(target);
    return point?.points.rows[point.index];
  };

  readonly targetOfRow = (row: number): number | undefined => {
    const { shown, filteredOut, box } = this.dependencies;
    const inShown = indexOfRow(row, shown.data.rows);
    const inFilteredOut = filteredOut ? indexOfRow(row, filteredOut.data.rows) : -1;
    if (inShown < 0 && inFilteredOut < 0) return undefined;
    const target = inShown >= 0 ? inShown : this.shownCount + inFilteredOut;
    const [x, y] = [this.xs[target] ?? NaN, this.ys[target] ?? NaN];
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height ? target : undefined;
  };

  readonly areaOf = (target: number): PlotWindow => {
    const cell = this.cellAt(target);
    if (cell) return { x: cell.xRange, y: cell.yRange };
    const { points, index = -1 } = this.pointAt(target) ?? {};
    const [xScale, yScale] = this.dependencies.data.scales;
    const x = onAxis(points?.x[index] ?? NaN, xScale);
    const y = onAxis(points?.y[index] ?? NaN, yScale);
    return { x: [x, x], y: [y, y] };
  };

  readonly targetIn = (area: PlotWindow): number | undefined => {
    const { shown, toPixels, box } = this.dependencies;
    const [left, bottom] = toPixels(area.x[0], area.y[0]);
    const [right, top] = toPixels(area.x[1], area.y[1]);
    const target = shown.cells
      ? this.cellTarget(shown.cells.nearestIn(area))
      : this.index.nearest(
          (left + right) / 2,
          (top + bottom) / 2,
          Math.hypot(right - left, bottom - top) / 2,
        );
    if (target === undefined) return undefined;
    const { x, y } = this.anchor(target);
    const isInView = x >= box.left && y >= box.top && x <= box.left + box.width && y <= box.top + box.height;
    return isInView ? target : undefined;
  };

  private colorLine(point: number): TipLine[] {
    const { words, data, pointColors } = this.dependencies;
    const { color: values, meaning } = data;
    if (!values || !meaning) return [];
    const value = values[point] ?? NaN;
    const color = pointColors?.palette[pointColors.indexOf(point)];
    const text = Number.isNaN(value) ? words.none : (meaning.classes?.[value] ?? words.number(value));
    return [{ label: meaning.name, value: text, ...(color !== undefined && { color }) }];
  }

  private pointAt(target: number): { points: ScatterPoints; index: number } | undefined {
    const { shown, filteredOut } = this.dependencies;
    if (target >= this.pointCount) return undefined;
    if (target < this.shownCount) return { points: shown.data, index: target };
    return filteredOut && { points: filteredOut.data, index: target - this.shownCount };
  }

  private cellAt(target: number): DensityCell | undefined {
    if (target < this.pointCount) return undefined;
    return this.dependencies.shown.cells?.cell(target - this.pointCount);
  }

  private cellTarget(cell: number | undefined): number | undefined {
    return cell === undefined ? undefined : this.pointCount + cell;
  }
}

/** The index of a row among ascending rows; −1 if missing. */
function indexOfRow(row: number, rows: Uint32Array): number {
  let [low, high] = [0, rows.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const middleRow = rows[middle] as number;
    if (middleRow === row) return middle;
    if (middleRow < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function joined(first: Float32Array, second: Float32Array | undefined): Float32Array {
  if (!second) return first;
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Side of a grid cell in pixels. */
const CELL = 16;

/**
 * Finds points near a pixel. Points are sorted into a grid, so that only those nearby are checked.
 * Points outside the box are left out.
 */
export class PointIndex {
  private readonly columns: number;
  private readonly rows: number;
  /** Start of each cell's points in `order`, and the end of the last cell. */
  private readonly starts: Uint32Array;
  private readonly order: Uint32Array;

  constructor(
    private readonly xs: Float32Array,
    private readonly ys: Float32Array,
    { width, height }: { width: number; height: number },
  ) {
    this.columns = Math.floor(width / CELL) + 1;
    this.rows = Math.floor(height / CELL) + 1;
    const cellOf = (point: number) => {
      const x = xs[point] as number;
      const y = ys[point] as number;
      if (!(x >= 0 && x <= width && y >= 0 && y <= height)) return -1;
      return Math.floor(y / CELL) * this.columns + Math.floor(x / CELL);
    };
    const starts = new Uint32Array(this.columns * this.rows + 1);
    for (let point = 0; point < xs.length; point++) {
      const cell = cellOf(point);
      if (cell >= 0) starts[cell + 1] = (starts[cell + 1] as number) + 1;
    }
    for (let cell = 1; cell < starts.length; cell++)
      starts[cell] = (starts[cell] as number) + (starts[cell - 1] as number);
    const next = starts.slice();
    this.order = new Uint32Array(starts.at(-1) ?? 0);
    for (let point = 0; point < xs.length; point++) {
      const cell = cellOf(point);
      if (cell < 0) continue;
      const slot = next[cell] as number;
      next[cell] = slot + 1;
      this.order[slot] = point;
    }
    this.starts = starts;
  }

  /** The point nearest to a pixel, within `reach` pixels; the first of equally near ones. */
  nearest(x: number, y: number, reach: number): number | undefined {
    const first = (value: number) => Math.max(0, Math.floor((value - reach) / CELL));
    const last = (value: number, count: number) => Math.min(count - 1, Math.floor((value + reach) / CELL));
    let best: number | undefined;
    let bestDistance = reach * reach;
    for (let row = first(y); row <= last(y, this.rows); row++)
      for (let column = first(x); column <= last(x, this.columns); column++) {
        const cell = row * this.columns + column;
        for (let slot = this.starts[cell] ?? 0; slot < (this.starts[cell + 1] ?? 0); slot++) {
          const point = this.order[slot] as number;
          const distance = this.squaredDistance(point, x, y);
          if (distance < bestDistance || (distance === bestDistance && (best === undefined || point < best)))
            [best, bestDistance] = [point, distance];
        }
      }
    return best;
  }

  /**
   * The next point in a direction: one of dx and dy is 1 or −1, the other 0. Minimizes the distance
   * in that direction plus twice the distance to the side. Points on the same pixel are visited in
   * turn.
   */
  nextInDirection(from: number, dx: number, dy: number): number | undefined {
    const x = this.xs[from] as number;
    const y = this.ys[from] as number;
    const isForward = dx + dy > 0;
    let best: number | undefined;
    let bestCost = Infinity;
    for (const point of this.order) {
      const [right, down] = [(this.xs[point] as number) - x, (this.ys[point] as number) - y];
      const ahead = right * dx + down * dy;
      const aside = Math.abs(right * dy) + Math.abs(down * dx);
      const isAtSamePlace = ahead === 0 && aside === 0;
      if (!(ahead > 0 || (isAtSamePlace && (isForward ? point > from : point < from)))) continue;
      const cost = ahead + 2 * aside;
      const isEarlier = isForward ? point < (best ?? Infinity) : point > (best ?? -1);
      if (cost < bestCost || (cost === bestCost && isEarlier)) [best, bestCost] = [point, cost];
    }
    return best;
  }

  /** The leftmost or the rightmost point. */
  outermost(side: 'left' | 'right'): number | undefined {
    let best: number | undefined;
    let bestX = NaN;
    for (const point of this.order) {
      const x = this.xs[point] as number;
      if (best === undefined || (side === 'left' ? x < bestX : x > bestX)) [best, bestX] = [point, x];
    }
    return best;
  }

  private squaredDistance(point: number, x: number, y: number): number {
    return ((this.xs[point] as number) - x) ** 2 + ((this.ys[point] as number) - y) ** 2;
  }
}

/** A ring around a point, in two colors to be visible on points and background. */
export function ring(
  { x, y }: { x: number; y: number },
  { radius, width }: { radius: number; width: number },
  { background, foreground }: PlotColors,
): SVGElement {
  const circle = { cx: x, cy: y, r: radius };
  return svg(
    'g',
    { fill: 'none' },
    svg('circle', { ...circle, stroke: background, 'stroke-width': width + 2 }),
    svg('circle', { ...circle, stroke: foreground, 'stroke-width': width }),
  );
}
