import type { FileHandle } from 'node:fs/promises';
import type { WrittenColumn } from '../writtenTable';
import type { TableSource } from './read/tableSource';

/** A table of another format than delimited text. All its rows can be read from the beginning. */
export interface OtherTable extends TableSource {
  /** Bytes that all its columns would take in memory. */
  readonly columnBytes: number;
  dispose(): void;
}

/** What is written into a file of such a format. */
export interface WrittenTable {
  columns: readonly WrittenColumn[];
  rowCount: number;
  /** Written in the file beside the rows. */
  metadata: Readonly<Record<string, string>>;
  /** Values of a column's rows [start, end) in writing order; null for none. */
  numbers(column: number, start: number, end: number): Promise<Float64Array | (number | null)[]>;
  integers(column: number, start: number, end: number): Promise<(bigint | null)[]>;
  texts(column: number, start: number, end: number): Promise<(string | null)[]>;
}

/**
 * A table file format that the engine reads and writes besides delimited text. Loaded with its
 * first file; the engine knows it by this alone.
 */
export interface TypedFormat {
  /** The format's name, the same in every language. */
  name: string;
  /** Whether a file of this name is to be written in it. */
  isNamed(path: string): boolean;
  /** Whether a file that begins with these bytes is of it. */
  isBegunBy(bytes: Uint8Array): boolean;
  /** Opens a file; `budget`: columns' bytes. Throws `damaged-table`, `not-a-file`, `cancelled`. */
  open(path: string, budget: number, signal: AbortSignal): Promise<OtherTable>;
  /** The columns of a file that `write` wrote. Throws as `open` does. */
  typesIn(path: string, signal: AbortSignal): Promise<WrittenColumn[]>;
  /** Writes a file, and returns its bytes. */
  write(file: FileHandle, table: WrittenTable, signal?: AbortSignal): Promise<number>;
}
