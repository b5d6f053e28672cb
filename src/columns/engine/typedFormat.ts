import type { FileHandle } from 'node:fs/promises';
import type { WrittenColumn } from '../writtenTable';
import type { TableSource } from './read/tableSource';

/** A table in another format than delimited text. All its rows can be read once it is open. */
export interface OtherTable extends TableSource {
  /** Bytes that all columns would take in memory. */
  readonly columnBytes: number;
  dispose(): void;
}

/** The content to write into a file of such a format. */
export interface WrittenTable {
  columns: readonly WrittenColumn[];
  rowCount: number;
  /** Texts to write in addition to the rows. */
  metadata: Readonly<Record<string, string>>;
  /** Values of a column's rows [start, end) in writing order, of its type; null for none. */
  values(
    column: number,
    start: number,
    end: number,
  ): Promise<Float64Array | (number | bigint | string | null)[]>;
}

/**
 * A table file format that the engine reads and writes besides delimited text. Its code loads with
 * the first such file; until then, the engine has only this.
 */
export interface TypedFormat {
  /** The format's name, the same in every language. */
  name: string;
  /** Whether a file of this name is written in this format. */
  isNamed(path: string): boolean;
  /** Whether a file that begins with these bytes has this format. */
  beginsWith(bytes: Uint8Array): boolean;
  /** `budget`: bytes for columns. Throws `damaged-table`, `not-a-file`, `cancelled`. */
  open(path: string, budget: number, signal: AbortSignal): Promise<OtherTable>;
  /** The columns of a file that `write` wrote. Throws as `open` does. */
  typesIn(path: string, signal: AbortSignal): Promise<WrittenColumn[]>;
  /** Writes a file. Returns its size in bytes. */
  write(file: FileHandle, table: WrittenTable, signal?: AbortSignal): Promise<number>;
}
