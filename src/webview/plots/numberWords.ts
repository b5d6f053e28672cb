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
    // The computed ends of a bin have more digits than mean anything.
    between: (low, high) => text.get('fromTo', text.significant(low, 4), text.significant(high, 4)),
  };
}
