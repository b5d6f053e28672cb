import { plotFile } from '../../drawing/page/plotFile';
import { loadPlot } from './drawPlot';
import plotsCss from './plots.css';
import { PlotActions, PlotsContent } from './plotsContent';

/** The plot code that loads once there are plots. */
export const plotsLater = { style: plotsCss, loadPlot, plotFile, PlotActions, PlotsContent };
