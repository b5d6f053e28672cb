/** Entries of the masks page's context menu that the page itself runs, named after their commands. */
export type MasksMenuCommand =
  | 'zoomToObject'
  | 'showOnlyClass'
  | 'copyMeasurements'
  | 'exportSelectedObjects'
  | 'fitMasks'
  | 'saveMasksView'
  | 'showMasksShortcuts';
