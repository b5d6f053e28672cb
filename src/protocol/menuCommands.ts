/** Entries of the masks page's context menu that the page itself runs, named by their commands. */
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

/** Entries of the table page's context menu that subjects add by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedTableMenuCommands {}

/** The built-in entries of the table page's context menu. */
export type BuiltInTableMenuCommand =
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
  | 'undoInTable'
  | 'redoInTable'
  | 'showTableShortcuts';

export type TableMenuCommand = BuiltInTableMenuCommand | keyof AddedTableMenuCommands;

/** An entry of a page's context menu, and the kind of page that has it. */
export type PageMenuCommand =
  | { page: 'masks'; command: MasksMenuCommand }
  | { page: 'table'; command: TableMenuCommand };
