import { cellNumber, FIRST_ROUNDED } from '../../columns/csv/csvNumber';
import type { TableColumn } from '../../columns/tableSummary';
import {
  type ColumnFilter,
  type Filter,
  isOfColumn,
  type Lasso,
  type RangeEnd,
  type TextFilter,
} from '../../columns/viewSpec';
import type { BrushRange } from '../../pages/page/widgets/columnHistogram';
import { typedNumber } from '../../pages/page/numbers';

/** A filter as the page saves it. A filter by rows has the lasso that it was drawn with. */
export interface PageFilter {
  filter: Filter;
  lasso?: Lasso;
  /** Whether the user turned the filter off: it is listed without effect. */
  off?: true;
}

export function sameFilter(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The filters that are turned on. */
export function activeFilters(filters: readonly PageFilter[]): PageFilter[] {
  return filters.filter(({ off }) => !off);
}

/** A filter, turned on or off. */
export function turned({ filter, lasso }: PageFilter, on: boolean): PageFilter {
  return { filter, ...(lasso && { lasso }), ...(!on && { off: true }) };
}

/** A column's filter of a kind, if any. */
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
 * Replaces a column's filter of one kind in place, or appends it; null removes it. A new filter is
 * turned on.
 */
export function withColumnFilter(
  filters: readonly PageFilter[],
  column: number,
  kind: ColumnFilter['kind'],
  filter: Filter | null,
): PageFilter[] {
  const isOld = (pageFilter: PageFilter) =>
    isOfColumn(pageFilter.filter) && pageFilter.filter.kind === kind && pageFilter.filter.column === column;
  if (!filter) return filters.filter(pageFilter => !isOld(pageFilter));
  if (!filters.some(isOld)) return [...filters, { filter }];
  return filters.map(pageFilter => (isOld(pageFilter) ? { filter } : pageFilter));
}

export function withoutColumn(filters: readonly PageFilter[], column: number): PageFilter[] {
  return filters.filter(({ filter }) => !isOfColumn(filter) || filter.column !== column);
}

/**
 * Saved filters that are still valid: those on existing columns, and lassos, whose rows must be
 * requested again. Rows selected on the masks are dropped, as their thread may have ended, except
 * `selectedSet`.
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

type ValuesFilter<Column = number> = Extract<TextFilter<Column>, { kind: 'values' }>;

/** Whether a filter of values shows rows with a text; undefined stands for missing cells. */
export function isShown(filter: ValuesFilter<unknown>, value: string | undefined): boolean {
  const isNamed = value === undefined ? filter.missing === true : filter.values.includes(value);
  return isNamed !== (filter.exclude === true);
}

/**
 * A filter that shows or hides rows with a text; undefined stands for missing cells. Null if no
 * value is left.
 */
export function withShown<Column>(
  filter: ValuesFilter<Column>,
  value: string | undefined,
  shown: boolean,
): ValuesFilter<Column> | null {
  const isNamed = shown !== (filter.exclude === true);
  const otherValues = filter.values.filter(other => other !== value);
  const values = value !== undefined && isNamed ? [...otherValues, value] : otherValues;
  const missing = value === undefined ? isNamed : filter.missing === true;
  if (values.length === 0 && !missing) return null;
  const { kind, column, exclude } = filter;
  return { kind, column, values, ...(missing && { missing }), ...(exclude && { exclude }) };
}

/**
 * Filters that match only rows with a cell's text. With `exclude`, only rows without it, in
 * addition to values excluded before.
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

/** Whether a cell is missing: empty or, in a column of numbers, not a number. */
function isMissing(text: string, kind: TableColumn['kind'], decimalComma: boolean): boolean {
  if (text === '' || kind === 'text') return text === '';
  const bytes = new TextEncoder().encode(text);
  return Number.isNaN(cellNumber(bytes, 0, bytes.length, decimalComma ? ',' : '.'));
}

/** An integer in a cell, maybe with a decimal mark and zeros. */
const WHOLE = /^\s*([+-]?\d+)(?:[.,]0*)?\s*$/;

/**
 * The filter to a group, by its key in a column; null for rows without a value. Undefined for a key
 * that isn't a number in a column of numbers.
 */
export function keyFilter(
  { index, kind }: Pick<TableColumn, 'index' | 'kind'>,
  key: string | null,
  decimalComma: boolean,
): Filter | undefined {
  if (key === null) return { kind: 'values', column: index, values: [], missing: true };
  if (kind === 'text') return { kind: 'values', column: index, values: [key] };
  // A range: numbers are grouped by value, and a filter by text would tell 12 from 12.0.
  const end = typedRangeEnd(WHOLE.exec(key)?.[1] ?? key, decimalComma);
  return end === undefined || end === null ? undefined : { kind: 'range', column: index, from: end, to: end };
}

/** From this number on, numbers are written with an exponent. */
const FIRST_EXPONENT = 1e21;

/**
 * A typed end of a range, with all digits of an integer. Null if empty, undefined if it isn't a
 * number.
 */
export function typedRangeEnd(typed: string, decimalComma = false): RangeEnd | null | undefined {
  const value = typedNumber(typed, decimalComma);
  const digits = /^\s*([+-]?)(\d+)\s*$/.exec(typed);
  if (!digits || typeof value !== 'number' || Math.abs(value) < FIRST_ROUNDED) return value;
  const integer = BigInt(digits[2] ?? '') * (digits[1] === '-' ? -1n : 1n);
  return integer === BigInt(value) ? value : String(integer);
}

/** An end of a range with all digits; '' for an open end. */
export function rangeEndText(end: RangeEnd | null): string {
  if (end === null) return '';
  const size = typeof end === 'number' ? Math.abs(end) : NaN;
  return size >= FIRST_ROUNDED && size < FIRST_EXPONENT ? String(BigInt(end)) : String(end);
}

/** A range of numbers; null for an open end. */
export interface TypedRange {
  from: RangeEnd | null;
  to: RangeEnd | null;
}

/** A range for a histogram, which has ends of double precision. */
export function brushRange({ from, to }: TypedRange): BrushRange {
  return { min: from === null ? null : Number(from), max: to === null ? null : Number(to) };
}

/** The range that was brushed. An end that wasn't moved keeps all digits that it had before. */
export function rangeOfBrush({ min, max }: BrushRange, before: TypedRange | null): TypedRange {
  const end = (brushed: number | null, previous: RangeEnd | null = null) =>
    previous !== null && Number(previous) === brushed ? previous : brushed;
  return { from: end(min, before?.from), to: end(max, before?.to) };
}
