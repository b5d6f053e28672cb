import { t } from '../../pages/page/l10n';
import type { TablePageRequests } from '../../columns/tableRequests';
import type { PlotWindow } from '../../columns/viewSpec';
import { columnName } from '../../pages/page/columnName';
import { digitsBetween } from '../../pages/page/numbers';
import type { PlotAddition, RowColors } from '../../drawing/page/plotAddition';
import type { PlotColors } from '../../drawing/page/plotColors';
import { type LeftOutRows, leftOutWords, numberWords } from '../../drawing/page/plottedTable';
import { type AxisScale, type AxisScales, fromAxis, onAxis } from '../../columns/axisScale';
import type { LogAxes, PlotColumns, PlotInput } from './plotDefinition';
import { scaleOf } from './plotTypes';
import type { PointLayer } from '../../drawing/page/paintPoints';
import type { DrawnPlot, LoadedPlot, PlotLook } from '../../drawing/page/plotDrawing';
import {
  bottomAxis,
  columnAxis,
  leftAxis,
  leftRoom,
  niceScale,
  plotFrame,
  roomyScale,
  windowScale,
} from '../../drawing/page/plotFrame';
import { paddedWindow } from '../../drawing/page/plotZoom';
import { legendFor, meaningOf, pointColors, type PointColors } from './plotLegend';
import {
  dotRadius,
  pixelPoints,
  type PixelPoints,
  type ScatterData,
  type ScatterPoints,
  type ScatterWords,
} from './scatterPoints';
import { ring, ScatterTargets } from './scatterTargets';

type Points = NonNullable<TablePageRequests['tablePoints']['result']['filteredOut']>;

/** Maximum of points drawn one by one; more are counted in a grid or, if colored, sampled. */
const MAX_POINTS = 20_000;
const GRID_BINS = 96;

export async function loadScatter(
  { x = null, y = null, color = null, ...axes }: PlotColumns & LogAxes,
  { source, window, addition }: PlotInput,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  if (x === null || y === null) return undefined;
  const scales: AxisScales = [scaleOf(axes, 'x'), scaleOf(axes, 'y')];
  const isLog = scales.includes('log');
  // Without a color column, rows may have colors of another subject.
  const hasRowColors = () => color === null && addition?.colors.peek() !== undefined;
  const isColored = hasRowColors();
  const shown = await source.points(
    {
      x,
      y,
      ...(isLog && { scales }),
      ...(color !== null && { color }),
      limit: MAX_POINTS,
      ...(!isColored && { bins: GRID_BINS }),
      ...(window && { window }),
    },
    signal,
  );
  const { xRange, yRange, filteredOut, colorValues, colorRange } = shown;
  if (!xRange || !yRange) return undefined;
  const ranges = { x: xRange, y: yRange };
  const name = (column: number) => columnName(source.table.columns, column);
  const data: ScatterData = {
    shown: scatterPoints(shown, window ?? ranges),
    ...(filteredOut && { filteredOut: scatterPoints(filteredOut, window ?? ranges) }),
    ...(shown.color && { color: new Float64Array(shown.color) }),
    ...(color !== null && { meaning: { name: name(color), classes: colorValues, range: colorRange } }),
    ranges,
    scales,
  };
  let colors: RowColors | undefined;
  const recolor = async (canceled: AbortSignal) => {
    if (hasRowColors() !== isColored) return 'reload';
    const newColors = addition?.colors.peek();
    if (!isColored || newColors === colors) return 'same';
    Object.assign(data, await rowColors(data.shown, addition, canceled));
    colors = newColors;
    return 'changed';
  };
  await recolor(signal);
  const colorDigits = colorRange ? digitsBetween(...colorRange) : 4;
  const title = t('{0} vs. {1}', name(y), name(x));
  const words = {
    label: title,
    x: name(x),
    y: name(y),
    axes: [axisName(name(x), scales[0]), axisName(name(y), scales[1])] as const,
    rows: t('Rows'),
    none: t('(missing)'),
    short: (value: number) => t.significant(value, colorDigits),
    ...numberWords(),
  };
  const plotted = {
    shown: plottedRows(data.shown, shown),
    filteredOut: filteredOut && data.filteredOut && plottedRows(data.filteredOut, filteredOut),
    requested: window,
    scales,
    infinite: shown.infinite,
    notPositive: shown.notPositive,
  };
  const whole = wholeWindow(ranges, scales);
  return {
    draw: look => ({
      ...drawScatter({ data, words, look, columns: { x, y } }),
      title,
      note: scatterNote(plotted, look.window),
    }),
    zoom: {
      whole,
      fit: filteredOut && shown.fit ? paddedWindow(shown.fit, whole) : null,
      window,
      isComplete: isComplete(shown) && (!filteredOut || isComplete(filteredOut)),
    },
    recolor,
  };
}

/** The colors that another subject gives to rows. */
async function rowColors(
  { rows }: ScatterPoints,
  addition: PlotAddition | undefined,
  signal: AbortSignal,
): Promise<Pick<ScatterData, 'color' | 'meaning'>> {
  const colors = addition?.colors.peek();
  if (!colors) return {};
  // Copied, as a request transfers its buffers.
  const color = Float64Array.from((await addition?.groupsOf(rows.slice(), signal)) ?? []);
  return { color, meaning: meaningOf(colors) };
}

function axisName(name: string, scale: AxisScale): string {
  return scale === 'log' ? t('{0} (log)', name) : name;
}

/** Whether all points were loaded one by one. */
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

/** Number of points from which dots are more transparent. */
const MANY_POINTS = 3000;

interface ScatterPlot {
  data: ScatterData;
  words: ScatterWords;
  look: PlotLook;
  /** The columns of the axes. */
  columns: { x: number; y: number };
}

/**
 * The window of the whole plot for ranges. Linear axes end at round numbers; logarithmic axes and
 * single values get a margin.
 */
function wholeWindow({ x, y }: PlotWindow, scales: AxisScales): PlotWindow {
  const domain = ([low, high]: [number, number], scale: AxisScale): [number, number] => {
    const [from = low, to = high] = (scale === 'log' ? roomyScale : niceScale)(low, high, 0, 1).domain();
    return [from, to];
  };
  return { x: domain(x, scales[0]), y: domain(y, scales[1]) };
}

/** Draws points, or their density, over two axes. Rows that filters leave out are gray, behind. */
function drawScatter({ data, words, look, columns }: ScatterPlot): DrawnPlot {
  const { size, colors } = look;
  const { scales } = data;
  const [xScale, yScale] = scales;
  const window = look.window ?? wholeWindow(data.ranges, scales);
  const { meaning } = data;
  const legend = legendFor(meaning, { words, colors, size });
  const [top, bottom] = [12, 40];
  const left = leftRoom(windowScale(window.y, size.height - top - bottom, 0), yScale);
  const frame = plotFrame(
    { width: size.width, height: size.height + legend.height },
    { top, right: legend.right, bottom: bottom + legend.height, left },
    colors,
    words.label,
  );
  const { box } = frame;
  const x = windowScale(window.x, 0, box.width);
  const y = windowScale(window.y, box.height, 0);
  bottomAxis(frame, x, words.axes[0], colors, xScale);
  leftAxis(frame, y, words.axes[1], colors, { axis: yScale });
  legend.drawIn(frame);
  const shown = pixelPoints(data.shown, { x, y, scales });
  const filteredOut = data.filteredOut && pixelPoints(data.filteredOut, { x, y, scales });
  const colorsOfPoints = data.color && meaning && pointColors(data.color, meaning, colors);
  const toData = (px: number, py: number): [number, number] => [
    x.invert(px - box.left),
    y.invert(py - box.top),
  ];
  return {
    frame,
    layers: [
      ...(filteredOut ? layersOf(filteredOut, colors, colors.filteredOut) : []),
      ...layersOf(shown, colors, colors.mark, colorsOfPoints),
    ],
    targets: new ScatterTargets({
      data,
      words,
      colors,
      box,
      toPixels: (axisX, axisY) => [x(axisX), y(axisY)],
      shown,
      filteredOut,
      pointColors: colorsOfPoints,
    }),
    axes: {
      x: columnAxis(columns.x, xScale, x, box.left),
      y: columnAxis(columns.y, yScale, y, box.top),
    },
    toData,
    drag: {
      shape: 'lasso',
      actionOf: path => ({
        kind: 'lasso',
        lasso: {
          ...columns,
          polygon: path.flatMap(([px, py]) => {
            const [axisX, axisY] = toData(px, py);
            return [fromAxis(axisX, xScale), fromAxis(axisY, yScale)];
          }),
          ...(scales.includes('log') && { scales }),
        },
      }),
    },
    clear: { kind: 'clearLasso', ...columns },
    mark: {
      columns: [columns.x, columns.y],
      draw: ([markX, markY]) => {
        if (typeof markX !== 'number' || typeof markY !== 'number') return undefined;
        const [px, py] = [x(onAxis(markX, xScale)), y(onAxis(markY, yScale))];
        if (Number.isNaN(px) || Number.isNaN(py)) return undefined;
        if (px < -1 || px > box.width + 1 || py < -1 || py > box.height + 1) return undefined;
        return ring({ x: px + box.left, y: py + box.top }, { radius: 7, width: 2.5 }, colors);
      },
    },
  };
}

function layersOf(
  { x, y, cells }: PixelPoints,
  { background }: PlotColors,
  color: string,
  colorsOfPoints?: PointColors,
): PointLayer[] {
  if (cells) return cells.layers(color, background);
  const count = x.length;
  if (count === 0) return [];
  const dots = {
    kind: 'dots' as const,
    radius: dotRadius(count),
    opacity: count > MANY_POINTS ? 0.6 : 0.8,
    x,
    y,
  };
  if (!colorsOfPoints) return [{ ...dots, palette: [color] }];
  const { palette, indexOf } = colorsOfPoints;
  const indexes = new Uint8Array(count);
  for (let point = 0; point < count; point++) indexes[point] = indexOf(point);
  return [{ ...dots, palette, colors: indexes }];
}

/** The rows whose points a scatter plot has. */
interface PlottedRows {
  points: ScatterPoints;
  /** Number of rows with both numbers in the requested window. */
  total: number;
  isSample: boolean;
}

interface ScatterNoteDependencies extends LeftOutRows {
  shown: PlottedRows;
  /** Rows that don't match the filters. */
  filteredOut: PlottedRows | undefined;
  /** The requested window; null for all of the plot. */
  requested: PlotWindow | null;
  scales?: AxisScales;
}

/** Describes which rows have points in a plot that shows `window`; null for all of it. */
export function scatterNote(
  { shown, filteredOut, requested, scales, ...leftOut }: ScatterNoteDependencies,
  window: PlotWindow | null,
): string {
  const { points, total, isSample } = shown;
  const gray = filteredOut ? rowsIn(filteredOut, window, scales) : 0;
  const words = [
    (requested ?? (window && hasAllPoints(shown))) && t('Zoomed in:'),
    points.grid
      ? t('All {0} rows, counted in a grid of {1} × {1}.', total, points.grid.bins)
      : isSample
        ? t('{0} of {1} rows, sampled at random.', points.rows.length, total)
        : t.count(rowsIn(shown, window, scales), '1 row.', '{0} rows.'),
    gray > 0 &&
      t.count(
        gray,
        "Gray: 1 row that doesn't match the filters.",
        "Gray: {0} rows that don't match the filters.",
      ),
    ...leftOutWords(leftOut),
  ];
  return words.filter(Boolean).join(' ');
}

/** Whether each row has its own point. */
function hasAllPoints({ points, isSample }: PlottedRows): boolean {
  return !points.grid && !isSample;
}

function rowsIn(
  plotted: PlottedRows,
  window: PlotWindow | null,
  [xScale, yScale]: AxisScales = ['linear', 'linear'],
): number {
  if (!window || !hasAllPoints(plotted)) return plotted.total;
  const { x, y } = plotted.points;
  const [left, right] = window.x;
  const [bottom, top] = window.y;
  let count = 0;
  for (let point = 0; point < x.length; point++) {
    const [px, py] = [onAxis(x[point] as number, xScale), onAxis(y[point] as number, yScale)];
    if (px >= left && px <= right && py >= bottom && py <= top) count++;
  }
  return count;
}
