export interface TableColumn {
  /** Position in the file, from 0. */
  index: number;
  /** Header text as in the file; may be empty or repeated. */
  name: string;
  kind: 'number' | 'text';
}

export interface TableSummary {
  columns: TableColumn[];
  /** Data rows, the header not counted. */
  rowCount: number;
  delimiter: string;
  /** Rows that have fewer or more cells than the header; kept, and named by their row number from 0 (first few only). */
  raggedRows: { count: number; first: number[] };
}

export interface SortKey {
  column: number;
  descending: boolean;
}

/** What an engine thread answers about tables. */
export interface TableRequests {
  openTable: { params: { table: string; path: string }; result: TableSummary };
  /** Rows [start, end) of the view under `sort`: exact text of each cell, and the file's row number of each row. */
  tableRows: {
    params: { table: string; start: number; end: number; sort: SortKey[] };
    result: { rows: string[][]; fileRows: number[] };
  };
  /** Where a file row stands in the view under `sort`. */
  tablePosition: { params: { table: string; row: number; sort: SortKey[] }; result: { position: number } };
}
