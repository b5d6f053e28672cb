/*
 * Views of a table: filters and sort order. Columns are numbered by their position in the file, from 0.
 */

/** One column that rows are ordered by. */
export interface SortKey {
  column: number;
  descending: boolean;
}

/** An end of a range: a number, or the digits of an integer that its double is not. */
export type RangeEnd = number | string;

/** A condition on rows. Missing cells fulfill only `missing` and `values` with missing: true (or an excluding set without). */
export type Filter =
  /** Numbers from `from` to `to`, both included; null is open. */
  | { kind: 'range'; column: number; from: RangeEnd | null; to: RangeEnd | null }
  /** Cells whose exact text is (or is not) one of the values; `missing` adds the missing cells to the set. */
  | { kind: 'values'; column: number; values: string[]; missing?: boolean; exclude?: boolean }
  /** `match` regex is RE2 syntax, run in linear time. `exclude` inverts it (missing cells then fulfill it). */
  | {
      kind: 'text';
      column: number;
      match: 'contains' | 'equals' | 'regex';
      text: string;
      caseSensitive?: boolean;
      exclude?: boolean;
    }
  | { kind: 'missing'; column: number; missing: boolean }
  /** Rows of a set made by tableLasso or tableRowSet. */
  | { kind: 'rowSet'; set: number; exclude?: boolean };

/** Rows that fulfill all filters, in the order of the sort keys (missing last, ties as in the file). */
export interface ViewSpec {
  sort: readonly SortKey[];
  /** Absent means none. */
  filters?: readonly Filter[];
  /** How many of the file's first rows count, so that what is shown stays the same while more are read. Absent means all. */
  upTo?: number;
}
