import type { ScaleLinear } from 'd3-scale';
import { type AxisScale, type AxisScales, fromAxis, allOnAxis } from '../../columns/axisScale';
import type { PlotWindow } from '../../columns/viewSpec';
import type { NumberWords } from '../../drawing/page/plottedTable';
import type { PointLayer } from '../../drawing/page/paintPoints';
import { arrowDirection, type MoveKey } from '../../drawing/page/plotDrawing';
import type { ColorMeaning, LegendWords } from './plotLegend';

/** Points one by one, or their density. Rows are ascending. */
export interface ScatterPoints {
  x: Float64Array;
  y: Float64Array;
  rows: Uint32Array;
  grid?: DensityGrid;
}

export interface ScatterData {
  /** Rows that match the filters. */
  shown: ScatterPoints;
  /** Rows that don't match the filters. */
  filteredOut?: ScatterPoints;
  /** A number or class index per visible point; NaN without a value. */
  color?: Float64Array;
  meaning?: ColorMeaning;
  /** Ranges of all rows, on the axes. */
  ranges: PlotWindow;
  scales: AxisScales;
}

export interface ScatterWords extends LegendWords, NumberWords {
  label: string;
  x: string;
  y: string;
  /** Titles of the axes, with their scales. */
  axes: readonly [x: string, y: string];
  rows: string;
}

/** Points in pixels of the plot's body. */
export interface PixelPoints {
  x: Float32Array;
  y: Float32Array;
  data: ScatterPoints;
  cells?: DensityCells;
}

type Scale = ScaleLinear<number, number>;

/** The axes of a plot, which convert values to pixels. */
interface PointAxes {
  x: Scale;
  y: Scale;
  scales: AxisScales;
}

export function pixelPoints(data: ScatterPoints, { x, y, scales }: PointAxes): PixelPoints {
  return {
    x: pixels(allOnAxis(data.x, scales[0]), x),
    y: pixels(allOnAxis(data.y, scales[1]), y),
    data,
    ...(data.grid && { cells: new DensityCells(data.grid, x, y, scales) }),
  };
}

/** Applies a scale to all values, without a call for each. */
function pixels(values: Float64Array, scale: Scale): Float32Array {
  const [low = 0, high = 1] = scale.domain();
  const [from = 0, to = 1] = scale.range();
  const factor = (to - from) / (high - low);
  const placed = new Float32Array(values.length);
  for (let index = 0; index < values.length; index++)
    placed[index] = from + ((values[index] as number) - low) * factor;
  return placed;
}

/**
 * Radius of a dot in pixels: large enough to hit if there are few, small enough to be apart if
 * many.
 */
export function dotRadius(count: number): number {
  return Math.max(1.1, Math.min(4.5, 4.5 * (60 / Math.max(1, count)) ** 0.22));
}

/** Steps of opacity. */
const LEVELS = 10;
const MIN_OPACITY = 0.16;

/** Counts of points in bins × bins cells of a window, row by row from the lowest y. */
interface DensityGrid {
  bins: number;
  counts: Uint32Array;
  window: PlotWindow;
}

export interface DensityCell {
  count: number;
  /** Range on the x axis. */
  xRange: [number, number];
  /** Range on the y axis. */
  yRange: [number, number];
  /** The same ranges in the columns' units. */
  xNumbers: [number, number];
  yNumbers: [number, number];
  /** Edges in pixels of the plot's body, and the center (x, y). */
  left: number;
  top: number;
  right: number;
  bottom: number;
  x: number;
  y: number;
}

/** The cells of a density, in pixels of the plot's body. */
export class DensityCells {
  constructor(
    private readonly grid: DensityGrid,
    private readonly x: (value: number) => number,
    private readonly y: (value: number) => number,
    private readonly scales: AxisScales,
  ) {}

  /** The cell at a pixel, if it has points. */
  at(px: number, py: number): number | undefined {
    const { bins, counts, window } = this.grid;
    const binAt = (pixel: number, from: number, to: number) =>
      from === to ? 0 : Math.floor(((pixel - from) / (to - from)) * bins);
    const column = binAt(px, this.x(window.x[0]), this.x(window.x[1]));
    const row = binAt(py, this.y(window.y[0]), this.y(window.y[1]));
    if (column < 0 || row < 0 || column >= bins || row >= bins) return undefined;
    const cell = row * bins + column;
    return (counts[cell] ?? 0) > 0 ? cell : undefined;
  }

  cell(index: number): DensityCell {
    const { bins, counts, window } = this.grid;
    const [column, row] = [index % bins, Math.floor(index / bins)];
    const range = (ends: [number, number], bin: number): [number, number] => [
      binEdge(ends, bin, bins),
      binEdge(ends, bin + 1, bins),
    ];
    const [xRange, yRange] = [range(window.x, column), range(window.y, row)];
    const [left, right] = [this.x(xRange[0]), this.x(xRange[1])];
    const [bottom, top] = [this.y(yRange[0]), this.y(yRange[1])];
    return {
      count: counts[index] ?? 0,
      xRange,
      yRange,
      xNumbers: numbersOf(xRange, this.scales[0]),
      yNumbers: numbersOf(yRange, this.scales[1]),
      left,
      top,
      right,
      bottom,
      x: (left + right) / 2,
      y: (top + bottom) / 2,
    };
  }

  /** The cell with points that a key moves to; without a start, the cell with the most points. */
  next(from: number | undefined, key: MoveKey): number | undefined {
    const { bins, counts } = this.grid;
    if (from === undefined || from < 0) return counts.indexOf(highest(counts));
    if (key === 'Home') return counts.findIndex(count => count > 0);
    if (key === 'End') return counts.findLastIndex(count => count > 0);
    const [dx, dy] = arrowDirection(key);
    // Rows are counted upward.
    const step = dx - dy * bins;
    for (let cell = from + step; cell >= 0 && cell < counts.length; cell += step) {
      if (dx !== 0 && Math.floor(cell / bins) !== Math.floor(from / bins)) break;
      if ((counts[cell] ?? 0) > 0) return cell;
    }
    return from;
  }

  /** The cell with points nearest to the center of a part of the plot. */
  nearestIn({ x, y }: PlotWindow): number | undefined {
    const { bins, counts, window } = this.grid;
    const [columns, rows] = [binsIn(window.x, x, bins), binsIn(window.y, y, bins)];
    let best: number | undefined;
    let bestDistance = Infinity;
    for (let row = rows.first; row <= rows.last; row++)
      for (let column = columns.first; column <= columns.last; column++) {
        if (counts[row * bins + column] === 0) continue;
        const distance = Math.hypot(column + 0.5 - columns.center, row + 0.5 - rows.center);
        if (distance < bestDistance) [best, bestDistance] = [row * bins + column, distance];
      }
    return best;
  }

  /** The cells in steps of opacity, by the square root of their counts. */
  layers(color: string, background: string): PointLayer[] {
    const { bins, counts, window } = this.grid;
    const max = highest(counts);
    const levels: number[][] = Array.from({ length: LEVELS }, () => []);
    // The edges of columns and rows, each computed once.
    const edgesOf = (ends: [number, number], scale: (value: number) => number) =>
      Float64Array.from({ length: bins + 1 }, (_, bin) => scale(binEdge(ends, bin, bins)));
    const [xs, ys] = [edgesOf(window.x, this.x), edgesOf(window.y, this.y)];
    for (let row = 0; row < bins; row++)
      for (let column = 0; column < bins; column++) {
        const count = counts[row * bins + column] as number;
        if (count === 0) continue;
        const level = Math.min(LEVELS - 1, Math.floor(LEVELS * Math.sqrt(count / max)));
        levels[level]?.push(xs[column] ?? 0, ys[row + 1] ?? 0, xs[column + 1] ?? 0, ys[row] ?? 0);
      }
    const layers: PointLayer[] = [
      // Covers points behind the cells, which would show through.
      { kind: 'cells', color: background, opacity: 1, edges: Float32Array.from(levels.flat()) },
    ];
    levels.forEach((edges, level) => {
      const opacity = MIN_OPACITY + ((1 - MIN_OPACITY) * level) / (LEVELS - 1);
      if (edges.length > 0) layers.push({ kind: 'cells', color, opacity, edges: Float32Array.from(edges) });
    });
    return layers;
  }
}

function numbersOf([low, high]: [number, number], scale: AxisScale): [number, number] {
  return [fromAxis(low, scale), fromAxis(high, scale)];
}

function highest(counts: Uint32Array): number {
  return counts.reduce((a, b) => Math.max(a, b), 0);
}

function binEdge([low, high]: [number, number], bin: number, bins: number): number {
  return low + ((high - low) * bin) / bins;
}

/** The bins of an axis that cover a part of it, and the part's center in bins. */
function binsIn(ends: [number, number], [low, high]: [number, number], bins: number) {
  const width = ends[1] - ends[0];
  const toBins = (value: number) => (width > 0 ? ((value - ends[0]) / width) * bins : 0);
  const [from, to] = [toBins(low), toBins(high)];
  return {
    // The last bin includes the upper end of the axis. A part that ends at a bin's lower edge
    // doesn't include the bin.
    first: Math.max(0, Math.min(Math.floor(from), to === bins ? bins - 1 : Infinity)),
    last: Math.min(bins - 1, Math.max(Math.floor(from), Math.ceil(to) - 1)),
    center: (from + to) / 2,
  };
}
