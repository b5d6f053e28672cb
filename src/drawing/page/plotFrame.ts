import { scaleLinear, type ScaleLinear, scaleLog } from 'd3-scale';
import { type AxisScale, onAxis } from '../../columns/axisScale';
import { svg } from '../../pages/page/widgets/element';
import type { PlotColors } from './plotColors';

export const FONT_SIZE = 11;
const TICK = 4;

export interface PlotSize {
  width: number;
  height: number;
}

interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** A plot's drawing with its inner box. Marks are added to `body`, which is clipped at the box. */
export interface PlotFrame {
  root: SVGSVGElement;
  body: SVGSVGElement;
  box: { left: number; top: number; width: number; height: number };
}

/** An empty plot on the theme's background, named for screen readers. */
export function plotFrame(size: PlotSize, margins: Margins, colors: PlotColors, label: string): PlotFrame {
  const { width, height } = size;
  const box = {
    left: margins.left,
    top: margins.top,
    width: Math.max(10, width - margins.left - margins.right),
    height: Math.max(10, height - margins.top - margins.bottom),
  };
  // The body extends a pixel beyond the box, for lines on its edge.
  const [bodyWidth, bodyHeight] = [box.width + 2, box.height + 2];
  const body = svg('svg', {
    x: box.left - 1,
    y: box.top - 1,
    width: bodyWidth,
    height: bodyHeight,
    viewBox: `-1 -1 ${bodyWidth} ${bodyHeight}`,
    overflow: 'hidden',
  });
  const root = svg(
    'svg',
    {
      class: 'plot-drawing',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': label,
      'font-family': colors.font,
      'font-size': FONT_SIZE,
    },
    svg('rect', { width, height, fill: colors.background }),
    body,
  );
  return { root, body, box };
}

/** A linear scale with round ends; a single value has space on both sides. */
export function niceScale(low: number, high: number, from: number, to: number): ScaleLinear<number, number> {
  const padding = low === high ? Math.abs(low) || 1 : 0;
  return scaleLinear()
    .domain([low - padding / 2, high + padding / 2])
    .nice()
    .range([from, to]);
}

/** A linear scale with exactly the ends of a window. */
export function windowScale(
  window: readonly [number, number],
  from: number,
  to: number,
): ScaleLinear<number, number> {
  return scaleLinear().domain(window).range([from, to]);
}

/** An axis of a column of numbers, in pixels of the drawing. */
export interface ColumnAxis {
  column: number;
  scale: AxisScale;
  /** The pixel of a position on the axis; NaN for no position. */
  toPixel: (position: number) => number;
  toPlace: (pixel: number) => number;
}

/** An axis of a column; its scale begins at a distance in pixels from the edge of the drawing. */
export function columnAxis(
  column: number,
  scale: AxisScale,
  positions: ScaleLinear<number, number>,
  offset: number,
): ColumnAxis {
  return {
    column,
    scale,
    toPixel: position => positions(position) + offset,
    toPlace: pixel => positions.invert(pixel - offset),
  };
}

/** The approximate width of a text in pixels. */
export function textWidth(text: string): number {
  return text.length * FONT_SIZE * 0.56;
}

/**
 * A scale slightly beyond the data, for a logarithmic axis, where round numbers may be far away.
 */
export function roomyScale(low: number, high: number, from: number, to: number): ScaleLinear<number, number> {
  const padding = high > low ? (high - low) * 0.04 : 0.5;
  return scaleLinear()
    .domain([low - padding, high + padding])
    .range([from, to]);
}

/** A mark on an axis. Marks without space for a number have an empty text. */
interface Tick {
  position: number;
  words: string;
}

/** About `count` marks on a logarithmic axis. */
function logTicks(scale: ScaleLinear<number, number>, count: number): Tick[] {
  const ends = scale.domain().map(end => Math.min(Number.MAX_VALUE, Math.max(Number.MIN_VALUE, 10 ** end)));
  const numbers = scaleLog().domain(ends);
  // d3 decides which marks have a number.
  const format = numbers.tickFormat(count, 'e');
  return numbers
    .ticks(count)
    .map(tick => ({ position: onAxis(tick, 'log'), words: format(tick) === '' ? '' : powerWords(tick) }));
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Limits of numbers without exponents. */
const [MIN_PLAIN, MAX_PLAIN] = [1e-3, 1e5];

function powerWords(number: number): string {
  const short = Number(number.toPrecision(12));
  if (short >= MIN_PLAIN && short < MAX_PLAIN) return String(short);
  const [digits = '', exponent = ''] = short.toExponential().split('e');
  const raised = exponent.replace('+', '').replace('-', '⁻');
  const power = `10${raised.replace(/\d/g, digit => SUPERSCRIPTS[Number(digit)] ?? '')}`;
  return digits === '1' ? power : `${digits}·${power}`;
}

/** The margin for the numbers and the name of a vertical axis. */
export function leftRoom(scale: ScaleLinear<number, number>, axis: AxisScale = 'linear'): number {
  const [from = 0, to = 0] = scale.range();
  const widest = Math.max(
    0,
    ...leftTicks(scale, Math.abs(from - to), { axis }).map(({ words }) => textWidth(words)),
  );
  return Math.ceil(Math.min(120, widest + TICK + 2 * FONT_SIZE + 2));
}

interface LeftAxis {
  axis?: AxisScale;
  /** Whether only integers have marks, as for counts. */
  integersOnly?: boolean;
}

function leftTicks(
  scale: ScaleLinear<number, number>,
  height: number,
  { axis = 'linear', integersOnly = false }: LeftAxis,
): Tick[] {
  const count = Math.max(2, Math.floor(height / 40));
  if (axis === 'log') return logTicks(scale, count);
  const ticks = scale.ticks(count).filter(tick => !integersOnly || Number.isInteger(tick));
  const format = scale.tickFormat(count, integersOnly ? ',d' : undefined);
  return ticks.map(tick => ({ position: tick, words: format(tick) }));
}

/** Draws the horizontal axis with its name, and the grid lines above it. */
export function bottomAxis(
  frame: PlotFrame,
  scale: ScaleLinear<number, number>,
  name: string,
  colors: PlotColors,
  axis: AxisScale = 'linear',
): void {
  const { left, top, width, height } = frame.box;
  const y = top + height;
  const ticks = bottomTicks(scale, width, axis);
  const lines = ticks.map(({ position }) => `M${left + scale(position)} ${top}V${y}`).join('');
  const group = svg(
    'g',
    { fill: colors.faint, 'text-anchor': 'middle' },
    svg('path', { d: lines, stroke: colors.grid, fill: 'none' }),
    svg('path', { d: `M${left} ${y}H${left + width}`, stroke: colors.faint, fill: 'none' }),
    ...ticks.map(({ position, words }) =>
      svg('text', { x: left + scale(position), y: y + TICK + FONT_SIZE }, words),
    ),
    svg(
      'text',
      { x: left + width / 2, y: y + TICK + 2.6 * FONT_SIZE, fill: colors.foreground },
      shortened(name, width),
    ),
  );
  frame.root.insertBefore(group, frame.body);
}

function bottomTicks(scale: ScaleLinear<number, number>, width: number, axis: AxisScale): Tick[] {
  const count = Math.max(2, Math.floor(width / 80));
  if (axis === 'log') return logTicks(scale, count);
  const ticks = scale.ticks(count);
  const format = scale.tickFormat(ticks.length);
  return ticks.map(tick => ({ position: tick, words: format(tick) }));
}

/** Draws the vertical axis with its name and grid lines, and returns the axis. */
export function leftAxis(
  frame: PlotFrame,
  scale: ScaleLinear<number, number>,
  name: string,
  colors: PlotColors,
  shown: LeftAxis = {},
): SVGElement {
  const { left, top, width, height } = frame.box;
  const ticks = leftTicks(scale, height, shown);
  const lines = ticks.map(({ position }) => `M${left} ${top + scale(position)}H${left + width}`).join('');
  const nameText = svg(
    'text',
    {
      transform: `translate(${FONT_SIZE} ${top + height / 2}) rotate(-90)`,
      'text-anchor': 'middle',
      fill: colors.foreground,
    },
    shortened(name, height),
  );
  const group = svg(
    'g',
    { fill: colors.faint, 'text-anchor': 'end' },
    svg('path', { d: lines, stroke: colors.grid, fill: 'none' }),
    ...ticks.map(({ position, words }) =>
      svg('text', { x: left - TICK, y: top + scale(position) + FONT_SIZE * 0.35 }, words),
    ),
    nameText,
  );
  frame.root.insertBefore(group, frame.body);
  return nameText;
}

/** A text shortened to a width of about this number of pixels. */
export function shortened(text: string, pixels: number): string {
  const max = Math.max(3, Math.floor(pixels / textWidth('0')));
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
