import type { TableGroup } from '../../model/tableStatistics';
import { svg } from '../widgets/svg';
import { groupColor } from './markColors';
import type { PlotColors } from './plotColors';
import { bottomAxis, FONT_SIZE, niceScale, plotFrame, shortened, type PlotFrame } from './plotFrame';

const ROW = 24;
const LABELS = 148;

export interface GroupWords {
  label: string;
  /** Name of the axis of measurements. */
  measure: string;
  /** What stands for a group without a value. */
  missing: string;
  number: (value: number) => string;
}

export interface GroupPlot {
  groups: readonly TableGroup[];
  words: GroupWords;
  width: number;
  colors: PlotColors;
}

/** A box per group: quartiles and median, whiskers to the least and the greatest. Only groups with numbers are drawn. */
export function drawBoxes(plot: GroupPlot): PlotFrame {
  const { groups, words, colors } = plot;
  const known = groups.flatMap(group => {
    const [measure] = group.measures;
    if (!measure) return [];
    const { min, q1, median, q3, max } = measure;
    return min === null || q1 === null || median === null || q3 === null || max === null
      ? []
      : [{ group, min, q1, median, q3, max }];
  });
  const low = Math.min(...known.map(({ min }) => min));
  const high = Math.max(...known.map(({ max }) => max));
  const { frame, x } = groupFrame(known, [low, high], plot);
  const ranks = ranksOf(groups);
  known.forEach(({ group, min, q1, median, q3, max }, at) => {
    const y = at * ROW;
    const color = groupColor(ranks.get(group) ?? at, colors.background);
    const half = ROW / 2;
    frame.body.append(
      svg(
        'g',
        {},
        svg(
          'title',
          {},
          `${nameOf(group, words)}: ${[min, q1, median, q3, max].map(words.number).join(' · ')}`,
        ),
        svg('path', {
          d: `M${x(min)} ${y + half}H${x(q1)}M${x(q3)} ${y + half}H${x(max)}M${x(min)} ${y + half - 4}v8M${x(max)} ${y + half - 4}v8`,
          stroke: colors.foreground,
          fill: 'none',
        }),
        svg('rect', {
          x: x(q1),
          y: y + 4,
          width: Math.max(1, x(q3) - x(q1)),
          height: ROW - 8,
          fill: color,
          'fill-opacity': 0.55,
          stroke: color,
        }),
        svg('path', {
          d: `M${x(median)} ${y + 3}v${ROW - 6}`,
          stroke: colors.foreground,
          'stroke-width': 2,
        }),
      ),
    );
  });
  return frame;
}

/** A bar per group from zero: the mean of a measure with its sd, or with `counts` the number of rows. */
export function drawBars(plot: GroupPlot & { counts: boolean }): PlotFrame {
  const { groups, counts, words, colors } = plot;
  const known = groups.flatMap(group => {
    const value = counts ? group.rows : (group.measures[0]?.mean ?? null);
    const sd = counts ? 0 : (group.measures[0]?.sd ?? 0);
    return value === null ? [] : [{ group, value, sd }];
  });
  const low = Math.min(0, ...known.map(({ value, sd }) => value - sd));
  const high = Math.max(0, ...known.map(({ value, sd }) => value + sd));
  const { frame, x } = groupFrame(known, [low, high], plot);
  const ranks = ranksOf(groups);
  known.forEach(({ group, value, sd }, at) => {
    const y = at * ROW;
    const [from, to] = [x(Math.min(0, value)), x(Math.max(0, value))];
    const said = sd > 0 ? `${words.number(value)} ± ${words.number(sd)}` : words.number(value);
    const error = `M${x(value - sd)} ${y + ROW / 2}H${x(value + sd)}M${x(value - sd)} ${y + 8}v8M${x(value + sd)} ${y + 8}v8`;
    frame.body.append(
      svg(
        'g',
        {},
        svg('title', {}, `${nameOf(group, words)}: ${said}`),
        svg('rect', {
          x: from,
          y: y + 4,
          width: Math.max(1, to - from),
          height: ROW - 8,
          fill: groupColor(ranks.get(group) ?? at, colors.background),
        }),
        ...(sd > 0 ? [svg('path', { d: error, stroke: colors.foreground, fill: 'none' })] : []),
      ),
    );
  });
  return frame;
}

/** The frame with a line for each of the groups drawn, and the scale of their values. */
function groupFrame(
  drawn: readonly { group: TableGroup }[],
  [low, high]: [number, number],
  { words, width, colors }: GroupPlot,
) {
  const size = { width, height: Math.max(2, drawn.length) * ROW + 56 };
  const frame = plotFrame(size, { top: 8, right: 28, bottom: 44, left: LABELS }, colors, words.label);
  const x = niceScale(Number.isFinite(low) ? low : 0, Number.isFinite(high) ? high : 1, 0, frame.box.width);
  bottomAxis(frame, x, words.measure, colors);
  drawn.forEach(({ group }, at) => {
    const name = nameOf(group, words);
    const label = svg(
      'text',
      {
        x: LABELS - 8,
        y: frame.box.top + at * ROW + ROW / 2 + FONT_SIZE * 0.35,
        'text-anchor': 'end',
        fill: colors.foreground,
      },
      shortened(name, LABELS - 12, 'end'),
    );
    label.append(svg('title', {}, name));
    frame.root.append(label);
  });
  return { frame, x };
}

/** Groups by how many rows they have: a scatter plot's legend has its classes in that order too, and so their colors. */
function ranksOf(groups: readonly TableGroup[]): Map<TableGroup, number> {
  return new Map([...groups].sort((a, b) => b.rows - a.rows).map((group, rank) => [group, rank]));
}

function nameOf({ keys }: TableGroup, words: GroupWords): string {
  return keys.map(key => key ?? words.missing).join(' · ');
}
