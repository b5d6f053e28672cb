import { svg } from '../svg';
import { barsPath, type Histogram } from '../table/histogramShape';
import type { PlotColours } from './plotColours';
import { bottomAxis, leftAxis, plotFrame, type PlotFrame, type PlotSize } from './plotFrame';
import { scaleLinear } from 'd3-scale';

export interface HistogramWords {
  label: string;
  x: string;
  y: string;
}

/** Counts of a column's numbers: all rows faintly, those that pass the filters over them. */
export function drawHistogram(
  data: Histogram,
  words: HistogramWords,
  size: PlotSize,
  colours: PlotColours,
): PlotFrame {
  const frame = plotFrame(size, { top: 12, right: 28, bottom: 44, left: 64 }, colours, words.label);
  const { width, height } = frame.box;
  const most = Math.max(1, ...data.all);
  const x = scaleLinear([data.low, data.high], [0, width]);
  const y = scaleLinear([0, most], [height, 0]);
  bottomAxis(frame, x, words.x, colours);
  leftAxis(frame, y, words.y, colours);
  frame.body.append(
    svg('path', { d: barsPath(data.all, most, width, height), fill: colours.grid }),
    svg('path', { d: barsPath(data.shown, most, width, height), fill: colours.mark }),
  );
  return frame;
}
