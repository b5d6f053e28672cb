import type { PageText } from '../pageText';
import { columnName } from '../table/filterWords';
import { askHistogram } from '../table/headerHistograms';
import { figure } from '../table/figure';
import type { TableModel } from '../table/tableModel';
import { drawBars, drawBoxes } from './groupPlots';
import { drawHistogram } from './histogramPlot';
import type { PlotColours } from './plotColours';
import type { PlotSize } from './plotFrame';
import type { PlotSpec } from './plotSpec';
import { drawScatter, type DrawnScatter, type ScatterData } from './scatterPlot';

const HISTOGRAM_BINS = 80;
/** Points drawn one by one; more are binned, or with colours sampled. */
const MOST_POINTS = 20_000;
const GRID_BINS = 96;
const MOST_GROUPS = 40;

/** A plot as drawn, what has to be said of it, and for a scatter plot the way back to the columns' units. */
export interface Drawing {
  svg: SVGSVGElement;
  title: string;
  note: string;
  scatter?: DrawnScatter;
}

export interface DrawingParts {
  model: TableModel;
  text: PageText;
  colours: PlotColours;
  size: PlotSize;
}

/** Asks for what a plot shows of the view and draws it; undefined where there is nothing to draw. */
export async function drawPlot(
  spec: PlotSpec,
  parts: DrawingParts,
  signal: AbortSignal,
): Promise<Drawing | undefined> {
  switch (spec.kind) {
    case 'histogram':
      return histogram(spec, parts, signal);
    case 'scatter':
      return scatter(spec, parts, signal);
    case 'box':
    case 'bar':
      return groups(spec, parts, signal);
  }
}

async function histogram(
  { column }: Extract<PlotSpec, { kind: 'histogram' }>,
  { model, text, colours, size }: DrawingParts,
  signal: AbortSignal,
): Promise<Drawing | undefined> {
  const data = await askHistogram(model, column, HISTOGRAM_BINS, signal);
  if (!data) return undefined;
  const name = columnName(model.table.columns, column, text);
  const title = text.get('histogramOf', name);
  const words = { label: title, x: name, y: text.get('rowsAxis') };
  const note = model.isFiltered ? text.get('filteredOverAll') : '';
  return { svg: drawHistogram(data, words, size, colours).root, title, note };
}

async function scatter(
  spec: Extract<PlotSpec, { kind: 'scatter' }>,
  { model, text, colours, size }: DrawingParts,
  signal: AbortSignal,
): Promise<Drawing | undefined> {
  const { x, y, colour } = spec;
  const { filters } = model.figures;
  const asked = { x, y, ...(colour !== null && { colour }), most: MOST_POINTS, filters };
  let points = await model.ask('tablePoints', asked, signal);
  const binned = points.sampled && colour === null;
  if (binned) points = await model.ask('tablePoints', { ...asked, bins: GRID_BINS }, signal);
  const { xRange, yRange, total, shown, counts, colourValues } = points;
  if (!xRange || !yRange || total === 0) return undefined;
  const data: ScatterData = {
    x: new Float64Array(points.x),
    y: new Float64Array(points.y),
    xRange,
    yRange,
    ...(points.colour && { colour: new Float64Array(points.colour) }),
    ...(colourValues && { classes: colourValues }),
    ...(binned && counts && { grid: { bins: GRID_BINS, counts: new Uint32Array(counts) } }),
  };
  const name = (column: number) => columnName(model.table.columns, column, text);
  const title = text.get('scatterOf', name(y), name(x));
  const words = {
    label: title,
    x: name(x),
    y: name(y),
    colour: colour === null ? '' : name(colour),
    none: text.get('missingValue'),
    number: (value: number) => figure(value, text),
  };
  const drawn = drawScatter(data, words, size, colours);
  const note = binned
    ? text.get('binned', total, GRID_BINS)
    : points.sampled
      ? text.get('sampled', shown, total)
      : text.count('points', total);
  return { svg: drawn.frame.root, title, note, scatter: drawn };
}

async function groups(
  spec: Extract<PlotSpec, { kind: 'box' | 'bar' }>,
  { model, text, colours, size }: DrawingParts,
  signal: AbortSignal,
): Promise<Drawing | undefined> {
  const { measure, by } = spec;
  const { filters } = model.figures;
  const asked = { by: [by], measures: measure === null ? [] : [measure], limit: MOST_GROUPS, filters };
  const { groups: found, total } = await model.ask('tableGroup', asked, signal);
  if (found.length === 0) return undefined;
  const name = (column: number) => columnName(model.table.columns, column, text);
  const title =
    measure === null ? text.get('countBy', name(by)) : text.get('measureBy', name(measure), name(by));
  const words = {
    label: title,
    measure:
      measure === null
        ? text.get('rowsAxis')
        : spec.kind === 'bar'
          ? text.get('meanOf', name(measure))
          : name(measure),
    missing: text.get('missingValue'),
    number: (value: number) => figure(value, text),
  };
  const frame =
    spec.kind === 'box'
      ? drawBoxes(found, words, size.width, colours)
      : drawBars(found, measure === null, words, size.width, colours);
  const meaning = text.get(
    spec.kind === 'box' ? 'whiskers' : measure === null ? 'onlyGroupsWithRows' : 'errorBars',
  );
  const some = total > found.length ? text.get('someGroups', found.length, total) : '';
  return { svg: frame.root, title, note: [some, meaning].filter(Boolean).join(' ') };
}
