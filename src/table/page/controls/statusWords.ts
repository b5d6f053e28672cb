import { type PageWords, t } from '../../../pages/page/l10n';
import { type SelectionStatistics, columnStatisticNames } from '../../../columns/columnStatistics';
import type { TableColumn } from '../../../columns/tableSummary';
import { columnName, formatNumber } from '../../../pages/page/columnName';

/** Maximum of columns with statistics of selected numbers. */
const MAX_COLUMNS = 20;

/**
 * Statistics of selected numbers: `short` for the status line, `long` for its tooltip, which also
 * notes rounded integers. Listed by column, as columns are different measures.
 */
export function selectionWords(
  allStatistics: readonly SelectionStatistics[],
  columns: readonly TableColumn[],
): { short: string[]; long: string[] } {
  const statistics = allStatistics.slice(0, MAX_COLUMNS);
  const lists = statistics.map(columnStatistics => {
    const { infinite = 0 } = columnStatistics;
    const values: [string, number | null][] = [
      [t({ message: 'Numbers', comment: 'Count of the numbers in a selection' }), columnStatistics.numbers],
      [t({ message: 'Sum', comment: 'Statistic' }), columnStatistics.sum],
      [t({ message: 'Mean', comment: 'Statistic' }), columnStatistics.mean],
      [t({ message: 'Min', comment: 'Statistic' }), columnStatistics.min],
      [t({ message: 'Max', comment: 'Statistic' }), columnStatistics.max],
      // Next to sum and mean, which exclude infinite values.
      [columnStatisticNames.infinite(t), infinite > 0 ? infinite : null],
    ];
    return values.flatMap(([name, value]) => (value === null ? [] : [`${name} ${formatNumber(value)}`]));
  });
  const rounded = statistics
    .filter(({ column }) => columns[column]?.isRounded)
    .map(({ column }) =>
      t('{0} has integers beyond 2⁵³. Plots and statistics round them.', columnName(columns, column)),
    );
  const [first] = lists;
  if (first && lists.length === 1) return { short: first, long: [...first, ...rounded] };
  const columnWords = (at: number, words: readonly string[]) =>
    `${columnName(columns, statistics[at]?.column ?? 0)}: ${words.join(', ')}`;
  return {
    short: lists.map((words, at) => columnWords(at, words.slice(1, 3))),
    long: [...lists.map((words, at) => columnWords(at, words)), ...rounded],
  };
}

/** Names of delimiters; others are shown as characters. */
const NAMES: ReadonlyMap<string, { long: PageWords; short: PageWords }> = new Map([
  [',', { long: t.later('Separated by commas'), short: t.later('Commas') }],
  [';', { long: t.later('Separated by semicolons'), short: t.later('Semicolons') }],
  [
    '\t',
    {
      long: t.later('Separated by tabs'),
      short: t.later({ message: 'Tabs', comment: 'Tab characters that separate cells' }),
    },
  ],
  ['|', { long: t.later('Separated by vertical bars'), short: t.later('Vertical bars') }],
]);

/** A delimiter's name, as a phrase and as one word. */
export function delimiterName(delimiter: string): { long: string; short: string } {
  const name = NAMES.get(delimiter);
  return name === undefined
    ? { long: t('Separated by "{0}"', delimiter), short: `"${delimiter}"` }
    : { long: name.long(), short: name.short() };
}
