import type { CsvDictionary } from './csvDictionary';
import { ABSENT_CODE, NO_ROOM } from './csvDictionary';
import { cellNumber, missingKind } from './csvNumber';
import { scaledNumber } from './longNumber';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MINUS = 0x2d;

/** What is made of a column while scanning. */
export const SKIP = 0;
export const NUMBER = 1;
export const TEXT = 2;

/** Low word of the NaN that stands for a missing number: how the cell is missing. */
export const MISSING_CODES = { empty: 1, NA: 2, NaN: 3, null: 4, other: 5, absent: 6 } as const;
/** Low word of the NaN of a cell that is text in a column of numbers. */
export const TEXT_CODE = 7;
/** High word of those NaNs. */
export const MISSING_HIGH = 0x7ff8_0000;

/** Powers of ten that divide nine digits exactly rounded. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** How rows are read; shared by many blocks. */
export interface ScanPlan {
  /** Byte between cells. */
  delimiter: number;
  decimalComma: boolean;
  /** SKIP, NUMBER or TEXT for each column of the header. */
  modes: Uint8Array;
}

/** Rows [0, rows) of a part of a file as typed columns. */
export interface ScannedBlock {
  /** Where the block's bytes [start, end) are in the file. */
  start: number;
  end: number;
  rows: number;
  /** First byte of each row, from `start`. */
  rowStarts: Uint32Array<ArrayBuffer>;
  /** SKIP, NUMBER or TEXT for each column. */
  modes: Uint8Array;
  /** Columns of numbers one after the other, `rows` each, in the order of their columns. NaN is missing, see MISSING_CODES. */
  numbers: Float64Array<ArrayBuffer>;
  /** Columns of text likewise, as codes of each column's dictionary. */
  codes: Uint32Array<ArrayBuffer>;
  /** Rows with fewer or more cells than the header. */
  ragged: number[];
  /** Cells of the longest row. */
  widest: number;
  /** Columns read as numbers that hold text in this block. */
  broken: number[];
  /** Columns of numbers with one number at least. */
  numeric: Uint8Array;
  /** Columns of text whose dictionary had no more room; their codes are void. */
  full: number[];
}

/** A block, or why there is none: the first row goes on past the bytes at hand. */
export type ScanAnswer = ScannedBlock | 'incomplete' | { unclosedQuote: number };

/** Columns below this number of bytes a row are not foreseen. */
const MOST_BLOCK_CELLS = 1 << 19;

/**
 * Scans rows of a delimited text into a block: at most `mostRows`, of bytes [from, to) where a row begins at `from`. A row
 * cut off by `to` is left out unless `isEnd`, the end of the file; rows that begin at `stopAt` or later are. bytes[to] must exist: it is overwritten. `offset` is where
 * bytes[0] is in the file. Blank lines are skipped unless the header has one column.
 */
export function scanBlock(
  bytes: Uint8Array,
  from: number,
  to: number,
  stopAt: number,
  isEnd: boolean,
  offset: number,
  plan: ScanPlan,
  dictionaries: readonly (CsvDictionary | undefined)[],
  mostRows: number,
): ScanAnswer {
  const { delimiter, modes, decimalComma } = plan;
  const mark = decimalComma ? 0x2c : 0x2e;
  const markText = decimalComma ? ',' : '.';
  const columns = modes.length;
  // A row that counts has two bytes at least.
  const fitting = ((to - from) >> 1) + 1;
  const capacity = Math.max(1, Math.min(mostRows, fitting, Math.ceil(MOST_BLOCK_CELLS / columns)));
  const places = new Int32Array(columns);
  let numberColumns = 0;
  let textColumns = 0;
  for (let column = 0; column < columns; column++) {
    if (modes[column] === NUMBER) places[column] = numberColumns++ * capacity;
    else if (modes[column] === TEXT) places[column] = textColumns++ * capacity;
  }
  const numbers = new Float64Array(numberColumns * capacity);
  const words = new Uint32Array(numbers.buffer);
  const codes = new Uint32Array(textColumns * capacity);
  const rowStarts = new Uint32Array(capacity);
  const numeric = new Uint8Array(columns);
  const broken = new Uint8Array(columns);
  const full = new Uint8Array(columns);
  const lastCodes = new Uint32Array(columns);
  const ragged: number[] = [];
  let widest = 0;
  let rows = 0;
  let at = from;
  let next = from;
  let openQuote = -1;
  bytes[to] = LINE_FEED;
  scanning: while (rows < capacity && at < stopAt && at < to) {
    const rowStart = at;
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
            numbers[(places[column] as number) + rows] = negative ? -size : size;
            numeric[column] = 1;
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
            openQuote = offset + cellStart;
            break scanning;
          }
          byte = bytes[at] as number;
        }
        while (byte !== delimiter && byte !== LINE_FEED && byte !== CARRIAGE_RETURN)
          byte = bytes[++at] as number;
        if (at >= to && !isEnd) break scanning;
        if (mode === TEXT) {
          const dictionary = dictionaries[column];
          const last = lastCodes[column] as number;
          let code = last;
          // Rows of one image follow each other: most cells repeat the one above.
          if (quoted || last === 0 || dictionary?.is(last, bytes, cellStart, at) !== true) {
            code = dictionary?.add(bytes, cellStart, at, quoted, offset + cellStart) ?? NO_ROOM;
            if (code === NO_ROOM) full[column] = 1;
            else lastCodes[column] = code;
          }
          codes[(places[column] as number) + rows] = code;
        } else if (mode === NUMBER) {
          const place = (places[column] as number) + rows;
          const value = at === cellStart ? NaN : cellNumber(bytes, cellStart, at, markText);
          if (value === value) {
            numbers[place] = value;
            numeric[column] = 1;
          } else {
            const missing = at === cellStart ? 'empty' : missingKind(bytes, cellStart, at);
            words[2 * place] = missing === undefined ? TEXT_CODE : MISSING_CODES[missing];
            words[2 * place + 1] = MISSING_HIGH;
            if (missing === undefined) broken[column] = 1;
          }
        }
      }
      if (at >= to && !isEnd) break scanning;
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
          if (at + 1 >= to && !isEnd) break scanning;
          at += bytes[at + 1] === LINE_FEED && at + 1 < to ? 2 : 1;
        } else at++;
      }
      next = at;
      if (blank) continue scanning;
      break;
    }
    rowStarts[rows] = rowStart - from;
    if (column !== columns) {
      ragged.push(rows);
      for (let absent = column; absent < columns; absent++) {
        const place = (places[absent] as number) + rows;
        if (modes[absent] === NUMBER) {
          words[2 * place] = MISSING_CODES.absent;
          words[2 * place + 1] = MISSING_HIGH;
        } else if (modes[absent] === TEXT) codes[place] = ABSENT_CODE;
      }
    }
    if (column > widest) widest = column;
    rows++;
  }
  if (rows === 0 && next === from && from < to) {
    if (openQuote >= 0 && isEnd) return { unclosedQuote: openQuote };
    return 'incomplete';
  }
  return {
    start: offset + from,
    end: offset + next,
    rows,
    rowStarts: rows === capacity ? rowStarts : rowStarts.slice(0, rows),
    modes,
    numbers: compact(numbers, numberColumns, capacity, rows),
    codes: compact(codes, textColumns, capacity, rows),
    ragged,
    widest,
    broken: positions(broken),
    numeric,
    full: positions(full),
  };
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

function positions(flags: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 0; at < flags.length; at++) if (flags[at] !== 0) found.push(at);
  return found;
}

function compact<T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  values: T,
  columns: number,
  capacity: number,
  rows: number,
): T {
  if (rows === capacity) return values;
  const kept = (
    values instanceof Float64Array ? new Float64Array(columns * rows) : new Uint32Array(columns * rows)
  ) as T;
  for (let column = 0; column < columns; column++)
    kept.set(values.subarray(column * capacity, column * capacity + rows), column * rows);
  return kept;
}
