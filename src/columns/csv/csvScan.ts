import { Ascii } from '../../base/ascii';
import {
  cellNumber,
  decimalNumber,
  EXACT_POWERS,
  FIRST_ROUNDED,
  integerResiduals,
  longNumber,
  missingKind,
} from './csvNumber';
import { ABSENT_CODE, type CsvDictionary, NO_ROOM } from './csvDictionary';
import { isQuoted, quotesEnd } from './csvGrammar';

/** How rows are read; the same for many blocks. */
export interface ScanPlan {
  /** The byte between cells. */
  delimiter: number;
  decimalComma: boolean;
  /** SKIP, NUMBER or TEXT for each column of the header. */
  modes: Uint8Array;
}

/** Rows [0, rows) of a part of a file, as typed columns. */
export interface ScannedBlock {
  /** The block's bytes are [start, end) of the file. */
  start: number;
  end: number;
  rows: number;
  /** The first byte of each row, relative to `start`. */
  rowStarts: Uint32Array<ArrayBuffer>;
  /** SKIP, NUMBER or TEXT for each column. */
  modes: Uint8Array;
  /** The columns of numbers in sequence, `rows` values each. NaN is missing, see MISSING_CODES. */
  numbers: Float64Array<ArrayBuffer>;
  /** The columns of text in sequence, as codes of each column's dictionary. */
  codes: Uint32Array<ArrayBuffer>;
  /** Rows with fewer or more cells than the header. */
  ragged: number[];
  /** Number of cells of the longest row. */
  widest: number;
  /** Columns read as numbers with a text in this block. */
  broken: number[];
  /** Whether a column of numbers has at least one number, by column. */
  numeric: Uint8Array;
  /** Columns of text whose dictionary is full; their codes are invalid. */
  full: number[];
  /** Columns of numbers with an integer that a double rounds, see integerResiduals. */
  rounded: number[];
}

/** A block, or why there is none: its first row isn't complete in the bytes. */
type ScanOutcome = ScannedBlock | 'incomplete' | { unclosedQuote: number };

/** Maximum number of cells of a block. */
const MAX_BLOCK_CELLS = 1 << 19;

/**
 * Maximum number of rows of a block. Most rows have at least two bytes; others go into the next
 * block.
 */
export function maxBlockRows(columns: number, bytes: number): number {
  return Math.max(1, Math.min((bytes >> 1) + 1, Math.ceil(MAX_BLOCK_CELLS / columns)));
}

/** A part of a file to scan. */
interface ScanInput {
  /** bytes[to] must exist: it is overwritten. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Where a row begins. */
  from: number;
  to: number;
  /** Rows that begin at `stopAt` or later are left out. */
  stopAt: number;
  /** Whether the file ends at `to`; if not, a row that is incomplete there is left out. */
  isEnd: boolean;
  /** Position of bytes[0] in the file. */
  offset: number;
  /** Reads plain rows, if present; `bytes` are in its memory then. */
  reader?: PlainRowReader | undefined;
}

/** Reads plain rows faster than scanRow, and leaves other rows to it: see csvKernel. */
export interface PlainRowReader {
  /**
   * Prepares a block of at most `capacity` rows. `columnStarts`: where each column begins in the
   * numbers or codes. Undefined if scanRow has to read the block.
   */
  begin(
    plan: ScanPlan,
    dictionaries: readonly (CsvDictionary | undefined)[],
    capacity: number,
    columnStarts: Int32Array,
  ): ReaderBlock | undefined;
  /**
   * Reads rows of the current block, which begins at `from` of the bytes: from `position` on as row
   * `row`, before `stop`, up to row `maxRow`. The bytes end at `end`. Returns position and number
   * of the first row that it didn't read.
   */
  rows(
    from: number,
    position: number,
    stop: number,
    end: number,
    row: number,
    maxRow: number,
    fill: FillCell,
  ): { position: number; row: number };
  /** Ends the current block after `rows` rows. */
  end(rows: number): void;
}

/** Memory for the values of a block, in use until the next block. */
export interface ReaderBlock {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly codes: Uint32Array<ArrayBuffer>;
  readonly rowStarts: Uint32Array<ArrayBuffer>;
}

/** Fills in the cell [start, end) of the bytes. Returns the code of a text; 0 if there is none. */
export type FillCell = (column: number, row: number, start: number, end: number) => number;

/** Scans at most `maxRows` rows into a block. The result is the same with and without a reader. */
export function scanBlock(
  { bytes, from, to, stopAt, isEnd, offset, reader }: ScanInput,
  plan: ScanPlan,
  dictionaries: readonly (CsvDictionary | undefined)[],
  maxRows: number,
): ScanOutcome {
  const { modes } = plan;
  const columns = modes.length;
  const capacity = Math.max(1, Math.min(maxRows, maxBlockRows(columns, to - from)));
  const columnStarts = new Int32Array(columns);
  let numberColumns = 0;
  let textColumns = 0;
  for (let column = 0; column < columns; column++) {
    if (modes[column] === NUMBER) columnStarts[column] = numberColumns++ * capacity;
    else if (modes[column] === TEXT) columnStarts[column] = textColumns++ * capacity;
  }
  const readerBlock = reader?.begin(plan, dictionaries, capacity, columnStarts);
  const {
    numbers = new Float64Array(numberColumns * capacity),
    codes = new Uint32Array(textColumns * capacity),
    rowStarts = new Uint32Array(capacity),
  } = readerBlock ?? {};
  const block: FilledBlock = {
    ...{ bytes, to, isEnd, offset, modes, columnStarts, numbers, codes, dictionaries },
    delimiter: plan.delimiter,
    decimalComma: plan.decimalComma,
    words: new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length),
    numeric: new Uint8Array(columns),
    broken: new Uint8Array(columns),
    full: new Uint8Array(columns),
    rounded: new Uint8Array(columns),
    lastCodes: new Uint32Array(columns),
    width: 0,
    openQuote: -1,
  };
  const ragged: number[] = [];
  let widest = 0;
  let rows = 0;
  let position = from;
  bytes[to] = Ascii.LineFeed;
  const stop = Math.min(stopAt, to);
  const fill = (column: number, row: number, start: number, end: number) =>
    fillCell(block, column, row, start, end, isQuoted(bytes, start, end));
  while (rows < capacity && position < stop) {
    if (reader && readerBlock) {
      const rowsBefore = rows;
      ({ position, row: rows } = reader.rows(from, position, stop, to, rows, capacity, fill));
      if (rows > rowsBefore) widest = Math.max(widest, columns);
      if (rows >= capacity || position >= stop) break;
    }
    const next = scanRow(block, position, rows);
    if (next < 0) break;
    const { width } = block;
    if (width > 0) {
      rowStarts[rows] = position - from;
      if (width !== columns) ragged.push(rows);
      if (width > widest) widest = width;
      rows++;
    }
    position = next;
  }
  if (reader && readerBlock) {
    reader.end(rows);
    markNumericColumns(block, rows);
  }
  if (rows === 0 && position === from && from < to) {
    const { openQuote } = block;
    if (openQuote >= 0 && isEnd) return { unclosedQuote: openQuote };
    return 'incomplete';
  }
  return {
    start: offset + from,
    end: offset + position,
    rows,
    rowStarts: rows === capacity && !readerBlock ? rowStarts : rowStarts.slice(0, rows),
    modes,
    numbers: compact(numbers, numberColumns, capacity, rows, !readerBlock),
    codes: compact(codes, textColumns, capacity, rows, !readerBlock),
    ragged,
    widest,
    broken: positions(block.broken),
    numeric: block.numeric,
    full: positions(block.full),
    rounded: positions(block.rounded),
  };
}

function positions(flags: Uint8Array): number[] {
  const positionsOfFlags: number[] = [];
  for (let i = 0; i < flags.length; i++) if (flags[i] !== 0) positionsOfFlags.push(i);
  return positionsOfFlags;
}

/** Sets which columns have a number in rows that the reader read, as the reader doesn't. */
function markNumericColumns({ modes, columnStarts, numbers, numeric }: FilledBlock, rows: number): void {
  for (let column = 0; column < modes.length; column++) {
    if (modes[column] !== NUMBER || numeric[column] === 1) continue;
    const index = columnStarts[column] as number;
    for (let i = index; i < index + rows; i++) {
      const value = numbers[i] as number;
      if (value !== value) continue;
      numeric[column] = 1;
      break;
    }
  }
}

/**
 * Shortens columns of `capacity` values to `rows` values. Returns the same array if nothing changes
 * and the block owns it.
 */
function compact<T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  values: T,
  columns: number,
  capacity: number,
  rows: number,
  isOwned: boolean,
): T {
  if (rows === capacity && isOwned) return values;
  const compacted = (
    values instanceof Float64Array ? new Float64Array(columns * rows) : new Uint32Array(columns * rows)
  ) as T;
  for (let column = 0; column < columns; column++)
    compacted.set(values.subarray(column * capacity, column * capacity + rows), column * rows);
  return compacted;
}

/** How a column is read: not at all, as numbers, or as codes of texts. */
export const SKIP = 0;
export const NUMBER = 1;
export const TEXT = 2;

/** Low word of the NaN for a missing number: how the cell is missing. */
export const MISSING_CODES = { empty: 1, NA: 2, NaN: 3, null: 4, other: 5, absent: 6 } as const;
/** Low word of the NaN for a text in a column of numbers. */
export const TEXT_CODE = 7;
/** High word of these NaNs. */
export const MISSING_HIGH = 0x7ff8_0000;

/** A block while it is being filled. */
interface FilledBlock {
  readonly bytes: Uint8Array;
  /** End of the bytes, at a line feed. */
  readonly to: number;
  /** Whether the file ends there. */
  readonly isEnd: boolean;
  /** Position of bytes[0] in the file. */
  readonly offset: number;
  readonly delimiter: number;
  readonly decimalComma: boolean;
  readonly dictionaries: readonly (CsvDictionary | undefined)[];
  /** SKIP, NUMBER or TEXT for each column. */
  readonly modes: Uint8Array;
  /** Where the values of each column begin in `numbers` or `codes`. */
  readonly columnStarts: Int32Array;
  readonly numbers: Float64Array;
  /** The words of `numbers`, the low word of each first. */
  readonly words: Uint32Array;
  readonly codes: Uint32Array;
  /** By column: whether it has a number. */
  readonly numeric: Uint8Array;
  /** By column: whether it has a text among numbers. */
  readonly broken: Uint8Array;
  /** By column: whether its dictionary is full. */
  readonly full: Uint8Array;
  /** By column: whether it has an integer that a double rounds. */
  readonly rounded: Uint8Array;
  /** By column: the code of the cell above. */
  readonly lastCodes: Uint32Array;
  /** Number of cells of the row scanned last; 0 for a blank row. */
  width: number;
  /**
   * Position in the file of a quote that is still open at the end of the bytes; −1 if there is
   * none.
   */
  openQuote: number;
}

/**
 * Scans the row at `start` into row `row` of a block, by the rules of csvGrammar. Returns where the
 * next row begins, or −1 if the row isn't complete in the bytes. Numbers are parsed while searching
 * for their end, so that most bytes are read once. A separate function, as the compiler then
 * optimizes it after a few rows.
 */
function scanRow(block: FilledBlock, start: number, row: number): number {
  const { bytes, to, isEnd, offset, delimiter, decimalComma, modes, columnStarts, numbers } = block;
  const mark = decimalComma ? Ascii.Comma : Ascii.Dot;
  const columns = modes.length;
  let position = start;
  let column = 0;
  for (;;) {
    const cellStart = position;
    let byte = bytes[position] as number;
    const mode = column < columns ? (modes[column] as number) : SKIP;
    let parsed = false;
    if (mode === NUMBER) {
      // Plain digits with at most one decimal mark.
      const negative = byte === Ascii.Minus;
      if (negative) byte = bytes[++position] as number;
      const digitsStart = position;
      let value = 0;
      let digit = byte - Ascii.Zero;
      while (digit >= 0 && digit <= 9) {
        value = (Math.imul(value, 10) + digit) | 0;
        digit = (bytes[++position] as number) - Ascii.Zero;
      }
      const whole = position - digitsStart;
      let fraction = 0;
      let tail = 0;
      let tailDigits = 0;
      let markAt = -1;
      if (digit + Ascii.Zero === mark) {
        markAt = position;
        digit = (bytes[++position] as number) - Ascii.Zero;
        // Nine digits fit into 31 bits; the digits after them are parsed as a second number.
        const headEnd = position + 9 - whole;
        while (digit >= 0 && digit <= 9 && position < headEnd) {
          value = (Math.imul(value, 10) + digit) | 0;
          digit = (bytes[++position] as number) - Ascii.Zero;
        }
        const tailStart = position;
        while (digit >= 0 && digit <= 9) {
          tail = (Math.imul(tail, 10) + digit) | 0;
          digit = (bytes[++position] as number) - Ascii.Zero;
        }
        tailDigits = position - tailStart;
        fraction = position - markAt - 1;
      }
      const count = whole + fraction;
      byte = digit + Ascii.Zero;
      if (count > 0 && (byte === delimiter || byte === Ascii.LineFeed || byte === Ascii.CarriageReturn)) {
        let size = NaN;
        if (count <= 9) size = fraction === 0 ? value : value / (EXACT_POWERS[fraction] as number);
        else if (whole <= 9 && tailDigits <= 9) size = decimalNumber(value, tail, tailDigits, fraction);
        else if (count <= 40) {
          size = longNumber(bytes, digitsStart, position, markAt, fraction);
          if (size >= FIRST_ROUNDED) markRounded(block, column, digitsStart, position, size);
        }
        if (size === size) {
          numbers[(columnStarts[column] as number) + row] = negative ? -size : size;
          block.numeric[column] = 1;
          parsed = true;
        }
      }
      if (!parsed) {
        position = cellStart;
        byte = bytes[position] as number;
      }
    }
    if (!parsed) {
      const quoted = byte === Ascii.Quote;
      if (quoted) {
        position = quotesEnd(bytes, position, to);
        if (position < 0) {
          block.openQuote = offset + cellStart;
          return -1;
        }
        byte = bytes[position] as number;
      }
      while (byte !== delimiter && byte !== Ascii.LineFeed && byte !== Ascii.CarriageReturn)
        byte = bytes[++position] as number;
      if (position >= to && !isEnd) return -1;
      if (mode !== SKIP) fillCell(block, column, row, cellStart, position, quoted);
    }
    if (position >= to && !isEnd) return -1;
    column++;
    if (byte === delimiter && position < to) {
      position++;
      continue;
    }
    // The row ends here: LF, CRLF, CR or the end of the file.
    const blank = column === 1 && position === cellStart && columns > 1;
    if (position < to) {
      if (byte === Ascii.CarriageReturn) {
        // LF may follow, in bytes that are not read yet.
        if (position + 1 >= to && !isEnd) return -1;
        position += bytes[position + 1] === Ascii.LineFeed && position + 1 < to ? 2 : 1;
      } else position++;
    }
    if (!blank && column !== columns) fillAbsent(block, column, row);
    block.width = blank ? 0 : column;
    return position;
  }
}

/** Fills in a cell that isn't plain digits. Returns the code of a text; 0 if there is none. */
function fillCell(
  block: FilledBlock,
  column: number,
  row: number,
  start: number,
  end: number,
  quoted: boolean,
): number {
  const { bytes, offset, decimalComma, numbers, words, codes } = block;
  const index = (block.columnStarts[column] as number) + row;
  if (block.modes[column] === TEXT) {
    const dictionary = block.dictionaries[column];
    const codeAbove = block.lastCodes[column] as number;
    let code = codeAbove;
    // Rows of an image are consecutive, so most cells repeat the one above.
    if (quoted || codeAbove === 0 || dictionary?.isText(codeAbove, bytes, start, end) !== true) {
      code = dictionary?.add(bytes, start, end, quoted, offset + start) ?? NO_ROOM;
      if (code === NO_ROOM) block.full[column] = 1;
      else block.lastCodes[column] = code;
    }
    codes[index] = code;
    return code === NO_ROOM ? 0 : code;
  }
  const value = start === end ? NaN : cellNumber(bytes, start, end, decimalComma ? ',' : '.');
  if (value === value) {
    numbers[index] = value;
    block.numeric[column] = 1;
    if (Math.abs(value) >= FIRST_ROUNDED) markRounded(block, column, start, end, value);
    return 0;
  }
  const missing = start === end ? 'empty' : missingKind(bytes, start, end);
  words[2 * index] = missing === undefined ? TEXT_CODE : MISSING_CODES[missing];
  words[2 * index + 1] = MISSING_HIGH;
  if (missing === undefined) block.broken[column] = 1;
  return 0;
}

/** Notes whether a double rounds the integer in a column's cell [start, end). */
function markRounded(block: FilledBlock, column: number, start: number, end: number, value: number): void {
  const { bytes, decimalComma, rounded } = block;
  if (rounded[column] === 1) return;
  const mark = decimalComma ? Ascii.Comma : Ascii.Dot;
  rounded[column] = Number(integerResiduals(bytes, start, end, mark, value).length > 0);
}

/** Marks the cells that a row doesn't have as absent. */
function fillAbsent({ modes, columnStarts, words, codes }: FilledBlock, from: number, row: number): void {
  for (let absent = from; absent < modes.length; absent++) {
    const index = (columnStarts[absent] as number) + row;
    if (modes[absent] === NUMBER) {
      words[2 * index] = MISSING_CODES.absent;
      words[2 * index + 1] = MISSING_HIGH;
    } else if (modes[absent] === TEXT) codes[index] = ABSENT_CODE;
  }
}
