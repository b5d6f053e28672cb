import { CodedError } from '../base/errors';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Walks the cells of a delimited text (RFC 4180, read generously) as byte ranges; nothing is copied or decoded.
 * Rows end at LF, CRLF or CR. A quote is special only at the start of a cell; text after its closing quote is kept.
 */
export class CsvCursor {
  /** Bytes [cellStart, cellEnd) of the current cell, quotes included. */
  cellStart = 0;
  cellEnd = 0;
  /** Whether the current cell begins with a quote, see cellText. */
  quoted = false;
  /** Whether text follows the closing quote: kept, but a sign that the delimiter is another one. */
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

  /** Puts the cursor at the first byte of a row. */
  moveTo(rowStart: number): void {
    this.position = rowStart;
    this.finished = rowStart >= this.end;
    this.endsRow = true;
  }

  /** Reads the next cell; false at the end. Throws `damaged-table` for a quote that is never closed. */
  next(): boolean {
    if (this.finished) return false;
    const { bytes, end, delimiter } = this;
    let at = this.position;
    this.cellStart = at;
    this.quoted = at < end && bytes[at] === QUOTE;
    if (this.quoted) at = this.afterQuotes(at);
    const quotesEnd = at;
    while (at < end) {
      const byte = bytes[at];
      if (byte === delimiter || byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
      at++;
    }
    this.cellEnd = at;
    this.textAfterQuotes = this.quoted && at > quotesEnd;
    if (at >= end) {
      this.endsRow = true;
      this.finished = true;
      this.position = end;
    } else if (bytes[at] === delimiter) {
      // A delimiter as the very last byte still announces one more, empty cell.
      this.endsRow = false;
      this.position = at + 1;
    } else {
      this.endsRow = true;
      this.position = at + (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED ? 2 : 1);
      this.finished = this.position >= end;
    }
    return true;
  }

  private afterQuotes(start: number): number {
    const { bytes, end } = this;
    let at = start + 1;
    for (;;) {
      while (at < end && bytes[at] !== QUOTE) at++;
      if (at >= end) {
        const line = lineOf(bytes, start);
        throw new CodedError('damaged-table', `The quote opened on line ${line} is never closed`, {
          reason: `The quote opened on line ${line} is never closed.`,
        });
      }
      if (at + 1 < end && bytes[at + 1] === QUOTE) at += 2;
      else return at + 1;
    }
  }
}

/** The line, from 1, that a byte stands on, as an editor counts. */
function lineOf(bytes: Uint8Array, position: number): number {
  let line = 1;
  for (let at = 0; at < position; at++) {
    const byte = bytes[at];
    if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) line++;
  }
  return line;
}

/** The text of a cell without the quotes around it, doubled quotes made single. */
export function cellText(
  bytes: Uint8Array,
  start: number,
  end: number,
  quoted: boolean,
  decode: (bytes: Uint8Array) => string,
): string {
  if (start >= end) return '';
  const text = decode(bytes.subarray(start, end));
  if (!quoted) return text;
  let inside = '';
  let from = 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return inside + text.slice(from);
    inside += text.slice(from, quote);
    if (text[quote + 1] !== '"') return inside + text.slice(quote + 1);
    inside += '"';
    from = quote + 2;
  }
}
