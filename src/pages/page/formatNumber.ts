import type { PageText } from './pageText';

/** Beyond this, digits of numbers that aren't whole are too many to read. */
const LARGE = 1e15;
const SMALL = 1e-4;

/** A number for reading: whole numbers whole as long as all their digits are known, others to six significant digits. */
export function formatNumber(value: number, text: PageText<never>): string {
  if (Number.isSafeInteger(value)) return text.number(value);
  const magnitude = Math.abs(value);
  if (magnitude >= LARGE || (magnitude < SMALL && value !== 0)) return value.toExponential(5);
  return text.number(value, Math.max(0, 5 - Math.floor(Math.log10(magnitude))));
}
