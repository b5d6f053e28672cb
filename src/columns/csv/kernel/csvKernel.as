/*
 * Scans rows of delimited text into columns. Written in AssemblyScript: TypeScript syntax for
 * WebAssembly, with machine types (u32, f64, v128) and all data in one memory, at addresses.
 * `node scripts/kernels.mjs` compiles it into csvKernel.wasm beside it, which is committed.
 *
 * The grammar is that of csvGrammar.ts. Results equal those of scanRow (csvScan.ts) bit by bit, but
 * are faster, since this looks at 16 bytes at once: v128 is 16 bytes, an operation works on all of
 * them, and `bitmask` turns them into an integer with a bit for each byte, in which `ctz` finds the
 * first. JavaScript does the rest:
 * - Cells that aren't numbers of up to 18 digits, and texts that aren't in the cache, go to a list.
 *   JavaScript fills in those cells once this returns.
 * - It returns at a row that isn't plain: with more or fewer cells than the header, blank, ended
 *   by CR alone, or incomplete. JavaScript scans that row.
 *
 * The memory, in this order; `arrange` computes the addresses once:
 *
 *     shuffles  256 × 16 bytes   moves digits to the end of 16 bytes, by number's end and mark
 *     masks     17 × 16 bytes    the last n of 16 bytes
 *     powers    23 × 8           10^n; written by JavaScript
 *     parts     561 × 32         10^−280 to 10^280 as the sum of two doubles, the first also in
 *                                halves; written by JavaScript
 *     columns   n × 32           see Column
 *     caches    n × 3072         of up to 256 columns: 64 slots of a text each, see Slot
 *     cells     (n + 1024) × 16  the list for JavaScript: column, row, start, end (exclusive)
 *     rows      4 a row          where rows start, from the first
 *     bytes                      of the file, with room for a line feed after them; up to 64 bytes
 *                                may be read past them
 *     values                     columns of numbers (8 bytes a row) and of codes (4 bytes a row),
 *                                where JavaScript wants them
 *
 * Nothing is allocated later, and nothing checks addresses: JavaScript keeps to the sizes for which
 * it called `arrange`. Each text ends at the line feed after the bytes at the latest, so no search
 * needs to know where the bytes end.
 */

// How a column is read.
const NUMBER: u32 = 1;
const TEXT: u32 = 2;

// Bytes of the text.
const QUOTE: u32 = 34;
const MINUS: u32 = 45;
const ZERO: u32 = 48;
const PLUS: u32 = 43;
const LOWER_E: u32 = 101;
const LINE_FEED: u32 = 10;
const CARRIAGE_RETURN: u32 = 13;

/** The low words of missing numbers, and the high one of all: MISSING_CODES in csvScan.ts. */
const EMPTY: u64 = 0x7ff8000000000001;
const NA: u64 = 0x7ff8000000000002;
const NAN: u64 = 0x7ff8000000000003;
/** The code of an empty text in each dictionary. */
const EMPTY_CODE: u32 = 1;

// Column: offsets of its parts. The last text is that of the cell above, or of one further above;
// its length is −1 if there is none.
const MODE: usize = 0;
const VALUES: usize = 4;
const LAST_TEXT: usize = 8;
const LAST_LENGTH: usize = 12;
const LAST_CODE: usize = 16;
const CACHE: usize = 20;
const COLUMN_BYTES: u32 = 32;

// Slot: 32 bytes of a text, its length (0: none), its code.
const SLOT_LENGTH: usize = 32;
const SLOT_CODE: usize = 36;
const SLOT_BYTES: u32 = 48;
const SLOTS: u32 = 64;
const MAX_CACHED_BYTES: u32 = 32;
const MAX_CACHED_COLUMNS: u32 = 256;

const CELL_BYTES: u32 = 16;
/** No row is started with more cells in the list. The last row may add one for each column. */
const MAX_CELLS: u32 = 1024;

/** All integers up to this one are exact as doubles. */
const MAX_EXACT: u64 = 9007199254740991;
/** 10^n is exact as a double up to the first, and in `parts` up to the second. */
const MAX_EXACT_SCALE: i32 = 22;
const MAX_SCALE: i32 = 280;
const MIN_SCALED: f64 = 1e-280;
const MAX_SCALED: f64 = 1e280;
/** 2^27 + 1 splits a double into halves. */
const SPLITTER: f64 = 134217729;
/** 2^−99: the sum of two doubles is that exact at least. */
const DOUBT: f64 = 1.5777218104420236e-30;

let shuffles: u32 = 0;
let masks: u32 = 0;
export let powers: u32 = 0;
export let parts: u32 = 0;
export let columns: u32 = 0;
export let caches: u32 = 0;
export let cells: u32 = 0;
export let rows: u32 = 0;
export let bytes: u32 = 0;
export let values: u32 = 0;

let columnCount: u32 = 0;
let delimiter: u32 = 0;
let mark: u32 = 0;

/** Results of `scanRows`: cells in the list, the next row, whether that row isn't plain. */
export let cellCount: u32 = 0;
export let nextRow: u32 = 0;
export let isOdd: u32 = 0;

let free: u32 = 0;
function take(size: u32): u32 {
  const at = free;
  free += (size + 63) & ~63;
  return at;
}

/** Lays out the memory for `count` columns, and for blocks of limited size. */
export function arrange(count: u32, maxRows: u32, maxBytes: u32, maxValues: u32): void {
  columnCount = count;
  free = <u32>((__heap_base + 63) & ~63);
  shuffles = take(256 * 16);
  masks = take(17 * 16);
  powers = take(23 * 8);
  parts = take((2 * MAX_SCALE + 1) * 32);
  columns = take(count * COLUMN_BYTES);
  caches = take(min(count, MAX_CACHED_COLUMNS) * SLOTS * SLOT_BYTES);
  cells = take((count + MAX_CELLS) * CELL_BYTES);
  rows = take(maxRows * 4);
  bytes = take(maxBytes + 1);
  values = take(maxValues);
  take(64);
  const pages = <i32>((free + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  for (let end: u32 = 0; end < 16; end++) {
    for (let first: u32 = 0; first < 16; first++) {
      const shuffle = shuffles + (end * 16 + first) * 16;
      let lane: i32 = 15;
      for (let at: i32 = <i32>end - 1; at >= 0; at--) {
        if (at != <i32>first) store<u8>(shuffle + lane--, <u8>at);
      }
      // A lane that takes a byte beyond 15 becomes 0.
      while (lane >= 0) store<u8>(shuffle + lane--, 0x80);
    }
  }
  for (let kept: u32 = 0; kept <= 16; kept++) {
    for (let lane: u32 = 0; lane < 16; lane++)
      store<u8>(masks + kept * 16 + lane, lane >= 16 - kept ? 0xff : 0);
  }
}

/** Sets the delimiter and the decimal mark, which differ. */
export function begin(cellDelimiter: u32, decimalMark: u32): void {
  delimiter = cellDelimiter;
  mark = decimalMark;
}

/** The integer of 16 digits, bytes from 0 to 9: two to a lane, then four, then eight. */
@inline
function integerOf(digits: v128): u64 {
  const pairs = i16x8.add(
    i16x8.mul(v128.and(digits, i16x8.splat(255)), i16x8.splat(10)),
    i16x8.shr_u(digits, 8),
  );
  const fours = i32x4.dot_i16x8_s(pairs, i32x4(0x00010064, 0x00010064, 0x00010064, 0x00010064));
  const eights = i32x4.dot_i16x8_s(
    i16x8.narrow_i32x4_u(fours, fours),
    i32x4(0x00012710, 0x00012710, 0x00012710, 0x00012710),
  );
  const both = <u64>i64x2.extract_lane(eights, 0);
  return (both & 0xffffffff) * 100000000 + (both >> 32);
}

/** The integer of the `count` digits before an address, at most 16. Reads 16 bytes before it. */
@inline
function integerBefore(end: u32, count: u32): u64 {
  const digits = i8x16.sub(v128.load(end - 16), i8x16.splat(<i8>ZERO));
  return integerOf(v128.and(digits, v128.load(masks + count * 16)));
}

let longValue: f64 = 0;

/**
 * The end of the number of up to 18 digits, with or without exponent, that starts at `start`. The
 * number is in `longValue`. 0 if it isn't a number, or if only more digits of a power of ten could
 * decide which double is nearest. The same steps as scaledNumber in csvNumber.ts.
 */
function longNumberEnd(start: u32): u32 {
  const isNegative: u32 = u32(load<u8>(start) == MINUS);
  const from = start + isNegative;
  const zero = i8x16.splat(<i8>ZERO);
  const nine = i8x16.splat(9);
  // A bit for each byte that isn't a digit.
  const others =
    <u32>i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(from), zero), nine)) |
    (<u32>i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(from + 16), zero), nine)) << 16);
  const whole: u32 = ctz(others);
  if (whole > 16) return 0;
  let end = whole;
  let fraction: u32 = 0;
  let digits: u64 = whole == 0 ? 0 : integerBefore(from + whole, whole);
  if (load<u8>(from + whole) == mark) {
    const rest = others & (others - 1);
    if (rest == 0) return 0;
    end = ctz(rest);
    fraction = end - whole - 1;
    if (fraction > 18 || (digits != 0 && whole + fraction > 18)) return 0;
    const decimals =
      fraction <= 16
        ? integerBefore(from + end, fraction)
        : integerBefore(from + end - 16, fraction - 16) * 10000000000000000 + integerBefore(from + end, 16);
    // Powers of ten below 10^23 are exact as doubles.
    digits = digits * <u64>load<f64>(powers + fraction * 8) + decimals;
  }
  if (whole + fraction == 0) return 0;
  let past = from + end;
  let scale = -(<i32>fraction);
  if ((<u32>load<u8>(past) | 0x20) == LOWER_E) {
    past++;
    const isSmall = load<u8>(past) == MINUS;
    if (isSmall || load<u8>(past) == PLUS) past++;
    const firstDigit = past;
    let exponent: i32 = 0;
    for (;;) {
      const digit = <u32>load<u8>(past) - ZERO;
      if (digit > 9) break;
      exponent = exponent * 10 + <i32>digit;
      past++;
    }
    if (past == firstDigit || past > firstDigit + 3) return 0;
    scale += isSmall ? -exponent : exponent;
  }
  let size: f64;
  if (digits == 0) size = 0;
  else if (digits <= MAX_EXACT && scale <= 0 && scale >= -MAX_EXACT_SCALE)
    size = <f64>digits / load<f64>(powers + (-scale) * 8);
  else if (scale < -MAX_SCALE || scale > MAX_SCALE) return 0;
  else {
    // All digits as the sum of two doubles, times the power of ten as one.
    const high = <f64>digits;
    const low = <f64>(<i64>digits - <i64>high);
    const part = parts + (scale + MAX_SCALE) * 32;
    const power = load<f64>(part);
    const powerRest = load<f64>(part, 8);
    const half = load<f64>(part, 16);
    const otherHalf = load<f64>(part, 24);
    const first = high * power;
    const scaled = SPLITTER * high;
    const highHalf = scaled - (scaled - high);
    const lowHalf = high - highHalf;
    const error = lowHalf * otherHalf - (first - highHalf * half - lowHalf * half - highHalf * otherHalf);
    const second = error + (high * powerRest + low * power);
    if (!(first > MIN_SCALED && first < MAX_SCALED)) return 0;
    const doubt = first * DOUBT;
    size = first + (second - doubt);
    if (size != first + (second + doubt)) return 0;
  }
  // From 2^53 on, JavaScript notes whether the double equals the integer.
  if (size >= <f64>(MAX_EXACT + 1)) return 0;
  longValue = isNegative ? -size : size;
  return past;
}

@inline
function endsCell(byte: u32): bool {
  return byte == delimiter || byte == LINE_FEED || byte == CARRIAGE_RETURN;
}

/** The end of a cell that is a number, in quotes or not, see `longNumberEnd`. 0 if it isn't one. */
function numberCellEnd(start: u32): u32 {
  const isQuoted = load<u8>(start) == QUOTE;
  let end = longNumberEnd(isQuoted ? start + 1 : start);
  if (end == 0) return 0;
  if (isQuoted) {
    if (load<u8>(end) != QUOTE) return 0;
    end++;
  }
  return endsCell(load<u8>(end)) ? end : 0;
}

/** The address of the delimiter or line end after plain text. */
@inline
function plainEnd(from: u32): u32 {
  let at = from - 16;
  let found: u32;
  do {
    at += 16;
    const text = v128.load(at);
    const ends = v128.or(
      i8x16.eq(text, i8x16.splat(<i8>delimiter)),
      v128.or(
        i8x16.eq(text, i8x16.splat(<i8>LINE_FEED)),
        i8x16.eq(text, i8x16.splat(<i8>CARRIAGE_RETURN)),
      ),
    );
    found = <u32>i8x16.bitmask(ends);
  } while (found == 0);
  return at + ctz(found);
}

/** Whether the last cell is plain content in quotes: none is doubled, and no text follows. */
let isPlainlyQuoted = false;

/**
 * The address of the delimiter or line end after the cell whose opening quote is at `open`. 0 if no
 * quote closes it before `end`.
 */
function quotedEnd(open: u32, end: u32): u32 {
  let at = open + 1;
  isPlainlyQuoted = true;
  for (;;) {
    for (;;) {
      const found = <u32>i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>QUOTE)));
      if (found != 0) {
        at += ctz(found);
        break;
      }
      at += 16;
      if (at >= end) return 0;
    }
    if (at >= end) return 0;
    at++;
    if (load<u8>(at) != QUOTE) break;
    isPlainlyQuoted = false;
    at++;
  }
  if (endsCell(load<u8>(at))) return at;
  isPlainlyQuoted = false;
  return plainEnd(at);
}

/** Whether two texts are equal, whose length is above 0. */
@inline
function areEqual(text: u32, other: u32, length: u32): bool {
  let left: i32 = length;
  while (left > 16) {
    if (v128.any_true(v128.xor(v128.load(text), v128.load(other)))) return false;
    text += 16;
    other += 16;
    left -= 16;
  }
  const differing = <u32>i8x16.bitmask(i8x16.ne(v128.load(text), v128.load(other)));
  return (differing & ((1 << left) - 1)) == 0;
}

/** The slot of a text of a length above 0 in a cache, by a hash of its first and last 8 bytes. */
@inline
function slotOf(cache: u32, text: u32, length: u32): u32 {
  const head = load<u64>(text) & (length >= 8 ? ~<u64>0 : ((<u64>1) << (length * 8)) - 1);
  const tail = length >= 8 ? load<u64>(text + length - 8) : 0;
  const hash = (head ^ (tail * 0x9e3779b97f4a7c15) ^ length) * 0x9e3779b97f4a7c15;
  return cache + <u32>(hash >> 58) * SLOT_BYTES;
}

/** Sets the code of a text in the bytes, which isn't empty. */
export function remember(column: u32, text: u32, length: u32, code: u32): void {
  const at = columns + column * COLUMN_BYTES;
  store<u32>(at, text, LAST_TEXT);
  store<u32>(at, length, LAST_LENGTH);
  store<u32>(at, code, LAST_CODE);
  const cache = load<u32>(at, CACHE);
  if (cache == 0 || length > MAX_CACHED_BYTES) return;
  const slot = slotOf(cache, text, length);
  v128.store(slot, v128.load(text));
  v128.store(slot, v128.load(text, 16), 16);
  store<u32>(slot, length, SLOT_LENGTH);
  store<u32>(slot, code, SLOT_CODE);
}

/** The code of a text that isn't empty, 0 if unknown. The text becomes the column's last one. */
@inline
function knownCode(column: u32, text: u32, length: u32): u32 {
  if (load<u32>(column, LAST_LENGTH) == length && areEqual(load<u32>(column, LAST_TEXT), text, length))
    return load<u32>(column, LAST_CODE);
  const cache = load<u32>(column, CACHE);
  if (cache == 0 || length > MAX_CACHED_BYTES) return 0;
  const slot = slotOf(cache, text, length);
  if (load<u32>(slot, SLOT_LENGTH) != length || !areEqual(slot, text, length)) return 0;
  const code = load<u32>(slot, SLOT_CODE);
  store<u32>(column, text, LAST_TEXT);
  store<u32>(column, length, LAST_LENGTH);
  store<u32>(column, code, LAST_CODE);
  return code;
}

/** Fills in a cell that marks a missing number, as tools write it. False for other cells. */
@inline
function isMissing(start: u32, length: u32, place: u32): bool {
  // "NA", and "NaN" or "nan"
  const isNa = length == 2 && load<u16>(start) == 0x414e;
  const isNan = length == 3 && ((load<u32>(start) & 0xffffff) | 0x200020) == 0x6e616e;
  if (isNa || isNan) store<u64>(place, isNa ? NA : NAN);
  return isNa || isNan;
}

@inline
function listCell(count: u32, column: u32, row: u32, start: u32, end: u32): u32 {
  const at = cells + count * CELL_BYTES;
  store<u32>(at, (column - columns) / COLUMN_BYTES);
  store<u32>(at, row, 4);
  store<u32>(at, start, 8);
  store<u32>(at, end, 12);
  return count + 1;
}

/**
 * Scans rows from address `from` on. The first is row `row` of a block that starts at `blockStart`.
 * Scans rows that start before `stop`, up to row `maxRow` (exclusive), until the list has `maxCells`
 * cells. `end` is the address of a line feed. Returns where the next row starts.
 */
export function scanRows(
  from: u32,
  stop: u32,
  end: u32,
  blockStart: u32,
  row: u32,
  maxRow: u32,
  maxCells: u32,
): u32 {
  const zero = i8x16.splat(<i8>ZERO);
  const nine = i8x16.splat(9);
  const minus = i8x16.splat(<i8>MINUS);
  // The compiler keeps locals in registers, but not globals, which a store could change.
  const firstColumn = columns;
  const columnsEnd = columns + columnCount * COLUMN_BYTES;
  const between = delimiter;
  const decimalMark = mark;
  const shuffle = shuffles;
  const power = powers;
  let rowStart = from;
  let listed: u32 = 0;
  isOdd = 0;
  while (row < maxRow && rowStart < stop && listed < maxCells) {
    const listedBefore = listed;
    let at = rowStart;
    let column = firstColumn;
    // The byte after the cell; 0 if the row is left to JavaScript.
    let byte: u32 = 0;
    for (;;) {
      const mode = load<u32>(column, MODE);
      const start = at;
      if (mode == NUMBER) {
        const place = load<u32>(column, VALUES) + row * 8;
        // 16 bytes at once: digits as 0 to 9, and a bit for each byte that isn't a digit, except for
        // a minus at the start.
        const text = v128.load(at);
        const digits = i8x16.sub(text, zero);
        const isOther = i8x16.gt_u(digits, nine);
        const isNegative = <u32>i8x16.bitmask(i8x16.eq(text, minus)) & 1;
        const others = <u32>i8x16.bitmask(isOther) ^ isNegative;
        const first: u32 = ctz(others | 0x10000);
        let length = first;
        let fraction: u32 = 0;
        byte = load<u8>(at + first);
        if (byte == decimalMark) {
          length = ctz((others & (others - 1)) | 0x10000);
          fraction = length - first - 1;
          byte = load<u8>(at + length);
        }
        const count = first + fraction - isNegative;
        let isNumber = false;
        if (length < 16 && (byte == between || byte == LINE_FEED || byte == CARRIAGE_RETURN)) {
          at += length;
          isNumber = count > 0 || length == 0;
          if (count > 0) {
            // At most 15 digits: they and the power of ten are exact as doubles, and one division
            // rounds correctly.
            const aligned = i8x16.swizzle(
              v128.andnot(digits, isOther),
              v128.load(shuffle + (length * 16 + (first & 15)) * 16),
            );
            const size = <f64>(<i64>integerOf(aligned)) / load<f64>(power + fraction * 8);
            store<f64>(place, isNegative ? -size : size);
          } else if (length == 0) store<u64>(place, EMPTY);
        }
        if (!isNumber) {
          at = numberCellEnd(start);
          isNumber = at != 0;
          if (isNumber) {
            byte = load<u8>(at);
            store<f64>(place, longValue);
          }
        }
        if (!isNumber) {
          at = load<u8>(start) == QUOTE ? quotedEnd(start, end) : plainEnd(start);
          if (at == 0) {
            byte = 0;
            break;
          }
          byte = load<u8>(at);
          if (!isMissing(start, at - start, place)) listed = listCell(listed, column, row, start, at);
        }
      } else {
        let content = start;
        let contentEnd: u32;
        let isKnowable = true;
        if (load<u8>(start) == QUOTE) {
          at = quotedEnd(start, end);
          if (at == 0) {
            byte = 0;
            break;
          }
          isKnowable = isPlainlyQuoted;
          content++;
          contentEnd = at - 1;
        } else {
          at = plainEnd(start);
          contentEnd = at;
        }
        byte = load<u8>(at);
        if (mode == TEXT) {
          const place = load<u32>(column, VALUES) + row * 4;
          const length = contentEnd - content;
          if (isKnowable && length == 0) store<u32>(place, EMPTY_CODE);
          else {
            const code = isKnowable ? knownCode(column, content, length) : 0;
            if (code != 0) store<u32>(place, code);
            else listed = listCell(listed, column, row, start, at);
          }
        }
      }
      column += COLUMN_BYTES;
      if (byte != between || column == columnsEnd) break;
      at++;
    }
    const isCrLf = byte == CARRIAGE_RETURN && at + 1 < end && load<u8>(at + 1) == LINE_FEED;
    const isPlain =
      column == columnsEnd && at > rowStart && at < end && (byte == LINE_FEED || isCrLf);
    if (!isPlain) {
      listed = listedBefore;
      isOdd = 1;
      break;
    }
    store<u32>(rows + row * 4, rowStart - blockStart);
    row++;
    rowStart = at + (isCrLf ? 2 : 1);
  }
  cellCount = listed;
  nextRow = row;
  return rowStart;
}
