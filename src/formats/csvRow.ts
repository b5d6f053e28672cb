import type { CsvDictionary } from './csvDictionary';
import { ABSENT_CODE, NO_ROOM } from './csvDictionary';
import { MISSING_CODES, MISSING_HIGH, NUMBER, SKIP, TEXT, TEXT_CODE } from './csvCells';
import { cellNumber, missingKind } from './csvNumber';
import { scaledNumber } from './longNumber';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MINUS = 0x2d;

/** Powers of ten that divide nine digits exactly rounded. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** A block while its rows are filled in. */
export interface BlockFilling {
  readonly bytes: Uint8Array;
  /** End of the bytes at hand, where a line feed stands; whether it is the end of the file; where bytes[0] is in it. */
  readonly to: number;
  readonly isEnd: boolean;
  readonly offset: number;
  readonly delimiter: number;
  readonly decimalComma: boolean;
  readonly dictionaries: readonly (CsvDictionary | undefined)[];
  /** SKIP, NUMBER or TEXT for each column, and where its values begin in `numbers` or `codes`. */
  readonly modes: Uint8Array;
  readonly places: Int32Array;
  readonly numbers: Float64Array;
  /** The words of `numbers`, low ones first. */
  readonly words: Uint32Array;
  readonly codes: Uint32Array;
  /** By column: whether it has a number, a text in a column of numbers, a text that its dictionary has no room for. */
  readonly numeric: Uint8Array;
  readonly broken: Uint8Array;
  readonly full: Uint8Array;
  /** The code of the cell above, by column. */
  readonly lastCodes: Uint32Array;
  /** Cells of the row scanned last; 0 when it is blank. */
  width: number;
  /** Where in the file the quote stands that is open when a row goes on past the bytes at hand; −1 when none is. */
  openQuote: number;
}

/**
 * Scans the row that begins at `start` into row `row` of a block. Returns where the next one begins, or −1 when it goes on
 * past the bytes at hand. A function of its own, small enough to be compiled after a few rows and never left half-way.
 */
export function scanRow(block: BlockFilling, start: number, row: number): number {
  const { bytes, to, isEnd, offset, delimiter, decimalComma, modes, places, numbers, words, codes } = block;
  const mark = decimalComma ? 0x2c : 0x2e;
  const columns = modes.length;
  let at = start;
  let column = 0;
  for (;;) {
    const cellStart = at;
    let byte = bytes[at] as number;
    const mode = column < columns ? (modes[column] as number) : SKIP;
    let parsed = false;
    if (mode === NUMBER) {
      // Plain digits with at most one mark: the number is made while its end is sought.
      const negative = byte === MINUS;
      if (negative) byte = bytes[++at] as number;
      const digitsStart = at;
      let value = 0;
      let digit = byte - 0x30;
      while (digit >= 0 && digit <= 9) {
        value = (Math.imul(value, 10) + digit) | 0;
        digit = (bytes[++at] as number) - 0x30;
      }
      const whole = at - digitsStart;
      let fraction = 0;
      let tail = 0;
      let tailDigits = 0;
      let markAt = -1;
      if (digit + 0x30 === mark) {
        markAt = at;
        digit = (bytes[++at] as number) - 0x30;
        // Nine digits fit 31 bits; those after them are a number of their own.
        const headEnd = at + 9 - whole;
        while (digit >= 0 && digit <= 9 && at < headEnd) {
          value = (Math.imul(value, 10) + digit) | 0;
          digit = (bytes[++at] as number) - 0x30;
        }
        const tailStart = at;
        while (digit >= 0 && digit <= 9) {
          tail = (Math.imul(tail, 10) + digit) | 0;
          digit = (bytes[++at] as number) - 0x30;
        }
        tailDigits = at - tailStart;
        fraction = at - markAt - 1;
      }
      const count = whole + fraction;
      byte = digit + 0x30;
      if (count > 0 && (byte === delimiter || byte === LINE_FEED || byte === CARRIAGE_RETURN)) {
        let size = NaN;
        if (count <= 9) size = fraction === 0 ? value : value / (POWERS[fraction] as number);
        else if (whole <= 9 && tailDigits <= 9) size = numberOf(value, tail, tailDigits, fraction);
        else if (count <= 40) size = longNumber(bytes, digitsStart, at, markAt, fraction);
        if (size === size) {
          numbers[(places[column] as number) + row] = negative ? -size : size;
          block.numeric[column] = 1;
          parsed = true;
        }
      }
      if (!parsed) {
        at = cellStart;
        byte = bytes[at] as number;
      }
    }
    if (!parsed) {
      const quoted = byte === QUOTE;
      if (quoted) {
        at = afterQuotes(bytes, at, to);
        if (at < 0) {
          block.openQuote = offset + cellStart;
          return -1;
        }
        byte = bytes[at] as number;
      }
      while (byte !== delimiter && byte !== LINE_FEED && byte !== CARRIAGE_RETURN)
        byte = bytes[++at] as number;
      if (at >= to && !isEnd) return -1;
      if (mode === TEXT) {
        const dictionary = block.dictionaries[column];
        const last = block.lastCodes[column] as number;
        let code = last;
        // Rows of one image follow each other: most cells repeat the one above.
        if (quoted || last === 0 || dictionary?.is(last, bytes, cellStart, at) !== true) {
          code = dictionary?.add(bytes, cellStart, at, quoted, offset + cellStart) ?? NO_ROOM;
          if (code === NO_ROOM) block.full[column] = 1;
          else block.lastCodes[column] = code;
        }
        codes[(places[column] as number) + row] = code;
      } else if (mode === NUMBER) {
        const place = (places[column] as number) + row;
        const value = at === cellStart ? NaN : cellNumber(bytes, cellStart, at, decimalComma ? ',' : '.');
        if (value === value) {
          numbers[place] = value;
          block.numeric[column] = 1;
        } else {
          const missing = at === cellStart ? 'empty' : missingKind(bytes, cellStart, at);
          words[2 * place] = missing === undefined ? TEXT_CODE : MISSING_CODES[missing];
          words[2 * place + 1] = MISSING_HIGH;
          if (missing === undefined) block.broken[column] = 1;
        }
      }
    }
    if (at >= to && !isEnd) return -1;
    column++;
    if (byte === delimiter && at < to) {
      at++;
      continue;
    }
    // The row ends here: LF, CRLF, CR or the end of the file.
    const blank = column === 1 && at === cellStart && columns > 1;
    if (at < to) {
      if (byte === CARRIAGE_RETURN) {
        // Whether LF follows is known only with the next byte.
        if (at + 1 >= to && !isEnd) return -1;
        at += bytes[at + 1] === LINE_FEED && at + 1 < to ? 2 : 1;
      } else at++;
    }
    if (!blank && column !== columns) fillAbsent(block, column, row);
    block.width = blank ? 0 : column;
    return at;
  }
}

/** Cells that a row does not have. */
function fillAbsent({ modes, places, words, codes }: BlockFilling, from: number, row: number): void {
  for (let absent = from; absent < modes.length; absent++) {
    const place = (places[absent] as number) + row;
    if (modes[absent] === NUMBER) {
      words[2 * place] = MISSING_CODES.absent;
      words[2 * place + 1] = MISSING_HIGH;
    } else if (modes[absent] === TEXT) codes[place] = ABSENT_CODE;
  }
}

/** The number of many digits, at most 18 of them after zeros, with a mark at `markAt` (−1: none); NaN when Number() has to be asked. */
function longNumber(bytes: Uint8Array, start: number, end: number, markAt: number, fraction: number): number {
  let at = start;
  // Zeros before the first other digit do not count.
  while (at < end && (bytes[at] === 0x30 || at === markAt)) at++;
  // The first nine digits, then the rest; the mark may stand before, within or behind each.
  let head = 0;
  let stop = at + 9;
  if (markAt >= at && markAt < stop) {
    while (at < markAt) head = (Math.imul(head, 10) + (bytes[at++] as number) - 0x30) | 0;
    at++;
    stop++;
  }
  if (stop > end) stop = end;
  while (at < stop) head = (Math.imul(head, 10) + (bytes[at++] as number) - 0x30) | 0;
  let tail = 0;
  let tailDigits = end - at;
  if (tailDigits > 10) return NaN;
  if (markAt >= at) {
    tailDigits--;
    while (at < markAt) tail = (Math.imul(tail, 10) + (bytes[at++] as number) - 0x30) | 0;
    at++;
  }
  while (at < end) tail = (Math.imul(tail, 10) + (bytes[at++] as number) - 0x30) | 0;
  return tailDigits > 9 ? NaN : numberOf(head, tail, tailDigits, fraction);
}

/** (head · 10^tailDigits + tail) / 10^fraction, correctly rounded or NaN. */
function numberOf(head: number, tail: number, tailDigits: number, fraction: number): number {
  // Fifteen digits and a small power of ten are exact doubles, so one division rounds correctly.
  if (tailDigits <= 6 && fraction <= 22)
    return (head * (POWERS[tailDigits] as number) + tail) / (POWERS[fraction] as number);
  return scaledNumber(head, tail, tailDigits, -fraction);
}

/** Past the closing quote of the cell that opens at `start`; −1 when it is not before `to`. */
function afterQuotes(bytes: Uint8Array, start: number, to: number): number {
  let at = start + 1;
  for (;;) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0 || at >= to) return -1;
    if (bytes[at + 1] !== QUOTE || at + 1 >= to) return at + 1;
    at += 2;
  }
}
