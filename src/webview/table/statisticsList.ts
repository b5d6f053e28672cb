import type { ColumnStatistics } from '../../protocol/tableEngine';
import { element } from '../element';
import type { PageText } from '../pageText';

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

/** A figure for reading: whole numbers whole, others to six significant digits. */
export function figure(value: number, text: PageText): string {
  if (Number.isInteger(value)) return text.number(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e12 || magnitude < 1e-4) return value.toExponential(4);
  return text.number(value, Math.max(0, 5 - Math.floor(Math.log10(magnitude))));
}
