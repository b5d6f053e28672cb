import { formatNumber } from '../../pages/page/formatNumber';
import { digitsBetween } from '../../pages/page/digitsBetween';
import type { PlotText } from '../../pages/page/pageText';

/** How plots write a number, and the ends of a bin. */
export interface NumberWords {
  number: (value: number) => string;
  between: (low: number, high: number) => string;
}

export function numberWords(text: PlotText): NumberWords {
  return {
    number: value => formatNumber(value, text),
    between: (low, high) => {
      if (low === high) return formatNumber(low, text);
      const digits = digitsBetween(low, high);
      return text.get('fromTo', text.significant(low, digits), text.significant(high, digits));
    },
  };
}
