/*
 * How a table is looked at. Columns are named by their position in the file, from 0.
 */

/** One column that rows are ordered by. */
export interface SortKey {
  column: number;
  descending: boolean;
}

/** A condition on rows. Missing cells fulfil only `missing` and `values` with missing: true (or an excluding set without). */
export type Filter =
  /** Numbers from `from` to `to`, both included; null is open. */
  | { kind: 'range'; column: number; from: number | null; to: number | null }
  /** Cells whose exact text is (or is not) one of the values; `missing` adds the missing cells to the set. */
  | { kind: 'values'; column: number; values: string[]; missing?: boolean; exclude?: boolean }
  /** `match` regex is RE2 syntax, run in linear time. `exclude` turns it round (missing cells then fulfil it). */
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

/** Rows that fulfil all filters, in the order of the sort keys (missing last, ties as in the file). */
export interface ViewSpec {
  sort: readonly SortKey[];
  /** Absent means none. */
  filters?: readonly Filter[];
  /** Only the file's first rows, so many: what is on a screen stays what it is while more rows are read. Absent means all. */
  upTo?: number;
}
