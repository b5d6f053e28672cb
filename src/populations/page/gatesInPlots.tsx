import type { PlotAddition } from '../../drawing/page/plotAddition';
import type { OpenedParts } from '../../table/page/contribution';
import type {} from '../populationsPage';
import { GateOverlay } from './gateOverlay';
import { GatesModel } from './gatesModel';
import { GateTools } from './gateTools';
import type { PopulationsModel } from './populationsModel';

/** What populations add to plots: gates, tools that draw them, and colors of rows. */
export function gatesInPlots(
  populations: PopulationsModel,
  parts: Pick<OpenedParts, 'model' | 'panel' | 'plotted'>,
): PlotAddition {
  const { model: table, panel, plotted } = parts;
  const model = new GatesModel(populations, parts);
  const names = () => model.colors.peek()?.groups.map(({ name }) => name) ?? [];
  populations.drawInPlots();
  return {
    colors: model.colors,
    groupsOf: async (rows, signal) => {
      const { places } = await panel.request(
        'populationsOfRows',
        { names: names(), rows: rows.buffer },
        signal,
      );
      return new Uint16Array(places);
    },
    countsInBins: async (bins, signal) => {
      const groups = names();
      const { filters } = table.statisticsFilters;
      const { counts } = await panel.request(
        'populationsInBins',
        { names: groups, ...bins, filters },
        signal,
      );
      const all = new Uint32Array(counts);
      const size = all.length / Math.max(1, groups.length);
      return groups.map((_, at) => all.subarray(at * size, (at + 1) * size));
    },
    tools: plot => <GateTools model={model} plot={plot} table={table} />,
    overlay: (plot, stage) => new GateOverlay(model, plot, stage, words => plotted.say(words)),
  };
}
