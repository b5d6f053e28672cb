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
  /** The color of a scatter plot was saved as `colour` once. */
  current: ({ drawer }) => {
    if (!drawer?.plots) return {};
    const plots = drawer.plots.map((plot: PlotSpec & { colour?: number | null }) => {
      const { colour, ...others } = plot;
      return colour === undefined ? plot : { color: colour, ...others };
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
  // They go by the places of the plots.
  return { ...drawer, plots, ...(windows && plots.length === drawer.plots.length && { windows }) };
}

/** The undoable state of plots: the plots and their columns, not their position. */
export const undonePlots: UndoPart = {
  of: ({ drawer }) => ({ plots: drawer?.plots ?? [] }),
  // A drawer opens with a plot to begin with.
  isAutomatic: (before, after) => before.drawer?.open !== true && after.drawer?.open === true,
  words: ({ before, after }) => {
    if (!before.plots || !after.plots) return undefined;
    const more = after.plots.length - before.plots.length;
    return more > 0 ? t('Add Plot') : more < 0 ? t('Remove Plot') : t('Change Plot');
  },
};
