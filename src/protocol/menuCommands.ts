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

/** Likewise of the table page's; subjects that add to that page add their own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedTableMenuCommands {}

/** The table's own entries. */
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
