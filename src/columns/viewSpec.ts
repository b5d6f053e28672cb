import type { Translate } from '../words/translate';
import type { AxisScales } from './axisScale';

/*
 * Views of a table: filters and sort order. Columns are numbered by their position in the file,
 * from 0.
 */

/** One column that rows are ordered by. */
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
  // Ends with more digits than doubles have may differ all the same.
  return low > high || (low === high && Number.isInteger(low) && BigInt(from) > BigInt(to));
}

/**
 * A condition on the texts of a column. Missing cells match only `missing: true` and `values` with
 * missing (or an excluding set without). Messages may have undefined for absent.
 */
export type TextFilter<Column> =
  /** Cells whose exact text is (not) among the values; `missing` adds the missing cells. */
  | {
      kind: 'values';
      column: Column;
      values: string[];
      missing?: boolean | undefined;
      exclude?: boolean | undefined;
    }
  /** `match` regex is RE2, in linear time. `exclude` inverts it; missing cells then match. */
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
  /** Numbers from `from` to `to`, both included; null is open. */
  | { kind: 'range'; column: number; from: RangeEnd | null; to: RangeEnd | null }
  | TextFilter<number>
  /** Rows of a set made by tableLasso or tableRowSet. */
  | { kind: 'rowSet'; set: number; exclude?: boolean | undefined }
  /**
   * Rows of a population, by its name; with `ofParent`, those of its parent, all where it has none;
   * with `judged`, the rows of its parent that are known to be in it or not. `as` is its version: a
   * changed population makes another filter.
   */
  | {
      kind: 'population';
      name: string;
      judged?: boolean | undefined;
      ofParent?: boolean | undefined;
      as?: number | undefined;
    };

/** Filters that are about a column. */
export type ColumnFilter = Exclude<Filter, { kind: 'rowSet' | 'population' }>;

export function isOfColumn(filter: Filter): filter is ColumnFilter {
  return 'column' in filter;
}

/** Rows that match all filters, in the sort keys' order (missing last, ties as in the file). */
export interface ViewSpec {
  sort: readonly SortKey[];
  /** Absent means none. */
  filters?: readonly Filter[] | undefined;
  /** First rows that count, so that what is shown stays while more are read. Default: all. */
  upTo?: number | undefined;
}

/** A region around points of two numeric columns; its rows can be found again after a reload. */
export interface Lasso {
  x: number;
  y: number;
  /** x0, y0, x1, y1, … in the columns' units. */
  polygon: number[];
  /** The axes on which its lines are straight; both linear where absent. */
  scales?: AxisScales | undefined;
}

/** The shown part of a plot: min and max per axis, in the columns' units or their logarithms. */
export interface PlotWindow {
  x: [number, number];
  y: [number, number];
}

/**
 * The file name to propose for a table's shown rows, saying how they differ from the table. One
 * `measured` from masks is in no file yet.
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

/** The file name proposed for groups of the rows of a result. */
export function savedGroupsName(t: Translate, result: string): string {
  return `${result}-${t({ message: 'groups', comment: 'In the name of a file' })}.csv`;
}

/** The file name proposed for the values by which conditions of a result were compared. */
export function savedValuesName(t: Translate, result: string): string {
  return `${result}-${t({ message: 'values', comment: 'In the name of a file' })}.csv`;
}

/** What cells are searched for. */
export interface CellSearch {
  text: string;
  caseSensitive?: boolean;
  /** The whole cell is the text, rather than a part of it. */
  wholeCell?: boolean;
}

/** The test of a search; an empty text matches nothing. */
export function cellMatcher({ text, caseSensitive, wholeCell }: CellSearch): (cell: string) => boolean {
  const plain = (words: string) => (caseSensitive ? words : words.toLowerCase());
  const wanted = plain(text);
  if (wanted === '') return () => false;
  return wholeCell ? cell => plain(cell) === wanted : cell => plain(cell).includes(wanted);
}
