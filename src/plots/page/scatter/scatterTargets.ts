import type { PlotWindow } from '../../../columns/plotWindow';
import { svg } from '../../../pages/page/widgets/svg';
import { arrowDirection, type MoveKey } from '../moveKey';
import type { PlotColors } from '../plotColors';
import type { PlotAction, PlotTargets, TipLine } from '../plotDrawing';
import type { PlotFrame } from '../plotFrame';
import type { DensityCell } from './densityCells';
import { dotRadius, indexOfRow, type PixelPoints } from './pixelPoints';
import type { PointColors } from './pointColors';
import { PointIndex } from './pointIndex';
import { ring } from './ring';
import type { ScatterData, ScatterPoints, ScatterWords } from './scatterData';

/** Pixels that the pointer may be away from a point. */
const REACH = 12;

export interface ScatterTargetsParts {
  data: ScatterData;
  words: ScatterWords;
  colors: PlotColors;
  box: PlotFrame['box'];
  /** Converts the columns' units to pixels of the box. */
  toPixels: (x: number, y: number) => [number, number];
  shown: PixelPoints;
  filteredOut: PixelPoints | undefined;
  pointColors: PointColors | undefined;
}

/** What can be pointed at, numbered in this order: points that match the filters, points that don't, cells of a density. */
export class ScatterTargets implements PlotTargets {
  private readonly index: PointIndex;
  private readonly xs: Float32Array;
  private readonly ys: Float32Array;
  private readonly shownCount: number;
  private readonly pointCount: number;

  constructor(private readonly parts: ScatterTargetsParts) {
    const { shown, filteredOut, box } = parts;
    this.xs = joined(shown.x, filteredOut?.x);
    this.ys = joined(shown.y, filteredOut?.y);
    this.shownCount = shown.x.length;
    this.pointCount = this.xs.length;
    this.index = new PointIndex(this.xs, this.ys, box);
  }

  readonly at = (px: number, py: number): number | undefined => {
    const { left, top, width, height } = this.parts.box;
    const [x, y] = [px - left, py - top];
    if (x < -REACH || y < -REACH || x > width + REACH || y > height + REACH) return undefined;
    return this.index.nearest(x, y, REACH) ?? this.cellTarget(this.parts.shown.cells?.at(x, y));
  };

  readonly next = (from: number | undefined, key: MoveKey): number | undefined => {
    const { shown, box } = this.parts;
    if (shown.cells)
      return this.cellTarget(shown.cells.next(from === undefined ? undefined : from - this.pointCount, key));
    if (key === 'Home' || key === 'End') return this.index.outermost(key === 'Home' ? 'left' : 'right');
    const { width, height } = box;
    if (from === undefined || from >= this.pointCount)
      return this.index.nearest(width / 2, height / 2, Math.hypot(width, height));
    return this.index.nextInDirection(from, ...arrowDirection(key)) ?? from;
  };

  readonly anchor = (target: number): { x: number; y: number } => {
    const { left, top } = this.parts.box;
    const { x, y } = this.cellAt(target) ?? { x: this.xs[target] ?? NaN, y: this.ys[target] ?? NaN };
    return { x: x + left, y: y + top };
  };

  readonly outline = (target: number): SVGElement => {
    const { box, colors } = this.parts;
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
    const { words, data } = this.parts;
    const cell = this.cellAt(target);
    if (cell)
      return [
        { label: words.rows, value: words.number(cell.count) },
        { label: words.x, value: words.between(...cell.xRange) },
        { label: words.y, value: words.between(...cell.yRange) },
      ];
    const point = this.pointAt(target);
    if (!point) return [];
    const { points, at } = point;
    return [
      { label: words.x, value: words.number(points.x[at] ?? NaN) },
      { label: words.y, value: words.number(points.y[at] ?? NaN) },
      ...(points === data.shown ? this.colorLine(at) : []),
    ];
  };

  readonly action = (target: number): PlotAction | undefined => {
    const row = this.rowOf(target);
    return row === undefined ? undefined : { kind: 'select', row };
  };

  readonly rowOf = (target: number): number | undefined => {
    const point = this.pointAt(target);
    return point?.points.rows[point.at];
  };

  readonly targetOfRow = (row: number): number | undefined => {
    const { shown, filteredOut, box } = this.parts;
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
    const { points, at } = this.pointAt(target) ?? {};
    const [x, y] = [points?.x[at ?? -1] ?? NaN, points?.y[at ?? -1] ?? NaN];
    return { x: [x, x], y: [y, y] };
  };

  readonly targetIn = (area: PlotWindow): number | undefined => {
    const { shown, toPixels, box } = this.parts;
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
    const { words, data, pointColors } = this.parts;
    const { color: values, meaning } = data;
    if (!values || !meaning) return [];
    const value = values[point] ?? NaN;
    const color = pointColors?.palette[pointColors.indexOf(point)];
    const text = Number.isNaN(value) ? words.none : (meaning.classes?.[value] ?? words.number(value));
    return [{ label: meaning.name, value: text, ...(color !== undefined && { color }) }];
  }

  private pointAt(target: number): { points: ScatterPoints; at: number } | undefined {
    const { shown, filteredOut } = this.parts;
    if (target >= this.pointCount) return undefined;
    if (target < this.shownCount) return { points: shown.data, at: target };
    return filteredOut && { points: filteredOut.data, at: target - this.shownCount };
  }

  private cellAt(target: number): DensityCell | undefined {
    if (target < this.pointCount) return undefined;
    return this.parts.shown.cells?.cell(target - this.pointCount);
  }

  private cellTarget(cell: number | undefined): number | undefined {
    return cell === undefined ? undefined : this.pointCount + cell;
  }
}

function joined(first: Float32Array, second: Float32Array | undefined): Float32Array {
  if (!second) return first;
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
