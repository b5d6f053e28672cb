import type { MaskImage } from '../../archives/masksSummary';
import { t } from '../../pages/page/l10n';
import type { PageText } from '../../pages/page/pageText';
import type { LinkReport, PositionOffset } from '../rowLinks';

/** A link report in words: one line, a short form of it, whether it deserves attention, and the details. */
interface LinkSummary {
  line: string;
  short: string;
  warning: boolean;
  details: string[];
}

/** Words a link report. Counts are never hidden: whatever is not linked is named in the details. */
export function linkSummary(report: LinkReport, text: PageText): LinkSummary {
  const rows = report.matched + report.rowsWithoutObject + report.ambiguous;
  const details: string[] = [];
  if (report.imageColumn !== undefined && report.idColumn !== undefined) {
    details.push(text.get('linkColumns', report.imageColumn, report.idColumn));
  }
  if (report.rowsWithoutObject > 0) details.push(text.get('linkRowsWithout', report.rowsWithoutObject));
  if (report.objectsWithoutRow > 0) details.push(text.get('linkObjectsWithout', report.objectsWithoutRow));
  if (report.ambiguous > 0) details.push(text.get('linkAmbiguous', report.ambiguous));
  details.push(...sameNamesWords(report, text));
  const areas = areaCheck(report, text);
  if (areas) details.push(areas.words);
  if (report.positionOffset) details.push(positionWords(report.positionOffset, text));
  return {
    line: linkLine(report.matched, rows, text),
    short: text.get('linkedShort', report.matched),
    warning:
      report.matched < rows ||
      report.objectsWithoutRow > 0 ||
      (report.sameNames?.open ?? 0) > 0 ||
      report.sameNames?.differsFromBefore === true ||
      (areas !== undefined && !areas.agrees),
    details,
  };
}

function linkLine(matched: number, rows: number, text: PageText): string {
  if (matched === 0) return text.get('linkedNone');
  return matched === rows ? text.get('linked', rows) : text.get('linkedSome', matched, rows);
}

const TOLD_BY = ['hand', 'size', 'ids', 'areas', 'positions', 'areasAndPositions', 'empty'] as const;

function sameNamesWords({ sameNames }: LinkReport, text: PageText): string[] {
  if (!sameNames) return [];
  const { told, open, differsFromBefore } = sameNames;
  const ways = TOLD_BY.flatMap(by => (told[by] ? [text.get(`toldBy.${by}`, told[by])] : []));
  return [
    ...(differsFromBefore ? [text.get('sameNamesDiffer')] : []),
    ...(ways.length > 0 ? [text.get('sameNamesTold', ways.join(', '))] : []),
    ...(open > 0 ? [text.get('sameNamesOpen', open)] : []),
  ];
}

/** By what the rows of an image were linked that has its name in common with others; undefined of any other. */
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
    case 'size':
      return t('The rows of this image are linked by its size.');
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

function areaCheck(report: LinkReport, text: PageText): { words: string; agrees: boolean } | undefined {
  const ratio = report.areaRatio;
  if (ratio === undefined) return undefined;
  const shown = text.number(ratio, 4);
  if (!report.areaRatioConstant) return { words: text.get('areaDiffers', shown), agrees: false };
  if (Math.abs(ratio - 1) < 0.001) return { words: text.get('areaAgrees'), agrees: true };
  return { words: text.get('areaRescaled', shown), agrees: false };
}

/** Positions are shown as the table gives them, never corrected: how they lie is only said. */
function positionWords({ x, y, constant }: PositionOffset, text: PageText): string {
  if (!constant) return text.get('positionsDiffer');
  if (Math.max(Math.abs(x), Math.abs(y)) < 0.01) return text.get('positionsAgree');
  return text.get('positionsOff', text.number(x, 2), text.number(y, 2));
}

/** Whether a person has something to say about which image is which. */
export function canLinkImages({ sameNames }: LinkReport): boolean {
  return sameNames !== undefined && (sameNames.open > 0 || (sameNames.told.hand ?? 0) > 0);
}
