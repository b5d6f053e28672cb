import type { TableGroup } from '../../model/tableStatistics';
import { svg } from '../widgets/svg';
import { groupColor } from './markColors';
import type { PlotColors } from './plotColors';
import type { MoveKey, PlotDrawing, PlotLook, TipLine } from './plotDrawing';
import {
  bottomAxis,
  FONT_SIZE,
  niceScale,
  plotFrame,
  shortened,
  textWidth,
  type PlotFrame,
} from './plotFrame';

const ROW = 24;
const MAX_LABELS = 148;

/** A group of all rows, and what of it matches the filters. */
export interface ShownGroup {
  key: string | null;
  /** Undefined where none of its rows match. */
  shown: TableGroup | undefined;
  /** Undefined where all rows are shown. */
  all: TableGroup | undefined;
  /** Its place by number of rows: a scatter plot's classes are in that order too, and so have the same colors. */
  rank: number;
}

export interface GroupWords {
  label: string;
  /** Name of the axis of measurements. */
  measure: string;
  /** What stands for a group without a value. */
  missing: string;
  /** What a tip says of a group. */
  tip: (group: TableGroup | undefined, all: TableGroup | undefined) => TipLine[];
}

export interface GroupPlot {
  groups: readonly ShownGroup[];
  /** The columns that group and, but for counts, are measured. */
  by: number;
  measure: number | null;
  words: GroupWords;
  look: PlotLook;
}

type Drawn = Omit<PlotDrawing, 'title' | 'note'>;

/** A box per group: quartiles and median, whiskers to the least and the greatest; that of all its rows in gray below. */
export function drawBoxes(plot: GroupPlot): Drawn {
  const { groups, look } = plot;
  const { colors } = look;
  const drawn = groups.filter(({ shown, all }) => boxOf(shown) ?? boxOf(all));
  const boxes = drawn.flatMap(({ shown, all }) => [boxOf(shown) ?? [], boxOf(all) ?? []].flat());
  const { frame, x } = groupFrame(drawn, [Math.min(...boxes), Math.max(...boxes)], plot);
  drawn.forEach(({ shown, all, rank }, at) => {
    const y = at * ROW;
    const [gray, box] = [boxOf(all), boxOf(shown)];
    if (gray)
      frame.body.append(
        boxElement(gray, { x, y, inset: 3, line: colors.rest, fill: colors.rest, opacity: 0.5 }),
      );
    const color = groupColor(rank, colors.background);
    if (box)
      frame.body.append(
        boxElement(box, {
          x,
          y,
          inset: all ? 6 : 4,
          line: colors.foreground,
          fill: color,
          opacity: 0.55,
          color,
        }),
      );
  });
  return { ...parts(drawn, frame, plot), mark: rowMark(drawn, frame, x, plot) };
}

/** A bar per group from zero: the mean of a measure with its sd, or the number of rows; that of all its rows in gray below. */
export function drawBars(plot: GroupPlot): Drawn {
  const { groups, measure, look } = plot;
  const { colors } = look;
  const barOf = (group: TableGroup | undefined): { value: number; sd: number } | undefined => {
    if (!group) return undefined;
    const value = measure === null ? group.rows : group.measures[0]?.mean;
    return typeof value === 'number'
      ? { value, sd: (measure === null ? 0 : group.measures[0]?.sd) ?? 0 }
      : undefined;
  };
  const drawn = groups.filter(({ shown, all }) => barOf(shown) ?? barOf(all));
  const bars = drawn.flatMap(({ shown, all }) => [barOf(shown) ?? [], barOf(all) ?? []].flat());
  const low = Math.min(0, ...bars.map(({ value, sd }) => value - sd));
  const high = Math.max(0, ...bars.map(({ value, sd }) => value + sd));
  const { frame, x } = groupFrame(drawn, [low, high], plot);
  drawn.forEach(({ shown, all, rank }, at) => {
    const y = at * ROW;
    const rect = (value: number, inset: number, fill: string) => {
      const [from, to] = [x(Math.min(0, value)), x(Math.max(0, value))];
      return svg('rect', {
        x: from,
        y: y + inset,
        width: Math.max(1, to - from),
        height: ROW - 2 * inset,
        fill,
      });
    };
    const [gray, bar] = [barOf(all), barOf(shown)];
    if (gray) frame.body.append(rect(gray.value, 3, colors.rest));
    if (!bar) return;
    const { value, sd } = bar;
    frame.body.append(rect(value, all ? 6 : 4, groupColor(rank, colors.background)));
    const error = `M${x(value - sd)} ${y + ROW / 2}H${x(value + sd)}M${x(value - sd)} ${y + 8}v8M${x(value + sd)} ${y + 8}v8`;
    if (sd > 0) frame.body.append(svg('path', { d: error, stroke: colors.foreground, fill: 'none' }));
  });
  return parts(drawn, frame, plot);
}

/** Minimum, quartiles with the median, and maximum. */
type Box = [number, number, number, number, number];

function boxOf(group: TableGroup | undefined): Box | undefined {
  const [measure] = group?.measures ?? [];
  if (!measure) return undefined;
  const { min, q1, median, q3, max } = measure;
  return min === null || q1 === null || median === null || q3 === null || max === null
    ? undefined
    : [min, q1, median, q3, max];
}

interface BoxLook {
  x: (value: number) => number;
  y: number;
  inset: number;
  line: string;
  fill: string;
  opacity: number;
  color?: string;
}

function boxElement(
  [min, q1, median, q3, max]: Box,
  { x, y, inset, line, fill, opacity, color }: BoxLook,
): SVGElement {
  const half = y + ROW / 2;
  return svg(
    'g',
    {},
    svg('path', {
      d: `M${x(min)} ${half}H${x(q1)}M${x(q3)} ${half}H${x(max)}M${x(min)} ${half - 4}v8M${x(max)} ${half - 4}v8`,
      stroke: line,
      fill: 'none',
    }),
    svg('rect', {
      x: x(q1),
      y: y + inset,
      width: Math.max(1, x(q3) - x(q1)),
      height: ROW - 2 * inset,
      fill,
      'fill-opacity': opacity,
      stroke: color ?? line,
    }),
    svg('path', {
      d: `M${x(median)} ${y + inset - 1}v${ROW - 2 * inset + 2}`,
      stroke: line,
      'stroke-width': 2,
    }),
  );
}

/** The frame with a line for each of the groups drawn, and the scale of their values. */
function groupFrame(
  drawn: readonly ShownGroup[],
  [low, high]: [number, number],
  { words, look: { size, colors } }: GroupPlot,
) {
  const names = drawn.map(group => nameOf(group, words));
  const most = Math.min(MAX_LABELS, size.width * 0.36);
  const left = Math.ceil(Math.min(most, Math.max(40, ...names.map(textWidth)) + 16));
  const outer = { width: size.width, height: Math.max(2, drawn.length) * ROW + 52 };
  const frame = plotFrame(outer, { top: 8, right: 24, bottom: 44, left }, colors, words.label);
  const x = niceScale(Number.isFinite(low) ? low : 0, Number.isFinite(high) ? high : 1, 0, frame.box.width);
  bottomAxis(frame, x, words.measure, colors);
  drawn.forEach(({ shown }, at) => {
    const name = names[at] ?? '';
    frame.root.append(
      svg(
        'text',
        {
          x: left - 8,
          y: frame.box.top + at * ROW + ROW / 2 + FONT_SIZE * 0.35,
          'text-anchor': 'end',
          fill: shown ? colors.foreground : colors.faint,
        },
        shortened(name, left - 12, 'end'),
      ),
    );
  });
  return { frame, x };
}

/** What a plot of groups can do: a group is a line of it. */
function parts(drawn: readonly ShownGroup[], frame: PlotFrame, { words, by, look }: GroupPlot): Drawn {
  const { box } = frame;
  const { colors } = look;
  return {
    frame,
    targets: {
      at: (_x, y) => {
        const at = Math.floor((y - box.top) / ROW);
        return at >= 0 && at < drawn.length ? at : undefined;
      },
      next: (from, key) => nextGroup(from, key, drawn.length),
      place: at => ({ x: box.left + box.width / 2, y: box.top + (at + 0.5) * ROW }),
      outline: at =>
        svg('rect', {
          x: 1,
          y: box.top + at * ROW + 0.5,
          width: look.size.width - 2,
          height: ROW - 1,
          fill: colors.foreground,
          'fill-opacity': 0.08,
          stroke: colors.foreground,
          'stroke-opacity': 0.6,
        }),
      tip: at => {
        const group = drawn[at];
        return group ? [{ label: nameOf(group, words) }, ...words.tip(group.shown, group.all)] : [];
      },
      action: at => ({ kind: 'group', column: by, key: drawn[at]?.key ?? null }),
    },
    clear: { kind: 'clearGroup', column: by },
  };
}

/** Marks the value of the selected row in the line of its group. */
function rowMark(
  drawn: readonly ShownGroup[],
  { box }: PlotFrame,
  x: (value: number) => number,
  { measure, by, look: { colors } }: GroupPlot,
): NonNullable<PlotDrawing['mark']> {
  return {
    columns: measure === null ? [] : [measure],
    textColumn: by,
    draw: ([value], text) => {
      const at = drawn.findIndex(({ key }) => isSameKey(key, text));
      if (typeof value !== 'number' || at < 0) return undefined;
      return diamond(box.left + x(value), box.top + (at + 0.5) * ROW, colors);
    },
  };
}

/** Whether a cell is in a group: by its text, or where both are numbers by their value. */
function isSameKey(key: string | null, text: string): boolean {
  if (key === null) return text.trim() === '';
  return key === text || (text.trim() !== '' && Number(key) === Number(text));
}

function diamond(x: number, y: number, { background, foreground }: PlotColors): SVGElement {
  return svg('path', {
    d: `M${x} ${y - 7}l7 7l-7 7l-7 -7z`,
    fill: foreground,
    stroke: background,
    'stroke-width': 2,
  });
}

function nextGroup(from: number | undefined, key: MoveKey, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'End') return count - 1;
  if (key === 'Home' || from === undefined) return 0;
  const step = key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 1;
  return Math.max(0, Math.min(count - 1, from + step));
}

function nameOf({ key }: Pick<ShownGroup, 'key'>, words: GroupWords): string {
  return key ?? words.missing;
}
