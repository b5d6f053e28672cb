import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { countLineEnds, isQuoted, lineEndLength, plainEnd, quotesEnd } from './csvGrammar';

/** Walks the cells of a delimited text as byte ranges; nothing is copied or decoded. Its rules are those of csvGrammar. */
export class CsvCursor {
  /** Bytes [cellStart, cellEnd) of the current cell, quotes included; see cellContent. */
  cellStart = 0;
  cellEnd = 0;
  /** Whether text follows the closing quote of the current cell. */
  textAfterQuotes = false;
  /** Whether the current cell is the last one of its row. */
  endsRow = true;
  /** Where the next cell begins. */
  position: number;
  private finished: boolean;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly delimiter: number,
    start: number,
    private readonly end = bytes.length,
  ) {
    this.position = start;
    this.finished = start >= end;
  }

  /** Reads the next cell; false at the end. Throws `damaged-table` for a quote that is never closed. */
  next(): boolean {
    if (this.finished) return false;
    const { bytes, end, delimiter } = this;
    const start = this.position;
    const past = isQuoted(bytes, start, end) ? this.pastQuotes(start) : start;
    const at = plainEnd(bytes, past, end, delimiter);
    this.cellStart = start;
    this.cellEnd = at;
    this.textAfterQuotes = past > start && at > past;
    this.endsRow = at >= end || bytes[at] !== delimiter;
    if (at >= end) this.position = end;
    else this.position = this.endsRow ? at + lineEndLength(bytes, at, end) : at + 1;
    // After a delimiter one more cell follows, though it be empty.
    this.finished = this.endsRow && this.position >= end;
    return true;
  }

  private pastQuotes(start: number): number {
    const past = quotesEnd(this.bytes, start, this.end);
    if (past >= 0) return past;
    throw unclosedQuote(1 + countLineEnds(this.bytes, start));
  }
}

/** The error for a quote that is opened on a line, from 1, and never closed. */
export function unclosedQuote(line: number, subject?: string): CodedError {
  return new CodedError('damaged-table', `The quote opened on line ${line} is never closed`, {
    ...(subject !== undefined && { subject }),
    reason: reason('quote-never-closed', line),
  });
}
