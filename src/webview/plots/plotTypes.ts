import type { TableColumn } from '../../model/tableSummary';
import type { PlotTextKey } from '../../words/pages/plotTexts';
import { columnName } from '../page/columnName';
import { formatNumber } from '../page/formatNumber';
import type { PlotText } from '../page/pageText';
import { drawBars, drawBoxes, type GroupWords } from './groupPlots';
import { drawHistogram } from './histogramPlot';
import type { PlotColors } from './plotColors';
import type { PlotFrame, PlotSize } from './plotFrame';
import type { PlotSource } from './plotSource';
import { drawScatter, type DrawnScatter, type ScatterData } from './scatterPlot';

/*
 * The types of plots there are. A new one is an entry of `plotTypes` and its name in src/words/pages/plotTexts under the
 * same key: the menu, the column pickers of a card, and what is restored after a reload all derive from this record.
 */

const HISTOGRAM_BINS = 80;
/** Points drawn one by one; more are binned, or with colors sampled. */
const MAX_POINTS = 20_000;
const GRID_BINS = 96;
const MAX_GROUPS = 40;

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
  colors: PlotColors;
  size: PlotSize;
}

/** A plot as drawn, a note on it, and for a scatter plot the way back to the columns' units. */
export interface PlotDrawing {
  svg: SVGSVGElement;
  title: string;
  note: string;
  scatter?: DrawnScatter;
}

export interface PlotDefinition {
  columns: readonly PlotColumn[];
  /** The columns to begin with; undefined where the table has none that would do. */
  begin: (likely: LikelyColumns) => Partial<Record<PlotRole, number | null>> | undefined;
  /** Requests what the plot shows and draws it; undefined where there is nothing to draw. */
  draw: (spec: PlotSpec, parts: PlotParts, signal: AbortSignal) => Promise<PlotDrawing | undefined>;
}

export const plotTypes = {
  histogram: {
    columns: [{ role: 'column', nameKey: 'column', of: 'number' }],
    begin: ({ measure }) => measure && { column: measure.index },
    draw: histogram,
  },
  scatter: {
    columns: [
      { role: 'x', nameKey: 'xAxis', of: 'number' },
      { role: 'y', nameKey: 'yAxis', of: 'number' },
      { role: 'color', nameKey: 'colorBy', of: 'any', noneKey: 'noColor' },
    ],
    begin: ({ measure, secondMeasure, class: classes }) =>
      measure && secondMeasure && { x: measure.index, y: secondMeasure.index, color: classes?.index ?? null },
    draw: scatter,
  },
  box: {
    columns: [
      { role: 'measure', nameKey: 'measure', of: 'number' },
      { role: 'by', nameKey: 'groupBy', of: 'any' },
    ],
    begin: ({ measure, group }) => measure && group && { measure: measure.index, by: group.index },
    draw: boxes,
  },
  bar: {
    columns: [
      { role: 'measure', nameKey: 'measure', of: 'number', noneKey: 'numberOfRows' },
      { role: 'by', nameKey: 'groupBy', of: 'any' },
    ],
    begin: ({ group }) => group && { measure: null, by: group.index },
    draw: bars,
  },
} as const satisfies Record<string, PlotDefinition>;

/** All types, in the order of the menu. */
export const plotTypeIds = Object.keys(plotTypes) as PlotType[];

async function histogram(
  { column = null }: PlotSpec,
  { source, text, colors, size }: PlotParts,
  signal: AbortSignal,
): Promise<PlotDrawing | undefined> {
  const data = column === null ? undefined : await source.histogram(column, HISTOGRAM_BINS, signal);
  if (!data || column === null) return undefined;
  const name = columnName(source.table.columns, column, text);
  const title = text.get('histogramOf', name);
  const words = { label: title, x: name, y: text.get('rowsAxis') };
  const note = source.isFiltered ? text.get('filteredOverAll') : '';
  return { svg: drawHistogram({ data, words, size, colors }).root, title, note };
}

async function scatter(
  { x = null, y = null, color = null }: PlotSpec,
  { source, text, colors, size }: PlotParts,
  signal: AbortSignal,
): Promise<PlotDrawing | undefined> {
  if (x === null || y === null) return undefined;
  const params = { x, y, ...(color !== null && { color }), most: MAX_POINTS };
  let points = await source.points(params, signal);
  const binned = points.sampled && color === null;
  if (binned) points = await source.points({ ...params, bins: GRID_BINS }, signal);
  const { xRange, yRange, total, shown, counts, colorValues } = points;
  if (!xRange || !yRange || total === 0) return undefined;
  const data: ScatterData = {
    x: new Float64Array(points.x),
    y: new Float64Array(points.y),
    xRange,
    yRange,
    ...(points.color && { color: new Float64Array(points.color) }),
    ...(colorValues && { classes: colorValues }),
    ...(binned && counts && { grid: { bins: GRID_BINS, counts: new Uint32Array(counts) } }),
  };
  const name = (column: number) => columnName(source.table.columns, column, text);
  const title = text.get('scatterOf', name(y), name(x));
  const words = {
    label: title,
    x: name(x),
    y: name(y),
    color: color === null ? '' : name(color),
    none: text.get('missingValue'),
    number: (value: number) => formatNumber(value, text),
  };
  const drawn = drawScatter({ data, words, size, colors });
  const note = binned
    ? text.get('binned', total, GRID_BINS)
    : points.sampled
      ? text.get('sampled', shown, total)
      : text.count('points', total);
  return { svg: drawn.frame.root, title, note, scatter: drawn };
}

function boxes(spec: PlotSpec, parts: PlotParts, signal: AbortSignal): Promise<PlotDrawing | undefined> {
  const { text, size, colors } = parts;
  return groupPlot(spec, parts, signal, ({ groups, words, measure }) => ({
    frame: drawBoxes({ groups, words: { ...words, measure }, width: size.width, colors }),
    meaning: text.get('whiskers'),
  }));
}

function bars(spec: PlotSpec, parts: PlotParts, signal: AbortSignal): Promise<PlotDrawing | undefined> {
  const { text, size, colors } = parts;
  const counts = (spec.measure ?? null) === null;
  return groupPlot(spec, parts, signal, ({ groups, words, measure }) => ({
    frame: drawBars({
      groups,
      counts,
      words: { ...words, measure: counts ? measure : text.get('meanOf', measure) },
      width: size.width,
      colors,
    }),
    meaning: text.get(counts ? 'onlyGroupsWithRows' : 'errorBars'),
  }));
}

type Groups = Awaited<ReturnType<PlotSource['groups']>>['groups'];

/** A plot with a line for each group of rows, by a measure or by the number of rows. */
async function groupPlot(
  { measure = null, by = null }: PlotSpec,
  { source, text }: PlotParts,
  signal: AbortSignal,
  draw: (drawn: { groups: Groups; words: Omit<GroupWords, 'measure'>; measure: string }) => {
    frame: PlotFrame;
    meaning: string;
  },
): Promise<PlotDrawing | undefined> {
  if (by === null) return undefined;
  const params = { by: [by], measures: measure === null ? [] : [measure], limit: MAX_GROUPS };
  const { groups, total } = await source.groups(params, signal);
  if (groups.length === 0) return undefined;
  const name = (column: number) => columnName(source.table.columns, column, text);
  const title =
    measure === null ? text.get('countBy', name(by)) : text.get('measureBy', name(measure), name(by));
  const words = {
    label: title,
    missing: text.get('missingValue'),
    number: (value: number) => formatNumber(value, text),
  };
  const axis = measure === null ? text.get('rowsAxis') : name(measure);
  const { frame, meaning } = draw({ groups, words, measure: axis });
  const some = total > groups.length ? text.get('someGroups', groups.length, total) : '';
  return { svg: frame.root, title, note: [some, meaning].filter(Boolean).join(' ') };
}
