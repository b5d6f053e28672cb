/** Entries of the masks page's context menu that the page itself runs, named after their commands. */
export type MasksMenuCommand =
  | 'zoomToObject'
  | 'showOnlyClass'
  | 'copyMeasurements'
  | 'exportSelectedObjects'
  | 'fitMasks'
  | 'saveMasksView'
  | 'undoInMasks'
  | 'redoInMasks'
  | 'showMasksShortcuts';

/** Likewise of the table page's. */
export type TableMenuCommand =
  | 'copyCells'
  | 'copyCellsWithHeader'
  | 'filterToValue'
  | 'excludeValue'
  | 'sortColumnAscending'
  | 'sortColumnDescending'
  | 'pinColumn'
  | 'unpinColumn'
  | 'hideColumn'
  | 'showColumnStatistics'
  | 'groupByColumn'
  | 'showGroups'
  | 'savePlotAsPng'
  | 'savePlotAsSvg'
  | 'removePlot'
  | 'undoInTable'
  | 'redoInTable'
  | 'openImageColumns'
  | 'showTableShortcuts';

/** An entry of a page's context menu, and the kind of page that has it. */
export type PageMenuCommand =
  | { page: 'masks'; command: MasksMenuCommand }
  | { page: 'table'; command: TableMenuCommand };
