import type { TableColumn } from '../../../columns/tableSummary';
import type { SelectionStatistics } from '../../../columns/tableStatistics';
import { columnName } from '../../../pages/page/columnName';
import { formatNumber } from '../../../pages/page/formatNumber';
import type { TableText } from '../../../pages/page/pageText';

/**
 * Statistics of selected numbers in words, on the status line and in its tooltip, which also says where integers are rounded.
 * Columns are different measures: each has its own.
 */
export function selectionWords(
  statistics: readonly SelectionStatistics[],
  columns: readonly TableColumn[],
  text: TableText,
): { short: string[]; long: string[] } {
  const lists = statistics.map(each => {
    const named: [string, number | null][] = [
      [text.get('selectionNumbers'), each.numbers],
      [text.get('selectionSum'), each.sum],
      [text.get('selectionMean'), each.mean],
      [text.get('selectionMin'), each.min],
      [text.get('selectionMax'), each.max],
    ];
    return named.flatMap(([name, value]) => (value === null ? [] : [`${name} ${formatNumber(value, text)}`]));
  });
  const rounded = statistics
    .filter(({ column }) => columns[column]?.isRounded)
    .map(({ column }) => text.get('roundedNumbers', columnName(columns, column, text)));
  const [only] = lists;
  if (only && lists.length === 1) return { short: only, long: [...only, ...rounded] };
  const ofColumn = (at: number, words: readonly string[]) =>
    `${columnName(columns, statistics[at]?.column ?? 0, text)}: ${words.join(', ')}`;
  return {
    short: lists.map((words, at) => ofColumn(at, words.slice(1, 3))),
    long: [...lists.map((words, at) => ofColumn(at, words)), ...rounded],
  };
}
