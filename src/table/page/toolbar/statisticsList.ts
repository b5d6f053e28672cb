import type { ColumnStatistics } from '../../../columns/tableStatistics';
import { listedStatistics, type ColumnStatisticId } from '../../../columns/columnStatistics';
import { element } from '../../../pages/page/widgets/element';
import type { TableText } from '../../../pages/page/pageText';
import { digitsBetween } from '../../../pages/page/digitsBetween';
import { formatNumber } from '../../../pages/page/formatNumber';

/** Significant digits where they are enough to tell numbers apart. */
const DIGITS = 4;

/** A column's statistics as a list of terms; what is not known is left out. */
export function statisticsList(statistics: ColumnStatistics, text: TableText): HTMLElement {
  const { min, max } = statistics;
  const ofRange = min !== null && max !== null ? digitsBetween(min, max) : DIGITS;
  const words = (id: ColumnStatisticId, value: number) =>
    text.significant(value, id === 'sd' ? DIGITS : ofRange);
  return element(
    'dl',
    { class: 'statistics-list', title: text.get('statHint') },
    ...listedStatistics.flatMap(id => {
      const value = statistics[id];
      if (value === null) return [];
      const shown = formatNumber(value, text);
      return element(
        'div',
        {},
        element('dt', {}, text.get(`statistic.${id}`)),
        element('dd', { title: shown }, Number.isInteger(value) ? shown : words(id, value)),
      );
    }),
  );
}
