import type { PageText } from './pageText';

/** Beyond this, digits are no longer all known, and too many to read. */
const LARGE = 1e15;
const SMALL = 1e-4;

/** A number for reading: whole numbers whole, others to six significant digits. */
export function formatNumber(value: number, text: PageText): string {
  const magnitude = Math.abs(value);
  if (magnitude >= LARGE || (magnitude < SMALL && value !== 0)) return value.toExponential(5);
  if (Number.isInteger(value)) return text.number(value);
  return text.number(value, Math.max(0, 5 - Math.floor(Math.log10(magnitude))));
}
