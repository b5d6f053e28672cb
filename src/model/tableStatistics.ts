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

/** Of the selected cells of a column: how many are numbers, and those numbers' statistics (null when there are none). */
export interface SelectionStatistics {
  column: number;
  numbers: number;
  sum: number | null;
  mean: number | null;
  min: number | null;
  max: number | null;
}
