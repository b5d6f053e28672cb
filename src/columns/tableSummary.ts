import type { PlainError } from '../base/errors';

/*
 * What is known of an open table. A row is named by its row in the file, from 0, the header not
 * counted; a column by its position in the file, from 0.
 */

export interface TableColumn {
  /** Position in the file, from 0. */
  index: number;
  /** Header text as in the file; may be empty or repeated. */
  name: string;
  /** While rows are still being read a column of numbers may turn out to hold text. */
  kind: 'number' | 'text';
  /**
   * Set for numbers with integers beyond 2⁵³, which doubles round: in statistics and plots, but not
   * in order, filters, groups and links. May be set while rows are read.
   */
  isRounded?: true;
  /** The unit of its numbers, where it is known and the name doesn't say it. */
  unit?: string;
  /** Set for the label of each row's file, where several files are joined. */
  isLabel?: true;
  /** Set for a column that is in no file: a fact of each row's image. */
  ofImage?: true;
  /** Set for a column in no file: the numbers of the column at a position, in another unit. */
  converted?: { of: number };
  /** Set for a column that is in no file: computed from others of its row. */
  computed?: ComputedBy;
}

/** How a column is computed. */
export interface ComputedBy {
  formula: string;
  /** Of yes and no (`flag`) the cells say which. */
  type: 'number' | 'text' | 'flag';
  /** The formula can't be computed in this table: all cells are empty. */
  isInvalid?: true;
}

/** Whether a column is in no file. */
export function isAdded({
  ofImage,
  converted,
  computed,
}: Pick<TableColumn, 'ofImage' | 'converted' | 'computed'>): boolean {
  return ofImage === true || converted !== undefined || computed !== undefined;
}

/** Columns in no file: a row's values belong to its text in a column of the file. */
export interface AddedColumns {
  /** Position in the file. */
  keyColumn: number;
  /** Texts of that column. */
  keys: readonly string[];
  /** The value for each of these texts; '' for none. */
  columns: readonly { name: string; values: readonly string[] }[];
  /** A file column's numbers, by its position, times the factor of each text; null if unknown. */
  converted?: readonly { name: string; of: number; factors: readonly (number | null)[] }[];
}

export interface TableSummary {
  columns: TableColumn[];
  /** Data rows, the header not counted. */
  rowCount: number;
  delimiter: string;
  /** The file format's name unless delimited text: then there is no choice of how to read it. */
  format?: string;
  /** Rows with fewer or more cells than the header, still shown; the first few, from 0. */
  raggedRows: { count: number; first: number[] };
  /** Whether numbers are written with a decimal comma; absent means no. */
  decimalComma?: boolean;
  /**
   * Set if columns are text because, from a row on, their numbers have another decimal mark than in
   * the first rows. The row counts from 0.
   */
  lateDecimals?: { row: number; columns: number };
  /** Set where the header isn't the first row alone. */
  header?: HeaderRows;
  /** Absent once all rows have been read; see TableGrowth. */
  reading?: true;
  /** Why reading ended early: rows are missing at the end. */
  failure?: PlainError;
  /** Set if columns exceed the memory budget: they are read from the file on demand. */
  reduced?: { columnBytes: number; budgetBytes: number };
}

/** Rows that a header may have. */
export const MAX_HEADER_ROWS = 8;

/** Which non-blank rows of a file are its header. */
export interface HeaderRows {
  /** Rows above it that are left out. */
  skipped: number;
  /** Rows that it has; what stands above each other is joined with "_". */
  rows: number;
}

/** The format that a person chose for a table; what is absent is detected. */
export interface TableFormat {
  /** One of , ; tab | */
  delimiter?: string | undefined;
  decimalComma?: boolean | undefined;
  header?: HeaderRows | undefined;
}

/** How a table is read. */
export interface TableOptions extends TableFormat {
  /** Memory for columns in MB, at least 1. */
  memory: number;
  /** Respond as soon as the first rows have been read; TableGrowth events report the others. */
  progressive?: boolean;
  /** Returned in TableGrowth: events of the table's earlier reading may still arrive. */
  opening?: number;
}

/** Event: more rows of a table opened progressively have been read, or reading has ended. */
export interface TableGrowth {
  table: string;
  rowCount: number;
  /** Bytes read of all, for a progress bar. */
  bytesDone: number;
  bytesTotal: number;
  done: boolean;
  /** See TableOptions. */
  opening?: number;
  /** The new summary if more than the row count changed: at the end, or with a column's kind. */
  summary?: TableSummary;
  /** Why reading ended early; rows read so far stay. */
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

/** A person's table for masks without one: measured from them, or a file, by its URI. */
export type TableChoice = { kind: 'measured' } | { kind: 'file'; uri: string };
