import { plotFile } from '../../drawing/page/plotFile';
import { loadPlot } from './drawPlot';
import plotsCss from './plots.css';
import { PlotActions, PlotsContent } from './plotsContent';

/** What plots need once there are some. */
export const plotsLater = { style: plotsCss, loadPlot, plotFile, PlotActions, PlotsContent };
