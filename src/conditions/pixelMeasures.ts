import type { TableColumn } from '../columns/tableSummary';

/*
 * Lengths and areas in pixels can't be compared between images whose pixels are of different sizes. Tables seldom say in which unit
 * a column is: one that says µm isn't in pixels, others may be.
 */

const UNIT = /µm|μm|\b[un]m\d?\b|\bmm\d?\b|\bmicrons?\b|\bmicromet/i;
const MEASURED =
  /\b(area|perimeter|circumference|feret|diameter|radius|axis|length|width|height|distance|px|pixels?)\b/i;
/** Numbers without a unit that are made of lengths. */
const WITHOUT_UNIT = /\b(ratio|fraction|factor|angle|orientation|elongation|count|number|id)\b|%/i;

/** Whether the numbers of a column may be lengths or areas in pixels, by its name. */
export function mayBeInPixels(name: string): boolean {
  const words = name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
  return MEASURED.test(words) && !UNIT.test(words) && !WITHOUT_UNIT.test(words);
}

/** The column of the same measure in µm; undefined where there is none. */
export function micronColumnOf(name: string, columns: readonly TableColumn[]): string | undefined {
  const measured = plainMeasure(name);
  return columns.find(
    column =>
      column.kind === 'number' &&
      UNIT.test(column.name.replaceAll('_', ' ')) &&
      plainMeasure(column.name) === measured,
  )?.name;
}

/** A measure's name without its unit. */
function plainMeasure(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[µμu]m\b|\b(microns?|micrometers?|px|pixels?)\b|[²2]|\^|\bin\b|[^\p{L}\p{N} ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
