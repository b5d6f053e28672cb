import { t } from '../../pages/page/l10n';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { PlotWindow } from '../../columns/viewSpec';
import { columnName } from '../../pages/page/columnName';
import {
  barsPath,
  binEnds,
  binsExtent,
  binsOf,
  binStart,
  type ColumnHistogram,
  rangeOfBins,
} from '../../pages/page/widgets/columnHistogram';
import { svg } from '../../pages/page/widgets/element';
import { leftOutWords, numberWords, type NumberWords } from '../../drawing/page/plottedTable';
import type { LogAxes, PlotColumns, PlotInput } from './plotDefinition';
import { scaleOf } from './plotTypes';
import { type AxisScale, onAxis } from '../../columns/axisScale';
import { type DrawnPlot, type LoadedPlot, moveInList, type PlotLook } from '../../drawing/page/plotDrawing';
import {
  bottomAxis,
  columnAxis,
  leftAxis,
  leftRoom,
  plotFrame,
  windowScale,
} from '../../drawing/page/plotFrame';
import { FIXED_AXIS, paddedWindow } from '../../drawing/page/plotZoom';
import type { RowColors } from '../../drawing/page/plotAddition';
import type { PlotColors } from '../../drawing/page/plotColors';
import { type ColorMeaning, colorsOf, legendFor, meaningOf } from './plotLegend';

/** The histogram of a column. When zoomed, the visible part gets smaller bins. */
export async function loadHistogram(
  { column = null, ...axes }: PlotColumns & LogAxes,
  { source, window, addition }: PlotInput,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  if (column === null) return undefined;
  const scale = scaleOf(axes, 'column');
  const binned = { column, ...(scale === 'log' && { scale }) };
  const [overview, zoomedBins] = await Promise.all([
    source.histogram(binned, signal),
    window && source.histogram({ ...binned, range: window.x }, signal),
  ]);
  if (!overview) return undefined;
  const data = zoomedBins ?? overview;
  const dataRange: [number, number] = [overview.low, overview.high];
  const extent = binsExtent(overview);
  const { plotsAreFiltered: isFiltered } = source;
  const name = columnName(source.table.columns, column);
  const title = t('Histogram of {0}', name);
  const words = {
    label: title,
    x: scale === 'log' ? t('{0} (log)', name) : name,
    y: t('Rows'),
    rows: isFiltered ? t('Matching rows') : t('Rows'),
    allRows: t('All rows'),
    ...numberWords(),
  };
  const note = [
    isFiltered && t('Rows that match the filters, over all rows (gray).'),
    ...leftOutWords(overview),
  ]
    .filter(Boolean)
    .join(' ');
  let groups: BarGroups | undefined;
  let colors: RowColors | undefined;
  /** Colors the bars by groups of rows that `addition` provides, such as populations. */
  const recolor = async (canceled: AbortSignal) => {
    const newColors = addition?.colors.peek();
    if (newColors === colors) return 'same';
    const bins = { ...binned, ...(window && { range: window.x }) };
    const counts = newColors && (await addition?.countsInBins(bins, canceled));
    groups = newColors && counts && { meaning: meaningOf(newColors), counts };
    colors = newColors;
    return 'changed';
  };
  await recolor(signal);
  return {
    recolor,
    draw: look => ({
      ...drawHistogram({ data, groups, dataRange, extent, column, scale, isFiltered, words, look }),
      title,
      note,
    }),
    ...(dataRange[1] > dataRange[0] && {
      zoom: {
        whole: { x: extent, y: FIXED_AXIS },
        fit: isFiltered ? windowOfShown(overview) : null,
        window,
        isComplete: false,
      },
    }),
  };
}

/** The part of the axis with rows that match the filters; null if that is all of it, or none. */
function windowOfShown(data: ColumnHistogram): PlotWindow | null {
  const { shown } = data;
  const first = shown.findIndex(count => count > 0);
  if (first < 0) return null;
  const last = shown.findLastIndex(count => count > 0);
  const whole: PlotWindow = { x: binsExtent(data), y: FIXED_AXIS };
  return paddedWindow({ x: [binStart(data, first), binStart(data, last + 1)], y: FIXED_AXIS }, whole);
}

interface HistogramWords extends NumberWords {
  label: string;
  x: string;
  y: string;
  /** Names of the two counts in the tooltip of a bin. */
  rows: string;
  allRows: string;
}

/** Counts per color and bin. The last color has no counts: all other rows have it. */
interface BarGroups {
  meaning: ColorMeaning;
  counts: readonly Uint32Array[];
}

interface HistogramPlot {
  /** The bins of the whole column, or of the visible part when zoomed. */
  data: ColumnHistogram;
  /** Absent if rows have no colors. */
  groups: BarGroups | undefined;
  /** The column's minimum and maximum on the axis. */
  dataRange: [number, number];
  /** The ends of the bins without zoom. */
  extent: [number, number];
  column: number;
  scale: AxisScale;
  /** Whether filters leave out some of the rows. */
  isFiltered: boolean;
  words: HistogramWords;
  look: PlotLook;
}

/** Draws a histogram: all rows in gray, matching rows above them. */
function drawHistogram({
  data,
  groups,
  dataRange,
  extent,
  column,
  scale,
  isFiltered,
  words,
  look: { size, colors, window },
}: HistogramPlot): DrawnPlot {
  const domain = window?.x ?? extent;
  const { low, high, all } = data;
  const [firstInView, lastInView] = binsOf(data, { min: domain[0], max: domain[1] });
  const highest = Math.max(1, ...all.slice(firstInView, lastInView + 1));
  const [top, bottom] = [12, 40];
  const left = leftRoom(scaleLinear([0, highest], [size.height - top - bottom, 0]));
  const legend = legendFor(groups?.meaning, {
    words: { none: '', short: words.number },
    colors,
    size,
  });
  const frame = plotFrame(
    { width: size.width, height: size.height + legend.height },
    { top, right: legend.right, bottom: bottom + legend.height, left },
    colors,
    words.label,
  );
  const { box } = frame;
  legend.drawIn(frame);
  const { width, height } = box;
  const x = windowScale(domain, 0, width);
  const y = scaleLinear([0, highest], [height, 0]);
  bottomAxis(frame, x, words.x, colors, scale);
  leftAxis(frame, y, words.y, colors, { integersOnly: true });
  const bins = binPlaces(data, x, width);
  const bars = (counts: readonly number[], fill: string) =>
    svg('path', {
      d: barsPath(counts, highest, bins.edge(all.length) - bins.edge(0), height),
      fill,
      transform: `translate(${bins.edge(0)} 0)`,
    });
  if (isFiltered) frame.body.append(bars(all, colors.filteredOut));
  for (const { counts, color } of stacked(data.shown, groups, colors)) frame.body.append(bars(counts, color));
  /** The visible part of bins [first, last], in pixels of the drawing. */
  const span = (first: number, last: number): [number, number] => [
    box.left + Math.max(0, bins.edge(first)),
    box.left + Math.min(width, bins.edge(last + 1)),
  ];
  const rangeAction = (first: number, last: number) => {
    const range = rangeOfBins(data, first, last);
    const isAll = range.min === null && range.max === null;
    return { kind: 'range' as const, column, range: isAll ? null : range };
  };
  const binAt = (px: number) => bins.at(Math.max(0, Math.min(width, px - box.left)));
  const binsBetween = (a: number, b: number) => [binAt(Math.min(a, b)), binAt(Math.max(a, b))] as const;
  return {
    frame,
    targets: {
      targetAt: (px, py) => {
        const isInside = px >= box.left && px <= box.left + width && py >= 0 && py <= box.top + height;
        return isInside ? binAt(px) : undefined;
      },
      next: (from, key) => moveInList(from, key, all.length, { down: false }),
      anchor: bin => {
        const [from, to] = span(bin, bin);
        return {
          x: (from + to) / 2,
          y: box.top + y(Math.max(data.shown[bin] ?? 0, isFiltered ? (all[bin] ?? 0) : 0)),
        };
      },
      outline: bin => {
        const [from, to] = span(bin, bin);
        return svg('rect', {
          x: from - 0.5,
          y: box.top,
          width: Math.max(2, to - from),
          height,
          fill: colors.foreground,
          'fill-opacity': 0.08,
          stroke: colors.foreground,
          'stroke-opacity': 0.6,
        });
      },
      tip: bin => [
        { label: words.between(...binEnds(data, bin)) },
        { label: words.rows, value: words.number(data.shown[bin] ?? 0) },
        ...(isFiltered ? [{ label: words.allRows, value: words.number(all[bin] ?? 0) }] : []),
      ],
      action: bin => rangeAction(bin, bin),
      targetOf: action => {
        if (action.kind !== 'range' || action.column !== column || !action.range) return undefined;
        const [first, last] = binsOf(data, action.range);
        const { min, max } = rangeOfBins(data, first, first);
        // A range beyond the zoomed part is in none of its bins.
        const isSame = first === last && min === action.range.min && max === action.range.max;
        return isSame ? first : undefined;
      },
    },
    ...(dataRange[1] > dataRange[0] && {
      axes: { x: columnAxis(column, scale, x, box.left) },
      toData: (px: number) => [x.invert(px - box.left), 0] as [number, number],
    }),
    drag: {
      shape: 'span',
      snap: (a, b) => span(...binsBetween(a, b)),
      actionOf: (a, b) => rangeAction(...binsBetween(a, b)),
    },
    clear: { kind: 'range', column, range: null },
    mark: {
      columns: [column],
      draw: ([value]) => {
        if (typeof value !== 'number') return undefined;
        const position = onAxis(value, scale);
        if (Number.isNaN(position)) return undefined;
        const offset =
          high > low ? x(position) : bins.edge(binsOf(data, { min: value, max: value })[0] + 0.5);
        if (offset < -1 || offset > width + 1) return undefined;
        const markX = box.left + offset;
        return svg(
          'g',
          {},
          svg('path', { d: `M${markX} ${box.top}v${height}`, stroke: colors.background, 'stroke-width': 4 }),
          svg('path', { d: `M${markX} ${box.top}v${height}`, stroke: colors.foreground, 'stroke-width': 2 }),
          svg('path', { d: `M${markX - 5} ${box.top - 6}h10l-5 7z`, fill: colors.foreground }),
        );
      },
    },
  };
}

/**
 * Stacked bars, one for each color, with the tallest first: each is drawn over the lower part of
 * the one before.
 */
function stacked(
  shown: readonly number[],
  groups: BarGroups | undefined,
  colors: PlotColors,
): { counts: readonly number[]; color: string }[] {
  if (!groups) return [{ counts: shown, color: colors.mark }];
  const palette = colorsOf(groups.meaning, colors);
  const sum = shown.map(() => 0);
  const bars = groups.counts.map((counts, index) => {
    counts.forEach((count, bin) => (sum[bin] = (sum[bin] ?? 0) + count));
    return { counts: [...sum], color: palette[index] ?? colors.faint };
  });
  return [{ counts: shown, color: palette.at(-1) ?? colors.faint }, ...bars.reverse()];
}

/**
 * Positions of bins in pixels from the box's left. If the column has only one value, the bins have
 * equal parts of the width.
 */
function binPlaces(data: ColumnHistogram, x: ScaleLinear<number, number>, width: number) {
  const { length } = data.all;
  const [start, end] = binsExtent(data);
  const clamp = (bin: number) => Math.max(0, Math.min(length - 1, Math.floor(bin)));
  return end > start
    ? {
        edge: (bin: number) => x(binStart(data, bin)),
        at: (px: number) => clamp(((x.invert(px) - start) / (end - start)) * length),
      }
    : {
        edge: (bin: number) => (bin / length) * width,
        at: (px: number) => clamp((px / width) * length),
      };
}
