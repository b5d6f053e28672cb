import type { TableGroup } from '../../../columns/tableStatistics';
import { svg } from '../../../pages/page/widgets/svg';
import { groupColor } from '../markColors';
import type { PlotColors } from '../plotColors';
import type { DrawnPlot, LoadedZoom, RowMark } from '../plotDrawing';
import type { PlotFrame } from '../plotFrame';
import { FIXED_AXIS, paddedWindow } from '../zoomWindow';
import { drawnGroups, groupFrame, LINE_HEIGHT, markInsets, wholeRange, type GroupPlot } from './groupPlot';
import type { ShownGroup } from './shownGroups';

/** A box per group: quartiles and median, with whiskers to minimum and maximum. All rows are in gray behind it. */
export function drawBoxes(plot: GroupPlot): DrawnPlot {
  const { colors } = plot.look;
  const withBoxes = plot.groups.flatMap(group => {
    const [box, all] = [boxOf(group.shown), boxOf(group.all)];
    return box || all ? [{ group, box, all }] : [];
  });
  const values = withBoxes.flatMap(({ box = [], all = [] }) => [...box, ...all]);
  const drawn = withBoxes.map(({ group }) => group);
  const { frame, x } = groupFrame(drawn, [Math.min(...values), Math.max(...values)], plot);
  withBoxes.forEach(({ group, box, all }, line) => {
    const insets = markInsets(group.all !== undefined);
    const top = line * LINE_HEIGHT;
    const gray = colors.filteredOut;
    if (all)
      frame.body.append(
        boxElement(all, { x, top, inset: insets.all, line: gray, fill: gray, border: gray, opacity: 0.5 }),
      );
    const fill = groupColor(group.rank, colors.background);
    if (box)
      frame.body.append(
        boxElement(box, {
          x,
          top,
          inset: insets.shown,
          line: colors.foreground,
          fill,
          border: fill,
          opacity: 0.55,
        }),
      );
  });
  return {
    ...drawnGroups(drawn, frame, plot),
    toData: px => [x.invert(px - frame.box.left), 0],
    mark: rowMark(drawn, frame, x, plot),
  };
}

/** How far boxes can be zoomed, which needs no request; undefined without any. */
export function zoomOfBoxes(groups: readonly ShownGroup[]): Omit<LoadedZoom, 'window'> | undefined {
  const range = (boxes: readonly (Box | undefined)[]): [number, number] => {
    const values = boxes.flatMap(box => box ?? []);
    return [Math.min(...values), Math.max(...values)];
  };
  const shown = range(groups.map(group => boxOf(group.shown)));
  const isFiltered = groups.some(group => group.all);
  const [low, high] = isFiltered
    ? range(groups.flatMap(({ shown: some, all }) => [boxOf(some), boxOf(all)]))
    : shown;
  if (low > high) return undefined;
  const whole = { x: wholeRange(low, high), y: FIXED_AXIS };
  const fit = isFiltered && shown[0] <= shown[1] ? paddedWindow({ x: shown, y: FIXED_AXIS }, whole) : null;
  return { whole, fit, isComplete: true };
}

/** Minimum, quartiles with the median between them, and maximum. */
type Box = [min: number, q1: number, median: number, q3: number, max: number];

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
  /** The upper edge of the group's line. */
  top: number;
  inset: number;
  /** Color of whiskers and median. */
  line: string;
  fill: string;
  border: string;
  opacity: number;
}

function boxElement(
  [min, q1, median, q3, max]: Box,
  { x, top, inset, line, fill, border, opacity }: BoxLook,
): SVGElement {
  const middle = top + LINE_HEIGHT / 2;
  return svg(
    'g',
    {},
    svg('path', {
      d: `M${x(min)} ${middle}H${x(q1)}M${x(q3)} ${middle}H${x(max)}M${x(min)} ${middle - 4}v8M${x(max)} ${middle - 4}v8`,
      stroke: line,
      fill: 'none',
    }),
    svg('rect', {
      x: x(q1),
      y: top + inset,
      width: Math.max(1, x(q3) - x(q1)),
      height: LINE_HEIGHT - 2 * inset,
      fill,
      'fill-opacity': opacity,
      stroke: border,
    }),
    svg('path', {
      d: `M${x(median)} ${top + inset - 1}v${LINE_HEIGHT - 2 * inset + 2}`,
      stroke: line,
      'stroke-width': 2,
    }),
  );
}

/** Marks the value of the selected row in the line of its group. */
function rowMark(
  groups: readonly ShownGroup[],
  { box }: PlotFrame,
  x: (value: number) => number,
  { measure, by, look: { colors } }: GroupPlot,
): RowMark {
  return {
    columns: measure === null ? [] : [measure],
    textColumn: by,
    draw: ([value], text) => {
      const line = groups.findIndex(({ key }) => isInGroup(text, key));
      if (typeof value !== 'number' || line < 0) return undefined;
      const place = x(value);
      if (place < -1 || place > box.width + 1) return undefined;
      return diamond(box.left + place, box.top + (line + 0.5) * LINE_HEIGHT, colors);
    },
  };
}

/** Whether a cell belongs to a group: its text is the group's key, or the same number. */
function isInGroup(text: string, key: string | null): boolean {
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
