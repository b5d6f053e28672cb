import { scaleLinear, type ScaleLinear } from 'd3-scale';
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

/** A plot's drawing with its inner box; marks go into `body`, which is cut off at the box. */
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
  // It reaches a pixel beyond the box, for lines that are drawn on its edge.
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

/** A linear scale that ends on round numbers; a single value gets room on both sides. */
export function niceScale(low: number, high: number, from: number, to: number): ScaleLinear<number, number> {
  const room = low === high ? Math.abs(low) || 1 : 0;
  return scaleLinear()
    .domain([low - room / 2, high + room / 2])
    .nice()
    .range([from, to]);
}

/** A linear scale that ends exactly where a window does. */
export function windowScale(
  window: readonly [number, number],
  from: number,
  to: number,
): ScaleLinear<number, number> {
  return scaleLinear().domain(window).range([from, to]);
}

/** The approximate width of a text in pixels. */
export function textWidth(text: string): number {
  return text.length * FONT_SIZE * 0.56;
}

/** The margin that a vertical axis needs for its numbers and its name. */
export function leftRoom(scale: ScaleLinear<number, number>): number {
  const [from = 0, to = 0] = scale.range();
  const ticks = verticalTicks(scale, Math.abs(from - to));
  const format = scale.tickFormat(ticks.length);
  const widest = Math.max(0, ...ticks.map(tick => textWidth(format(tick))));
  return Math.ceil(Math.min(120, widest + TICK + 2 * FONT_SIZE + 2));
}

function verticalTicks(scale: ScaleLinear<number, number>, height: number): number[] {
  return scale.ticks(Math.max(2, Math.floor(height / 40)));
}

/** The horizontal axis with its name, and the grid lines above it. */
export function bottomAxis(
  frame: PlotFrame,
  scale: ScaleLinear<number, number>,
  name: string,
  colors: PlotColors,
): void {
  const { left, top, width, height } = frame.box;
  const y = top + height;
  const ticks = scale.ticks(Math.max(2, Math.floor(width / 80)));
  const format = scale.tickFormat(ticks.length);
  const lines = ticks.map(tick => `M${left + scale(tick)} ${top}V${y}`).join('');
  const group = svg(
    'g',
    { fill: colors.faint, 'text-anchor': 'middle' },
    svg('path', { d: lines, stroke: colors.grid, fill: 'none' }),
    svg('path', { d: `M${left} ${y}H${left + width}`, stroke: colors.faint, fill: 'none' }),
    ...ticks.map(tick => svg('text', { x: left + scale(tick), y: y + TICK + FONT_SIZE }, format(tick))),
    svg(
      'text',
      { x: left + width / 2, y: y + TICK + 2.6 * FONT_SIZE, fill: colors.foreground },
      shortened(name, width),
    ),
  );
  frame.root.insertBefore(group, frame.body);
}

/** The vertical axis with its name, which it returns, and its grid lines; for counts, with integers only. */
export function leftAxis(
  frame: PlotFrame,
  scale: ScaleLinear<number, number>,
  name: string,
  colors: PlotColors,
  integersOnly = false,
): SVGElement {
  const { left, top, width, height } = frame.box;
  const ticks = verticalTicks(scale, height).filter(tick => !integersOnly || Number.isInteger(tick));
  const format = scale.tickFormat(Math.max(2, Math.floor(height / 40)), integersOnly ? ',d' : undefined);
  const lines = ticks.map(tick => `M${left} ${top + scale(tick)}H${left + width}`).join('');
  const named = svg(
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
    ...ticks.map(tick =>
      svg('text', { x: left - TICK, y: top + scale(tick) + FONT_SIZE * 0.35 }, format(tick)),
    ),
    named,
  );
  frame.root.insertBefore(group, frame.body);
  return named;
}

/** A text shortened to fit into about this number of pixels. */
export function shortened(text: string, pixels: number): string {
  const max = Math.max(3, Math.floor(pixels / textWidth('0')));
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
