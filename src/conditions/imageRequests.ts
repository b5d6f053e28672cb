import type { ImageColumns } from './imageColumns';
import type { JoinedSheet, SheetKey } from './sampleSheet';

/** Rows of a sample sheet. */
export const MAX_SHEET_ROWS = 500_000;

/** What is joined with a sheet on disk. */
export interface SheetToJoin {
  path: string;
  known: Pick<ImageColumns, 'images' | 'columns'>;
  /** The column that names images; found where it is absent. */
  key?: SheetKey;
  /** Names of the tables' columns. */
  taken: readonly string[];
}

/** A joined sheet, and the names of its columns. */
export interface ReadSheet extends JoinedSheet {
  header: readonly string[];
}

/** Requests about images that an engine thread handles. */
export interface ImageRequests {
  /**
   * Reads a sheet (CSV or TSV, in any encoding that tables have) and joins it with images. Throws `bad-request` where it names none
   * or has more than 500,000 rows, and what opening a table throws.
   */
  joinSheet: { params: SheetToJoin; result: ReadSheet };
  /** Writes a sheet that can be joined again, see writtenSheet; with tabs to a .tsv. Throws `exists` unless overwrite, `no-space`. */
  writeSheet: {
    params: { destination: string; known: ImageColumns; overwrite: boolean; mark: boolean };
    result: { path: string; bytes: number; rows: number };
  };
}
