import { t } from '../../pages/page/l10n';
import { computed, signal } from '@preact/signals';
import { PartKey } from '../../base/parts';
import { type PlotAddition, plotAdditions } from '../../drawing/page/plotAddition';
import { imageMeasuresOfPlots } from '../../drawing/page/plottedTable';
import type { AddedMenu, Drawer, TableContribution, TableShortcut } from '../../table/page/contribution';
import { keyNames } from '../../table/page/keyNames';
import type { PlotMenuCommand } from '../plotMenu';
import { CLOSED_DRAWER, DrawerModel } from './drawerModel';
import { savedDrawer, undonePlots } from './drawerSaved';
import type { plotsLater } from './plotsLater';
import type { PlotModel } from './plotModel';
import { plotAt, PlotsPart, removePlot } from './plotsPart';
import { validPlots } from './plotTypes';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    plots: typeof plotsLater;
  }
}

/** The plots of a table's page. */
export const plotsOfTable = new PartKey<DrawerModel>('plots');

/** Adds plots in a drawer beside the rows. */
export const plotsInTable: TableContribution = {
  saved: savedDrawer,
  undo: undonePlots,
  open: ({ plotted, view, room, neededByGroups, port, added, loadLater, model: table }) => {
    const addition = signal<PlotAddition | undefined>(undefined);
    const model = new DrawerModel(view.drawer ?? CLOSED_DRAWER, {
      ...plotted,
      imageMeasures: added.find(imageMeasuresOfPlots),
      addition,
      loadPlot: async (...args) => (await loadLater()).plots.loadPlot(...args),
      plotFile: async (...args) => (await loadLater()).plots.plotFile(...args),
      room,
      heightNeededBelow: neededByGroups,
      save: drawer => port.updateView({ drawer }),
    });
    added.add(plotsOfTable, model);
    added.add(plotAdditions, { isOpen: model.isOpen, addition });
    return {
      drawer: drawerOf(model),
      menu: menuOf(model),
      shortcuts,
      restore: ({ plots }, open) => plots && model.restore(validPlots(plots, table.table.columns), open),
      columnsMoved: placeOf => model.columnsMoved(placeOf),
    };
  },
};

function drawerOf(model: DrawerModel): Drawer {
  return {
    name: t('Plots'),
    icon: 'graph-scatter',
    closeWords: t('Close Plots'),
    isOpen: model.isOpen,
    isRight: computed(() => model.place.value.where === 'right'),
    isOver: model.isOver,
    heightBelow: model.heightBelow,
    toggle: () => model.toggle(),
    leave: () => model.leave(),
    place: content => <PlotsPart drawer={model}>{content}</PlotsPart>,
    content: ({ plots: { PlotsContent } }) => <PlotsContent drawer={model} />,
    actions: ({ plots: { PlotActions } }) => <PlotActions drawer={model} />,
  };
}

/** The context menu of a plot. */
function menuOf(model: DrawerModel): AddedMenu {
  let plot: PlotModel | undefined;
  const runs: Record<PlotMenuCommand, () => void> = {
    savePlotAsPng: () => void plot?.saveAs('png'),
    savePlotAsSvg: () => void plot?.saveAs('svg'),
    removePlot: () => plot && removePlot(model, plot),
  };
  return {
    section: 'plot',
    root: () => document.getElementById('plots'),
    aim: target => (plot = plotAt(model, target)) !== undefined,
    runs,
  };
}

const { enter, shift } = keyNames;

const shortcuts: readonly TableShortcut[] = [
  { keys: [['←'], ['→'], ['↑'], ['↓']], does: t.later('In a plot: move among points, bars or groups') },
  { keys: [[enter]], does: t.later('In a plot: select the object or filter') },
  { keys: [['+'], ['−'], ['0']], does: t.later('In a plot: zoom in, zoom out, reset the zoom') },
  {
    keys: [
      [shift, '←'],
      [shift, '→'],
      [shift, '↑'],
      [shift, '↓'],
    ],
    does: t.later('In a zoomed plot: pan'),
  },
];
