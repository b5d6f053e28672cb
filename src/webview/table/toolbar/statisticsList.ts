import type { ColumnStatistics } from '../../../model/tableStatistics';
import { listedStatistics } from '../../../model/columnStatistics';
import { element } from '../../widgets/element';
import type { TableText } from '../../page/pageText';
import { formatNumber } from '../../page/formatNumber';

/** A column's statistics as a list of terms; what is not known is left out. */
export function statisticsList(statistics: ColumnStatistics, text: TableText): HTMLElement {
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
        element('dd', { title: shown }, Number.isInteger(value) ? shown : text.significant(value, 4)),
      );
    }),
  );
}
