import { cellNumber, FIRST_ROUNDED } from '../../columns/csv/csvNumber';
import type { TableColumn } from '../../columns/tableSummary';
import {
  type ColumnFilter,
  type Filter,
  isOfColumn,
  type Lasso,
  type RangeEnd,
} from '../../columns/viewSpec';
import type { BrushRange } from '../../pages/page/widgets/columnHistogram';
import { typedNumber } from '../../pages/page/numbers';

/** A filter as the page saves it: a row set with the lasso that made it. */
export interface PageFilter {
  filter: Filter;
  lasso?: Lasso;
  /** The user has turned it off: it is listed, and leaves all rows. */
  off?: true;
}

export function sameFilter(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The filters that leave out rows. */
export function activeFilters(filters: readonly PageFilter[]): PageFilter[] {
  return filters.filter(({ off }) => !off);
}

/** A filter turned on or off. */
export function turned({ filter, lasso }: PageFilter, on: boolean): PageFilter {
  return { filter, ...(lasso && { lasso }), ...(!on && { off: true }) };
}

/** The filter of a kind that a column has, if any. */
export function columnFilter<K extends ColumnFilter['kind']>(
  filters: readonly PageFilter[],
  column: number,
  kind: K,
): Extract<Filter, { kind: K }> | undefined {
  for (const { filter } of filters) {
    if (isOfColumn(filter) && filter.kind === kind && filter.column === column) {
      return filter as Extract<Filter, { kind: K }>;
    }
  }
  return undefined;
}

export function hasFilter(filters: readonly PageFilter[], column: number): boolean {
  return filters.some(({ filter }) => isOfColumn(filter) && filter.column === column);
}

/**
 * The filters with a column's filter of one kind replaced in place, appended, or removed for null.
 * It is turned on.
 */
export function withColumnFilter(
  filters: readonly PageFilter[],
  column: number,
  kind: ColumnFilter['kind'],
  filter: Filter | null,
): PageFilter[] {
  const isOld = (each: PageFilter) =>
    isOfColumn(each.filter) && each.filter.kind === kind && each.filter.column === column;
  if (!filter) return filters.filter(each => !isOld(each));
  if (!filters.some(isOld)) return [...filters, { filter }];
  return filters.map(each => (isOld(each) ? { filter } : each));
}

export function withoutColumn(filters: readonly PageFilter[], column: number): PageFilter[] {
  return filters.filter(({ filter }) => !isOfColumn(filter) || filter.column !== column);
}

/**
 * Saved filters that are still valid: those on existing columns, and lassos, whose row sets must be
 * requested again. Row sets from the masks may have ended with their thread, except the named one.
 */
export function validFilters(
  saved: readonly PageFilter[] | undefined,
  columnCount: number,
  selectedSet?: number,
): PageFilter[] {
  const has = (column: number) => Number.isInteger(column) && column >= 0 && column < columnCount;
  return (saved ?? []).filter(({ filter, lasso }) => {
    if (filter.kind === 'rowSet') return lasso ? has(lasso.x) && has(lasso.y) : filter.set === selectedSet;
    return filter.kind === 'population' || has(filter.column);
  });
}

type ValuesFilter = Extract<Filter, { kind: 'values' }>;

/** Whether rows with a text are shown by a filter of values; undefined stands for missing cells. */
export function isShown(filter: ValuesFilter, value: string | undefined): boolean {
  const isNamed = value === undefined ? filter.missing === true : filter.values.includes(value);
  return isNamed !== (filter.exclude === true);
}

/**
 * The filter with rows of a text shown or hidden (undefined: missing cells); null if nothing is
 * left.
 */
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
 * Filters that only match rows with a cell's text, or without it for `exclude`; more values can be
 * excluded one by one.
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

/** An integer as a cell may have it: with zeros after the decimal mark, or with the mark alone. */
const WHOLE = /^\s*([+-]?\d+)(?:[.,]0*)?\s*$/;

/**
 * The filter for the rows of a group of a column; the key is null for rows without a value.
 * Undefined for a key that isn't a number in a column of numbers.
 */
export function keyFilter(
  { index, kind }: Pick<TableColumn, 'index' | 'kind'>,
  key: string | null,
  decimalComma: boolean,
): Filter | undefined {
  if (key === null) return { kind: 'values', column: index, values: [], missing: true };
  if (kind === 'text') return { kind: 'values', column: index, values: [key] };
  // Numbers are grouped by value, and cells with 12 and 12.0 are only both in a range.
  const end = typedRangeEnd(WHOLE.exec(key)?.[1] ?? key, decimalComma);
  return end === undefined || end === null ? undefined : { kind: 'range', column: index, from: end, to: end };
}

/** From here on numbers are written with an exponent. */
const FIRST_EXPONENT = 1e21;

/**
 * The end of a range as typed, integers to their last digit; null for none, undefined for invalid
 * text.
 */
export function typedRangeEnd(typed: string, decimalComma = false): RangeEnd | null | undefined {
  const value = typedNumber(typed, decimalComma);
  const digits = /^\s*([+-]?)(\d+)\s*$/.exec(typed);
  if (!digits || typeof value !== 'number' || Math.abs(value) < FIRST_ROUNDED) return value;
  const integer = BigInt(digits[2] ?? '') * (digits[1] === '-' ? -1n : 1n);
  return integer === BigInt(value) ? value : String(integer);
}

/** The end of a range with all digits; '' for an open one. */
export function rangeEndText(end: RangeEnd | null): string {
  if (end === null) return '';
  const size = typeof end === 'number' ? Math.abs(end) : NaN;
  return size >= FIRST_ROUNDED && size < FIRST_EXPONENT ? String(BigInt(end)) : String(end);
}

/** A range of numbers; null is open. */
export interface TypedRange {
  from: RangeEnd | null;
  to: RangeEnd | null;
}

/** A range for a histogram, whose ends are doubles. */
export function brushRange({ from, to }: TypedRange): BrushRange {
  return { min: from === null ? null : Number(from), max: to === null ? null : Number(to) };
}

/** A brushed range; an end that wasn't moved has all its digits, as it had before. */
export function rangeOfBrush({ min, max }: BrushRange, before: TypedRange | null): TypedRange {
  const end = (brushed: number | null, was: RangeEnd | null = null) =>
    was !== null && Number(was) === brushed ? was : brushed;
  return { from: end(min, before?.from), to: end(max, before?.to) };
}
