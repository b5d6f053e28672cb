import { digitsBetween } from '../../../pages/page/digitsBetween';
import { formatNumber } from '../../../pages/page/formatNumber';
import type { PageText } from '../../../pages/page/pageText';

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
