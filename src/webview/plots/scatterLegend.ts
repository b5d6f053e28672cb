import { svg } from '../widgets/svg';
import { groupColor, measureColor } from './markColors';
import type { PlotColors } from './plotColors';
import { FONT_SIZE, shortened, textWidth } from './plotFrame';

const LINE = FONT_SIZE + 6;
const DOT = 14;
const GAP = 12;
const RAMP = 96;
const RAMP_STEPS = 24;
const MAX_LINES_BELOW = 3;

/** What the colors of a scatter plot mean: the texts of classes, or the ends of a measurement. */
export interface ColorMeaning {
  name: string;
  /** Frequent first; empty for rows without one. */
  classes?: readonly string[] | undefined;
  range?: readonly [number, number] | undefined;
}

export interface LegendWords {
  none: string;
  /** A number with few digits. */
  short: (value: number) => string;
}

interface Legend {
  meaning: ColorMeaning;
  words: LegendWords;
  colors: PlotColors;
}

/** A legend in a column of so many pixels, as high as `height`. */
export function legendBeside(
  { meaning, words, colors }: Legend,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): SVGElement {
  const group = svg('g', { fill: colors.foreground });
  const say = (line: number, text: string, indent: number) => {
    const shown = shortened(text, width - indent);
    const label = svg('text', { x: left + indent, y: top + 10 + line * LINE }, shown);
    if (shown !== text) label.append(svg('title', {}, text));
    group.append(label);
  };
  say(0, meaning.name, 0);
  if (meaning.classes) {
    const room = Math.max(1, Math.floor(height / LINE) - 2);
    meaning.classes.slice(0, room).forEach((name, at) => {
      group.append(dot(left + 4, top + 6 + (at + 1) * LINE, groupColor(at, colors.background)));
      say(at + 1, name || words.none, DOT);
    });
    if (meaning.classes.length > room) say(room + 1, '…', DOT);
    return group;
  }
  const [low, high] = meaning.range ?? [0, 0];
  const tall = Math.max(LINE * 2, Math.min(RAMP, height - 2 * LINE));
  const step = tall / RAMP_STEPS;
  const rampTop = top + LINE + 6;
  for (let at = 0; at < RAMP_STEPS; at++)
    group.append(
      svg('rect', {
        x: left,
        y: rampTop + at * step,
        width: 10,
        height: step + 0.5,
        fill: measureColor(1 - at / (RAMP_STEPS - 1)),
      }),
    );
  for (const share of [0, 0.5, 1])
    group.append(
      svg(
        'text',
        { x: left + DOT + 2, y: rampTop + share * tall + FONT_SIZE * 0.35 },
        shortened(words.short(high - (high - low) * share), width - DOT),
      ),
    );
  return group;
}

/** A legend in lines of a width, for where there is no room beside a plot; its height is known before it is placed. */
export function legendBelow(
  { meaning, words, colors }: Legend,
  width: number,
): { height: number; at: (left: number, top: number) => SVGElement } {
  const items: { text: string; color?: string }[] = [{ text: meaning.name }];
  const ramp = meaning.classes ? undefined : meaning.range;
  meaning.classes?.forEach((name, at) =>
    items.push({ text: name || words.none, color: groupColor(at, colors.background) }),
  );
  const places: { text: string; x: number; line: number; color?: string }[] = [];
  let [x, line] = [0, 0];
  for (const { text, color } of items) {
    const shown = shortened(text, width - DOT);
    const wide = textWidth(shown) + (color ? DOT : 0);
    if (x > 0 && x + wide > width) [x, line] = [0, line + 1];
    if (line >= MAX_LINES_BELOW) {
      const last = places.at(-1);
      if (last) last.text = `${shortened(last.text, textWidth(last.text) - DOT)} …`;
      break;
    }
    places.push({ text: shown, x, line, ...(color && { color }) });
    x += wide + GAP;
  }
  const lines = Math.min(MAX_LINES_BELOW, line + 1);
  return {
    height: lines * LINE + 4,
    at: (left, top) => {
      const group = svg('g', { fill: colors.foreground });
      for (const each of places) {
        const y = top + 10 + each.line * LINE;
        if (each.color) group.append(dot(left + each.x + 4, y - 4, each.color));
        group.append(svg('text', { x: left + each.x + (each.color ? DOT : 0), y }, each.text));
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
  const least = words.short(low);
  const start = left + textWidth(least) + 6;
  const step = RAMP / RAMP_STEPS;
  return [
    svg('text', { x: left, y: top + 10 }, least),
    ...Array.from({ length: RAMP_STEPS }, (_, at) =>
      svg('rect', {
        x: start + at * step,
        y: top + 1,
        width: step + 0.5,
        height: 10,
        fill: measureColor(at / (RAMP_STEPS - 1)),
      }),
    ),
    svg('text', { x: start + RAMP + 6, y: top + 10 }, words.short(high)),
  ];
}

function dot(cx: number, cy: number, fill: string): SVGElement {
  return svg('circle', { cx, cy, r: 4, fill });
}
