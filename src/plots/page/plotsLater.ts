import { plotFile } from '../../drawing/page/plotFile';
import { loadPlot } from './drawPlot';
import plotsCss from './plots.css';
import { PlotActions, PlotsContent } from './plotsContent';

/** The code of plots in the page's later script. */
export const plotsLater = { style: plotsCss, loadPlot, plotFile, PlotActions, PlotsContent };
