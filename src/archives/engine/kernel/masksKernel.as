/*
 * Reads the records of objects (docs/service.md, "Masks archive") from their JSON into columns:
 * their numbers, and the run lengths of their masks, trimmed to the box around the object. This is
 * AssemblyScript: TypeScript's syntax for WebAssembly, where numbers have machine types (u32, f64,
 * v128) and all data is in one memory, at addresses. `node scripts/kernels.mjs` compiles it into
 * masksKernel.wasm beside it, which is committed.
 *
 * It gives the same results as RecordScanner, CompressedRuns and trimRuns, bit by bit. It is faster
 * because it looks at 16 bytes at once: an operation on a v128 works on each of its 16 bytes, and
 * `bitmask` makes an integer with a bit for each byte, in which `ctz` finds the first. It stops
 * before the comma and the key of the first object that it can't read. JavaScript reads that
 * object, reports its errors, and calls again for the next one. It can read:
 * - keys that ascend, written as integers,
 * - records with the same bytes between their values as the template, an earlier record,
 * - integers of up to 15 digits, a score of up to 18 without an exponent, a known class,
 * - run lengths as padded base64 of COCO's compressed runs that fill the mask,
 * - other members that are a number, a text without escapes, an empty object or an empty array.
 *
 * The memory, in this order; `arrange` computes the addresses once:
 *
 *     template  66 × 12         of each value: its field, then the address and the number of the
 *                               bytes before it; the last entry has the bytes after all values
 *     classes   64 × 12         of each known class: the address and the length of its name, and
 *                               its number
 *     powers    23 × 8          powers of ten
 *     texts     16 kB           the bytes that template and classes refer to
 *     window    as requested    JSON, then 64 bytes that aren't JSON, at which every search ends
 *     groups    window × ¾      of the runs of one object: six bits each, as bytes
 *     ids, scores, areas (8 bytes an object), boxes (16), runEnds (4), classIndexes (2): of up to
 *                               4096 objects
 *     runs      window × 3      the run lengths of these objects, 4 bytes each
 *
 * Nothing is allocated later, and nothing checks addresses. Four characters of base64 are three
 * groups, and a run has at least one group, so the longest record that fits into the window has
 * enough memory. Reading stops where the next record may not fit, and continues once JavaScript has
 * copied the results.
 */

// The fields of a record, as in recordScanner.ts. The first ones are integers.
const BOX: u32 = 0;
const HEIGHT: u32 = 4;
const WIDTH: u32 = 5;
const ID: u32 = 6;
const SCORE: u32 = 7;
const COUNTS: u32 = 8;
const CLASS_NAME: u32 = 9;

// Bytes of JSON.
const SPACE: u32 = 32;
const QUOTE: u32 = 34;
const COMMA: u32 = 44;
const MINUS: u32 = 45;
const DOT: u32 = 46;
const ZERO: u32 = 48;
const COLON: u32 = 58;
const EQUALS: u32 = 61;
const BACKSLASH: u32 = 92;
const EMPTY_OBJECT: u32 = 0x7d7b;
const EMPTY_ARRAY: u32 = 0x5d5b;

const MAX_TEMPLATE_VALUES: u32 = 65;
const MAX_CLASSES: u32 = 64;
const ENTRY_BYTES: u32 = 12;
const TEXT_BYTES: u32 = 16384;
const MAX_OBJECTS: u32 = 4096;
const MARGIN: u32 = 64;

const MAX_DIGITS: u32 = 15;
/** Maximum digits of a score: as an integer they are below 2^63. */
const MAX_SCORE_DIGITS: u32 = 18;
/** The maximum n for which 10^n is exactly a double. */
const MAX_EXACT_SCALE: u32 = 22;
const MAX_MASK_PIXELS: i64 = 4294967295;
/** 2^27 + 1 splits a double into halves. */
const SPLITTER: f64 = 134217729;
/** 2^−99: the maximum relative error of a number that is stored as the sum of two doubles. */
const DOUBT: f64 = 1.5777218104420236e-30;

export let template: u32 = 0;
export let classes: u32 = 0;
export let texts: u32 = 0;
export let window: u32 = 0;
export let ids: u32 = 0;
export let scores: u32 = 0;
export let areas: u32 = 0;
export let boxes: u32 = 0;
export let runEnds: u32 = 0;
export let classIndexes: u32 = 0;
export let runs: u32 = 0;

let groups: u32 = 0;
let powers: u32 = 0;
let runsLimit: u32 = 0;

let valueCount: u32 = 0;
let classCount: u32 = 0;
let frameWidth: i64 = 0;
let frameHeight: i64 = 0;

/**
 * Results of `readObjects`: the number of objects and runs, the key of the last object, and the
 * number of IDs that differ from their keys, and of objects without a class.
 */
export let count: u32 = 0;
export let runCount: u32 = 0;
export let lastKey: f64 = 0;
export let otherIds: u32 = 0;
export let withoutClass: u32 = 0;

let nextFree: u32 = 0;
function reserve(size: u32): u32 {
  const address = nextFree;
  nextFree += (size + 63) & ~63;
  return address;
}

/** Lays out the memory for a window of this number of bytes. */
export function arrange(windowBytes: u32): void {
  const maxGroups = (windowBytes / 4) * 3;
  nextFree = <u32>((__heap_base + 63) & ~63);
  template = reserve((MAX_TEMPLATE_VALUES + 1) * ENTRY_BYTES);
  classes = reserve(MAX_CLASSES * ENTRY_BYTES);
  powers = reserve((MAX_EXACT_SCALE + 1) * 8);
  texts = reserve(TEXT_BYTES + MARGIN);
  window = reserve(windowBytes + MARGIN);
  groups = reserve(maxGroups + MARGIN);
  ids = reserve(MAX_OBJECTS * 8);
  scores = reserve(MAX_OBJECTS * 8);
  areas = reserve(MAX_OBJECTS * 8);
  boxes = reserve(MAX_OBJECTS * 16);
  runEnds = reserve(MAX_OBJECTS * 4);
  classIndexes = reserve(MAX_OBJECTS * 2);
  // Trimming may add one run.
  runs = reserve((maxGroups + 1) * 4);
  runsLimit = runs + maxGroups * 4;
  reserve(MARGIN);
  const pages = <i32>((nextFree + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  let power: f64 = 1;
  for (let scale: u32 = 0; scale <= MAX_EXACT_SCALE; scale++, power *= 10)
    store<f64>(powers + scale * 8, power);
}

/** Sets the number of the template's values and of known classes, and the size of the image. */
export function begin(values: u32, names: u32, width: f64, height: f64): void {
  valueCount = values;
  classCount = names;
  frameWidth = <i64>width;
  frameHeight = <i64>height;
}

/** Whether this number of bytes is equal. Reads up to 16 bytes more. */
@inline
function areEqual(text: u32, other: u32, length: u32): bool {
  let remaining: i32 = length;
  while (remaining > 16) {
    if (v128.any_true(v128.xor(v128.load(text), v128.load(other)))) return false;
    text += 16;
    other += 16;
    remaining -= 16;
  }
  const differing = <u32>i8x16.bitmask(i8x16.ne(v128.load(text), v128.load(other)));
  return (differing & ((1 << remaining) - 1)) == 0;
}

@inline
function skipSpace(address: u32): u32 {
  let byte = load<u8>(address);
  while (byte <= SPACE && (byte == SPACE || byte == 10 || byte == 13 || byte == 9))
    byte = load<u8>(++address);
  return address;
}

let integer: i64 = 0;

/**
 * The end of an integer of up to 15 digits that begins at `start`; 0 without one. Sets `integer`.
 */
@inline
function integerEnd(start: u32): u32 {
  let address = start;
  let value: i64 = 0;
  for (;;) {
    const digit = <u32>load<u8>(address) - ZERO;
    if (digit > 9) break;
    value = value * 10 + digit;
    address++;
  }
  const digits = address - start;
  integer = value;
  return digits == 0 || digits > MAX_DIGITS || (digits > 1 && load<u8>(start) == ZERO) ? 0 : address;
}

let number: f64 = 0;

/**
 * The end of a number of up to 18 digits, which may have decimals; 0 without one. Sets `number` to
 * the nearest double.
 */
function numberEnd(start: u32): u32 {
  const isNegative = load<u8>(start) == MINUS;
  const first = isNegative ? start + 1 : start;
  let address = first;
  let digits: i64 = 0;
  for (;;) {
    const digit = <u32>load<u8>(address) - ZERO;
    if (digit > 9) break;
    digits = digits * 10 + digit;
    address++;
  }
  let length = address - first;
  if (length == 0 || (length > 1 && load<u8>(first) == ZERO)) return 0;
  // A zero before the decimals isn't a significant digit.
  if (load<u8>(first) == ZERO) length = 0;
  let scale: u32 = 0;
  if (load<u8>(address) == DOT) {
    const decimalsStart = ++address;
    for (;;) {
      const digit = <u32>load<u8>(address) - ZERO;
      if (digit > 9) break;
      digits = digits * 10 + digit;
      if (length > 0 || digit > 0) length++;
      address++;
    }
    scale = address - decimalsStart;
    if (scale == 0) return 0;
  }
  if (length > MAX_SCORE_DIGITS || scale > MAX_EXACT_SCALE) return 0;
  const power = load<f64>(powers + scale * 8);
  const high = <f64>digits;
  const low = <f64>(digits - <i64>high);
  let size = high / power;
  if (low != 0) {
    // Adds to the quotient what it lacks: the remainder of the division, which is computed exactly
    // from halves of the factors, and the digits that the double lacks.
    const product = size * power;
    let scaled = SPLITTER * size;
    const sizeHigh = scaled - (scaled - size);
    const sizeLow = size - sizeHigh;
    scaled = SPLITTER * power;
    const powerHigh = scaled - (scaled - power);
    const powerLow = power - powerHigh;
    const error =
      sizeLow * powerLow - (product - sizeHigh * powerHigh - sizeLow * powerHigh - sizeHigh * powerLow);
    const remainder = (high - product - error + low) / power;
    const doubt = size * DOUBT;
    const sum = size + (remainder - doubt);
    if (sum != size + (remainder + doubt)) return 0;
    size = sum;
  }
  number = isNegative ? -size : size;
  return address;
}

/** The address of the quote that ends a text; 0 if an escape or control character comes first. */
@inline
function textEnd(start: u32): u32 {
  let address = start - 16;
  let found: u32;
  do {
    address += 16;
    const text = v128.load(address);
    const endBytes = v128.or(
      i8x16.lt_u(text, i8x16.splat(<i8>SPACE)),
      v128.or(
        i8x16.eq(text, i8x16.splat(<i8>QUOTE)),
        i8x16.eq(text, i8x16.splat(<i8>BACKSLASH)),
      ),
    );
    found = <u32>i8x16.bitmask(endBytes);
  } while (found == 0);
  address += ctz(found);
  return load<u8>(address) == QUOTE ? address : 0;
}

/** The end of a value that isn't read; 0 if only JavaScript can find it. */
function otherEnd(start: u32): u32 {
  const twoBytes = <u32>load<u16>(start);
  if (twoBytes == EMPTY_OBJECT || twoBytes == EMPTY_ARRAY) return start + 2;
  if ((twoBytes & 0xff) != QUOTE) return numberEnd(start);
  const end = textEnd(start + 1);
  return end == 0 ? 0 : end + 1;
}

let groupCount: u32 = 0;

/**
 * Decodes base64 from `start` into `groups`: the characters of COCO's runs, minus 48. Returns the
 * address of the quote that ends the base64; 0 for anything else.
 */
function base64End(start: u32): u32 {
  let address = start;
  let target = groups;
  for (;;) {
    // The alphabet has three ranges and two characters; the first byte in none of them ends the
    // text.
    const text = v128.load(address);
    const upper = i8x16.sub(text, i8x16.splat(65));
    const isUpper = i8x16.lt_u(upper, i8x16.splat(26));
    const lower = i8x16.sub(text, i8x16.splat(97));
    const isLower = i8x16.lt_u(lower, i8x16.splat(26));
    const digit = i8x16.sub(text, i8x16.splat(48));
    const isDigit = i8x16.lt_u(digit, i8x16.splat(10));
    const isPlus = i8x16.eq(text, i8x16.splat(43));
    const isSlash = i8x16.eq(text, i8x16.splat(47));
    const letters = v128.or(
      v128.and(isUpper, upper),
      v128.and(isLower, i8x16.add(lower, i8x16.splat(26))),
    );
    const others = v128.or(
      v128.and(isDigit, i8x16.add(digit, i8x16.splat(52))),
      v128.or(v128.and(isPlus, i8x16.splat(62)), v128.and(isSlash, i8x16.splat(63))),
    );
    const sixBits = v128.or(letters, others);
    const isBase64 = v128.or(v128.or(isUpper, isLower), v128.or(isDigit, v128.or(isPlus, isSlash)));
    // Joins two numbers of six bits in a lane of 16 bits, then two of 12 bits in a lane of 32 bits,
    // then moves the three bytes of each lane together.
    const twelveBits = v128.or(
      i16x8.shl(v128.and(sixBits, i16x8.splat(0xff)), 6),
      i16x8.shr_u(sixBits, 8),
    );
    const bytes = v128.or(
      i32x4.shl(v128.and(twelveBits, i32x4.splat(0xffff)), 12),
      i32x4.shr_u(twelveBits, 16),
    );
    const found = i8x16.sub(
      i8x16.swizzle(bytes, i8x16(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1)),
      i8x16.splat(<i8>ZERO),
    );
    v128.store(target, found);
    const invalidBits = <u32>i8x16.bitmask(i8x16.gt_u(found, i8x16.splat(63)));
    const endBits = <u32>i8x16.bitmask(isBase64) ^ 0xffff;
    if (endBits == 0) {
      if ((invalidBits & 0xfff) != 0) return 0;
      address += 16;
      target += 12;
      continue;
    }
    const length: u32 = ctz(endBits);
    const decoded = (length * 6) >> 3;
    if ((invalidBits & ((1 << decoded) - 1)) != 0) return 0;
    address += length;
    target += decoded;
    let padding = (start - address) & 3;
    if (padding == 3) return 0;
    for (; padding > 0; padding--, address++) if (load<u8>(address) != EQUALS) return 0;
    groupCount = target - groups;
    return load<u8>(address) == QUOTE ? address : 0;
  }
}

/**
 * Writes the runs of the groups from `start` on. Returns their end; 0 unless they exactly fill a
 * mask of this number of pixels.
 */
function runsEnd(pixels: u64, start: u32): u32 {
  const end = groups + groupCount;
  let address = groups;
  let target = start;
  let sum: u64 = 0;
  // The last run but one, from which the fourth and later runs are stored as differences; 0 before.
  let reference: i64 = 0;
  let last: i64 = 0;
  while (address < end) {
    let group: u32 = load<u8>(address++);
    let bits = group & 31;
    let shift: u32 = 27;
    while (group >= 32) {
      // A seventh group would begin at bit 30, which only JavaScript computes.
      if (address == end || shift == 2) return 0;
      group = load<u8>(address++);
      bits |= (group & 31) << (32 - shift);
      shift -= 5;
    }
    // The sign is the highest bit of the last group.
    const run = reference + <i64>(<i32>(bits << shift) >> shift);
    if (run < 0) return 0;
    if (target > start + 4) reference = last;
    last = run;
    sum += run;
    store<u32>(target, <u32>run);
    target += 4;
  }
  return sum == pixels ? target : 0;
}

/** Like areaOfTrimmed in objectMask.ts: the area of runs that need no trimming; −1 for others. */
function areaOfTrimmed(start: u32, end: u32, height: u32): i64 {
  const pairsEnd = end - ((end - start) & 4);
  if (load<u32>(start) >= height) return -1;
  if (pairsEnd < end && (load<u32>(pairsEnd) == 0 || load<u32>(pairsEnd) >= height)) return -1;
  let area: u64 = 0;
  let row: u64 = 0;
  let meetsTop = false;
  let meetsBottom = false;
  let address = start;
  for (; address < pairsEnd && !(meetsTop && meetsBottom); address += 8) {
    const zeros = load<u32>(address);
    const ones = load<u32>(address, 4);
    if (ones == 0 || (zeros == 0 && address > start)) return -1;
    area += ones;
    row += zeros;
    if (row >= height) row = row < 2 * <u64>height ? row - height : row % height;
    if (row == 0) meetsTop = true;
    row += ones;
    if (row >= height) {
      meetsBottom = true;
      if (row > height) meetsTop = true;
      row %= height;
    }
  }
  if (!meetsTop || !meetsBottom) return -1;
  for (; address < pairsEnd; address += 8) {
    const ones = load<u32>(address, 4);
    if (ones == 0 || load<u32>(address) == 0) return -1;
    area += ones;
  }
  return area;
}

// Results of trimRuns: the box around the ones, x2 and y2 exclusive, and the number of ones.
let trimmedX1: u32 = 0;
let trimmedY1: u32 = 0;
let trimmedX2: u32 = 0;
let trimmedY2: u32 = 0;
let trimmedArea: u64 = 0;

/**
 * Like trimRuns in objectMask.ts: trims runs in place to the box around their ones, and returns
 * their new end.
 */
function trimRuns(start: u32, end: u32, rows: u32): u32 {
  const height: u64 = rows;
  let hasOnes = false;
  let x1: u64 = 0;
  let x2: u64 = 0;
  let y1: u64 = height;
  let y2: u64 = 0;
  let area: u64 = 0;
  let column: u64 = 0;
  let row: u64 = 0;
  let onesEnd = start;
  let isWhole = true;
  for (let address = start; address < end; address += 8) {
    const zeros = load<u32>(address);
    if (zeros == 0 && address > start) isWhole = false;
    row += zeros;
    if (row >= height) {
      const columns = row < 2 * height ? 1 : row / height;
      column += columns;
      row -= columns * height;
    }
    if (address + 4 == end) break;
    const ones = load<u32>(address, 4);
    if (ones == 0) {
      isWhole = false;
      continue;
    }
    area += ones;
    onesEnd = address + 8;
    if (!hasOnes) x1 = column;
    hasOnes = true;
    if (row < y1) y1 = row;
    row += ones;
    if (row <= height) {
      if (row > y2) y2 = row;
      x2 = column + 1;
      if (row < height) continue;
    } else {
      // The run continues in the next column, so it touches the bottom and the top.
      y1 = 0;
      y2 = height;
      x2 = column + (row + height - 1) / height;
    }
    const columns = row / height;
    column += columns;
    row -= columns * height;
  }
  if (!hasOnes) y1 = 0;
  trimmedX1 = <u32>x1;
  trimmedY1 = <u32>y1;
  trimmedX2 = <u32>x2;
  trimmedY2 = <u32>y2;
  trimmedArea = area;
  if (onesEnd == start) return start;
  if (!isWhole || x1 > 0 || y2 - y1 < height) return moveRuns(start, onesEnd, height);
  // The runs already fit the box, except for columns removed on the right.
  const addedZeros = <u32>((x2 - column) * height - row);
  if (onesEnd == end) {
    if (addedZeros > 0) store<u32>(end, addedZeros);
    return addedZeros > 0 ? end + 4 : end;
  }
  const zeros = load<u32>(onesEnd) + addedZeros;
  store<u32>(onesEnd, zeros);
  return zeros > 0 ? onesEnd + 4 : onesEnd;
}

/**
 * Like moveRuns in objectMask.ts: rewrites runs of a frame, which end with ones, as runs of the
 * trimmed box.
 */
function moveRuns(start: u32, end: u32, height: u64): u32 {
  const x1: u64 = trimmedX1;
  const y1: u64 = trimmedY1;
  const boxHeight: u64 = trimmedY2 - trimmedY1;
  let written = start;
  let column: u64 = 0;
  let row: u64 = 0;
  let position: u64 = 0;
  for (let address = start; address < end; address += 4) {
    const run = load<u32>(address);
    if (((address - start) & 4) != 0 && run > 0) {
      const onesStart = (column - x1) * boxHeight + (row - y1);
      if (onesStart == position && written > start) store<u32>(written - 4, load<u32>(written - 4) + run);
      else {
        store<u32>(written, <u32>(onesStart - position));
        store<u32>(written, run, 4);
        written += 8;
      }
      position = onesStart + run;
    }
    row += run;
    if (row >= height) {
      const columns = row < 2 * height ? 1 : row / height;
      column += columns;
      row -= columns * height;
    }
  }
  const lastZeros = <u64>(trimmedX2 - trimmedX1) * boxHeight - position;
  if (lastZeros > 0) {
    store<u32>(written, <u32>lastZeros);
    written += 4;
  }
  return written;
}

/** The entry of the known class whose name and closing quote are at an address; 0 without one. */
@inline
function classAt(start: u32): u32 {
  const end = classes + classCount * ENTRY_BYTES;
  for (let entry = classes; entry < end; entry += ENTRY_BYTES) {
    const length = load<u32>(entry, 4);
    if (load<u8>(start + length) == QUOTE && areEqual(start, load<u32>(entry), length)) return entry;
  }
  return 0;
}

/**
 * Reads objects from address `from` to `end`, each with the comma before it, except the first
 * object of an image (`isFirst`). `key`: the key of the previous object, or −1. `priorRuns`: the
 * number of runs of all previous objects. Returns the address of the first object that wasn't read.
 */
export function readObjects(from: u32, end: u32, key: f64, isFirst: u32, priorRuns: u32): u32 {
  const templateEnd = template + valueCount * ENTRY_BYTES;
  let object: u32 = 0;
  let start = from;
  let priorKey = <i64>key;
  let runsStart = runs;
  otherIds = 0;
  withoutClass = 0;
  while (object < MAX_OBJECTS) {
    let address = skipSpace(start);
    if (isFirst == 0) {
      if (load<u8>(address) != COMMA) break;
      address = skipSpace(address + 1);
    }
    if (load<u8>(address) != QUOTE) break;
    address = integerEnd(address + 1);
    if (address == 0 || integer <= priorKey || load<u8>(address) != QUOTE) break;
    const objectKey = integer;
    address = skipSpace(address + 1);
    if (load<u8>(address) != COLON) break;
    address = skipSpace(address + 1);
    let x1: i64 = 0;
    let y1: i64 = 0;
    let x2: i64 = -1;
    let y2: i64 = -1;
    let height: i64 = 0;
    let width: i64 = 0;
    let id: i64 = 0;
    let score: f64 = NaN;
    let className: u32 = 0;
    for (let value = template; ; value += ENTRY_BYTES) {
      const gap = load<u32>(value, 8);
      if (address + gap > end || !areEqual(address, load<u32>(value, 4), gap)) {
        address = 0;
        break;
      }
      address += gap;
      if (value == templateEnd) break;
      const field = load<u32>(value);
      if (field <= ID) {
        address = integerEnd(address);
        if (field == BOX) x1 = integer;
        else if (field == BOX + 1) y1 = integer;
        else if (field == BOX + 2) x2 = integer;
        else if (field == BOX + 3) y2 = integer;
        else if (field == HEIGHT) height = integer;
        else if (field == WIDTH) width = integer;
        else id = integer;
      } else if (field == COUNTS) address = base64End(address);
      else if (field == CLASS_NAME) {
        className = classAt(address);
        address = className == 0 ? 0 : address + load<u32>(className, 4);
      } else if (field == SCORE) {
        address = numberEnd(address);
        score = number;
      } else address = otherEnd(address);
      if (address == 0) break;
    }
    if (address == 0 || groupCount == 0 || runsStart + groupCount * 4 > runsLimit) break;
    // The product of two integers of 15 digits could exceed 64 bits.
    if (height <= 0 || width <= 0 || height > MAX_MASK_PIXELS || width > MAX_MASK_PIXELS) break;
    const pixels = <u64>height * <u64>width;
    if (pixels > <u64>MAX_MASK_PIXELS) break;
    let left: i64 = 0;
    let top: i64 = 0;
    if (height != frameHeight || width != frameWidth) {
      left = x1;
      top = y1;
      if (x2 != left + width || y2 != top + height || x2 > frameWidth || y2 > frameHeight) break;
    }
    let runsEndAddress = runsEnd(pixels, runsStart);
    if (runsEndAddress == 0) break;
    let right = left + width;
    let bottom = top + height;
    let area = areaOfTrimmed(runsStart, runsEndAddress, <u32>height);
    if (area < 0) {
      runsEndAddress = trimRuns(runsStart, runsEndAddress, <u32>height);
      area = trimmedArea;
      right = left + trimmedX2;
      bottom = top + trimmedY2;
      left += trimmedX1;
      top += trimmedY1;
    }
    store<f64>(ids + object * 8, <f64>id);
    store<f64>(scores + object * 8, score);
    store<f64>(areas + object * 8, <f64>area);
    const box = boxes + object * 16;
    store<i32>(box, <i32>left);
    store<i32>(box, <i32>top, 4);
    store<i32>(box, <i32>right, 8);
    store<i32>(box, <i32>bottom, 12);
    store<u32>(runEnds + object * 4, priorRuns + ((runsEndAddress - runs) >> 2));
    store<u16>(classIndexes + object * 2, <u16>load<u32>(className, 8));
    if (id != objectKey) otherIds++;
    if (load<u32>(className, 4) == 0) withoutClass++;
    object++;
    runsStart = runsEndAddress;
    priorKey = objectKey;
    isFirst = 0;
    start = address;
  }
  count = object;
  runCount = (runsStart - runs) >> 2;
  lastKey = <f64>priorKey;
  return start;
}
