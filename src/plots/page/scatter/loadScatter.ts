import type { PlotWindow } from '../../../columns/plotWindow';
import type { TablePageRequests } from '../../../columns/tableRequests';
import { columnName } from '../../../pages/page/columnName';
import { digitsBetween } from '../../../pages/page/digitsBetween';
import { numberWords } from '../numberWords';
import type { PlotColumns, PlotParts } from '../plotDefinition';
import type { LoadedPlot } from '../plotDrawing';
import { paddedWindow } from '../zoomWindow';
import type { ScatterData, ScatterPoints } from './scatterData';
import { scatterNote, type PlottedRows } from './scatterNote';
import { drawScatter, wholeWindow } from './scatterPlot';

type Points = NonNullable<TablePageRequests['tablePoints']['result']['filteredOut']>;

/** Points drawn one by one; more are counted in a grid, or with colors sampled. */
const MAX_POINTS = 20_000;
const GRID_BINS = 96;

export async function loadScatter(
  { x = null, y = null, color = null }: PlotColumns,
  { source, text, window }: PlotParts,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  if (x === null || y === null) return undefined;
  const shown = await source.points(
    {
      x,
      y,
      ...(color !== null && { color }),
      limit: MAX_POINTS,
      bins: GRID_BINS,
      ...(window && { window }),
    },
    signal,
  );
  const { xRange, yRange, filteredOut, colorValues, colorRange } = shown;
  if (!xRange || !yRange) return undefined;
  const ranges = { x: xRange, y: yRange };
  const name = (column: number) => columnName(source.table.columns, column, text);
  const data: ScatterData = {
    shown: scatterPoints(shown, window ?? ranges),
    ...(filteredOut && { filteredOut: scatterPoints(filteredOut, window ?? ranges) }),
    ...(shown.color && { color: new Float64Array(shown.color) }),
    ...(color !== null && { meaning: { name: name(color), classes: colorValues, range: colorRange } }),
    ranges,
  };
  const colorDigits = colorRange ? digitsBetween(...colorRange) : 4;
  const title = text.get('scatterOf', name(y), name(x));
  const words = {
    label: title,
    x: name(x),
    y: name(y),
    rows: text.get('rowsAxis'),
    none: text.get('missingValue'),
    short: (value: number) => text.significant(value, colorDigits),
    ...numberWords(text),
  };
  const plotted = {
    shown: plottedRows(data.shown, shown),
    filteredOut: filteredOut && data.filteredOut && plottedRows(data.filteredOut, filteredOut),
    requested: window,
  };
  const whole = wholeWindow(ranges);
  return {
    draw: look => ({
      ...drawScatter({ data, words, look, columns: { x, y } }),
      title,
      note: scatterNote(plotted, look.window, text),
    }),
    zoom: {
      whole,
      fit: filteredOut && shown.fit ? paddedWindow(shown.fit, whole) : null,
      window,
      isComplete: isComplete(shown) && (!filteredOut || isComplete(filteredOut)),
    },
  };
}

/** Whether all points are here, one by one. */
function isComplete({ counts, sampled }: Points): boolean {
  return !counts && !sampled;
}

function plottedRows(points: ScatterPoints, { total, sampled }: Points): PlottedRows {
  return { points, total, isSample: sampled };
}

function scatterPoints({ x, y, rows, counts }: Points, window: PlotWindow): ScatterPoints {
  return {
    x: new Float64Array(x),
    y: new Float64Array(y),
    rows: new Uint32Array(rows),
    ...(counts && { grid: { bins: GRID_BINS, counts: new Uint32Array(counts), window } }),
  };
}
