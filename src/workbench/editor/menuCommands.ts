import type { OpenResults } from '../../linked/node/openResults';
import type { MasksMenuCommand, PageMenuCommand, TableMenuCommand } from '../../protocol/menuCommands';
import { command } from '../../host/editor/command';

/** Entries of the pages' own context menus: the active page knows what its menu was opened on, and runs them. */
export function menuCommands({ results }: { results: OpenResults }) {
  // VS Code passes the context of a page as a plain object, so each call counts as a program's.
  const inPage = (entry: PageMenuCommand) =>
    command({
      options: {},
      program: () => {
        results.activeView?.runInPage(entry);
        return Promise.resolve();
      },
    });
  const inMasks = (name: MasksMenuCommand) => inPage({ page: 'masks', command: name });
  const inTable = (name: TableMenuCommand) => inPage({ page: 'table', command: name });
  return {
    zoomToObject: inMasks('zoomToObject'),
    showOnlyClass: inMasks('showOnlyClass'),
    copyMeasurements: inMasks('copyMeasurements'),
    exportSelectedObjects: inMasks('exportSelectedObjects'),
    fitMasks: inMasks('fitMasks'),
    saveMasksView: inMasks('saveMasksView'),
    showMasksShortcuts: inMasks('showMasksShortcuts'),
    copyCells: inTable('copyCells'),
    copyCellsWithHeader: inTable('copyCellsWithHeader'),
    filterToValue: inTable('filterToValue'),
    excludeValue: inTable('excludeValue'),
    sortColumnAscending: inTable('sortColumnAscending'),
    sortColumnDescending: inTable('sortColumnDescending'),
    pinColumn: inTable('pinColumn'),
    unpinColumn: inTable('unpinColumn'),
    hideColumn: inTable('hideColumn'),
    showColumnStatistics: inTable('showColumnStatistics'),
    groupByColumn: inTable('groupByColumn'),
    showGroups: inTable('showGroups'),
    savePlotAsPng: inTable('savePlotAsPng'),
    savePlotAsSvg: inTable('savePlotAsSvg'),
    removePlot: inTable('removePlot'),
    undoInTable: inTable('undoInTable'),
    redoInTable: inTable('redoInTable'),
    showTableShortcuts: inTable('showTableShortcuts'),
  };
}
