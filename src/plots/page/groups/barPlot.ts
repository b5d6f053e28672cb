import type { TableGroup } from '../../../columns/tableStatistics';
import { svg } from '../../../pages/page/widgets/svg';
import { groupColor } from '../markColors';
import type { DrawnPlot } from '../plotDrawing';
import { drawnGroups, groupFrame, LINE_HEIGHT, markInsets, type GroupPlot } from './groupPlot';

/** A bar per group from zero: the mean of a measure with its SD, or the number of rows. All rows are in gray behind it. */
export function drawBars(plot: GroupPlot): DrawnPlot {
  const { groups, measure, look } = plot;
  const { colors } = look;
  const withBars = groups.flatMap(group => {
    const [bar, all] = [barOf(group.shown, measure), barOf(group.all, measure)];
    return bar || all ? [{ group, bar, all }] : [];
  });
  const bars = withBars.flatMap(({ bar, all }) => [bar, all].filter(each => each !== undefined));
  const low = Math.min(0, ...bars.map(({ value, sd }) => value - sd));
  const high = Math.max(0, ...bars.map(({ value, sd }) => value + sd));
  const drawn = withBars.map(({ group }) => group);
  const { frame, x } = groupFrame(drawn, [low, high], plot);
  withBars.forEach(({ group, bar, all }, line) => {
    const insets = markInsets(group.all !== undefined);
    const top = line * LINE_HEIGHT;
    const rect = (value: number, inset: number, fill: string) => {
      const [from, to] = [x(Math.min(0, value)), x(Math.max(0, value))];
      const height = LINE_HEIGHT - 2 * inset;
      return svg('rect', { x: from, y: top + inset, width: Math.max(1, to - from), height, fill });
    };
    if (all) frame.body.append(rect(all.value, insets.all, colors.filteredOut));
    if (!bar) return;
    const { value, sd } = bar;
    frame.body.append(rect(value, insets.shown, groupColor(group.rank, colors.background)));
    if (!(sd > 0)) return;
    const [from, to] = [x(value - sd), x(value + sd)];
    const d = `M${from} ${top + LINE_HEIGHT / 2}H${to}M${from} ${top + 8}v8M${to} ${top + 8}v8`;
    frame.body.append(svg('path', { d, stroke: colors.foreground, fill: 'none' }));
  });
  return drawnGroups(drawn, frame, plot);
}

interface Bar {
  value: number;
  /** 0 where rows are counted, and where a group has a single number. */
  sd: number;
}

function barOf(group: TableGroup | undefined, measure: number | null): Bar | undefined {
  if (!group) return undefined;
  if (measure === null) return { value: group.rows, sd: 0 };
  const [statistics] = group.measures;
  const mean = statistics?.mean;
  return typeof mean === 'number' ? { value: mean, sd: statistics?.sd ?? 0 } : undefined;
}
