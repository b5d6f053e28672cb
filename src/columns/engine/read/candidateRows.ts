import { Ascii } from '../../../base/ascii';
import type { ScannedBlock } from '../../csv/csvScan';
import type { BlockList } from './blockList';
import type { TableFile } from './tableFile';

const ABSENT = 1;
const PRESENT = 2;

/** The rows that may contain a text. */
export interface CandidateRows {
  /** False if no cell of the row contains the text. May take milliseconds to search a block. */
  isCandidate(row: number): boolean;
}

/**
 * Finds candidate rows. Searches a block of the file when one of its rows is tested.
 */
export class SearchedRows implements CandidateRows {
  /** For each row, 0 until its block has been searched. */
  private readonly matches: Uint8Array;

  constructor(
    private readonly file: TableFile,
    private readonly blocks: BlockList,
    private readonly search: ByteSearch,
  ) {
    this.matches = new Uint8Array(blocks.rowCount);
  }

  /** Bytes of memory that it takes. */
  get memory(): number {
    return this.matches.byteLength;
  }

  isCandidate(row: number): boolean {
    if (this.matches[row] === 0) this.searchBlockOf(row);
    return this.matches[row] !== ABSENT;
  }

  private searchBlockOf(row: number): void {
    const block = this.blocks.blockOf(row);
    if (!block) return;
    const { scanned, firstRow, rows } = block;
    const candidates = this.search.rowsOf(this.file, scanned);
    this.matches.fill(ABSENT, firstRow, firstRow + rows);
    for (const rowOfBlock of candidates) this.matches[firstRow + rowOfBlock] = PRESENT;
  }
}

/** Characters with the same bytes in all encodings. Not the quote, which cells write twice. */
const PLAIN_RUNS = /[\x20-\x21\x23-\x7e]+/g;

const TO_LOWER = Ascii.LowerA - Ascii.UpperA;

/**
 * Finds the rows whose bytes contain a text, or the longest part of it whose bytes don't depend on
 * the encoding. Searching bytes is faster than decoding all cells, and leaves few rows to decode.
 */
export class ByteSearch {
  private readonly needle: Buffer;

  constructor(
    text: string,
    private readonly caseSensitive: boolean,
  ) {
    const runs = text.match(PLAIN_RUNS) ?? [];
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
    this.needle = Buffer.from(caseSensitive ? longest : longest.toLowerCase(), 'latin1');
  }

  /** The rows of a block that may contain the text, counted from the first of the block. */
  rowsOf(file: TableFile, { start, end, rowStarts }: ScannedBlock): number[] {
    if (this.needle.length === 0) return Array.from(rowStarts, (_, row) => row);
    const bytes = Buffer.allocUnsafe(end - start);
    file.read(bytes, start, bytes.length);
    if (!this.caseSensitive)
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i] as number;
        if (byte >= Ascii.UpperA && byte <= Ascii.UpperZ) bytes[i] = byte + TO_LOWER;
      }
    const rows: number[] = [];
    let row = 0;
    for (let i = bytes.indexOf(this.needle); i >= 0; i = bytes.indexOf(this.needle, i)) {
      while (row + 1 < rowStarts.length && (rowStarts[row + 1] as number) <= i) row++;
      rows.push(row);
      // Continues with the next row: one match is enough.
      if (row + 1 >= rowStarts.length) break;
      i = rowStarts[row + 1] as number;
    }
    return rows;
  }
}
