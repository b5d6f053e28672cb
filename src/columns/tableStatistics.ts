import type { Statistics } from './columnStatistics';

/** How cells can be missing: nothing there, the words tools write, other such words (n/a, none, -), or a row too short. */
export type MissingKind = 'empty' | 'NA' | 'NaN' | 'null' | 'other' | 'absent';

/** Statistics of a column; of a column of text only the counts. */
export interface ColumnStatistics extends Statistics {
  column: number;
  /** Missing cells by how they are missing. */
  missingKinds: Record<MissingKind, number>;
}

/** One group of rows. */
export interface TableGroup {
  /** The group's text in each grouping column; null for missing. */
  keys: (string | null)[];
  rows: number;
  /** For each measured column, in the order of the request; `distinct` is not counted and null. */
  measures: Statistics[];
}

/** What groups are sorted by: a key, the number of rows, or a statistic, by its index in GroupStatistics.values. */
export interface GroupOrder {
  of: { kind: 'key'; key: number } | { kind: 'rows' } | { kind: 'value'; value: number };
  descending: boolean;
}

/** One group of rows with the requested statistics. */
export interface GroupStatistics {
  /** The group's text in each grouping column, cut off where it is very long; null for missing. */
  keys: (string | null)[];
  /** Its first row in the file. */
  row: number;
  rows: number;
  /** All statistics of the first measured column, then of the second, and so on; null where there is no number. */
  values: (number | null)[];
}

/** Of the selected cells of a column: how many are numbers, and those numbers' statistics (null when there are none). */
export interface SelectionStatistics {
  column: number;
  numbers: number;
  sum: number | null;
  mean: number | null;
  min: number | null;
  max: number | null;
}
