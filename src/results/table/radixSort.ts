import { Pacer } from '../slices';

/** A key of 32 bits is sorted by three digits, least first. */
const SHIFTS = [0, 11, 22];
const BUCKETS = 1 << 11;
const MASK = BUCKETS - 1;
/** Items between two pauses. */
const SLICE = 1 << 18;
/** Equal keys are put in order by insertion up to so many. */
const INSERTED = 24;

/**
 * The order that sorts numbers stably: positions in `values`, NaN last whichever the direction, −0 as 0. Can be cancelled
 * between passes. Throws `cancelled`.
 */
export async function numberOrder(
  values: Float64Array,
  descending: boolean,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const order = new Uint32Array(values.length);
  let numbers = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value === value) order[numbers++] = at;
  }
  if (numbers < values.length) {
    let missing = numbers;
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number;
      if (value !== value) order[missing++] = at;
    }
  }
  await sortPositions(values, order.subarray(0, numbers), descending, new Pacer(signal));
  return order;
}

/** Sorts positions of numbers in place. */
async function sortPositions(
  values: Float64Array,
  positions: Uint32Array,
  descending: boolean,
  pacer: Pacer,
): Promise<void> {
  if (positions.length <= INSERTED) {
    insertionSort(values, positions, descending);
    return;
  }
  await pacer.pause();
  const range = rangeOf(values, positions, descending);
  // All are equal.
  if (range.high === 0 && range.low === 0) return;
  const counts = new Uint32Array(SHIFTS.length * BUCKETS);
  // Each item is two words, its key and its position: they are read and written together.
  let from = new Uint32Array(2 * positions.length);
  let isExact = true;
  for (let start = 0; start < positions.length; start += SLICE) {
    await pacer.pause();
    const part = positions.subarray(start, start + SLICE);
    isExact = writeKeys(values, part, range, from.subarray(2 * start), counts) && isExact;
  }
  let to: Uint32Array<ArrayBuffer> | undefined;
  for (const [digit, shift] of SHIFTS.entries()) {
    const starts = counts.subarray(digit * BUCKETS, (digit + 1) * BUCKETS);
    // All in one bucket: nothing to do.
    if (starts.includes(positions.length)) continue;
    let sum = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = starts[bucket] as number;
      starts[bucket] = sum;
      sum += count;
    }
    to ??= new Uint32Array(from.length);
    for (let start = 0; start < from.length; start += 2 * SLICE) {
      await pacer.pause();
      spread(from, to, starts, shift, start, Math.min(from.length, start + 2 * SLICE));
    }
    [from, to] = [to, from];
  }
  for (let at = 0; at < positions.length; at++) positions[at] = from[2 * at + 1] as number;
  if (!isExact) await sortEqualKeys(values, positions, from, descending, pacer);
}

/** Keys hold 32 bits of the numbers only: items of one key are sorted by themselves, in a range much smaller. */
async function sortEqualKeys(
  values: Float64Array,
  positions: Uint32Array,
  keyed: Uint32Array,
  descending: boolean,
  pacer: Pacer,
): Promise<void> {
  for (let start = 0, end = 1; start < positions.length; start = end++) {
    const key = keyed[2 * start];
    while (end < positions.length && keyed[2 * end] === key) end++;
    if (end - start > INSERTED)
      await sortPositions(values, positions.subarray(start, end), descending, pacer);
    else if (end - start > 1) insertionSort(values, positions.subarray(start, end), descending);
  }
}

function insertionSort(values: Float64Array, positions: Uint32Array, descending: boolean): void {
  for (let at = 1; at < positions.length; at++) {
    const position = positions[at] as number;
    const value = values[position] as number;
    let place = at;
    for (; place > 0; place--) {
      const before = positions[place - 1] as number;
      const other = values[before] as number;
      if (descending ? other >= value : other <= value) break;
      positions[place] = before;
    }
    positions[place] = position;
  }
}

/**
 * Where numbers are on the line of all doubles, as unsigned 64-bit integers in their order: `baseHigh`, `baseLow` is the
 * one that comes first, `high`, `low` how far from it the last one is.
 */
interface BitRange {
  baseHigh: number;
  baseLow: number;
  high: number;
  low: number;
  descending: boolean;
}

function rangeOf(values: Float64Array, positions: Uint32Array, descending: boolean): BitRange {
  let min = Infinity;
  let max = -Infinity;
  for (let at = 0; at < positions.length; at++) {
    const value = values[positions[at] as number] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const ends = new Float64Array([min + 0, max + 0]);
  const [minLow = 0, minHigh = 0, maxLow = 0, maxHigh = 0] = new Uint32Array(ends.buffer);
  const [lowest, highest] = [ordered(minHigh, minLow), ordered(maxHigh, maxLow)];
  const low = (highest.low - lowest.low) >>> 0;
  const high = (highest.high - lowest.high - (highest.low < lowest.low ? 1 : 0)) >>> 0;
  const base = descending ? highest : lowest;
  return { baseHigh: base.high, baseLow: base.low, high, low, descending };
}

/** The bits of a double such that unsigned integers have the order of the numbers. */
function ordered(high: number, low: number): { high: number; low: number } {
  const isNegative = high >>> 31 !== 0;
  return isNegative
    ? { high: ~high >>> 0, low: ~low >>> 0 }
    : { high: (high | 0x8000_0000) >>> 0, low: low >>> 0 };
}

/**
 * Writes [key, position] of each number and counts the keys' digits. The key is the highest 32 bits, of as many as the
 * range needs, of the distance from the range's beginning. Returns whether keys say all there is.
 */
function writeKeys(
  values: Float64Array,
  positions: Uint32Array,
  { baseHigh, baseLow, high, descending }: BitRange,
  target: Uint32Array,
  counts: Uint32Array,
): boolean {
  const shift = Math.clz32(high);
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  let rest = 0;
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at] as number;
    let low = words[2 * position] as number;
    let up = words[2 * position + 1] as number;
    if (up >>> 31 === 0) up |= 0x8000_0000;
    else if (up === 0x8000_0000 && low === 0) up = 0x8000_0000;
    else {
      up = ~up;
      low = ~low >>> 0;
    }
    const fromLow = descending ? baseLow : low;
    const toLow = descending ? low : baseLow;
    const difference = descending ? baseHigh - up : up - baseHigh;
    up = (difference - (fromLow < toLow ? 1 : 0)) | 0;
    low = (fromLow - toLow) | 0;
    let key = up;
    if (shift === 32) key = low;
    else if (shift === 0) rest |= low;
    else {
      key = (up << shift) | (low >>> (32 - shift));
      rest |= low << shift;
    }
    target[2 * at] = key;
    target[2 * at + 1] = position;
    counts[key & MASK]!++;
    counts[BUCKETS + ((key >>> 11) & MASK)]!++;
    counts[2 * BUCKETS + (key >>> 22)]!++;
  }
  return rest === 0;
}

function spread(
  from: Uint32Array,
  to: Uint32Array,
  starts: Uint32Array,
  shift: number,
  start: number,
  end: number,
): void {
  for (let at = start; at < end; at += 2) {
    const key = from[at] as number;
    const bucket = (key >>> shift) & MASK;
    const place = starts[bucket] as number;
    starts[bucket] = place + 1;
    to[2 * place] = key;
    to[2 * place + 1] = from[at + 1] as number;
  }
}
