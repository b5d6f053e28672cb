import type { PlotWindow } from '../../model/plotWindow';
import type { TableGroup } from '../../model/tableStatistics';
import type { TableColumn } from '../../model/tableSummary';
import type { TablePageRequests } from '../../protocol/tableRequests';
import type { PlotTextKey } from '../../words/pages/plotTexts';
import { columnName } from '../page/columnName';
import { formatNumber } from '../page/formatNumber';
import type { PlotText } from '../page/pageText';
import { drawBars, drawBoxes, type GroupPlot, type GroupWords } from './groupPlots';
import { drawHistogram } from './histogramPlot';
import type { LoadedPlot, PlotDrawing, TipLine } from './plotDrawing';
import type { PlotSource } from './plotSource';
import { drawScatter, wholeWindow, type ScatterData, type ScatterPoints } from './scatterPlot';
import { shownGroups } from './shownGroups';
import { roomyWindow } from './zoomWindow';

/*
 * The types of plots there are. A new one is an entry of `plotTypes` and its name in src/words/pages/plotTexts under the
 * same key: the menu, the column pickers of a card, and what is restored after a reload all derive from this record.
 */

/** Points drawn one by one; more are counted in a grid, or with colors sampled. */
const MAX_POINTS = 20_000;
const GRID_BINS = 96;
const MAX_GROUPS = 40;
/** Groups that match the filters are looked for among so many. */
const MAX_MATCHING = 10_000;

/** The part that a column plays in a plot. */
export type PlotRole = 'column' | 'x' | 'y' | 'color' | 'measure' | 'by';

/** A plot as the user set it up: columns by their position in the file, null for none. This form is in saved state. */
export type PlotSpec = { kind: PlotType } & Partial<Record<PlotRole, number | null>>;

export type PlotType = keyof typeof plotTypes;

/** Which columns a picker of a plot lists; with a name for "none" where the part may stay empty. */
export interface PlotColumn {
  role: PlotRole;
  nameKey: PlotTextKey;
  of: 'number' | 'any';
  noneKey?: PlotTextKey;
}

/** The columns a table most likely is about; each may be missing. */
export interface LikelyColumns {
  measure?: TableColumn | undefined;
  secondMeasure?: TableColumn | undefined;
  class?: TableColumn | undefined;
  group?: TableColumn | undefined;
}

export interface PlotParts {
  source: PlotSource;
  text: PlotText;
  /** The part of its plane that the plot shows; null for all. */
  window: PlotWindow | null;
  /** Keeps what depends on the table alone until it changes. */
  once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
}

export interface PlotDefinition {
  columns: readonly PlotColumn[];
  /** The columns to begin with; undefined where the table has none that would do. */
  begin: (likely: LikelyColumns) => Partial<Record<PlotRole, number | null>> | undefined;
  /** Requests what the plot shows; undefined where there is nothing to draw. */
  load: (spec: PlotSpec, parts: PlotParts, signal: AbortSignal) => Promise<LoadedPlot | undefined>;
}

export const plotTypes = {
  histogram: {
    columns: [{ role: 'column', nameKey: 'column', of: 'number' }],
    begin: ({ measure }) => measure && { column: measure.index },
    load: histogram,
  },
  scatter: {
    columns: [
      { role: 'x', nameKey: 'xAxis', of: 'number' },
      { role: 'y', nameKey: 'yAxis', of: 'number' },
      { role: 'color', nameKey: 'colorBy', of: 'any', noneKey: 'noColor' },
    ],
    begin: ({ measure, secondMeasure, class: classes }) =>
      measure && secondMeasure && { x: measure.index, y: secondMeasure.index, color: classes?.index ?? null },
    load: scatter,
  },
  box: {
    columns: [
      { role: 'measure', nameKey: 'measure', of: 'number' },
      { role: 'by', nameKey: 'groupBy', of: 'any' },
    ],
    begin: ({ measure, group }) => measure && group && { measure: measure.index, by: group.index },
    load: boxes,
  },
  bar: {
    columns: [
      { role: 'measure', nameKey: 'measure', of: 'number', noneKey: 'numberOfRows' },
      { role: 'by', nameKey: 'groupBy', of: 'any' },
    ],
    begin: ({ group }) => group && { measure: null, by: group.index },
    load: bars,
  },
} as const satisfies Record<string, PlotDefinition>;

/** All types, in the order of the menu. */
export const plotTypeIds = Object.keys(plotTypes) as PlotType[];

async function histogram(
  { column = null }: PlotSpec,
  { source, text }: PlotParts,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  const data = column === null ? undefined : await source.histogram(column, undefined, signal);
  if (!data || column === null) return undefined;
  const { hasRest: isFiltered } = source;
  const name = columnName(source.table.columns, column, text);
  const title = text.get('histogramOf', name);
  const words = {
    label: title,
    x: name,
    y: text.get('rowsAxis'),
    rows: text.get(isFiltered ? 'matchingRows' : 'rowsAxis'),
    allRows: text.get('allTableRows'),
    ...numberWords(text),
  };
  const note = isFiltered ? text.get('filteredOverAll') : '';
  return { draw: look => ({ ...drawHistogram({ data, column, isFiltered, words, look }), title, note }) };
}

async function scatter(
  { x = null, y = null, color = null }: PlotSpec,
  { source, text, window }: PlotParts,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  if (x === null || y === null) return undefined;
  const points = await source.points(
    {
      x,
      y,
      ...(color !== null && { color }),
      most: MAX_POINTS,
      bins: GRID_BINS,
      ...(window && { window }),
    },
    signal,
  );
  const { xRange, yRange, rest, colorValues, colorRange } = points;
  if (!xRange || !yRange) return undefined;
  const ranges = { x: xRange, y: yRange };
  const name = (column: number) => columnName(source.table.columns, column, text);
  const data: ScatterData = {
    shown: scatterPoints(points, window ?? ranges),
    ...(rest && { rest: scatterPoints(rest, window ?? ranges) }),
    ...(points.color && { color: new Float64Array(points.color) }),
    ...(color !== null && { meaning: { name: name(color), classes: colorValues, range: colorRange } }),
    ranges,
  };
  const title = text.get('scatterOf', name(y), name(x));
  const words = {
    label: title,
    x: name(x),
    y: name(y),
    rows: text.get('rowsAxis'),
    none: text.get('missingValue'),
    short: (value: number) => text.significant(value, 4),
    ...numberWords(text),
  };
  const note = [
    window && text.get('zoomedIn'),
    points.counts
      ? text.get('binned', points.total, GRID_BINS)
      : points.sampled
        ? text.get('sampled', points.shown, points.total)
        : text.count('points', points.total),
    rest && rest.total > 0 && text.count('restInGray', rest.total),
  ];
  const whole = wholeWindow(ranges);
  const isComplete = [points, rest].every(each => !each?.counts && each?.sampled !== true);
  return {
    draw: look => ({
      ...drawScatter({ data, words, look, columns: { x, y } }),
      title,
      note: note.filter(Boolean).join(' '),
    }),
    zoom: { whole, fit: rest && points.fit ? roomyWindow(points.fit, whole) : null, window, isComplete },
  };
}

function scatterPoints(
  points: NonNullable<TablePageRequests['tablePoints']['result']['rest']>,
  window: PlotWindow,
): ScatterPoints {
  return {
    x: new Float64Array(points.x),
    y: new Float64Array(points.y),
    rows: new Uint32Array(points.rows),
    ...(points.counts && { grid: { bins: GRID_BINS, counts: new Uint32Array(points.counts), window } }),
  };
}

function numberWords(text: PlotText) {
  const number = (value: number) => formatNumber(value, text);
  return {
    number,
    // Ends of bins have more digits than they tell.
    between: (low: number, high: number) =>
      text.get('fromTo', text.significant(low, 4), text.significant(high, 4)),
  };
}

function boxes(spec: PlotSpec, parts: PlotParts, signal: AbortSignal): Promise<LoadedPlot | undefined> {
  const { text } = parts;
  const fiveNumbers = ['min', 'q1', 'median', 'q3', 'max'] as const;
  const tip = ({ measures: [measure] }: TableGroup): TipLine[] =>
    ['count' as const, ...fiveNumbers].map(id => ({
      label: text.get(`statistic.${id}`),
      value: valueWords(measure?.[id], text),
    }));
  return groupPlot(spec, parts, signal, { draw: drawBoxes, meaning: text.get('whiskers'), tip });
}

function bars(spec: PlotSpec, parts: PlotParts, signal: AbortSignal): Promise<LoadedPlot | undefined> {
  const { text } = parts;
  const counts = (spec.measure ?? null) === null;
  const tip = ({ rows, measures: [measure] }: TableGroup): TipLine[] =>
    counts
      ? [{ label: text.get('rowsAxis'), value: text.number(rows) }]
      : (['count', 'mean', 'sd'] as const).map(id => ({
          label: text.get(`statistic.${id}`),
          value: valueWords(measure?.[id], text),
        }));
  const meaning = text.get(counts ? 'onlyGroupsWithRows' : 'errorBars');
  return groupPlot(spec, parts, signal, { draw: drawBars, meaning, tip });
}

function valueWords(value: number | null | undefined, text: PlotText): string {
  return typeof value === 'number' ? formatNumber(value, text) : '–';
}

/** A plot with a line for each group of rows, by a measure or by the number of rows. */
async function groupPlot(
  { kind, measure = null, by = null }: PlotSpec,
  { source, text, once }: PlotParts,
  signal: AbortSignal,
  {
    draw,
    meaning,
    tip,
  }: {
    draw: (plot: GroupPlot) => Omit<PlotDrawing, 'title' | 'note'>;
    meaning: string;
    tip: (group: TableGroup) => TipLine[];
  },
): Promise<LoadedPlot | undefined> {
  if (by === null) return undefined;
  const { hasRest: isFiltered } = source;
  const params = { by: [by], measures: measure === null ? [] : [measure] };
  const ofAll = isFiltered
    ? await once(JSON.stringify(params), () => source.allGroups({ ...params, limit: MAX_GROUPS }))
    : undefined;
  const limit = isFiltered ? MAX_MATCHING : MAX_GROUPS;
  const found = await source.groups({ ...params, limit }, signal);
  const groups = shownGroups(found.groups, ofAll?.groups, MAX_GROUPS);
  const total = (ofAll ?? found).total;
  if (groups.length === 0) return undefined;
  const name = (column: number) => columnName(source.table.columns, column, text);
  const title =
    measure === null ? text.get('countBy', name(by)) : text.get('measureBy', name(measure), name(by));
  const axis = measure === null ? text.get('rowsAxis') : name(measure);
  const words: GroupWords = {
    label: title,
    measure: kind === 'bar' && measure !== null ? text.get('meanOf', axis) : axis,
    missing: text.get('missingValue'),
    tip: (shown, all) => [
      ...(shown ? tip(shown) : [{ label: text.get('noMatchingRows') }]),
      ...(all ? [{ label: text.get('allTableRows'), value: text.number(all.rows) }] : []),
    ],
  };
  const some = total > groups.length ? text.get('someGroups', groups.length, total) : '';
  const gray = isFiltered ? text.get('allInGray') : '';
  const note = [some, meaning, gray].filter(Boolean).join(' ');
  return { draw: look => ({ ...draw({ groups, by, measure, words, look }), title, note }) };
}
