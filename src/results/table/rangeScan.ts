import { CodedError } from '../../base/errors';
import type { CsvDictionary } from '../../formats/csvDictionary';
import { scanBlock, type ScannedBlock, type ScanPlan } from '../../formats/csvScan';
import type { TableFile } from './tableFile';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BUFFER = 2 * 1024 * 1024;
/** A block holds about as many bytes of the file. */
const BLOCK_BYTES = 1024 * 1024;
const FIRST_ROWS = 256;
/** A row may be this long. */
const LONGEST_ROW = 1024 * 1024 * 1024;
/** How far a scan that begins at a guess may go past its end before the guess is given up. */
const FARTHEST_GUESS = 1024 * 1024;

/** A part of a file: the rows that begin in bytes [start, until). */
export interface FileRange {
  start: number;
  until: number;
  /** Whether a row begins at `start`; else the first one after it is looked for, as if no quote were open there. */
  exact: boolean;
}

/** Scans ranges of one file, one after the other, into blocks. */
export class RangeScan {
  private buffer: Uint8Array;
  private rowsPerBlock = FIRST_ROWS;

  constructor(
    private readonly file: TableFile,
    private readonly dictionaries: readonly (CsvDictionary | undefined)[],
    bufferBytes = BUFFER,
  ) {
    this.buffer = new Uint8Array(bufferBytes + 1);
  }

  /**
   * Yields the blocks of a range; `planOf` is asked before each. Returns where the range's rows really began and ended; a
   * guess that leads nowhere returns `end` −1. Throws `damaged-table`, `file-changed`.
   */
  *blocks(range: FileRange, planOf: () => ScanPlan): Generator<ScannedBlock, { start: number; end: number }> {
    const { file } = this;
    const start = range.exact ? range.start : this.rowStartFrom(range.start);
    let offset = start;
    let filled = 0;
    let from = 0;
    if (start >= range.until) return { start, end: start };
    for (;;) {
      // What is left of the last piece moves to the front, and the file follows.
      if (from > 0 || filled === 0) {
        this.buffer.copyWithin(0, from, filled);
        offset += from;
        filled -= from;
        from = 0;
      } else {
        if (!range.exact && filled > range.until - offset + FARTHEST_GUESS) return { start, end: -1 };
        if (filled >= LONGEST_ROW) throw tooLong(file.path);
        const larger = new Uint8Array(this.buffer.length * 2);
        larger.set(this.buffer.subarray(0, filled));
        this.buffer = larger;
      }
      filled += file.read(this.buffer.subarray(filled), offset + filled, this.buffer.length - 1 - filled);
      const isEnd = offset + filled >= file.size;
      for (;;) {
        if (offset + from >= range.until || from >= filled) break;
        const plan = planOf();
        const answer = scanBlock(
          this.buffer,
          from,
          filled,
          range.until - offset,
          isEnd,
          offset,
          plan,
          this.dictionaries,
          this.rowsPerBlock,
        );
        if (answer === 'incomplete') break;
        if ('unclosedQuote' in answer) {
          if (!range.exact) return { start, end: -1 };
          throw unclosed(file, answer.unclosedQuote);
        }
        from = answer.end - offset;
        if (answer.rows === 0) continue;
        const bytesPerRow = (answer.end - answer.start) / answer.rows;
        this.rowsPerBlock = Math.max(16, Math.round(BLOCK_BYTES / bytesPerRow));
        yield answer;
      }
      if (offset + from >= range.until || (isEnd && from >= filled)) return { start, end: offset + from };
    }
  }

  /** The first byte after a line break at or after `offset` − 1. */
  private rowStartFrom(offset: number): number {
    const size = this.buffer.length - 1;
    for (let at = offset - 1; ; at += size) {
      const filled = this.file.read(this.buffer, at, size + 1);
      for (let index = 0; index < Math.min(filled, size); index++) {
        const byte = this.buffer[index];
        if (byte === LINE_FEED) return at + index + 1;
        if (byte === CARRIAGE_RETURN) return at + index + (this.buffer[index + 1] === LINE_FEED ? 2 : 1);
      }
      if (filled <= size) return this.file.size;
    }
  }
}

function tooLong(path: string): CodedError {
  const reason = 'A row is longer than 1 GB; perhaps a quote is never closed.';
  return new CodedError('damaged-table', reason, { subject: path, reason });
}

/** Names the line, from 1, on which the quote stands. */
function unclosed(file: TableFile, position: number): CodedError {
  const bytes = new Uint8Array(BUFFER);
  let line = 1;
  let last = 0;
  for (let at = 0; at < position;) {
    const count = file.read(bytes, at, Math.min(BUFFER, position - at));
    if (count === 0) break;
    for (let index = 0; index < count; index++) {
      const byte = bytes[index] ?? 0;
      // CR and LF together are one line break.
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && last !== CARRIAGE_RETURN)) line++;
      last = byte;
    }
    at += count;
  }
  const reason = `The quote opened on line ${line} is never closed.`;
  return new CodedError('damaged-table', reason, { subject: file.path, reason });
}
