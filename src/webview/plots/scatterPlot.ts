import type { ScaleLinear } from 'd3-scale';
import type { PlotWindow } from '../../model/plotWindow';
import { svg } from '../widgets/svg';
import { groupColor, measureColor } from './markColors';
import { DensityCells, type DensityGrid } from './densityCells';
import type { PlotColors } from './plotColors';
import type { MoveKey, PlotDrawing, PlotLook, PlotTargets, TipLine } from './plotDrawing';
import {
  bottomAxis,
  leftAxis,
  leftRoom,
  niceScale,
  plotFrame,
  windowScale,
  type PlotFrame,
} from './plotFrame';
import { PointIndex } from './pointIndex';
import type { PointLayer } from './pointLayers';
import { legendBelow, legendBeside, type ColorMeaning, type LegendWords } from './scatterLegend';

/** Color steps of a measurement. */
const STEPS = 24;
const LEGEND_WIDTH = 132;
/** Below this width the legend has no room beside the plot. */
const NARROW = 420;
/** Pixels that a pointer may be away from what it points at. */
const REACH = 12;

/** Points one by one, or their density. Rows rise. */
export interface ScatterPoints {
  x: Float64Array;
  y: Float64Array;
  rows: Uint32Array;
  grid?: DensityGrid;
}

export interface ScatterData {
  shown: ScatterPoints;
  /** Rows that don't match the filters. */
  rest?: ScatterPoints;
  /** Of each point shown a number, or a position in the classes; NaN where there is none. */
  color?: Float64Array;
  meaning?: ColorMeaning;
  /** Of all rows, for the axes. */
  ranges: PlotWindow;
}

export interface ScatterWords extends LegendWords {
  label: string;
  x: string;
  y: string;
  rows: string;
  number: (value: number) => string;
  between: (low: number, high: number) => string;
}

export interface ScatterPlot {
  data: ScatterData;
  words: ScatterWords;
  look: PlotLook;
  /** The columns of the axes. */
  columns: { x: number; y: number };
}

/** All that a plot of these ranges shows: round ends, and room around a single value. */
export function wholeWindow({ x, y }: PlotWindow): PlotWindow {
  const domain = ([low, high]: [number, number]): [number, number] => {
    const [from = low, to = high] = niceScale(low, high, 0, 1).domain();
    return [from, to];
  };
  return { x: domain(x), y: domain(y) };
}

/** Draws points, or their density, over two axes; rows outside of the filters in gray below them. */
export function drawScatter(plot: ScatterPlot): Omit<PlotDrawing, 'title' | 'note'> {
  const { data, words, look, columns } = plot;
  const { size, colors } = look;
  const window = look.window ?? wholeWindow(data.ranges);
  const { meaning } = data;
  const isNarrow = size.width < NARROW;
  const below = meaning && isNarrow ? legendBelow({ meaning, words, colors }, size.width - 16) : undefined;
  const bottom = 40;
  const top = 12;
  const left = leftRoom(windowScale(window.y, size.height - top - bottom, 0));
  const right = meaning && !isNarrow ? LEGEND_WIDTH : 20;
  const height = size.height + (below?.height ?? 0);
  const margins = { top, right, bottom: bottom + (below?.height ?? 0), left };
  const frame = plotFrame({ width: size.width, height }, margins, colors, words.label);
  const { box } = frame;
  const x = windowScale(window.x, 0, box.width);
  const y = windowScale(window.y, box.height, 0);
  bottomAxis(frame, x, words.x, colors);
  leftAxis(frame, y, words.y, colors);
  if (below) frame.root.append(below.at(8, size.height + 2));
  else if (meaning)
    frame.root.append(
      legendBeside(
        { meaning, words, colors },
        { left: box.left + box.width + 14, top: box.top, width: LEGEND_WIDTH - 18, height: box.height },
      ),
    );
  const at: ScatterBody = { x, y, colors, box };
  const shown = placed(data.shown, at);
  const rest = data.rest && placed(data.rest, at);
  const coloring = coloringOf(data, colors);
  const layers = [
    ...(rest ? layersOf(rest, at, colors.rest) : []),
    ...layersOf(shown, at, colors.mark, coloring),
  ];
  return {
    frame,
    layers,
    targets: new ScatterTargets(plot, at, { shown, rest, coloring }),
    toData: (px, py) => [x.invert(px - box.left), y.invert(py - box.top)],
    drag: {
      shape: 'lasso',
      done: path => ({
        kind: 'lasso',
        lasso: {
          ...columns,
          polygon: path.flatMap(([px, py]) => [x.invert(px - box.left), y.invert(py - box.top)]),
        },
      }),
    },
    clear: { kind: 'clearLasso', ...columns },
    mark: {
      columns: [columns.x, columns.y],
      draw: ([markX, markY]) => {
        if (typeof markX !== 'number' || typeof markY !== 'number') return undefined;
        const [px, py] = [x(markX), y(markY)];
        if (px < -1 || px > box.width + 1 || py < -1 || py > box.height + 1) return undefined;
        return ring(px + box.left, py + box.top, 7, colors, 2.5);
      },
    },
  };
}

/** From columns' units to the pixels of the plot's body. */
interface ScatterBody {
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  colors: PlotColors;
  box: PlotFrame['box'];
}

/** Points by their pixels. */
interface PlacedPoints {
  data: ScatterPoints;
  x: Float32Array;
  y: Float32Array;
  cells?: DensityCells;
}

function placed(data: ScatterPoints, { x, y }: ScatterBody): PlacedPoints {
  return {
    data,
    x: pixels(data.x, x),
    y: pixels(data.y, y),
    ...(data.grid && { cells: new DensityCells(data.grid, x, y) }),
  };
}

/** The pixels of values, without a call for each. */
function pixels(values: Float64Array, scale: ScaleLinear<number, number>): Float32Array {
  const [low = 0, high = 1] = scale.domain();
  const [from = 0, to = 1] = scale.range();
  const factor = (to - from) / (high - low);
  const placed = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) placed[at] = from + ((values[at] as number) - low) * factor;
  return placed;
}

/** Pixels of a dot's radius: few are large enough to hit, many leave room for each other. */
export function dotRadius(count: number): number {
  return Math.max(1.1, Math.min(4.5, 4.5 * (60 / Math.max(1, count)) ** 0.22));
}

function layersOf(
  { x, y, cells }: PlacedPoints,
  { colors }: ScatterBody,
  color: string,
  coloring?: Coloring,
): PointLayer[] {
  if (cells) return cells.layers(color, colors);
  const count = x.length;
  if (count === 0) return [];
  const look = { kind: 'dots' as const, radius: dotRadius(count), opacity: count > 3000 ? 0.6 : 0.8, x, y };
  if (!coloring) return [{ ...look, palette: [color] }];
  const { palette, placeOf } = coloring;
  return [{ ...look, palette, colors: placesOf(count, placeOf) }];
}

function placesOf(count: number, placeOf: (point: number) => number): Uint8Array {
  const places = new Uint8Array(count);
  for (let at = 0; at < count; at++) places[at] = placeOf(at);
  return places;
}

/** The colors of points: each has a place in a palette. */
interface Coloring {
  palette: readonly string[];
  placeOf: (point: number) => number;
}

/** The last color of the palette is that of points without a class or a number. */
function coloringOf({ color, meaning }: ScatterData, colors: PlotColors): Coloring | undefined {
  if (!color || !meaning) return undefined;
  if (meaning.classes) {
    const known = meaning.classes.map((_, at) => groupColor(at, colors.background));
    return {
      palette: [...known, colors.faint],
      placeOf: point => {
        const value = color[point] ?? NaN;
        return Number.isNaN(value) ? known.length : value;
      },
    };
  }
  const [low, high] = meaning.range ?? [0, 0];
  return {
    palette: [...Array.from({ length: STEPS + 1 }, (_, step) => measureColor(step / STEPS)), colors.faint],
    placeOf: point => {
      const value = color[point] ?? NaN;
      if (Number.isNaN(value)) return STEPS + 1;
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return Math.round(Math.max(0, Math.min(1, share)) * STEPS);
    },
  };
}

interface PlacedScatter {
  shown: PlacedPoints;
  rest: PlacedPoints | undefined;
  coloring: Coloring | undefined;
}

/** What can be pointed at: points that match, then the rest, then cells of a density. */
class ScatterTargets implements PlotTargets {
  private readonly index: PointIndex;
  private readonly xs: Float32Array;
  private readonly ys: Float32Array;
  private readonly shown: PlacedPoints;
  private readonly rest: PlacedPoints | undefined;
  private readonly coloring: Coloring | undefined;
  private readonly shownCount: number;

  constructor(
    private readonly plot: ScatterPlot,
    private readonly body: ScatterBody,
    { shown, rest, coloring }: PlacedScatter,
  ) {
    this.shown = shown;
    this.rest = rest;
    this.coloring = coloring;
    this.shownCount = shown.x.length;
    this.xs = joined(shown.x, rest?.x);
    this.ys = joined(shown.y, rest?.y);
    this.index = new PointIndex(this.xs, this.ys, body.box);
  }

  readonly at = (px: number, py: number): number | undefined => {
    const { left, top, width, height } = this.body.box;
    const [x, y] = [px - left, py - top];
    if (x < -REACH || y < -REACH || x > width + REACH || y > height + REACH) return undefined;
    const point = this.index.nearest(x, y, REACH);
    if (point !== undefined) return point;
    const cell = this.shown.cells?.at(x, y);
    return cell === undefined ? undefined : this.xs.length + cell;
  };

  readonly next = (from: number | undefined, key: MoveKey): number | undefined => {
    const { cells } = this.shown;
    if (cells && this.shownCount === 0) {
      const cell = cells.next(from === undefined ? undefined : from - this.xs.length, key);
      return cell === undefined ? undefined : this.xs.length + cell;
    }
    if (key === 'Home' || key === 'End') return this.index.end(key === 'Home' ? 'left' : 'right');
    const { width, height } = this.body.box;
    if (from === undefined || from >= this.xs.length)
      return this.index.nearest(width / 2, height / 2, Math.hypot(width, height));
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] as [
      number,
      number,
    ];
    return this.index.beside(from, dx, dy) ?? from;
  };

  readonly place = (target: number) => {
    const { left, top } = this.body.box;
    const cell = this.cellOf(target);
    const { x, y } = cell ?? { x: this.xs[target] ?? NaN, y: this.ys[target] ?? NaN };
    return { x: x + left, y: y + top };
  };

  readonly outline = (target: number): SVGElement => {
    const { box, colors } = this.body;
    const cell = this.cellOf(target);
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
    const { x, y } = this.place(target);
    const lines = `M${box.left} ${y}H${x}M${x} ${y}V${box.top + box.height}`;
    return svg(
      'g',
      {},
      svg('path', { d: lines, stroke: colors.faint, 'stroke-dasharray': '2 3', fill: 'none' }),
      ring(x, y, Math.max(4, dotRadius(this.shownCount) + 2), colors, 1.5),
    );
  };

  readonly tip = (target: number): TipLine[] => {
    const { words, data } = this.plot;
    const cell = this.cellOf(target);
    if (cell)
      return [
        { label: words.rows, value: words.number(cell.count) },
        { label: words.x, value: words.between(...cell.xRange) },
        { label: words.y, value: words.between(...cell.yRange) },
      ];
    const of = this.pointOf(target);
    if (!of) return [];
    const { points, at } = of;
    const lines: TipLine[] = [
      { label: words.x, value: words.number(points.x[at] ?? NaN) },
      { label: words.y, value: words.number(points.y[at] ?? NaN) },
    ];
    const { color, meaning } = data;
    if (color && meaning && points === data.shown) {
      const value = color[at] ?? NaN;
      const dot = this.coloring?.palette[this.coloring.placeOf(at)];
      const text = Number.isNaN(value) ? words.none : (meaning.classes?.[value] ?? words.number(value));
      lines.push({ label: meaning.name, value: text, ...(dot && { color: dot }) });
    }
    return lines;
  };

  readonly action = (target: number) => {
    const row = this.rowOf(target);
    return row === undefined ? undefined : { kind: 'select' as const, row };
  };

  readonly rowOf = (target: number): number | undefined => {
    const of = this.pointOf(target);
    return of?.points.rows[of.at];
  };

  readonly ofRow = (row: number): number | undefined => {
    const { width, height } = this.body.box;
    const shown = placeOf(row, this.shown.data.rows);
    const rest = placeOf(row, this.rest?.data.rows);
    if (shown < 0 && rest < 0) return undefined;
    const at = shown >= 0 ? shown : this.shownCount + rest;
    const [x, y] = [this.xs[at] ?? NaN, this.ys[at] ?? NaN];
    return x >= 0 && y >= 0 && x <= width && y <= height ? at : undefined;
  };

  private pointOf(target: number): { points: ScatterPoints; at: number } | undefined {
    if (target >= this.xs.length) return undefined;
    if (target < this.shownCount) return { points: this.shown.data, at: target };
    return this.rest && { points: this.rest.data, at: target - this.shownCount };
  }

  private cellOf(target: number) {
    return target >= this.xs.length ? this.shown.cells?.cell(target - this.xs.length) : undefined;
  }
}

/** The place of a row among rising rows, −1 for none. */
function placeOf(row: number, rows: Uint32Array | undefined): number {
  if (!rows) return -1;
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

function joined(first: Float32Array, second: Float32Array | undefined): Float32Array {
  if (!second) return first;
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** A ring around a point that stands out from points and background alike. */
function ring(cx: number, cy: number, r: number, colors: PlotColors, width: number): SVGElement {
  return svg(
    'g',
    { fill: 'none' },
    svg('circle', { cx, cy, r, stroke: colors.background, 'stroke-width': width + 2 }),
    svg('circle', { cx, cy, r, stroke: colors.foreground, 'stroke-width': width }),
  );
}
