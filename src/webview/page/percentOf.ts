import type { PageText } from './pageText';

/** A part of a whole in percent, with at most one decimal and without the sign. Only none is 0, and only all is 100. */
export function percentOf(part: number, whole: number, text: PageText): string {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  if (part > 0 && percent < 0.05) return `<${text.number(0.1, 1)}`;
  if (part < whole && percent >= 99.95) return `>${text.number(99.9, 1)}`;
  return text.number(percent, 1);
}
