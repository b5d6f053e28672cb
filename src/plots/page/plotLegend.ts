import { CommonParts } from '../../pages/page/widgets/commonParts';
import { svg } from '../../pages/page/widgets/element';
import { colorRamp, rampColor } from '../../drawing/page/colorRamp';
import type { RowColors } from '../../drawing/page/plotAddition';
import { groupColor, type PlotColors } from '../../drawing/page/plotColors';
import { FONT_SIZE, type PlotFrame, type PlotSize, shortened, textWidth } from '../../drawing/page/plotFrame';

const LINE = FONT_SIZE + 6;
const DOT = 14;
const GAP = 12;
/** Length of the color ramp of a measurement in pixels. */
const RAMP = 96;
const MAX_LINES_BELOW = 3;

/** What the colors of points mean: classes, or the range of a measurement. */
export interface ColorMeaning {
  name: string;
  /** Most frequent first; an empty text for rows without a class. */
  classes?: readonly string[] | undefined;
  /** The colors of the classes, if they have any. */
  classColors?: (colors: PlotColors) => readonly string[];
  range?: readonly [number, number] | undefined;
}

/** What the rows' own colors mean. */
export function meaningOf({ name, groups, others }: RowColors): ColorMeaning {
  return {
    name,
    classes: [...groups.map(group => group.name), others],
    classColors: colors => [...groups.map(({ color }) => color(colors.background)), colors.others],
  };
}

export function colorsOf({ classes = [], classColors }: ColorMeaning, colors: PlotColors): readonly string[] {
  return classColors?.(colors) ?? classes.map((_, index) => groupColor(index, colors.background));
}

export interface LegendWords {
  none: string;
  /** Formats a number with few digits. */
  short: (value: number) => string;
}

interface Legend {
  meaning: ColorMeaning;
  words: LegendWords;
  colors: PlotColors;
}

const LEGEND_WIDTH = 132;
/** Width below which a plot has no room for a legend beside it. */
const NARROW = 420;
/** The right margin of a plot without a legend. */
const RIGHT = 20;

/** A legend beside a plot, or below a narrow one: the right margin, and the height that it adds. */
export function legendFor(
  meaning: ColorMeaning | undefined,
  { size, ...look }: Omit<Legend, 'meaning'> & { size: PlotSize },
): { right: number; height: number; drawIn: (frame: PlotFrame) => void } {
  if (!meaning) return { right: RIGHT, height: 0, drawIn: () => undefined };
  const legend = { meaning, ...look };
  if (size.width < NARROW) {
    const { height, drawAt } = legendBelow(legend, size.width - 16);
    return { right: RIGHT, height, drawIn: ({ root }) => root.append(drawAt(8, size.height + 2)) };
  }
  const drawIn = ({ root, box: { left, top, width, height } }: PlotFrame) =>
    root.append(legendBeside(legend, { left: left + width + 14, top, width: LEGEND_WIDTH - 18, height }));
  return { right: LEGEND_WIDTH, height: 0, drawIn };
}

function fitsInto(pixels: number): (text: string) => boolean {
  return text => textWidth(text) <= Math.max(pixels, textWidth('000'));
}

/** A legend to the right of a plot. Entries that don't fit its height are left out. */
function legendBeside(
  { meaning, words, colors }: Legend,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): SVGElement {
  const group = svg('g', { fill: colors.foreground });
  const commonParts = CommonParts.of(meaning.classes ?? []);
  const write = (line: number, text: string, indent: number) => {
    const shown = commonParts.cut(text, fitsInto(width - indent));
    const label = svg('text', { x: left + indent, y: top + 10 + line * LINE }, shown);
    if (shown !== text) label.append(svg('title', {}, text));
    group.append(label);
  };
  write(0, meaning.name, 0);
  if (meaning.classes) {
    const maxClasses = Math.max(1, Math.floor(height / LINE) - 2);
    const classColors = colorsOf(meaning, colors);
    meaning.classes.slice(0, maxClasses).forEach((name, index) => {
      group.append(dot(left + 4, top + 6 + (index + 1) * LINE, classColors[index] ?? colors.faint));
      write(index + 1, name || words.none, DOT);
    });
    if (meaning.classes.length > maxClasses) write(maxClasses + 1, '…', DOT);
    return group;
  }
  const [low, high] = meaning.range ?? [0, 0];
  const rampHeight = Math.max(LINE * 2, Math.min(RAMP, height - 2 * LINE));
  const rampTop = top + LINE + 6;
  group.append(colorRamp({ x: left, y: rampTop, width: 10, height: rampHeight }, true));
  for (const share of [0, 0.5, 1])
    group.append(
      svg(
        'text',
        { x: left + DOT + 2, y: rampTop + share * rampHeight + FONT_SIZE * 0.35 },
        shortened(words.short(high - (high - low) * share), width - DOT),
      ),
    );
  return group;
}

/** A legend below a narrow plot. Its height is needed before it is drawn. */
function legendBelow(
  { meaning, words, colors }: Legend,
  width: number,
): { height: number; drawAt: (left: number, top: number) => SVGElement } {
  const items: { text: string; color?: string }[] = [{ text: meaning.name }];
  const ramp = meaning.classes ? undefined : meaning.range;
  const classColors = colorsOf(meaning, colors);
  meaning.classes?.forEach((name, index) =>
    items.push({ text: name || words.none, color: classColors[index] ?? colors.faint }),
  );
  const places: { text: string; x: number; line: number; color?: string }[] = [];
  const commonParts = CommonParts.of(meaning.classes ?? []);
  let [x, line] = [0, 0];
  for (const { text, color } of items) {
    const shown = commonParts.cut(text, fitsInto(width - DOT));
    const itemWidth = textWidth(shown) + (color ? DOT : 0);
    if (x > 0 && x + itemWidth > width) [x, line] = [0, line + 1];
    if (line >= MAX_LINES_BELOW) {
      const last = places.at(-1);
      if (last) last.text = `${shortened(last.text, textWidth(last.text) - DOT)} …`;
      break;
    }
    places.push({ text: shown, x, line, ...(color && { color }) });
    x += itemWidth + GAP;
  }
  const lines = Math.min(MAX_LINES_BELOW, line + 1);
  return {
    height: lines * LINE + 4,
    drawAt: (left, top) => {
      const group = svg('g', { fill: colors.foreground });
      for (const item of places) {
        const y = top + 10 + item.line * LINE;
        if (item.color) group.append(dot(left + item.x + 4, y - 4, item.color));
        group.append(svg('text', { x: left + item.x + (item.color ? DOT : 0), y }, item.text));
      }
      if (ramp) group.append(...rampBelow(ramp, words, left + x, top));
      return group;
    },
  };
}

function rampBelow(
  [low, high]: readonly [number, number],
  words: LegendWords,
  left: number,
  top: number,
): SVGElement[] {
  const lowText = words.short(low);
  const start = left + textWidth(lowText) + 6;
  return [
    svg('text', { x: left, y: top + 10 }, lowText),
    colorRamp({ x: start, y: top + 1, width: RAMP, height: 10 }),
    svg('text', { x: start + RAMP + 6, y: top + 10 }, words.short(high)),
  ];
}

function dot(cx: number, cy: number, fill: string): SVGElement {
  return svg('circle', { cx, cy, r: 4, fill });
}

/** Color steps of a measurement. */
const STEPS = 24;

/** The colors of points, as indexes in a palette. */
export interface PointColors {
  palette: readonly string[];
  /** The palette index of a point's color. */
  indexOf: (point: number) => number;
}

/** Colors by class or measurement. Points without a value have the palette's last color. */
export function pointColors(values: Float64Array, meaning: ColorMeaning, colors: PlotColors): PointColors {
  const { classes, range = [0, 0] } = meaning;
  const { faint } = colors;
  if (classes) {
    return {
      palette: [...colorsOf(meaning, colors), faint],
      indexOf: point => {
        const value = values[point] ?? NaN;
        return Number.isNaN(value) ? classes.length : value;
      },
    };
  }
  const [low, high] = range;
  return {
    palette: [...Array.from({ length: STEPS + 1 }, (_, step) => rampColor(step / STEPS)), faint],
    indexOf: point => {
      const value = values[point] ?? NaN;
      if (Number.isNaN(value)) return STEPS + 1;
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return Math.round(Math.max(0, Math.min(1, share)) * STEPS);
    },
  };
}
