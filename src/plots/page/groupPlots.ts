import { t } from '../../pages/page/l10n';
import type { ScaleLinear } from 'd3-scale';
import { type TableGroup, columnStatisticNames } from '../../columns/columnStatistics';
import { columnName, formatNumber } from '../../pages/page/columnName';
import { CommonParts } from '../../pages/page/widgets/commonParts';
import { svg } from '../../pages/page/widgets/element';
import { leftOutWords } from '../../drawing/page/plottedTable';
import { groupColor, type PlotColors } from '../../drawing/page/plotColors';
import type { PlotColumns, PlotInput } from './plotDefinition';
import {
  type DrawnPlot,
  type LoadedPlot,
  type LoadedZoom,
  moveInList,
  type PlotLook,
  type RowMark,
  type TipLine,
} from '../../drawing/page/plotDrawing';
import {
  bottomAxis,
  FONT_SIZE,
  niceScale,
  plotFrame,
  type PlotFrame,
  textWidth,
  windowScale,
} from '../../drawing/page/plotFrame';
import { FIXED_AXIS, paddedWindow } from '../../drawing/page/plotZoom';

/*
 * Plots of groups of rows. Each group has a line with its name at the left, and a box or a bar.
 */

/** Height of a group's line in pixels. */
const LINE_HEIGHT = 24;
const MAX_LABEL_WIDTH = 148;
const MAX_GROUPS = 40;
/** Limit for requests of matching groups: filters may leave out all rows of the first ones. */
const MAX_MATCHING = 10_000;

/** The columns of a plot of groups. `imageMeasure`: a measure of images in place of a column. */
type GroupColumns = PlotColumns & { imageMeasure?: string };

export function loadBoxes(
  columns: GroupColumns,
  input: PlotInput,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  const ids = ['count', 'min', 'q1', 'median', 'q3', 'max'] as const;
  return loadGroups(columns, input, signal, {
    draw: drawBoxes,
    axisName: name => name,
    explanation: t('Box: quartiles and median; whiskers: minimum and maximum.'),
    tip: group => statisticLines(group, ids),
    zoom: zoomOfBoxes,
  });
}

export function loadBars(
  columns: GroupColumns,
  input: PlotInput,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  const countsRows = (columns.measure ?? null) === null && columns.imageMeasure === undefined;
  return loadGroups(columns, input, signal, {
    draw: drawBars,
    axisName: name => t('{0} (mean)', name),
    explanation: countsRows
      ? t('Only groups that have rows: an image without objects has none.')
      : t('Bars: mean; lines: ± SD (n − 1).'),
    tip: group =>
      countsRows
        ? [{ label: t('Rows'), value: t.number(group.rows) }]
        : statisticLines(group, ['count', 'mean', 'sd']),
  });
}

function statisticLines(
  { measures: [measure] }: TableGroup,
  ids: readonly ('count' | 'min' | 'q1' | 'median' | 'q3' | 'max' | 'mean' | 'sd')[],
): TipLine[] {
  return ids.map(id => {
    const value = measure?.[id];
    return {
      label: columnStatisticNames[id](t),
      value: typeof value === 'number' ? formatNumber(value) : '–',
    };
  });
}

interface GroupWords {
  label: string;
  axis: string;
  /** Name of the group of rows without a value. */
  missing: string;
  tip: (group: ShownGroup) => TipLine[];
}

interface GroupPlot {
  groups: readonly ShownGroup[];
  /** The column to group by. */
  by: number;
  /** The measured column; null for row counts, or for a measure of images. */
  measure: number | null;
  countsRows: boolean;
  words: GroupWords;
  look: PlotLook;
}

/** A group in a plot. */
interface ShownGroup {
  key: string | null;
  /** Statistics of its rows that match the filters; undefined if none does. */
  shown: TableGroup | undefined;
  /** Statistics of all its rows; undefined if the plot has no filters. */
  all: TableGroup | undefined;
  /**
   * Position by number of rows. Classes in scatter plots have the same order, and so the same
   * colors.
   */
  rank: number;
}

interface GroupPlotType {
  draw: (plot: GroupPlot) => DrawnPlot;
  /** The title of the axis for a measured column. */
  axisName: (column: string) => string;
  /** Explains the marks of the plot. */
  explanation: string;
  tip: (group: TableGroup) => TipLine[];
  /** Absent if the axis can't be zoomed: bars start at 0. */
  zoom?: (groups: readonly ShownGroup[]) => Omit<LoadedZoom, 'window'> | undefined;
}

async function loadGroups(
  { measure = null, by = null, imageMeasure }: GroupColumns,
  { source, allGroups, imageMeasures }: PlotInput,
  signal: AbortSignal,
  { draw, axisName, explanation, tip, zoom }: GroupPlotType,
): Promise<LoadedPlot | undefined> {
  if (by === null) return undefined;
  const { plotsAreFiltered: isFiltered } = source;
  const params = { by: [by], measures: measure === null ? [] : [measure] };
  const groupsOf = async (which: 'all' | 'matching', limit: number) => {
    if (imageMeasure !== undefined)
      return imageMeasures?.groups({ by, key: imageMeasure, all: which === 'all', limit }, signal);
    return which === 'all' ? allGroups({ ...params, limit }) : source.groups({ ...params, limit }, signal);
  };
  const all = isFiltered ? await groupsOf('all', MAX_GROUPS) : undefined;
  const matching = await groupsOf('matching', isFiltered ? MAX_MATCHING : MAX_GROUPS);
  if (!matching) return undefined;
  const groups = shownGroups(matching.groups, all?.groups, MAX_GROUPS);
  if (groups.length === 0) return undefined;
  const { total } = all ?? matching;
  const name = (column: number) => columnName(source.table.columns, column);
  const nameOfColumn = measure === null ? undefined : name(measure);
  const measureName = imageMeasure === undefined ? nameOfColumn : imageMeasures?.nameOf(imageMeasure);
  const title =
    measureName === undefined ? t('Rows by {0}', name(by)) : t('{0} by {1}', measureName, name(by));
  const words: GroupWords = {
    label: title,
    axis: measureName === undefined ? t('Rows') : axisName(measureName),
    missing: t('(missing)'),
    tip: group => [
      ...(group.shown ? tip(group.shown) : [{ label: t('No rows match the filters') }]),
      ...(group.all ? [{ label: t('All rows'), value: t.number(group.all.rows) }] : []),
    ],
  };
  const infinite = matching.groups.reduce((sum, group) => sum + (group.measures[0]?.infinite ?? 0), 0);
  const note = [
    total > groups.length && t('{0} of {1} groups.', groups.length, total),
    explanation,
    imageMeasure !== undefined && t('Values are of images.'),
    isFiltered && t('Gray: all rows.'),
    ...leftOutWords({ infinite }),
  ]
    .filter(Boolean)
    .join(' ');
  const zoomed = zoom?.(groups);
  return {
    draw: look => ({
      ...draw({ groups, by, measure, countsRows: measureName === undefined, words, look }),
      title,
      note,
    }),
    // All data is loaded, for any visible part.
    ...(zoomed && { zoom: { ...zoomed, window: null } }),
  };
}

/**
 * At most `limit` groups of a plot, in the order of all rows, so that filters don't move them. If
 * there are too many, groups without matching rows are left out first.
 */
export function shownGroups(
  shown: readonly TableGroup[],
  all: readonly TableGroup[] | undefined,
  limit: number,
): ShownGroup[] {
  if (!all) {
    const ranks = ranksOf(shown);
    return shown
      .slice(0, limit)
      .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: ranks.get(group) ?? 0 }));
  }
  const matching = new Map(shown.map(group => [keyOf(group), group]));
  const ranks = ranksOf(all);
  const allGroups = all.map(group => ({
    key: keyOf(group),
    shown: matching.get(keyOf(group)),
    all: group,
    rank: ranks.get(group) ?? 0,
  }));
  const knownKeys = new Set(all.map(keyOf));
  // `all` is limited as well, so groups of later rows may be missing in it.
  const laterGroups = shown
    .filter(group => !knownKeys.has(keyOf(group)))
    .map(group => ({ key: keyOf(group), shown: group, all: undefined, rank: all.length }));
  const groups: ShownGroup[] = [...allGroups, ...laterGroups];
  const excess = Math.max(0, groups.length - limit);
  const unmatched = groups.filter(group => !group.shown);
  const removed = new Set(unmatched.slice(Math.max(0, unmatched.length - excess)));
  return groups.filter(group => !removed.has(group)).slice(0, limit);
}

function keyOf({ keys }: TableGroup): string | null {
  return keys[0] ?? null;
}

/** Positions of groups, ordered by number of rows, largest first. */
function ranksOf(groups: readonly TableGroup[]): Map<TableGroup, number> {
  return new Map([...groups].sort((a, b) => b.rows - a.rows).map((group, rank) => [group, rank]));
}

/**
 * Distance of a mark from the edges of its line, in pixels: for all rows, and for matching rows,
 * which may be drawn above them.
 */
function markInsets(hasAll: boolean): { all: number; shown: number } {
  return { all: 3, shown: hasAll ? 6 : 4 };
}

/** The ends of a scale for these values: round numbers, with a margin around a single value. */
function wholeRange(low: number, high: number): [number, number] {
  const isKnown = Number.isFinite(low) && Number.isFinite(high);
  const [from = 0, to = 1] = (isKnown ? niceScale(low, high, 0, 1) : niceScale(0, 1, 0, 1)).domain();
  return [from, to];
}

/** The frame of a plot with a line per group, and the scale of its values from `low` to `high`. */
function groupFrame(
  groups: readonly ShownGroup[],
  [low, high]: [number, number],
  { words, look: { size, colors, window } }: GroupPlot,
): { frame: PlotFrame; x: ScaleLinear<number, number> } {
  const names = groups.map(group => nameOf(group, words));
  const parts = CommonParts.of(groups.flatMap(({ key }) => key ?? []));
  const maxLeft = Math.min(MAX_LABEL_WIDTH, size.width * 0.36);
  const left = Math.ceil(Math.min(maxLeft, Math.max(40, ...names.map(textWidth)) + 16));
  const outer = { width: size.width, height: Math.max(2, groups.length) * LINE_HEIGHT + 52 };
  const frame = plotFrame(outer, { top: 8, right: 24, bottom: 44, left }, colors, words.label);
  const x = windowScale(window?.x ?? wholeRange(low, high), 0, frame.box.width);
  bottomAxis(frame, x, words.axis, colors);
  groups.forEach(({ shown }, line) => {
    const label = svg(
      'text',
      {
        x: left - 8,
        y: frame.box.top + (line + 0.5) * LINE_HEIGHT + FONT_SIZE * 0.35,
        'text-anchor': 'end',
        fill: shown ? colors.foreground : colors.faint,
      },
      parts.cut(names[line] ?? '', text => textWidth(text) <= left - 12, 'end'),
    );
    frame.root.append(label);
  });
  return { frame, x };
}

/** A plot of groups: each line is a target that filters to its group. */
function drawnGroups(
  groups: readonly ShownGroup[],
  frame: PlotFrame,
  { words, by, look: { size, colors } }: GroupPlot,
): DrawnPlot {
  const { box } = frame;
  return {
    frame,
    targets: {
      targetAt: (_x, y) => {
        const line = Math.floor((y - box.top) / LINE_HEIGHT);
        return line >= 0 && line < groups.length ? line : undefined;
      },
      next: (from, key) => moveInList(from, key, groups.length, { down: true }),
      anchor: line => ({ x: box.left + box.width / 2, y: box.top + (line + 0.5) * LINE_HEIGHT }),
      outline: line =>
        svg('rect', {
          x: 1,
          y: box.top + line * LINE_HEIGHT + 0.5,
          width: size.width - 2,
          height: LINE_HEIGHT - 1,
          fill: colors.foreground,
          'fill-opacity': 0.08,
          stroke: colors.foreground,
          'stroke-opacity': 0.6,
        }),
      tip: line => {
        const group = groups[line];
        return group ? [{ label: nameOf(group, words) }, ...words.tip(group)] : [];
      },
      action: line => {
        const group = groups[line];
        return group && { kind: 'group', column: by, key: group.key };
      },
      targetOf: action => {
        if (action.kind !== 'group' || action.column !== by) return undefined;
        const line = groups.findIndex(({ key }) => key === action.key);
        return line < 0 ? undefined : line;
      },
    },
    clear: { kind: 'clearGroup', column: by },
  };
}

function nameOf({ key }: ShownGroup, words: GroupWords): string {
  return key ?? words.missing;
}

/**
 * Draws a box per group: quartiles and median, with whiskers to minimum and maximum. Boxes of all
 * rows are gray, behind.
 */
function drawBoxes(plot: GroupPlot): DrawnPlot {
  const { colors } = plot.look;
  const withBoxes = plot.groups.flatMap(group => {
    const [box, all] = [boxOf(group.shown), boxOf(group.all)];
    return box || all ? [{ group, box, all }] : [];
  });
  const values = withBoxes.flatMap(({ box = [], all = [] }) => [...box, ...all]).filter(Number.isFinite);
  const drawn = withBoxes.map(({ group }) => group);
  const { frame, x: scale } = groupFrame(drawn, [Math.min(...values), Math.max(...values)], plot);
  /** Infinite values are drawn at the end of the plot. */
  const x = (value: number) => (Number.isFinite(value) ? scale(value) : value > 0 ? frame.box.width : 0);
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
    toData: px => [scale.invert(px - frame.box.left), 0],
    mark: rowMark(drawn, frame, scale, plot),
  };
}

/** The zoom range of boxes; undefined without boxes. Zooming loads nothing. */
export function zoomOfBoxes(groups: readonly ShownGroup[]): Omit<LoadedZoom, 'window'> | undefined {
  const range = (boxes: readonly (Box | undefined)[]): [number, number] => {
    const values = boxes.flatMap(box => box ?? []).filter(Number.isFinite);
    return [Math.min(...values), Math.max(...values)];
  };
  const shown = range(groups.map(group => boxOf(group.shown)));
  const isFiltered = groups.some(group => group.all);
  const [low, high] = isFiltered
    ? range(groups.flatMap(({ shown: shownGroup, all }) => [boxOf(shownGroup), boxOf(all)]))
    : shown;
  if (low > high) return undefined;
  const whole = { x: wholeRange(low, high), y: FIXED_AXIS };
  const fit = isFiltered && shown[0] <= shown[1] ? paddedWindow({ x: shown, y: FIXED_AXIS }, whole) : null;
  return { whole, fit, isComplete: true };
}

/** The five numbers of a box. */
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
  /** Upper edge of the group's line. */
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
      const offset = x(value);
      if (offset < -1 || offset > box.width + 1) return undefined;
      return diamond(box.left + offset, box.top + (line + 0.5) * LINE_HEIGHT, colors);
    },
  };
}

/** Whether a cell belongs to a group: its text is the group's key, or an equal number. */
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

/**
 * Draws a bar per group, from zero: the mean of a measure with its SD, or the number of rows. Bars
 * of all rows are gray, behind.
 */
function drawBars(plot: GroupPlot): DrawnPlot {
  const { groups, countsRows, look } = plot;
  const { colors } = look;
  const withBars = groups.flatMap(group => {
    const [bar, all] = [barOf(group.shown, countsRows), barOf(group.all, countsRows)];
    return bar || all ? [{ group, bar, all }] : [];
  });
  const bars = withBars.flatMap(({ bar, all }) => [bar, all].filter(bar => bar !== undefined));
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
  /** 0 for row counts, and for a group with a single number. */
  sd: number;
}

function barOf(group: TableGroup | undefined, countsRows: boolean): Bar | undefined {
  if (!group) return undefined;
  if (countsRows) return { value: group.rows, sd: 0 };
  const [statistics] = group.measures;
  const mean = statistics?.mean;
  return typeof mean === 'number' ? { value: mean, sd: statistics?.sd ?? 0 } : undefined;
}
