import { formatNumber } from '../page/formatNumber';
import type { PlotText } from '../page/pageText';

/** How plots write a number, and the ends of a bin. */
export interface NumberWords {
  number: (value: number) => string;
  between: (low: number, high: number) => string;
}

export function numberWords(text: PlotText): NumberWords {
  return {
    number: value => formatNumber(value, text),
    between: (low, high) => {
      const digits = digitsBetween(low, high);
      return text.get('fromTo', text.significant(low, digits), text.significant(high, digits));
    },
  };
}

/** Significant digits that tell the ends of a bin apart: the computed ends have more than mean anything. */
function digitsBetween(low: number, high: number): number {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const apart = high > low ? Math.ceil(Math.log10(largest / (high - low))) : 0;
  return Math.max(4, Math.min(15, apart + 2));
}
