import { Ascii } from '../../../base/ascii';
import { CodedError } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import type { CsvDictionary } from '../../csv/csvDictionary';
import { countLineEnds, lineEndLength } from '../../csv/csvGrammar';
import { unclosedQuote } from '../../csv/csvHead';
import { type CsvKernel, startCsvKernel } from '../../csv/csvKernel';
import { scanBlock, type ScannedBlock, type ScanPlan } from '../../csv/csvScan';
import type { TableFile } from './tableFile';

const BUFFER_BYTES = 2 * 1024 * 1024;
/** Approximate number of the file's bytes in a block. */
const BLOCK_BYTES = 1024 * 1024;
const FIRST_ROWS = 256;
/** Maximum bytes of a row. */
const MAX_ROW_BYTES = 1024 * 1024 * 1024;
/** Bytes that a scan may go past its end before its guessed beginning counts as wrong. */
const MAX_GUESS_BYTES = 1024 * 1024;

/** A part of a file: the rows that begin in bytes [start, until). */
export interface FileRange {
  start: number;
  until: number;
  /** Whether a row begins at `start`; else the next one is found, assuming no open quote. */
  exact: boolean;
}

/** Scans ranges of one file, one after the other, into blocks. */
export class RangeScan {
  private buffer: Uint8Array<ArrayBuffer>;
  private kernel: CsvKernel | undefined;
  private isStarted = false;
  private rowsPerBlock = FIRST_ROWS;

  constructor(
    private readonly file: TableFile,
    private readonly dictionaries: readonly (CsvDictionary | undefined)[],
    private readonly bufferBytes = BUFFER_BYTES,
    private readonly startKernel = startCsvKernel,
  ) {
    this.buffer = new Uint8Array(0);
  }

  /** Allocates the memory to read bytes into: in the kernel's memory, if there is one. */
  private start(columns: number): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.kernel = this.startKernel(columns, this.bufferBytes);
    this.buffer = this.kernel?.bytes ?? new Uint8Array(this.bufferBytes + 1);
  }

  /**
   * Yields the blocks of a range, each read by the plan that `planOf` gives at that time. Returns
   * where the range's rows really began and ended; `end` is −1 if the guessed beginning was wrong.
   * Throws `damaged-table`, `file-changed`.
   */
  *blocks(range: FileRange, planOf: () => ScanPlan): Generator<ScannedBlock, { start: number; end: number }> {
    const { file } = this;
    this.start(planOf().modes.length);
    const start = range.exact ? range.start : this.rowStartFrom(range.start);
    let offset = start;
    let filled = 0;
    let from = 0;
    if (start >= range.until) return { start, end: start };
    for (;;) {
      // Moves the remaining bytes to the front, and reads the next ones after them.
      if (from > 0 || filled === 0) {
        this.buffer.copyWithin(0, from, filled);
        offset += from;
        filled -= from;
        from = 0;
      } else {
        if (!range.exact && filled > range.until - offset + MAX_GUESS_BYTES) return { start, end: -1 };
        if (filled >= MAX_ROW_BYTES) throw tooLong(file.path);
        const larger = new Uint8Array(this.buffer.length * 2);
        larger.set(this.buffer.subarray(0, filled));
        this.buffer = larger;
        // So long a row is rare: JavaScript, not the kernel, scans it and the rows after it.
        this.kernel = undefined;
      }
      filled += file.read(this.buffer.subarray(filled), offset + filled, this.buffer.length - 1 - filled);
      const isEnd = offset + filled >= file.size;
      for (;;) {
        if (offset + from >= range.until || from >= filled) break;
        const plan = planOf();
        const block = scanBlock(
          {
            ...{ bytes: this.buffer, from, to: filled, stopAt: range.until - offset, isEnd, offset },
            reader: this.kernel,
          },
          plan,
          this.dictionaries,
          this.rowsPerBlock,
        );
        if (block === 'incomplete') break;
        if ('unclosedQuote' in block) {
          if (!range.exact) return { start, end: -1 };
          throw unclosedQuoteAt(file, block.unclosedQuote);
        }
        from = block.end - offset;
        if (block.rows === 0) continue;
        const bytesPerRow = (block.end - block.start) / block.rows;
        this.rowsPerBlock = Math.max(16, Math.round(BLOCK_BYTES / bytesPerRow));
        yield block;
      }
      if (offset + from >= range.until || (isEnd && from >= filled)) return { start, end: offset + from };
    }
  }

  /** The first byte after a line break at or after `offset` − 1. */
  private rowStartFrom(offset: number): number {
    const size = this.buffer.length - 1;
    for (let i = offset - 1; ; i += size) {
      const filled = this.file.read(this.buffer, i, size + 1);
      for (let index = 0; index < Math.min(filled, size); index++) {
        const byte = this.buffer[index];
        if (byte === Ascii.LineFeed || byte === Ascii.CarriageReturn)
          return i + index + lineEndLength(this.buffer, index, filled);
      }
      if (filled <= size) return this.file.size;
    }
  }
}

function tooLong(path: string): CodedError {
  return new CodedError('damaged-table', 'A row is longer than 1 GB', {
    subject: path,
    reason: reason('A row is longer than 1 GB; a quote may never be closed'),
  });
}

/** The error for a quote at a position that is never closed. */
function unclosedQuoteAt(file: TableFile, position: number): CodedError {
  const bytes = new Uint8Array(BUFFER_BYTES);
  let lineEnds = 0;
  let last = 0;
  for (let i = 0; i < position;) {
    const count = file.read(bytes, i, Math.min(BUFFER_BYTES, position - i));
    if (count === 0) break;
    lineEnds += countLineEnds(bytes, count, last);
    last = bytes[count - 1] ?? 0;
    i += count;
  }
  return unclosedQuote(1 + lineEnds, file.path);
}
