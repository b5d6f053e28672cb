import type { Translate } from '../words/translate';
import type { AxisScales } from './axisScale';

/*
 * Views of a table: filters and sort order. Columns are by their position in the file, from 0.
 */

/** A column that rows are sorted by. */
export interface SortKey {
  column: number;
  descending: boolean;
}

/** An end of a range: a number, or the digits of an integer that a double would round. */
export type RangeEnd = number | string;

/** Whether a range begins above its end, so that no number is in it. */
export function isReversed({ from, to }: { from: RangeEnd | null; to: RangeEnd | null }): boolean {
  if (from === null || to === null) return false;
  const [low, high] = [Number(from), Number(to)];
  // Ends that are equal as doubles may differ in digits that doubles don't have.
  return low > high || (low === high && Number.isInteger(low) && BigInt(from) > BigInt(to));
}

/**
 * A condition on the texts of a column. Missing cells match only `missing: true`, `values` with
 * `missing`, and excluding `values` without `missing`. In messages, absent members may be
 * undefined.
 */
export type TextFilter<Column> =
  /**
   * Cells whose exact text is among the values; `missing` adds missing cells. `exclude` inverts.
   */
  | {
      kind: 'values';
      column: Column;
      values: string[];
      missing?: boolean | undefined;
      exclude?: boolean | undefined;
    }
  /** `match: 'regex'` is RE2, in linear time. `exclude` inverts; missing cells then match. */
  | {
      kind: 'text';
      column: Column;
      match: 'contains' | 'equals' | 'regex';
      text: string;
      caseSensitive?: boolean | undefined;
      exclude?: boolean | undefined;
    }
  | { kind: 'missing'; column: Column; missing: boolean };

/** A condition on rows. */
export type Filter =
  /** Numbers from `from` to `to`, inclusive; null for an open end. */
  | { kind: 'range'; column: number; from: RangeEnd | null; to: RangeEnd | null }
  | TextFilter<number>
  /** Rows of a set made by tableLasso or tableRowSet. */
  | { kind: 'rowSet'; set: number; exclude?: boolean | undefined }
  /**
   * Rows of a population, by name. With `ofParent`, rows of its parent; all rows if it has none.
   * With `judged`, rows of its parent that are known to be in the population or not. `as`: the
   * version of the population, so that a changed population is another filter.
   */
  | {
      kind: 'population';
      name: string;
      judged?: boolean | undefined;
      ofParent?: boolean | undefined;
      as?: number | undefined;
    };

/** Filters by a column. */
export type ColumnFilter = Exclude<Filter, { kind: 'rowSet' | 'population' }>;

export function isOfColumn(filter: Filter): filter is ColumnFilter {
  return 'column' in filter;
}

/**
 * Rows that match all filters, in the order of the sort keys: missing last, ties as in the file.
 */
export interface ViewSpec {
  sort: readonly SortKey[];
  /** Absent for no filters. */
  filters?: readonly Filter[] | undefined;
  /** Number of first rows to include, so that a view stays while more are read. Absent for all. */
  upTo?: number | undefined;
}

/** A region around points of two numeric columns. Its rows can be found again after a reload. */
export interface Lasso {
  x: number;
  y: number;
  /** x0, y0, x1, y1, … in the columns' units. */
  polygon: number[];
  /** The axes on which the polygon's lines are straight; absent for linear axes. */
  scales?: AxisScales | undefined;
}

/**
 * The visible part of a plot: minimum and maximum per axis, in the columns' units or logarithms.
 */
export interface PlotWindow {
  x: [number, number];
  y: [number, number];
}

/**
 * The suggested file name for a table's visible rows, which says how they differ from the table.
 * `made`: set if the table is in no file, as it was measured or compared here.
 */
export function savedRowsName(
  t: Translate,
  result: string,
  { filters, sort }: ViewSpec,
  made?: 'measured' | 'pairs',
): string {
  const word =
    made &&
    {
      measured: t({ message: 'measured', comment: 'In the name of a file' }),
      pairs: t({ message: 'pairs', comment: 'In the name of a file' }),
    }[made];
  const table = word === undefined ? result : `${result}-${word}`;
  if (filters && filters.length > 0)
    return `${table}-${t({ message: 'filtered', comment: 'In the name of a file' })}.csv`;
  if (made && sort.length === 0) return `${table}.csv`;
  return `${table}-${sort.length > 0 ? t({ message: 'sorted', comment: 'In the name of a file' }) : t({ message: 'copy', comment: 'Noun, in the name of a file' })}.csv`;
}

/** The suggested file name for groups of a result's rows. */
export function savedGroupsName(t: Translate, result: string): string {
  return `${result}-${t({ message: 'groups', comment: 'In the name of a file' })}.csv`;
}

/** The suggested file name for the values by which conditions of a result were compared. */
export function savedValuesName(t: Translate, result: string): string {
  return `${result}-${t({ message: 'values', comment: 'In the name of a file' })}.csv`;
}

/** A search in cells. */
export interface CellSearch {
  text: string;
  caseSensitive?: boolean;
  /** Whether the text must be all of the cell. */
  wholeCell?: boolean;
}

/** The test of a search for a cell's text; an empty search matches nothing. */
export function cellMatcher({ text, caseSensitive, wholeCell }: CellSearch): (cell: string) => boolean {
  const plain = (words: string) => (caseSensitive ? words : words.toLowerCase());
  const searchText = plain(text);
  if (searchText === '') return () => false;
  return wholeCell ? cell => plain(cell) === searchText : cell => plain(cell).includes(searchText);
}
