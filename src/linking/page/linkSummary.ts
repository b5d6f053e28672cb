import type { MaskImage } from '../../archives/masksSummary';
import { t } from '../../pages/page/l10n';
import type { LinkReport, PositionOffset } from '../rowLinks';

/** A link report as text: one line, a short form, whether it is a warning, and details. */
interface LinkSummary {
  line: string;
  short: string;
  warning: boolean;
  details: string[];
}

/** Describes a link report. The details have the number of everything that isn't linked. */
export function linkSummary(report: LinkReport): LinkSummary {
  const rows = report.matched + report.rowsWithoutObject + report.ambiguous;
  const details: string[] = [];
  if (report.imageColumn !== undefined && report.idColumn !== undefined) {
    details.push(t('Matched by the columns "{0}" and "{1}".', report.imageColumn, report.idColumn));
  }
  if (report.rowsWithoutObject > 0)
    details.push(t('Rows without an object in the masks: {0}', report.rowsWithoutObject));
  if (report.objectsWithoutRow > 0) details.push(t('Objects without a row: {0}', report.objectsWithoutRow));
  if (report.ambiguous > 0)
    details.push(t('Rows that match more than one object, not linked: {0}', report.ambiguous));
  details.push(...sameNamesWords(report));
  const areas = areaCheck(report);
  if (areas) details.push(areas.words);
  if (report.positionOffset) details.push(positionWords(report.positionOffset));
  return {
    line: linkLine(report.matched, rows),
    short: t('{0} linked', report.matched),
    warning:
      report.matched < rows ||
      report.objectsWithoutRow > 0 ||
      (report.sameNames?.open ?? 0) > 0 ||
      (report.sameNames?.ofOtherSizes ?? 0) > 0 ||
      report.sameNames?.differsFromBefore === true ||
      (areas !== undefined && !areas.agrees),
    details,
  };
}

function linkLine(matched: number, rows: number): string {
  if (matched === 0) return t('No rows linked to masks');
  return matched === rows
    ? t('All {0} rows linked to masks', rows)
    : t('{0} of {1} rows linked to masks', matched, rows);
}

/** The kinds of evidence that link images with equal names. */
const LINKED_BY = [
  ['hand', t.later('{0} by you')],
  ['ids', t.later('{0} by object IDs')],
  ['areas', t.later('{0} by areas')],
  ['positions', t.later('{0} by positions')],
  ['areasAndPositions', t.later('{0} by areas and positions')],
  ['empty', t.later('{0} without objects')],
] as const;

function sameNamesWords({ sameNames }: LinkReport): string[] {
  if (!sameNames) return [];
  const { linked: linkedImages, open, ofOtherSizes = 0, differsFromBefore } = sameNames;
  const ways = LINKED_BY.flatMap(([by, words]) => (linkedImages[by] ? [words(linkedImages[by])] : []));
  return [
    ...(differsFromBefore
      ? [t('Images of the same name are linked in another way than at your last visit.')]
      : []),
    ...(ways.length > 0 ? [t('Images with the same name, distinguished by: {0}', ways.join(', '))] : []),
    ...(open > 0
      ? [
          t(
            "Images that can't be distinguished from others with the same name: {0}. Their rows aren't linked.",
            open,
          ),
        ]
      : []),
    ...(ofOtherSizes > 0
      ? [t("Images of another size than the table says: {0}. Their rows aren't linked.", ofOtherSizes)]
      : []),
  ];
}

/** The evidence that linked the rows of an image that shares its name; undefined for others. */
export function linkedByWords({ linkedBy }: Pick<MaskImage, 'linkedBy'>): string | undefined {
  if (!linkedBy) return undefined;
  const { by, objects = 0 } = linkedBy;
  switch (by) {
    case 'hand':
      return t('The rows of this image are linked by you.');
    case 'item':
      return t('The rows of this image are linked by its ID.');
    case 'path':
      return t('The rows of this image are linked by its path.');
    case 'name':
      return t('The rows of this image are linked by its name.');
    case 'ids':
      return t('The rows of this image are linked by the IDs of {0} objects.', objects);
    case 'areas':
      return t('The rows of this image are linked by the areas of {0} objects.', objects);
    case 'positions':
      return t('The rows of this image are linked by the positions of {0} objects.', objects);
    case 'areasAndPositions':
      return t('The rows of this image are linked by the areas and positions of {0} objects.', objects);
    case 'empty':
      return t('This image is the only one without objects, and has no rows.');
    // Neither rows nor archives have hashes.
    case 'hash':
      return undefined;
  }
}

function areaCheck(report: LinkReport): { words: string; agrees: boolean } | undefined {
  const ratio = report.areaRatio;
  if (ratio === undefined) return undefined;
  const shown = t.number(ratio, 4);
  if (!report.areaRatioConstant)
    return {
      words: t(
        'Areas in the table differ from the mask areas (median ratio {0}, not the same for all rows).',
        shown,
      ),
      agrees: false,
    };
  if (Math.abs(ratio - 1) < 0.001) return { words: t('Areas in the table match the masks.'), agrees: true };
  return {
    words: t(
      'All areas in the table are {0} times the mask areas: the table may use other units, or the image was rescaled.',
      shown,
    ),
    agrees: false,
  };
}

/** Describes the offset of positions; the table shows them unchanged. */
function positionWords({ x, y, constant }: PositionOffset): string {
  if (!constant)
    return t(
      "Positions in the table don't match the centers of the masks: the table may use other units or another reference point. They are shown unchanged.",
    );
  if (Math.max(Math.abs(x), Math.abs(y)) < 0.01)
    return t('Positions in the table match the centers of the masks.');
  return t(
    'Positions in the table are {0} (x) and {1} (y) pixels from the centers of the masks. They are shown unchanged.',
    t.number(x, 2),
    t.number(y, 2),
  );
}

/** Whether a user can help to link images. */
export function canLinkImages({ sameNames }: LinkReport): boolean {
  if (!sameNames) return false;
  const { open, ofOtherSizes = 0, linked: linkedImages } = sameNames;
  return open + ofOtherSizes + (linkedImages.hand ?? 0) > 0;
}
