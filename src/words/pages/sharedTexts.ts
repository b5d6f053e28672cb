import type { Translate } from '../translate';

/**
 * Texts of both pages. {0}, {1} … are filled in by the page, which gets the texts as they are; a key that ends in "One" is
 * the singular of the key without it. `scripts/pageTexts.mjs` reports texts that no page shows and wrong numbers of arguments.
 */
export function sharedTexts(t: Translate) {
  return {
    opening: t('Opening…'),
    failed: t("Couldn't show this result"),
    retry: t('Try Again'),
    export: t('Export'),
    percent: t('{0}%'),
    unnamedColumn: t('Column {0}'),
    linked: t('All {0} rows linked to masks'),
    linkedSome: t('{0} of {1} rows linked to masks'),
    linkedNone: t('No rows linked to masks'),
    linkedShort: t('{0} linked'),
    linkColumns: t('Matched by the columns "{0}" and "{1}".'),
    linkRowsWithout: t('Rows without an object in the masks: {0}'),
    linkObjectsWithout: t('Objects without a row: {0}'),
    linkAmbiguous: t('Rows that match more than one object, not linked: {0}'),
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
