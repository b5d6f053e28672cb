import type { ColumnStatistics } from '../../protocol/tableEngine';
import { element } from '../element';
import type { PageText } from '../pageText';
import { figure } from './figure';

/** A column's statistics as a list of terms; what is not known is left out. */
export function statisticsList(statistics: ColumnStatistics, text: PageText): HTMLElement {
  const missing = Object.values(statistics.missing).reduce((sum, count) => sum + count, 0);
  const figures: [string, number | null][] = [
    [text.get('statCount'), statistics.count],
    [text.get('statMissing'), missing],
    [text.get('statDistinct'), statistics.distinct],
    [text.get('statMean'), statistics.mean],
    [text.get('statSd'), statistics.sd],
    [text.get('statMin'), statistics.min],
    [text.get('statQ1'), statistics.q1],
    [text.get('statMedian'), statistics.median],
    [text.get('statQ3'), statistics.q3],
    [text.get('statMax'), statistics.max],
  ];
  return element(
    'dl',
    { class: 'statistics-list', title: text.get('statHint') },
    ...figures.flatMap(([term, value]) =>
      value === null ? [] : [element('dt', {}, term), element('dd', {}, figure(value, text))],
    ),
  );
}
