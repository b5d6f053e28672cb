/*
 * What a table's numbers come to, see measurements.md: sd with n − 1, quartiles by linear interpolation, missing cells left
 * out. Null stands where there is no such number, or none that JSON can say.
 */

export interface Figures {
  /** Cells that are not missing. */
  count: number;
  sum: number | null;
  mean: number | null;
  /** Null for fewer than two. */
  sd: number | null;
  min: number | null;
  q1: number | null;
  median: number | null;
  q3: number | null;
  max: number | null;
}

/** How cells can be missing: nothing there, the words tools write, other such words (n/a, none, -), or a row too short. */
export type MissingKind = 'empty' | 'NA' | 'NaN' | 'null' | 'other' | 'absent';

/** Figures of a column; of one of text only the counts. */
export interface ColumnStatistics extends Figures {
  column: number;
  missing: Record<MissingKind, number>;
  /** Different values (numbers by value, texts by exact text). */
  distinct: number;
}

/** One group of rows. */
export interface TableGroup {
  /** The group's text in each grouping column; null for missing. */
  keys: (string | null)[];
  rows: number;
  /** For each measured column, in the order asked. */
  measures: Figures[];
}

/** Of selected cells: how many, how many of them numbers, and those in figures. */
export interface SelectionFigures {
  cells: number;
  numbers: number;
  sum: number | null;
  mean: number | null;
  min: number | null;
  max: number | null;
}
