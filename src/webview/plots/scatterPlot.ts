import { groupColor, measureColor } from './markColors';
import type { PlotColors } from './plotColors';
import {
  bottomAxis,
  FONT_SIZE,
  leftAxis,
  niceScale,
  plotFrame,
  shortened,
  type PlotFrame,
  type PlotSize,
} from './plotFrame';
import { svg } from '../widgets/svg';

/** Color steps of a measurement: each is one path of all its points. */
const STEPS = 24;
const LEGEND_WIDTH = 132;

export interface ScatterData {
  x: Float64Array;
  y: Float64Array;
  /** A number, or a position in `classes`; NaN where there is none. */
  color?: Float64Array;
  classes?: readonly string[];
  xRange: [number, number];
  yRange: [number, number];
  /** A grid of counts of all points instead of single ones, row by row from the lowest y. */
  grid?: DensityGrid;
}

export interface DensityGrid {
  bins: number;
  counts: Uint32Array;
}

export interface ScatterWords {
  label: string;
  x: string;
  y: string;
  color: string;
  none: string;
  number: (value: number) => string;
}

/** A drawn scatter plot, and the way from its pixels to the columns' units. */
export interface DrawnScatter {
  frame: PlotFrame;
  toData: (x: number, y: number) => [number, number];
}

export interface ScatterPlot {
  data: ScatterData;
  words: ScatterWords;
  size: PlotSize;
  colors: PlotColors;
}

/** Draws points, or their density, over two axes. */
export function drawScatter(plot: ScatterPlot): DrawnScatter {
  const { data, words, size, colors } = plot;
  const legend = data.color ? LEGEND_WIDTH : 28;
  const frame = plotFrame(size, { top: 12, right: legend, bottom: 40, left: 64 }, colors, words.label);
  const { width, height } = frame.box;
  const x = niceScale(...data.xRange, 0, width);
  const y = niceScale(...data.yRange, height, 0);
  bottomAxis(frame, x, words.x, colors);
  leftAxis(frame, y, words.y, colors);
  const body = data.grid ? densityOf(data, data.grid, { x, y, colors }) : pointsOf(data, { x, y, colors });
  frame.body.append(...body);
  if (data.color) frame.root.append(legendOf(data.color, plot, frame.box));
  return { frame, toData: (px, py) => [x.invert(px - frame.box.left), y.invert(py - frame.box.top)] };
}

/** From a column's units to the pixels of the plot's body. */
type Scale = (value: number) => number;

interface ScatterBody {
  x: Scale;
  y: Scale;
  colors: PlotColors;
}

function pointsOf(data: ScatterData, { x, y, colors }: ScatterBody): SVGElement[] {
  const paths = new Map<string, string[]>();
  const colorOf = pointColors(data, colors);
  for (let at = 0; at < data.x.length; at++) {
    const color = colorOf(at);
    const parts = paths.get(color) ?? [];
    paths.set(color, parts);
    parts.push(`M${x(data.x[at] as number).toFixed(1)} ${y(data.y[at] as number).toFixed(1)}h0`);
  }
  const many = data.x.length > 3000;
  // A line of no length with round ends is a dot: one element for all dots of a color.
  return [...paths].map(([color, parts]) =>
    svg('path', {
      d: parts.join(''),
      stroke: color,
      'stroke-width': many ? 2.5 : 4,
      'stroke-linecap': 'round',
      'stroke-opacity': many ? 0.6 : 0.8,
      fill: 'none',
    }),
  );
}

function pointColors(data: ScatterData, colors: PlotColors): (at: number) => string {
  const { color, classes } = data;
  if (!color) return () => colors.mark;
  if (classes) {
    return at => {
      const value = color[at] ?? NaN;
      return Number.isNaN(value) ? colors.faint : groupColor(value, colors.background);
    };
  }
  const [low, high] = finiteRange(color);
  return at => {
    const value = color[at] ?? NaN;
    if (Number.isNaN(value)) return colors.faint;
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return measureColor(Math.round(share * STEPS) / STEPS);
  };
}

function densityOf(
  { xRange, yRange }: ScatterData,
  { bins, counts }: DensityGrid,
  { x, y, colors }: ScatterBody,
): SVGElement[] {
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const levels: string[][] = Array.from({ length: 10 }, () => []);
  const [xLow, xHigh] = xRange;
  const [yLow, yHigh] = yRange;
  const edge = (low: number, high: number, bin: number) => low + ((high - low) * bin) / bins;
  counts.forEach((count, at) => {
    if (count === 0) return;
    const [column, row] = [at % bins, Math.floor(at / bins)];
    const [left, right] = [x(edge(xLow, xHigh, column)), x(edge(xLow, xHigh, column + 1))];
    const [bottom, top] = [y(edge(yLow, yHigh, row)), y(edge(yLow, yHigh, row + 1))];
    const level = Math.min(9, Math.floor(10 * Math.sqrt(count / most)));
    levels[level]?.push(
      `M${left.toFixed(1)} ${top.toFixed(1)}H${right.toFixed(1)}V${bottom.toFixed(1)}H${left.toFixed(1)}z`,
    );
  });
  return levels.flatMap((parts, level) =>
    parts.length === 0
      ? []
      : svg('path', { d: parts.join(''), fill: colors.mark, 'fill-opacity': 0.16 + (0.84 * level) / 9 }),
  );
}

/** The names of the colors, to the right of the plot's inner box. */
function legendOf(
  color: Float64Array,
  { data, words, colors }: ScatterPlot,
  box: PlotFrame['box'],
): SVGElement {
  const left = box.left + box.width + 12;
  const line = FONT_SIZE + 6;
  const group = svg('g', { fill: colors.foreground });
  const say = (row: number, text: string, indent = 14) =>
    group.append(
      svg('text', { x: left + indent, y: box.top + 10 + row * line }, shortened(text, LEGEND_WIDTH - 30)),
    );
  const dot = (row: number, fill: string) =>
    group.append(svg('circle', { cx: left + 4, cy: box.top + 6 + row * line, r: 4, fill }));
  say(0, words.color, 0);
  if (data.classes) {
    const room = Math.max(1, Math.floor(box.height / line) - 2);
    data.classes.slice(0, room).forEach((name, at) => {
      dot(at + 1, groupColor(at, colors.background));
      say(at + 1, name || words.none);
    });
    if (data.classes.length > room) say(room + 1, '…');
  } else {
    const [low, high] = finiteRange(color);
    for (let step = 0; step <= 4; step++) {
      dot(step + 1, measureColor(1 - step / 4));
      say(step + 1, words.number(high - ((high - low) * step) / 4));
    }
  }
  return group;
}

function finiteRange(values: Float64Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}
