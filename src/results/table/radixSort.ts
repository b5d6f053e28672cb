import { Pacer } from '../slices';

const BITS = 11;
const BUCKETS = 1 << BITS;
const MASK = BUCKETS - 1;
/** Six digits of 11 bits make 64 and two more. */
const DIGITS = 6;

/** Items as unsigned 64-bit keys in two words, in the order they are to be sorted stably. */
interface Keyed {
  high: Uint32Array;
  low: Uint32Array;
  items: Uint32Array;
}

/**
 * Sorts rows stably by their numbers: NaN last whichever the direction, −0 as 0. `values[i]` belongs to `rows[i]`. Returns a
 * new order; neither input changes. Least digit first, in passes that can be cancelled between.
 */
export async function sortByNumber(
  rows: Uint32Array,
  values: Float64Array,
  descending: boolean,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const count = rows.length;
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  const cell = new Float64Array(1);
  const words = new Uint32Array(cell.buffer);
  const counts = new Uint32Array(DIGITS * BUCKETS);
  const pacer = new Pacer(signal);
  for (let at = 0; at < count; at++) {
    if ((at & 0x1_ffff) === 0x1_ffff) await pacer.pause();
    const value = values[at] as number;
    let up = 0xffff_ffff;
    let down = 0xffff_ffff;
    if (value === value) {
      cell[0] = value + 0;
      up = words[1] as number;
      down = words[0] as number;
      // Negative numbers are ordered the other way round, and before the others.
      if (up >>> 31 !== 0) {
        up = ~up >>> 0;
        down = ~down >>> 0;
      } else up = (up | 0x8000_0000) >>> 0;
      if (descending) {
        up = ~up >>> 0;
        down = ~down >>> 0;
      }
    }
    high[at] = up;
    low[at] = down;
    countDigits(counts, up, down);
  }
  return (await sortKeyed({ high, low, items: rows.slice() }, counts, signal)).items;
}

function countDigits(counts: Uint32Array, high: number, low: number): void {
  counts[low & MASK]!++;
  counts[BUCKETS + ((low >>> 11) & MASK)]!++;
  counts[2 * BUCKETS + ((low >>> 22) | ((high & 1) << 10))]!++;
  counts[3 * BUCKETS + ((high >>> 1) & MASK)]!++;
  counts[4 * BUCKETS + ((high >>> 12) & MASK)]!++;
  counts[5 * BUCKETS + (high >>> 23)]!++;
}

async function sortKeyed(keyed: Keyed, counts: Uint32Array, signal?: AbortSignal): Promise<Keyed> {
  const count = keyed.items.length;
  const pacer = new Pacer(signal);
  let from = keyed;
  let to: Keyed | undefined;
  const starts = new Uint32Array(BUCKETS);
  for (let digit = 0; digit < DIGITS; digit++) {
    const digitCounts = counts.subarray(digit * BUCKETS, (digit + 1) * BUCKETS);
    // All in one bucket: nothing to do.
    if (digitCounts.includes(count)) continue;
    let sum = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      starts[bucket] = sum;
      sum += digitCounts[bucket] as number;
    }
    to ??= { high: new Uint32Array(count), low: new Uint32Array(count), items: new Uint32Array(count) };
    for (let start = 0; start < count; start += 1 << 18) {
      await pacer.pause();
      spread(from, to, starts, digit, start, Math.min(count, start + (1 << 18)));
    }
    [from, to] = [to, from];
  }
  return from;
}

function spread(
  from: Keyed,
  to: Keyed,
  starts: Uint32Array,
  digit: number,
  start: number,
  end: number,
): void {
  const { high, low, items } = from;
  const { high: toHigh, low: toLow, items: toItems } = to;
  const fromLow = digit < 2;
  const shift = digit < 2 ? digit * BITS : digit === 2 ? 22 : digit * BITS - 32;
  for (let at = start; at < end; at++) {
    const up = high[at] as number;
    const down = low[at] as number;
    const bucket = fromLow
      ? (down >>> shift) & MASK
      : digit === 2
        ? (down >>> 22) | ((up & 1) << 10)
        : (up >>> shift) & MASK;
    const place = starts[bucket] as number;
    starts[bucket] = place + 1;
    toHigh[place] = up;
    toLow[place] = down;
    toItems[place] = items[at] as number;
  }
}

/** Numbers in ascending order, NaN left out; the input does not change. */
export async function sortedNumbers(values: Float64Array, signal?: AbortSignal): Promise<Float64Array> {
  const kept = new Float64Array(values.length);
  let count = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value === value) kept[count++] = value;
  }
  const numbers = kept.subarray(0, count);
  if (count <= 1 << 18) return numbers.sort();
  const pacer = new Pacer(signal);
  // Parts are sorted by the language, and merged in pauses.
  let width = 1 << 18;
  for (let start = 0; start < count; start += width) {
    await pacer.pause();
    numbers.subarray(start, Math.min(count, start + width)).sort();
  }
  let from = numbers;
  let to = new Float64Array(count);
  for (; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width)
      await merge(from, to, start, Math.min(start + width, count), Math.min(start + 2 * width, count), pacer);
    [from, to] = [to, from];
  }
  return from;
}

async function merge(
  from: Float64Array,
  to: Float64Array,
  start: number,
  middle: number,
  end: number,
  pacer: Pacer,
): Promise<void> {
  let left = start;
  let right = middle;
  for (let stop = start; stop < end;) {
    await pacer.pause();
    const first = stop;
    stop = Math.min(end, stop + (1 << 17));
    for (let at = first; at < stop; at++) {
      const takesLeft = left < middle && (right >= end || (from[left] as number) <= (from[right] as number));
      to[at] = (takesLeft ? from[left++] : from[right++]) as number;
    }
  }
}
