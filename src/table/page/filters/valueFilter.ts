import { cellNumber } from '../../../columns/csv/csvNumber';
import type { TableColumn } from '../../../columns/tableSummary';
import type { Filter } from '../../../columns/viewSpec';
import { activeFilters, columnFilter, withColumnFilter, type PageFilter } from './filterList';

type ValuesFilter = Extract<Filter, { kind: 'values' }>;

/** Whether rows with a text are shown by a filter of values; undefined stands for missing cells. */
export function isShown(filter: ValuesFilter, value: string | undefined): boolean {
  const isNamed = value === undefined ? filter.missing === true : filter.values.includes(value);
  return isNamed !== (filter.exclude === true);
}

/** The filter with rows of a text shown or not, undefined being missing cells; null where nothing is left to filter. */
export function withShown(
  filter: ValuesFilter,
  value: string | undefined,
  shown: boolean,
): ValuesFilter | null {
  const isNamed = shown !== (filter.exclude === true);
  const others = filter.values.filter(each => each !== value);
  const values = value !== undefined && isNamed ? [...others, value] : others;
  const missing = value === undefined ? isNamed : filter.missing === true;
  if (values.length === 0 && !missing) return null;
  const { kind, column, exclude } = filter;
  return { kind, column, values, ...(missing && { missing }), ...(exclude && { exclude }) };
}

/**
 * The filters with those that leave only rows that have a cell's text, or with `exclude` those that don't; more values
 * can be excluded one by one.
 */
export function withValue(
  filters: readonly PageFilter[],
  { index, kind }: Pick<TableColumn, 'index' | 'kind'>,
  cell: { text: string; exclude: boolean; decimalComma: boolean },
): PageFilter[] {
  const { text, exclude, decimalComma } = cell;
  const value = isMissing(text, kind, decimalComma) ? undefined : text;
  const before = exclude ? columnFilter(activeFilters(filters), index, 'values') : undefined;
  const none: ValuesFilter = { kind: 'values', column: index, values: [], ...(exclude && { exclude }) };
  return withColumnFilter(filters, index, 'values', withShown(before ?? none, value, !exclude));
}

/** Cells without text are missing, and in a column of numbers words for "no value" too. */
function isMissing(text: string, kind: TableColumn['kind'], decimalComma: boolean): boolean {
  if (text === '' || kind === 'text') return text === '';
  const bytes = new TextEncoder().encode(text);
  return Number.isNaN(cellNumber(bytes, 0, bytes.length, decimalComma ? ',' : '.'));
}
