import { digitsBetween } from '../../page/digitsBetween';
import { formatNumber } from '../../page/formatNumber';
import type { PageText } from '../../page/pageText';

/** A bin of a column's histogram in words: its ends, and how many rows it has. */
export function binWords(
  low: number,
  high: number,
  count: number,
  text: PageText<'binRows' | 'binRowsAt'>,
): string {
  if (low === high) return text.count('binRowsAt', count, formatNumber(low, text));
  const digits = digitsBetween(low, high);
  return text.count('binRows', count, text.significant(low, digits), text.significant(high, digits));
}
