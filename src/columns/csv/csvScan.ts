import { Ascii } from '../../base/ascii';
import { NUMBER, TEXT } from './csvCells';
import type { CsvDictionary } from './csvDictionary';
import { scanRow, type FilledBlock } from './csvRow';

/** How rows are read; the same for many blocks. */
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
  /** Columns of numbers with an integer that its double is not, see roundedIntegers. */
  rounded: number[];
}

/** A block, or why there is none: its first row goes on past the bytes given. */
export type ScanOutcome = ScannedBlock | 'incomplete' | { unclosedQuote: number };

/** Cells of a block at most, all columns together. */
const MAX_BLOCK_CELLS = 1 << 19;

/** A part of a file, of which rows are scanned. */
export interface ScanInput {
  /** bytes[to] must exist: it is overwritten. */
  bytes: Uint8Array;
  /** A row begins at `from`. */
  from: number;
  to: number;
  /** Rows that begin at `stopAt` or later are left out. */
  stopAt: number;
  /** Whether the file ends at `to`; if not, a row cut off there is left out. */
  isEnd: boolean;
  /** Position of bytes[0] in the file. */
  offset: number;
}

/** Scans rows of a delimited text into a block, at most `maxRows`. */
export function scanBlock(
  { bytes, from, to, stopAt, isEnd, offset }: ScanInput,
  plan: ScanPlan,
  dictionaries: readonly (CsvDictionary | undefined)[],
  maxRows: number,
): ScanOutcome {
  const { modes } = plan;
  const columns = modes.length;
  // Most rows have two bytes at least; what does not fit goes into the next block.
  const fitting = ((to - from) >> 1) + 1;
  const capacity = Math.max(1, Math.min(maxRows, fitting, Math.ceil(MAX_BLOCK_CELLS / columns)));
  const places = new Int32Array(columns);
  let numberColumns = 0;
  let textColumns = 0;
  for (let column = 0; column < columns; column++) {
    if (modes[column] === NUMBER) places[column] = numberColumns++ * capacity;
    else if (modes[column] === TEXT) places[column] = textColumns++ * capacity;
  }
  const numbers = new Float64Array(numberColumns * capacity);
  const codes = new Uint32Array(textColumns * capacity);
  const block: FilledBlock = {
    ...{ bytes, to, isEnd, offset, modes, places, numbers, codes, dictionaries },
    delimiter: plan.delimiter,
    decimalComma: plan.decimalComma,
    words: new Uint32Array(numbers.buffer),
    numeric: new Uint8Array(columns),
    broken: new Uint8Array(columns),
    full: new Uint8Array(columns),
    rounded: new Uint8Array(columns),
    lastCodes: new Uint32Array(columns),
    width: 0,
    openQuote: -1,
  };
  const rowStarts = new Uint32Array(capacity);
  const ragged: number[] = [];
  let widest = 0;
  let rows = 0;
  let at = from;
  bytes[to] = Ascii.LineFeed;
  while (rows < capacity && at < stopAt && at < to) {
    const next = scanRow(block, at, rows);
    if (next < 0) break;
    const { width } = block;
    if (width > 0) {
      rowStarts[rows] = at - from;
      if (width !== columns) ragged.push(rows);
      if (width > widest) widest = width;
      rows++;
    }
    at = next;
  }
  if (rows === 0 && at === from && from < to) {
    const { openQuote } = block;
    if (openQuote >= 0 && isEnd) return { unclosedQuote: openQuote };
    return 'incomplete';
  }
  return {
    start: offset + from,
    end: offset + at,
    rows,
    rowStarts: rows === capacity ? rowStarts : rowStarts.slice(0, rows),
    modes,
    numbers: compact(numbers, numberColumns, capacity, rows),
    codes: compact(codes, textColumns, capacity, rows),
    ragged,
    widest,
    broken: positions(block.broken),
    numeric: block.numeric,
    full: positions(block.full),
    rounded: positions(block.rounded),
  };
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
