import type { OpenResults } from '../../session/node/openResults';
import type { ContributeToResults } from '../../session/editor/contribution';
import { inPage } from '../../session/editor/pageMenu';
import type { PlotMenuCommand } from '../plotMenu';

/** Commands of a plot's context menu. */
function plotCommands({ results }: { results: OpenResults }) {
  const ofPlot = (name: PlotMenuCommand) => inPage(results, { page: 'table', command: name });
  return {
    savePlotAsPng: ofPlot('savePlotAsPng'),
    savePlotAsSvg: ofPlot('savePlotAsSvg'),
    removePlot: ofPlot('removePlot'),
  };
}

/** Contributes the menu of plots; everything else about plots is in the table's page. */
export const plotsInHost: ContributeToResults = ({ results }) => ({ commands: plotCommands({ results }) });
