import { groupColour, measureColour } from './markColours';
import type { PlotColours } from './plotColours';
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
import { svg } from '../svg';

/** Colour steps of a measurement: each is one path of all its points. */
const STEPS = 24;
const LEGEND_WIDTH = 132;

export interface ScatterData {
  x: Float64Array;
  y: Float64Array;
  /** A number, or a position in `classes`; NaN where there is none. */
  colour?: Float64Array;
  classes?: readonly string[];
  xRange: [number, number];
  yRange: [number, number];
  /** A grid of counts of all points instead of single ones, row by row from the lowest y. */
  grid?: { bins: number; counts: Uint32Array };
}

export interface ScatterWords {
  label: string;
  x: string;
  y: string;
  colour: string;
  none: string;
  number: (value: number) => string;
}

/** A drawn scatter plot, and the way from its pixels to the columns' units. */
export interface DrawnScatter {
  frame: PlotFrame;
  toData: (x: number, y: number) => [number, number];
}

/** Draws points, or their density, over two axes. */
export function drawScatter(
  data: ScatterData,
  words: ScatterWords,
  size: PlotSize,
  colours: PlotColours,
): DrawnScatter {
  const legend = data.colour ? LEGEND_WIDTH : 28;
  const frame = plotFrame(size, { top: 12, right: legend, bottom: 40, left: 64 }, colours, words.label);
  const { width, height } = frame.box;
  const x = niceScale(...data.xRange, 0, width);
  const y = niceScale(...data.yRange, height, 0);
  bottomAxis(frame, x, words.x, colours);
  leftAxis(frame, y, words.y, colours);
  if (data.grid) drawDensity(frame, data, data.grid, x, y, colours);
  else drawPoints(frame, data, x, y, colours);
  if (data.colour) drawLegend(frame, data, data.colour, words, colours);
  return { frame, toData: (px, py) => [x.invert(px - frame.box.left), y.invert(py - frame.box.top)] };
}

type Scale = (value: number) => number;

function drawPoints(frame: PlotFrame, data: ScatterData, x: Scale, y: Scale, colours: PlotColours): void {
  const paths = new Map<string, string[]>();
  const colourOf = pointColours(data, colours);
  for (let at = 0; at < data.x.length; at++) {
    const colour = colourOf(at);
    const parts = paths.get(colour) ?? [];
    paths.set(colour, parts);
    parts.push(`M${x(data.x[at] ?? 0).toFixed(1)} ${y(data.y[at] ?? 0).toFixed(1)}h0`);
  }
  const many = data.x.length > 3000;
  for (const [colour, parts] of paths) {
    // A line of no length with round ends is a dot: one element for all dots of a colour.
    frame.body.append(
      svg('path', {
        d: parts.join(''),
        stroke: colour,
        'stroke-width': many ? 2.5 : 4,
        'stroke-linecap': 'round',
        'stroke-opacity': many ? 0.6 : 0.8,
        fill: 'none',
      }),
    );
  }
}

function pointColours(data: ScatterData, colours: PlotColours): (at: number) => string {
  const { colour, classes } = data;
  if (!colour) return () => colours.mark;
  if (classes) {
    return at => {
      const value = colour[at] ?? NaN;
      return Number.isNaN(value) ? colours.faint : groupColour(value, colours.background);
    };
  }
  const [low, high] = finiteRange(colour);
  return at => {
    const value = colour[at] ?? NaN;
    if (Number.isNaN(value)) return colours.faint;
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return measureColour(Math.round(share * STEPS) / STEPS);
  };
}

function drawDensity(
  frame: PlotFrame,
  data: ScatterData,
  { bins, counts }: { bins: number; counts: Uint32Array },
  x: Scale,
  y: Scale,
  colours: PlotColours,
): void {
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const levels: string[][] = Array.from({ length: 10 }, () => []);
  const [xLow, xHigh] = data.xRange;
  const [yLow, yHigh] = data.yRange;
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
  levels.forEach((parts, level) => {
    if (parts.length === 0) return;
    frame.body.append(
      svg('path', { d: parts.join(''), fill: colours.mark, 'fill-opacity': 0.16 + (0.84 * level) / 9 }),
    );
  });
}

function drawLegend(
  frame: PlotFrame,
  data: ScatterData,
  colour: Float64Array,
  words: ScatterWords,
  colours: PlotColours,
): void {
  const left = frame.box.left + frame.box.width + 12;
  const line = FONT_SIZE + 6;
  const group = svg('g', { fill: colours.foreground });
  const say = (row: number, text: string, indent = 14) =>
    group.append(
      svg(
        'text',
        { x: left + indent, y: frame.box.top + 10 + row * line },
        shortened(text, LEGEND_WIDTH - 30),
      ),
    );
  const dot = (row: number, fill: string) =>
    group.append(svg('circle', { cx: left + 4, cy: frame.box.top + 6 + row * line, r: 4, fill }));
  say(0, words.colour, 0);
  if (data.classes) {
    const room = Math.max(1, Math.floor(frame.box.height / line) - 2);
    data.classes.slice(0, room).forEach((name, at) => {
      dot(at + 1, groupColour(at, colours.background));
      say(at + 1, name || words.none);
    });
    if (data.classes.length > room) say(room + 1, '…');
  } else {
    const [low, high] = finiteRange(colour);
    for (let step = 0; step <= 4; step++) {
      dot(step + 1, measureColour(1 - step / 4));
      say(step + 1, words.number(high - ((high - low) * step) / 4));
    }
  }
  frame.root.append(group);
}

function finiteRange(values: Float64Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}
