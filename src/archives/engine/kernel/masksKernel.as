/*
 * Reads the records of objects (docs/service.md, "Masks archive") from their JSON into columns: their numbers, and the run lengths
 * of their masks, trimmed to the box around the object. It is AssemblyScript: TypeScript's syntax for WebAssembly, where numbers
 * have the types of the machine (u32, f64, v128) and all data stands in one memory, at addresses. `node scripts/kernels.mjs`
 * compiles it into masksKernel.wasm beside it, which is committed.
 *
 * What RecordScanner, CompressedRuns and trimRuns make of a record is what this makes of it, bit by bit, in less time, since it
 * looks at 16 bytes at once: v128 is 16 bytes, an operation on it works on all of them, and `bitmask` makes of them an integer
 * with a bit for each byte, in which `ctz` finds the first. It stops before the first object that it doesn't take, whose comma
 * and key it leaves as well; JavaScript reads that one, and whatever is wrong with it, and calls again for the next. It takes:
 * - keys that ascend, written as integers,
 * - records written as the template that an earlier one gave: the same bytes stand between their values,
 * - integers of up to 15 digits, a score of up to 18 without an exponent, a class that was met before,
 * - run lengths as base64 that is padded, of COCO's compressed runs that fill the mask,
 * - other members that are a number, a text without escapes, an empty object or an empty array.
 *
 * The memory, in this order; `arrange` finds the addresses once:
 *
 *     template  66 × 12          of each value: which field it is, where the bytes before it stand, how many; at last those behind
 *     classes   64 × 12          of each known class: where its name stands, its length, its number
 *     texts     16 kB            the bytes that template and classes refer to
 *     window    as asked for     JSON, and 64 bytes that aren't, at which every search ends
 *     groups    window × ¾       of the runs of one object: six bits each, as bytes
 *     ids, scores, areas (8 bytes an object), boxes (16), runEnds (4), classIndexes (2): of up to 4096 objects
 *     runs      window × 3       the run lengths of these objects, 4 bytes each
 *
 * Nothing is allocated later, and nothing checks addresses. Four characters of base64 are three groups, and a run is a group at
 * least, so that the longest record that fits into the window has room; it stops where there is no room for the next one, and
 * goes on once JavaScript has taken what was found.
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
/** Digits of a score: their integer and ten times it are below 2^63. */
const MAX_SCORE_DIGITS: u32 = 18;
/** 10^n is a double exactly up to this n. */
const MAX_EXACT_SCALE: u32 = 22;
const MAX_MASK_PIXELS: i64 = 4294967295;
/** 2^27 + 1 splits a double into halves. */
const SPLITTER: f64 = 134217729;
/** 2^−99: the sum of two doubles is that exact at least. */
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

/** What `readObjects` found: objects, runs, the key of the last object, IDs other than their keys, objects without a class. */
export let count: u32 = 0;
export let runCount: u32 = 0;
export let lastKey: f64 = 0;
export let otherIds: u32 = 0;
export let withoutClass: u32 = 0;

let free: u32 = 0;
function take(size: u32): u32 {
  const at = free;
  free += (size + 63) & ~63;
  return at;
}

/** Lays out the memory for a window of so many bytes. */
export function arrange(windowBytes: u32): void {
  const maxGroups = (windowBytes / 4) * 3;
  free = <u32>((__heap_base + 63) & ~63);
  template = take((MAX_TEMPLATE_VALUES + 1) * ENTRY_BYTES);
  classes = take(MAX_CLASSES * ENTRY_BYTES);
  powers = take((MAX_EXACT_SCALE + 1) * 8);
  texts = take(TEXT_BYTES + MARGIN);
  window = take(windowBytes + MARGIN);
  groups = take(maxGroups + MARGIN);
  ids = take(MAX_OBJECTS * 8);
  scores = take(MAX_OBJECTS * 8);
  areas = take(MAX_OBJECTS * 8);
  boxes = take(MAX_OBJECTS * 16);
  runEnds = take(MAX_OBJECTS * 4);
  classIndexes = take(MAX_OBJECTS * 2);
  // Trimming may add one run.
  runs = take((maxGroups + 1) * 4);
  runsLimit = runs + maxGroups * 4;
  take(MARGIN);
  const pages = <i32>((free + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  let power: f64 = 1;
  for (let scale: u32 = 0; scale <= MAX_EXACT_SCALE; scale++, power *= 10)
    store<f64>(powers + scale * 8, power);
}

/** Sets how many values the template has, how many classes are known, and the size of the image. */
export function begin(values: u32, names: u32, width: f64, height: f64): void {
  valueCount = values;
  classCount = names;
  frameWidth = <i64>width;
  frameHeight = <i64>height;
}

/** Whether so many bytes are equal. Looks at up to 16 more. */
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

@inline
function pastSpace(at: u32): u32 {
  let byte = load<u8>(at);
  while (byte <= SPACE && (byte == SPACE || byte == 10 || byte == 13 || byte == 9)) byte = load<u8>(++at);
  return at;
}

let integer: i64 = 0;

/** Where the integer of up to 15 digits ends that begins at `start`, the integer itself in `integer`; 0 where there is none. */
@inline
function integerEnd(start: u32): u32 {
  let at = start;
  let value: i64 = 0;
  for (;;) {
    const digit = <u32>load<u8>(at) - ZERO;
    if (digit > 9) break;
    value = value * 10 + digit;
    at++;
  }
  const digits = at - start;
  integer = value;
  return digits == 0 || digits > MAX_DIGITS || (digits > 1 && load<u8>(start) == ZERO) ? 0 : at;
}

let number: f64 = 0;

/** As integerEnd, of a number of up to 18 digits, which may have decimals; `number` is the nearest double. */
function numberEnd(start: u32): u32 {
  const isNegative = load<u8>(start) == MINUS;
  const first = isNegative ? start + 1 : start;
  let at = first;
  let digits: i64 = 0;
  for (;;) {
    const digit = <u32>load<u8>(at) - ZERO;
    if (digit > 9) break;
    digits = digits * 10 + digit;
    at++;
  }
  let length = at - first;
  if (length == 0 || (length > 1 && load<u8>(first) == ZERO)) return 0;
  // A zero before the decimals isn't one of the digits that count.
  if (load<u8>(first) == ZERO) length = 0;
  let scale: u32 = 0;
  if (load<u8>(at) == DOT) {
    const from = ++at;
    for (;;) {
      const digit = <u32>load<u8>(at) - ZERO;
      if (digit > 9) break;
      digits = digits * 10 + digit;
      if (length > 0 || digit > 0) length++;
      at++;
    }
    scale = at - from;
    if (scale == 0) return 0;
  }
  if (length > MAX_SCORE_DIGITS || scale > MAX_EXACT_SCALE) return 0;
  const power = load<f64>(powers + scale * 8);
  const high = <f64>digits;
  const low = <f64>(digits - <i64>high);
  let size = high / power;
  if (low != 0) {
    // The quotient, and what is missing from it: the rest of the division, exactly, by halves, and the digits beyond a double.
    const product = size * power;
    let scaled = SPLITTER * size;
    const sizeHigh = scaled - (scaled - size);
    const sizeLow = size - sizeHigh;
    scaled = SPLITTER * power;
    const powerHigh = scaled - (scaled - power);
    const powerLow = power - powerHigh;
    const error =
      sizeLow * powerLow - (product - sizeHigh * powerHigh - sizeLow * powerHigh - sizeHigh * powerLow);
    const rest = (high - product - error + low) / power;
    const doubt = size * DOUBT;
    const sum = size + (rest - doubt);
    if (sum != size + (rest + doubt)) return 0;
    size = sum;
  }
  number = isNegative ? -size : size;
  return at;
}

/** Where the quote stands that ends a text without escapes or control characters; 0 where there is none. */
@inline
function textEnd(start: u32): u32 {
  let at = start - 16;
  let found: u32;
  do {
    at += 16;
    const text = v128.load(at);
    const ends = v128.or(
      i8x16.lt_u(text, i8x16.splat(<i8>SPACE)),
      v128.or(
        i8x16.eq(text, i8x16.splat(<i8>QUOTE)),
        i8x16.eq(text, i8x16.splat(<i8>BACKSLASH)),
      ),
    );
    found = <u32>i8x16.bitmask(ends);
  } while (found == 0);
  at += ctz(found);
  return load<u8>(at) == QUOTE ? at : 0;
}

/** Where a value ends that is of no interest; 0 where only JavaScript can tell. */
function otherEnd(start: u32): u32 {
  const both = <u32>load<u16>(start);
  if (both == EMPTY_OBJECT || both == EMPTY_ARRAY) return start + 2;
  if ((both & 0xff) != QUOTE) return numberEnd(start);
  const end = textEnd(start + 1);
  return end == 0 ? 0 : end + 1;
}

let groupCount: u32 = 0;

/**
 * Decodes base64 from `start` into `groups`: the characters of COCO's runs, less 48. Returns where the quote stands that ends it; 0
 * where it is anything else.
 */
function base64End(start: u32): u32 {
  let at = start;
  let to = groups;
  for (;;) {
    // The alphabet is three ranges and two characters; where a byte is in none of them, it ends the text.
    const text = v128.load(at);
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
    const isIn = v128.or(v128.or(isUpper, isLower), v128.or(isDigit, v128.or(isPlus, isSlash)));
    // Two of six bits are joined in a lane of 16, two of 12 in one of 32, whose three bytes are then moved together.
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
    v128.store(to, found);
    const wrong = <u32>i8x16.bitmask(i8x16.gt_u(found, i8x16.splat(63)));
    const ends = <u32>i8x16.bitmask(isIn) ^ 0xffff;
    if (ends == 0) {
      if ((wrong & 0xfff) != 0) return 0;
      at += 16;
      to += 12;
      continue;
    }
    const length: u32 = ctz(ends);
    const decoded = (length * 6) >> 3;
    if ((wrong & ((1 << decoded) - 1)) != 0) return 0;
    at += length;
    to += decoded;
    let padding = (start - at) & 3;
    if (padding == 3) return 0;
    for (; padding > 0; padding--, at++) if (load<u8>(at) != EQUALS) return 0;
    groupCount = to - groups;
    return load<u8>(at) == QUOTE ? at : 0;
  }
}

/** Makes runs of the groups, from `start` on. Returns their end; 0 unless they fill a mask of so many pixels exactly. */
function runsEnd(pixels: u64, start: u32): u32 {
  const end = groups + groupCount;
  let at = groups;
  let next = start;
  let sum: u64 = 0;
  // The last run but one, to which a run from the fourth on is the difference; 0 before.
  let reference: i64 = 0;
  let last: i64 = 0;
  while (at < end) {
    let group: u32 = load<u8>(at++);
    let bits = group & 31;
    let shift: u32 = 27;
    while (group >= 32) {
      // A seventh group would begin at bit 30: JavaScript has the slow arithmetic for it.
      if (at == end || shift == 2) return 0;
      group = load<u8>(at++);
      bits |= (group & 31) << (32 - shift);
      shift -= 5;
    }
    // The sign is the highest bit of the last group.
    const run = reference + <i64>(<i32>(bits << shift) >> shift);
    if (run < 0) return 0;
    if (next > start + 4) reference = last;
    last = run;
    sum += run;
    store<u32>(next, <u32>run);
    next += 4;
  }
  return sum == pixels ? next : 0;
}

/** As areaOfTrimmed in objectMask.ts: the pixels of runs that need no trimming; −1 for all others. */
function areaOfTrimmed(start: u32, end: u32, height: u32): i64 {
  const pairsEnd = end - ((end - start) & 4);
  if (load<u32>(start) >= height) return -1;
  if (pairsEnd < end && (load<u32>(pairsEnd) == 0 || load<u32>(pairsEnd) >= height)) return -1;
  let area: u64 = 0;
  let row: u64 = 0;
  let meetsTop = false;
  let meetsBottom = false;
  let at = start;
  for (; at < pairsEnd && !(meetsTop && meetsBottom); at += 8) {
    const zeros = load<u32>(at);
    const ones = load<u32>(at, 4);
    if (ones == 0 || (zeros == 0 && at > start)) return -1;
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
  for (; at < pairsEnd; at += 8) {
    const ones = load<u32>(at, 4);
    if (ones == 0 || load<u32>(at) == 0) return -1;
    area += ones;
  }
  return area;
}

// What trimRuns found: the box around the ones, x2 and y2 exclusive, and their number.
let trimmedX1: u32 = 0;
let trimmedY1: u32 = 0;
let trimmedX2: u32 = 0;
let trimmedY2: u32 = 0;
let trimmedArea: u64 = 0;

/** As trimRuns in objectMask.ts: trims runs in place to the box around their ones, and returns their new end. */
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
  for (let at = start; at < end; at += 8) {
    const zeros = load<u32>(at);
    if (zeros == 0 && at > start) isWhole = false;
    row += zeros;
    if (row >= height) {
      const columns = row < 2 * height ? 1 : row / height;
      column += columns;
      row -= columns * height;
    }
    if (at + 4 == end) break;
    const ones = load<u32>(at, 4);
    if (ones == 0) {
      isWhole = false;
      continue;
    }
    area += ones;
    onesEnd = at + 8;
    if (!hasOnes) x1 = column;
    hasOnes = true;
    if (row < y1) y1 = row;
    row += ones;
    if (row <= height) {
      if (row > y2) y2 = row;
      x2 = column + 1;
      if (row < height) continue;
    } else {
      // Continues in the next column: reaches the bottom of one and the top of the other.
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
  // The runs are those of the box already, except for columns removed on the right.
  const rest = <u32>((x2 - column) * height - row);
  if (onesEnd == end) {
    if (rest > 0) store<u32>(end, rest);
    return rest > 0 ? end + 4 : end;
  }
  const zeros = load<u32>(onesEnd) + rest;
  store<u32>(onesEnd, zeros);
  return zeros > 0 ? onesEnd + 4 : onesEnd;
}

/** As moveRuns in objectMask.ts: rewrites runs of a frame, the last of them ones, as runs of the box that was found. */
function moveRuns(start: u32, end: u32, height: u64): u32 {
  const x1: u64 = trimmedX1;
  const y1: u64 = trimmedY1;
  const boxHeight: u64 = trimmedY2 - trimmedY1;
  let written = start;
  let column: u64 = 0;
  let row: u64 = 0;
  let position: u64 = 0;
  for (let at = start; at < end; at += 4) {
    const run = load<u32>(at);
    if (((at - start) & 4) != 0 && run > 0) {
      const from = (column - x1) * boxHeight + (row - y1);
      if (from == position && written > start) store<u32>(written - 4, load<u32>(written - 4) + run);
      else {
        store<u32>(written, <u32>(from - position));
        store<u32>(written, run, 4);
        written += 8;
      }
      position = from + run;
    }
    row += run;
    if (row >= height) {
      const columns = row < 2 * height ? 1 : row / height;
      column += columns;
      row -= columns * height;
    }
  }
  const rest = <u64>(trimmedX2 - trimmedX1) * boxHeight - position;
  if (rest > 0) {
    store<u32>(written, <u32>rest);
    written += 4;
  }
  return written;
}

/** The entry of the known class whose name, with the quote behind it, stands at an address; 0 where none does. */
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
 * Reads the objects from address `from` on, each with the comma before it, unless the first is the first of its image; `key` is
 * that of the object before, or −1, and `priorRuns` are the runs of all before. The JSON ends at `end`. Returns where the first
 * object begins that wasn't read.
 */
export function readObjects(from: u32, end: u32, key: f64, isFirst: u32, priorRuns: u32): u32 {
  const templateEnd = template + valueCount * ENTRY_BYTES;
  let object: u32 = 0;
  let start = from;
  let priorKey = <i64>key;
  let runsAt = runs;
  otherIds = 0;
  withoutClass = 0;
  while (object < MAX_OBJECTS) {
    let at = pastSpace(start);
    if (isFirst == 0) {
      if (load<u8>(at) != COMMA) break;
      at = pastSpace(at + 1);
    }
    if (load<u8>(at) != QUOTE) break;
    at = integerEnd(at + 1);
    if (at == 0 || integer <= priorKey || load<u8>(at) != QUOTE) break;
    const ownKey = integer;
    at = pastSpace(at + 1);
    if (load<u8>(at) != COLON) break;
    at = pastSpace(at + 1);
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
      if (at + gap > end || !areEqual(at, load<u32>(value, 4), gap)) {
        at = 0;
        break;
      }
      at += gap;
      if (value == templateEnd) break;
      const field = load<u32>(value);
      if (field <= ID) {
        at = integerEnd(at);
        if (field == BOX) x1 = integer;
        else if (field == BOX + 1) y1 = integer;
        else if (field == BOX + 2) x2 = integer;
        else if (field == BOX + 3) y2 = integer;
        else if (field == HEIGHT) height = integer;
        else if (field == WIDTH) width = integer;
        else id = integer;
      } else if (field == COUNTS) at = base64End(at);
      else if (field == CLASS_NAME) {
        className = classAt(at);
        at = className == 0 ? 0 : at + load<u32>(className, 4);
      } else if (field == SCORE) {
        at = numberEnd(at);
        score = number;
      } else at = otherEnd(at);
      if (at == 0) break;
    }
    if (at == 0 || groupCount == 0 || runsAt + groupCount * 4 > runsLimit) break;
    // Of 15 digits each, their product could be beyond 64 bits.
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
    let runsStop = runsEnd(pixels, runsAt);
    if (runsStop == 0) break;
    let right = left + width;
    let bottom = top + height;
    let area = areaOfTrimmed(runsAt, runsStop, <u32>height);
    if (area < 0) {
      runsStop = trimRuns(runsAt, runsStop, <u32>height);
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
    store<u32>(runEnds + object * 4, priorRuns + ((runsStop - runs) >> 2));
    store<u16>(classIndexes + object * 2, <u16>load<u32>(className, 8));
    if (id != ownKey) otherIds++;
    if (load<u32>(className, 4) == 0) withoutClass++;
    object++;
    runsAt = runsStop;
    priorKey = ownKey;
    isFirst = 0;
    start = at;
  }
  count = object;
  runCount = (runsAt - runs) >> 2;
  lastKey = <f64>priorKey;
  return start;
}
