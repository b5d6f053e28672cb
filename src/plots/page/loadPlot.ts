import { loadBars, loadBoxes } from './groupPlots';
import { loadHistogram } from './histogramPlot';
import type { LoadPlot } from './plotModel';
import type { PlotType } from './plotTypes';
import { loadScatter } from './scatterPlot';

const loaders: Record<PlotType, LoadPlot> = {
  histogram: loadHistogram,
  scatter: loadScatter,
  box: loadBoxes,
  bar: loadBars,
};

/** Requests the data of a plot; what comes draws it. */
export const loadPlot: LoadPlot = (spec, parts, signal) => loaders[spec.kind](spec, parts, signal);
