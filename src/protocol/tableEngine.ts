import type { PlainError } from '../base/errors';
import type { ColumnStatistics, SelectionFigures, TableGroup } from '../formats/tableFigures';
import type { Filter, SortKey, ViewSpec } from '../formats/viewSpec';

export type { ColumnStatistics, SelectionFigures, TableGroup } from '../formats/tableFigures';
export type { Filter, SortKey, ViewSpec } from '../formats/viewSpec';

/*
 * What a table is asked. Numbers in JSON are finite or null; series travel as ArrayBuffers of the type named. A row is
 * named by its row in the file, from 0, the header not counted; a column by its position in the file, from 0.
 */

export interface TableColumn {
  /** Position in the file, from 0. */
  index: number;
  /** Header text as in the file; may be empty or repeated. */
  name: string;
  /** While rows are still being read a column of numbers may turn out to hold text. */
  kind: 'number' | 'text';
}

export interface TableSummary {
  columns: TableColumn[];
  /** Data rows, the header not counted. */
  rowCount: number;
  delimiter: string;
  /** Rows that have fewer or more cells than the header; kept, and named by their row number from 0 (first few only). */
  raggedRows: { count: number; first: number[] };
  /** Whether numbers are written with a decimal comma; absent means no. */
  decimalComma?: boolean;
  /** Absent once all rows have been read; see tableGrew. */
  reading?: true;
  /** Why reading ended early: rows are missing at the end. */
  failure?: PlainError;
  /** Set when the columns pass the memory budget: they are read from the file when they are asked for. */
  reduced?: { columnBytes: number; budgetBytes: number };
}

/** How a table is read; what is absent is found out. */
export interface TableOptions {
  /** One of , ; tab | */
  delimiter?: string;
  decimalComma?: boolean;
  /** Memory for columns in MB; 1024 when absent. */
  memory?: number;
  /** Answer as soon as the first rows are there; tableGrew tells of the others. */
  progressive?: boolean;
  /** Comes back in what tableGrew tells: of a table opened anew under its name the earlier reading may still be heard. */
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
  /** The summary anew when it is about more than the number of rows: at the end, and when a column's kind changes. */
  summary?: TableSummary;
  /** Why reading ended early, in plain form; rows read so far stay. */
  failure?: PlainError;
}

interface OfView extends ViewSpec {
  table: string;
}

/** What an engine thread answers about tables. */
export interface TableRequests {
  openTable: { params: { table: string; path: string; options?: TableOptions }; result: TableSummary };
  /** Several files as one table: columns joined by name, a first column "Job" with each file's label. */
  openTables: {
    params: {
      table: string;
      files: { path: string; label: string }[];
      jobColumn: string;
      options?: TableOptions;
    };
    result: TableSummary;
  };
  /** The summary as it is now; cheap. */
  tableSummary: { params: { table: string }; result: TableSummary };
  /** Number of rows of a view. Filters and sorts are kept for what follows. */
  tableView: { params: OfView; result: { rowCount: number } };
  /**
   * Rows [start, end) of the view: exact text of each cell and the file's row number of each row. At most 10,000 rows and
   * 4 MB: fewer rows than asked may come (at least one). A text over 2,000 characters is cut and `cut` names it (see
   * tableCell). `columns` chooses and orders the cells; all when absent.
   */
  tableRows: {
    params: OfView & { start: number; end: number; columns?: number[] };
    result: {
      rows: string[][];
      fileRows: number[];
      /** Cells that are cut: position in rows, position in the row. */
      cut?: [row: number, cell: number][];
      /** Positions in rows of those that have fewer or more cells than the header. */
      ragged?: number[];
    };
  };
  /** Where a file row stands in the view; −1 when filters hide it. */
  tablePosition: { params: OfView & { row: number }; result: { position: number } };
  /** A cell's whole text from `start` (UTF-16 units), at most 1,000,000 units at once; `length` is the whole. */
  tableCell: {
    params: { table: string; row: number; column: number; start?: number };
    result: { text: string; length: number };
  };
  /**
   * The next cell (previous when backwards) that contains the text, after the given place in the view, coming round at the
   * end; null when there is none. The place itself is looked at last. `columns`: where to look, in that order.
   */
  tableFind: {
    params: OfView & {
      text: string;
      caseSensitive?: boolean;
      columns?: number[];
      /** Position in the view and column to start from; the beginning when absent. */
      from?: { position: number; column: number };
      backwards?: boolean;
    };
    result: { found: { position: number; row: number; column: number } | null };
  };
  /** Statistics of the columns over the rows of the view (its sort does not matter). */
  tableStatistics: { params: OfView & { columns: number[] }; result: { statistics: ColumnStatistics[] } };
  /**
   * Counts of a numeric column in equal bins from min to max of all rows (or the range given; the last bin includes its
   * end): Uint32 over all rows, and over the rows of the view. min and max null: no finite number. With `among`, all rows
   * are those that pass it: rows of groups and of images are not compared.
   */
  tableHistogram: {
    params: OfView & { column: number; bins: number; range?: [number, number]; among?: Filter[] };
    result: { min: number | null; max: number | null; all: ArrayBuffer; filtered: ArrayBuffer };
  };
  /** Texts of a column with their number of rows in the view, most frequent first; `search` keeps those that contain it. */
  tableDistinct: {
    params: OfView & { column: number; limit: number; search?: string };
    result: { values: { text: string; count: number }[]; distinct: number; missing: number };
  };
  /** Groups by one or two columns, in the order of their first row; at most `limit` (1,000 when absent). */
  tableGroup: {
    params: OfView & { by: number[]; measures: number[]; limit?: number };
    result: { groups: TableGroup[]; total: number };
  };
  /**
   * Which rows of an aggregate table are about groups and which about images: the column that says so and its texts, or the
   * image column that is empty in group rows; null when nothing in the table tells them apart. Never sum across both.
   */
  tableLevels: {
    params: { table: string };
    result: {
      levels: {
        column: number;
        groupRows: number;
        imageRows: number;
        groupFilter: Filter;
        imageFilter: Filter;
      } | null;
    };
  };
  /** The first `count` rows of the view under one key without sorting all. */
  tableTop: {
    params: { table: string; filters?: Filter[]; key: SortKey; count: number };
    result: { fileRows: number[] };
  };
  /**
   * Points of a scatter plot: x, y Float64; rows Uint32; colour Float64 (a number, or the position in colourValues; NaN
   * missing). Up to `most` points (100,000 at most): `shown` of `total`, evenly spaced through the view when `sampled`.
   * Only rows with finite x and y count. With `bins` a grid of counts of all points instead (bins × bins, Uint32, y up).
   */
  tablePoints: {
    params: OfView & { x: number; y: number; colour?: number; most: number; bins?: number };
    result: {
      total: number;
      shown: number;
      sampled: boolean;
      x: ArrayBuffer;
      y: ArrayBuffer;
      rows: ArrayBuffer;
      colour?: ArrayBuffer;
      /** Texts of a colour column of text, at most 64, most frequent first; others are NaN. */
      colourValues?: string[];
      xRange: [number, number] | null;
      yRange: [number, number] | null;
      counts?: ArrayBuffer;
    };
  };
  /**
   * The rows of the view inside a polygon over two numeric columns (even-odd; x0, y0, x1, y1, …), kept as a set; rows read
   * later belong to it too.
   */
  tableLasso: {
    params: OfView & { x: number; y: number; polygon: number[] };
    result: { set: number; rows: number };
  };
  /** Keeps a set of file rows, Uint32 each (at most 1,000,000 at once; `add` takes an earlier set's place, with its rows). */
  tableRowSet: {
    params: { table: string; rows: ArrayBuffer; add?: number };
    result: { set: number; rows: number };
  };
  /** The rows of a view as Uint32 file rows from `start`, at most 1,000,000; for the masks. */
  tableViewRows: { params: OfView & { start: number }; result: { rows: ArrayBuffer; total: number } };
  tableDropSet: { params: { table: string; set: number }; result: Record<string, never> };
  /** Of the cells of view rows [start, end) × columns: how many, how many numbers, and those in figures. */
  tableSelection: {
    params: OfView & { start: number; end: number; columns: number[] };
    result: SelectionFigures;
  };
  /**
   * Writes the view as CSV (UTF-8; the file's delimiter, or tabs to a .tsv; every cell its exact text), aside and then
   * renamed; once all rows have been read. Throws `exists` unless overwrite, and `bad-request` for the table's own file.
   */
  tableSave: {
    params: OfView & { destination: string; columns?: number[]; overwrite?: boolean };
    result: { path: string; bytes: number; rows: number };
  };
  closeTable: { params: { table: string }; result: Record<string, never> };
}
