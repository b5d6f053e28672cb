import { scaleLinear } from 'd3-scale';
import { barsPath, binsOf, rangeOfBins, type ColumnHistogram } from '../../widgets/columnHistogram';
import { svg } from '../../widgets/svg';
import { moveInList } from '../moveInList';
import type { NumberWords } from '../numberWords';
import type { DrawnPlot, PlotLook } from '../plotDrawing';
import { bottomAxis, leftAxis, leftRoom, plotFrame } from '../plotFrame';

export interface HistogramWords extends NumberWords {
  label: string;
  x: string;
  y: string;
  /** Names of the two counts in the tooltip of a bin. */
  rows: string;
  allRows: string;
}

export interface HistogramPlot {
  data: ColumnHistogram;
  column: number;
  /** Whether filters leave out some of the rows. */
  isFiltered: boolean;
  words: HistogramWords;
  look: PlotLook;
}

/** Counts of a column's numbers: all rows in gray, and above them the rows that match the filters. */
export function drawHistogram({
  data,
  column,
  isFiltered,
  words,
  look: { size, colors },
}: HistogramPlot): DrawnPlot {
  const highest = Math.max(1, ...data.all);
  const [top, bottom] = [12, 40];
  const left = leftRoom(scaleLinear([0, highest], [size.height - top - bottom, 0]));
  const frame = plotFrame(size, { top, right: 20, bottom, left }, colors, words.label);
  const { box } = frame;
  const { width, height } = box;
  const x = scaleLinear([data.low, data.high], [0, width]);
  const y = scaleLinear([0, highest], [height, 0]);
  bottomAxis(frame, x, words.x, colors);
  leftAxis(frame, y, words.y, colors, true);
  const bars = (counts: readonly number[], fill: string) =>
    svg('path', { d: barsPath(counts, highest, width, height), fill });
  if (isFiltered) frame.body.append(bars(data.all, colors.filteredOut));
  frame.body.append(bars(data.shown, colors.mark));
  const bins = data.all.length;
  const step = width / bins;
  const binAt = (px: number) => Math.max(0, Math.min(bins - 1, Math.floor((px - box.left) / step)));
  const ends = (bin: number): [number, number] => {
    const binWidth = (data.high - data.low) / bins;
    return [data.low + bin * binWidth, data.low + (bin + 1) * binWidth];
  };
  const rangeAction = (first: number, last: number) => ({
    kind: 'range' as const,
    column,
    range: rangeOfBins(data, first, last),
  });
  const binsBetween = (a: number, b: number) => [binAt(Math.min(a, b)), binAt(Math.max(a, b))] as const;
  return {
    frame,
    targets: {
      at: (px, py) => {
        const isInside = px >= box.left && px <= box.left + width && py >= 0 && py <= box.top + height;
        return isInside ? binAt(px) : undefined;
      },
      next: (from, key) => moveInList(from, key, bins, { down: false }),
      anchor: bin => ({
        x: box.left + (bin + 0.5) * step,
        y: box.top + y(Math.max(data.shown[bin] ?? 0, isFiltered ? (data.all[bin] ?? 0) : 0)),
      }),
      outline: bin =>
        svg('rect', {
          x: box.left + bin * step - 0.5,
          y: box.top,
          width: Math.max(2, step),
          height,
          fill: colors.foreground,
          'fill-opacity': 0.08,
          stroke: colors.foreground,
          'stroke-opacity': 0.6,
        }),
      tip: bin => [
        { label: words.between(...ends(bin)) },
        { label: words.rows, value: words.number(data.shown[bin] ?? 0) },
        ...(isFiltered ? [{ label: words.allRows, value: words.number(data.all[bin] ?? 0) }] : []),
      ],
      action: bin => rangeAction(bin, bin),
      targetOf: action => {
        if (action.kind !== 'range' || action.column !== column || !action.range) return undefined;
        const [first, last] = binsOf(data, action.range);
        return first === last ? first : undefined;
      },
    },
    drag: {
      shape: 'span',
      snap: (a, b) => {
        const [first, last] = binsBetween(a, b);
        return [box.left + first * step, box.left + (last + 1) * step];
      },
      done: (a, b) => rangeAction(...binsBetween(a, b)),
    },
    clear: { kind: 'range', column, range: null },
    mark: {
      columns: [column],
      draw: ([value]) => {
        if (typeof value !== 'number') return undefined;
        const at =
          box.left +
          (data.high > data.low ? x(value) : (binsOf(data, { min: value, max: value })[0] + 0.5) * step);
        return svg(
          'g',
          {},
          svg('path', { d: `M${at} ${box.top}v${height}`, stroke: colors.background, 'stroke-width': 4 }),
          svg('path', { d: `M${at} ${box.top}v${height}`, stroke: colors.foreground, 'stroke-width': 2 }),
          svg('path', { d: `M${at - 5} ${box.top - 6}h10l-5 7z`, fill: colors.foreground }),
        );
      },
    },
  };
}
