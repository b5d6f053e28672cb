import { t } from '../../pages/page/l10n';
import type { TableSummary } from '../../columns/tableSummary';
import type { SavedPart } from '../../table/page/tableViewState';
import type { UndoPart } from '../../table/page/viewHistory';
import { CLOSED_DRAWER, type DrawerState } from './drawerModel';
import { movedPlots, type PlotSpec, validPlots } from './plotTypes';

declare module '../../table/page/viewHistory' {
  interface UndoableView {
    drawer?: DrawerState;
  }

  interface ViewParts {
    plots: PlotSpec[];
  }
}

/** The plots in the saved view of a table. */
export const savedDrawer: SavedPart = {
  /** Earlier versions saved the color of a scatter plot as `colour`. */
  current: ({ drawer }) => {
    if (!drawer?.plots) return {};
    const plots = drawer.plots.map((plot: PlotSpec & { colour?: number | null }) => {
      const { colour, ...otherFields } = plot;
      return colour === undefined ? plot : { color: colour, ...otherFields };
    });
    return { drawer: { ...drawer, plots } };
  },
  fitting: ({ drawer }, table, isSame) => ({
    drawer: fittingDrawer({ ...CLOSED_DRAWER, ...drawer, ...(!isSame && { plots: [] }) }, table),
  }),
  moved: ({ drawer }, placeOf) =>
    drawer ? { drawer: { ...drawer, plots: movedPlots(drawer.plots, placeOf) } } : {},
  isOpen: ({ drawer }) => drawer?.open === true,
};

function fittingDrawer({ windows, ...drawer }: DrawerState, { columns }: TableSummary): DrawerState {
  const plots = validPlots(drawer.plots, columns);
  // Windows are by position, so they fit only if all plots are valid.
  return { ...drawer, plots, ...(windows && plots.length === drawer.plots.length && { windows }) };
}

/** The undoable state of plots: the plots and their columns, not their position. */
export const undonePlots: UndoPart = {
  of: ({ drawer }) => ({ plots: drawer?.plots ?? [] }),
  // Opening an empty drawer adds a plot, which isn't the user's step.
  isAutomatic: (before, after) => before.drawer?.open !== true && after.drawer?.open === true,
  words: ({ before, after }) => {
    if (!before.plots || !after.plots) return undefined;
    const addedCount = after.plots.length - before.plots.length;
    return addedCount > 0 ? t('Add Plot') : addedCount < 0 ? t('Remove Plot') : t('Change Plot');
  },
};
