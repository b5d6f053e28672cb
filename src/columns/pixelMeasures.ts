import { isAdded, type TableColumn } from './tableSummary';

/*
 * Lengths and areas in pixels can't be compared between images with different pixel sizes. Tables
 * seldom name the unit of a column: one with µm in its name isn't in pixels, others may be.
 */

const UNIT = /µm|μm|\b[un]m\d?\b|\bmm\d?\b|\bmicrons?\b|\bmicromet/i;
const LENGTH_OR_AREA =
  /\b(area|perimeter|circumference|feret|diameter|radius|axis|length|width|height|distance|px|pixels?)\b/i;
/** Words for numbers without a unit that are derived from lengths. */
const WITHOUT_UNIT = /\b(ratio|fraction|factor|angle|orientation|elongation|count|number|id)\b|%/i;

/** Whether the numbers of a column may be lengths or areas in pixels, by its name. */
export function mayBeInPixels(name: string): boolean {
  return isLengthOrArea(name) && !UNIT.test(spaced(name));
}

/** Whether a column is a length or area, by its name. Texts call its numbers larger, not higher. */
export function isLengthOrArea(name: string): boolean {
  const words = spaced(name);
  return LENGTH_OR_AREA.test(words) && !WITHOUT_UNIT.test(words);
}

/** Units of the service's objects tables (docs/service.md), by lower-case name without spaces. */
const SERVICE_UNITS: ReadonlyMap<string, string> = new Map([
  ['area', 'px²'],
  ['perimeter', 'px'],
  ['lengthofmajoraxis', 'px'],
  ['lengthofminoraxis', 'px'],
  ['feretdiametermaximum', 'px'],
]);

/** Facts about a table's units beyond the names of its columns. */
export interface TableUnits {
  /** Whether the table is a table of objects as the service writes it. */
  isOfService: boolean;
  /** The column of areas, and their ratio to linked masks' areas; NaN if it differs among rows. */
  area?: { name: string; ratio: number } | undefined;
}

/** Tolerance for the ratio of equal areas, which tables round. */
const SAME_AREA = 1e-3;

/**
 * The unit of a column, if it is known but not in the name. Areas that differ from the masks' show
 * that a table isn't in pixels.
 */
export function unitOfColumn(name: string, { isOfService, area }: TableUnits): string | undefined {
  const hasOtherUnit = area !== undefined && !(Math.abs(area.ratio - 1) <= SAME_AREA);
  if (hasOtherUnit) return undefined;
  if (isOfService) return SERVICE_UNITS.get(name.replaceAll(' ', '').toLowerCase());
  return area?.name === name && mayBeInPixels(name) && !splitUnit(name).unit ? 'px²' : undefined;
}

/** Splits a name and the unit in its parentheses: "Area (µm²)" is Area in µm². */
export function splitUnit(name: string): { name: string; unit?: string } {
  const [, plain, unit] =
    /^(.*\S)\s*[([]\s*((?:px|pixels?|[µμunm]?m|microns?)[²2³3]?)\s*[)\]]$/i.exec(name) ?? [];
  return plain !== undefined && unit !== undefined ? { name: plain, unit } : { name };
}

/** Words for numbers that are derived from lengths or areas, with another unit or a power of it. */
const DERIVED =
  /\b(variance|var|skewness|kurtosis|moments?|inverse|reciprocal|log\w*|per|over|normali[sz]ed|norm|relative|rel|percent|percentage|share|score|z|rank|bin|index|cube|cubed|volume)\b|[/*^³×÷]/i;

/** A unit in pixels at the end of a name. */
const PIXELS = /[\s_([]+(px|pixels?)\s*\^?[²2]?\s*[)\]]?\s*$/i;

/**
 * The pixel unit of a column that can be converted: a length or an area by its name. Undefined if
 * its numbers may be derived, and so need another factor.
 */
export function pixelUnit(name: string): 'px' | 'px²' | undefined {
  if (!mayBeInPixels(name) || DERIVED.test(spaced(name.replace(PIXELS, '')))) return undefined;
  return /\barea|²|\bpx\^?2\b|\bpixels?\^?2\b|\bsquare\b/i.test(spaced(name)) ? 'px²' : 'px';
}

/** Whether a name has a unit. */
function saysUnit(name: string): boolean {
  return UNIT.test(name.replaceAll('_', ' ')) || /\b(px|pixels?)\b|px[²2]/i.test(spaced(name));
}

/** Adds units to columns of lengths and areas in pixels, unless their names have one. */
export function withPixelUnits(columns: readonly TableColumn[]): TableColumn[] {
  return columns.map(column => {
    const unit = column.kind === 'number' && !saysUnit(column.name) && pixelUnit(column.name);
    return unit && !isAdded(column) ? { ...column, unit } : column;
  });
}

/** The name for a length or area converted to µm. */
export function micronName(name: string): string {
  const bare = name.replace(PIXELS, '').trim();
  return `${bare || name} (${pixelUnit(name) === 'px²' ? 'µm²' : 'µm'})`;
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}

/** The column with the same measure in µm; undefined if there is none. */
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
  return spaced(name)
    .toLowerCase()
    .replace(/[µμu]m\b|\b(microns?|micrometers?|px|pixels?)\b|[²2]|\^|\bin\b|[^\p{L}\p{N} ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
