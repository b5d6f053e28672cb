import type { OpenResults } from '../../session/node/openResults';
import type { ContributeToResults } from '../../session/editor/contribution';
import { inPage } from '../../session/editor/pageMenu';
import type { PlotMenuCommand } from '../plotMenu';

/** Entries of the context menu of a plot. */
function plotCommands({ results }: { results: OpenResults }) {
  const ofPlot = (name: PlotMenuCommand) => inPage(results, { page: 'table', command: name });
  return {
    savePlotAsPng: ofPlot('savePlotAsPng'),
    savePlotAsSvg: ofPlot('savePlotAsSvg'),
    removePlot: ofPlot('removePlot'),
  };
}

/** Plots are in the page of a table; the host only has their menu. */
export const plotsInHost: ContributeToResults = ({ results }) => ({ commands: plotCommands({ results }) });
