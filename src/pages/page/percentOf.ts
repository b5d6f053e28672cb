import type { PageText } from './pageText';

/** A part of a whole in percent, with at most `digits` decimals and without the sign. Only none is 0, and only all is 100. */
export function percentOf(part: number, whole: number, text: PageText, digits = 1): string {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  const least = 10 ** -digits;
  if (part > 0 && percent < least / 2) return `<${text.number(least, digits)}`;
  if (part < whole && percent >= 100 - least / 2) return `>${text.number(100 - least, digits)}`;
  return text.number(percent, digits);
}
