import { svg } from '../widgets/svg';
import { barsPath, type ColumnHistogram } from '../widgets/columnHistogram';
import type { PlotColors } from './plotColors';
import { bottomAxis, leftAxis, plotFrame, type PlotFrame, type PlotSize } from './plotFrame';
import { scaleLinear } from 'd3-scale';

export interface HistogramWords {
  label: string;
  x: string;
  y: string;
}

export interface HistogramPlot {
  data: ColumnHistogram;
  words: HistogramWords;
  size: PlotSize;
  colors: PlotColors;
}

/** Counts of a column's numbers: all rows faintly, those that pass the filters over them. */
export function drawHistogram({ data, words, size, colors }: HistogramPlot): PlotFrame {
  const frame = plotFrame(size, { top: 12, right: 28, bottom: 44, left: 64 }, colors, words.label);
  const { width, height } = frame.box;
  const most = Math.max(1, ...data.all);
  const x = scaleLinear([data.low, data.high], [0, width]);
  const y = scaleLinear([0, most], [height, 0]);
  bottomAxis(frame, x, words.x, colors);
  leftAxis(frame, y, words.y, colors);
  frame.body.append(
    svg('path', { d: barsPath(data.all, most, width, height), fill: colors.grid }),
    svg('path', { d: barsPath(data.shown, most, width, height), fill: colors.mark }),
  );
  return frame;
}
