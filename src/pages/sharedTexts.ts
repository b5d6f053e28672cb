import type { Translate } from '../words/translate';

/**
 * Texts of the pages of tables and masks. {0}, {1} … are filled in by the page, which gets the texts as they are; a key that ends in "One" is
 * the singular of the key without it. `scripts/pageTexts.mjs` reports texts that no page shows and wrong numbers of arguments.
 */
export function sharedTexts(t: Translate) {
  return {
    opening: t('Opening…'),
    failed: t("Couldn't show this result"),
    partFailed: t("Couldn't load this part of the page."),
    retry: t('Try Again'),
    export: t('Export'),
    percent: t('{0}%'),
    undid: t('Undid: {0}'),
    redid: t('Redid: {0}'),
    nothingToUndo: t('Nothing to undo'),
    nothingToRedo: t('Nothing to redo'),
    shortcutRedo: t('Redo'),
    keyControl: t('Ctrl'),
    keyShift: t('Shift'),
    unnamedColumn: t('Column {0}'),
    nameInUnit: t('{0} ({1})'),
    linked: t('All {0} rows linked to masks'),
    linkedSome: t('{0} of {1} rows linked to masks'),
    linkedNone: t('No rows linked to masks'),
    linkedShort: t('{0} linked'),
    linkColumns: t('Matched by the columns "{0}" and "{1}".'),
    linkRowsWithout: t('Rows without an object in the masks: {0}'),
    linkObjectsWithout: t('Objects without a row: {0}'),
    linkAmbiguous: t('Rows that match more than one object, not linked: {0}'),
    sameNamesTold: t('Images of the same name told apart: {0}'),
    sameNamesOpen: t(
      "Images that can't be told from others of the same name: {0}. Their rows aren't linked.",
    ),
    sameNamesDiffer: t('Images of the same name are linked in another way than at your last visit.'),
    'toldBy.hand': t('{0} by you'),
    'toldBy.size': t('{0} by image size'),
    'toldBy.ids': t('{0} by object IDs'),
    'toldBy.areas': t('{0} by areas'),
    'toldBy.positions': t('{0} by positions'),
    'toldBy.areasAndPositions': t('{0} by areas and positions'),
    'toldBy.empty': t('{0} without objects'),
    'linkedBy.hand': t('The rows of this image are linked by you.'),
    'linkedBy.item': t('The rows of this image are linked by its ID.'),
    'linkedBy.path': t('The rows of this image are linked by its path.'),
    'linkedBy.name': t('The rows of this image are linked by its name.'),
    'linkedBy.size': t('The rows of this image are linked by its size.'),
    'linkedBy.ids': t('The rows of this image are linked by the IDs of {0} objects.'),
    'linkedBy.areas': t('The rows of this image are linked by the areas of {0} objects.'),
    'linkedBy.positions': t('The rows of this image are linked by the positions of {0} objects.'),
    'linkedBy.areasAndPositions': t(
      'The rows of this image are linked by the areas and positions of {0} objects.',
    ),
    'linkedBy.empty': t('This image is the only one without objects, and has no rows.'),
    linkImages: t('Link Images…'),
    linkImagesTitle: t('Link Images'),
    linkImagesHint: t(
      "Several images have the same name, and their objects don't tell for certain which rows are theirs. Say which path each image has in the table.",
    ),
    linkImagesFailed: t("Couldn't link the images: {0}"),
    acceptSuggestions: t('Accept All {0} Suggestions'),
    acceptSuggestionsOne: t('Accept the Suggestion'),
    openImages: t('{0} images not linked'),
    openImagesOne: t('1 image not linked'),
    openImagesCut: t('There are more. They are listed once these are linked.'),
    openImageNote: t('Image {0} of the archive, {1}: {2}'),
    'openWhy.none-fits': t('IDs, areas or positions fit no path'),
    'openWhy.several-fit': t('several paths or images fit about as well'),
    'openWhy.little-evidence': t('fits, but so could another image by chance'),
    'openWhy.ids-alone': t("IDs alone aren't certain"),
    'openWhy.many': t('too many images to compare'),
    showOpenImage: t('Show {0}'),
    openImageDamaged: t("can't be read completely"),
    openImageObjects: t('{0} objects'),
    openImageObjectsOne: t('1 object'),
    noPaths: t('No path in the table is left for it.'),
    choosePath: t('Choose its path…'),
    pathOfImage: t('Path of {0} in the table'),
    openPath: t('{1} ({0} rows)'),
    openPathOne: t('{1} (1 row)'),
    suggestedPath: t('{1} ({0} rows, suggested)'),
    suggestedPathOne: t('{1} (1 row, suggested)'),
    linkOne: t('Link'),
    linkImage: t('Link {0}'),
    linkImageTo: t('Link {0} to {1}'),
    linkedByHand: t('Linked by you'),
    undoLink: t('Undo the link of {0}'),
    noOpenImages: t('All images are linked.'),
    areaAgrees: t('Areas in the table match the masks.'),
    areaRescaled: t(
      'All areas in the table are {0} times the mask areas: the table may use other units, or the image was rescaled.',
    ),
    areaDiffers: t(
      'Areas in the table differ from the mask areas (median ratio {0}, not the same for all rows).',
    ),
    positionsAgree: t('Positions in the table match the centers of the masks.'),
    positionsOff: t(
      'Positions in the table are {0} (x) and {1} (y) pixels from the centers of the masks. They are shown unchanged.',
    ),
    positionsDiffer: t(
      "Positions in the table don't match the centers of the masks: the table may use other units or another reference point. They are shown unchanged.",
    ),
  };
}

export type SharedTextKey = keyof ReturnType<typeof sharedTexts>;

/** The page's strings, translated by the host; the keys are those of src/pages. */
export type PageStrings = Record<string, string>;
