import type { PlainError } from '../base/errors';

/*
 * What is known about an open table. Rows are numbered as in the file, from 0, without the header;
 * columns by their position in the file, from 0.
 */

export interface TableColumn {
  /** Position in the file, from 0. */
  index: number;
  /** Header text as in the file; may be empty or repeated. */
  name: string;
  /** A column of numbers may turn out to be text while rows are being read. */
  kind: 'number' | 'text';
  /**
   * Set for numbers with integers beyond 2⁵³, which doubles round. Statistics and plots round them;
   * order, filters, groups and links don't. May be set while rows are being read.
   */
  isRounded?: true;
  /** The unit of the numbers, if it is known but not in the name. */
  unit?: string;
  /** Set for the label of each row's file, where several files are joined. */
  isLabel?: true;
  /** Set for a column that isn't from the file: metadata of each row's image. */
  ofImage?: true;
  /** What a column of images is known by, however it is renamed; absent where it is its name. */
  id?: string;
  /** Set for a column that isn't from the file: the numbers of column `of` in another unit. */
  converted?: { of: number };
  /** Set for a column that isn't from the file: computed from other columns. */
  computed?: ComputedBy;
}

/** How a column is computed. */
export interface ComputedBy {
  formula: string;
  /** Cells of type `flag` are yes or no. */
  type: 'number' | 'text' | 'flag';
  /** Set if the formula can't be computed in this table, so that all cells are empty. */
  isInvalid?: true;
}

/** Whether a column isn't from the file. */
export function isAdded({
  ofImage,
  converted,
  computed,
}: Pick<TableColumn, 'ofImage' | 'converted' | 'computed'>): boolean {
  return ofImage === true || converted !== undefined || computed !== undefined;
}

/** Columns that aren't from the file. A row's values depend on its text in a column of the file. */
export interface AddedColumns {
  /** Position of the key column in the file. */
  keyColumn: number;
  /** Texts of the key column. */
  keys: readonly string[];
  /** The value for each key; '' for none. `id`: see TableColumn. */
  columns: readonly { name: string; id?: string; values: readonly string[] }[];
  /** Columns with the numbers of column `of` times a factor for each key; null if unknown. */
  converted?: readonly { name: string; of: number; factors: readonly (number | null)[] }[];
}

export interface TableSummary {
  columns: TableColumn[];
  /** Number of rows, without the header. */
  rowCount: number;
  delimiter: string;
  /** Name of the file format if it isn't delimited text; then TableFormat doesn't apply. */
  format?: string;
  /**
   * Rows with fewer or more cells than the header, which are shown. `first`: the first few, from 0.
   */
  raggedRows: { count: number; first: number[] };
  /** Whether numbers have a decimal comma; absent for no. */
  decimalComma?: boolean;
  /**
   * Set if `columns` columns are text because their numbers have another decimal mark from `row` on
   * than in the first rows. Rows count from 0.
   */
  lateDecimals?: { row: number; columns: number };
  /** Set if the header isn't just the first row. */
  header?: HeaderRows;
  /** Absent once all rows have been read; see TableGrowth. */
  reading?: true;
  /** Why reading ended early: rows at the end are missing. */
  failure?: PlainError;
  /** Set if columns exceed the memory limit, so that they are read from the file on demand. */
  reduced?: { columnBytes: number; budgetBytes: number };
}

/** Maximum number of rows of a header. */
export const MAX_HEADER_ROWS = 8;

/** Which rows of a file, not counting blank ones, are its header. */
export interface HeaderRows {
  /** Rows above the header, which are left out. */
  skipped: number;
  /** Rows of the header; texts below each other are joined with "_". */
  rows: number;
}

/** The format that a user chose for a table; absent members are detected. */
export interface TableFormat {
  /** One of , ; tab | */
  delimiter?: string | undefined;
  decimalComma?: boolean | undefined;
  header?: HeaderRows | undefined;
}

/** How to read a table. */
export interface TableOptions extends TableFormat {
  /** Memory limit for columns in MB, at least 1. */
  memory: number;
  /** Whether to respond when the first rows are read; TableGrowth events report the others. */
  progressive?: boolean;
  /** Returned in TableGrowth, as events of an earlier reading of the table may still arrive. */
  opening?: number;
}

/** Event: more rows of a table opened progressively were read, or reading has ended. */
export interface TableGrowth {
  table: string;
  rowCount: number;
  /** Bytes read, of `bytesTotal`, for a progress bar. */
  bytesDone: number;
  bytesTotal: number;
  done: boolean;
  /** See TableOptions. */
  opening?: number;
  /**
   * The new summary if more than the number of rows changed: at the end, or when a kind changes.
   */
  summary?: TableSummary;
  /** Why reading ended early; the rows read so far stay. */
  failure?: PlainError;
}

/** A table's summary after more rows were read. */
export function grownTable(
  before: TableSummary,
  { rowCount, done, summary, failure }: Pick<TableGrowth, 'rowCount' | 'done' | 'summary' | 'failure'>,
): TableSummary {
  const table: TableSummary = { ...(summary ?? before), rowCount, reading: true };
  if (failure) table.failure = failure;
  if (done) delete table.reading;
  return table;
}

/** The user's table for masks without one: measured from the masks, or a file by its URI. */
export type TableChoice = { kind: 'measured' } | { kind: 'file'; uri: string };
