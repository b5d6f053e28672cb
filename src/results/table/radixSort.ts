import { Pacer } from '../slices';
import { decimalKeys, evenKeys, rangeOf, type NumberKeys } from './numberKeys';

/** Keys are sorted by digits of at most so many bits, least first. */
const DIGIT_BITS = 11;
/** Items between two pauses. */
const SLICE = 1 << 18;
/** Few items are put in order by insertion, some more by comparing. */
const INSERTED = 24;
const COMPARED = 1024;
/** Keys of keys of keys: numbers that are still together then are spread over hundreds of powers of ten. */
const DEEPEST = 4;

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
    order[numbers] = at;
    numbers += Number(!Number.isNaN(values[at]));
  }
  for (let at = 0, place = numbers; place < values.length; at++)
    if (Number.isNaN(values[at])) order[place++] = at;
  await new Sorting(values, descending, new Pacer(signal)).sort(order.subarray(0, numbers), 1);
  return order;
}

/** Puts positions of numbers in the order of the numbers. */
class Sorting {
  constructor(
    private readonly values: Float64Array,
    private readonly descending: boolean,
    private readonly pacer: Pacer,
  ) {}

  async sort(positions: Uint32Array, depth: number): Promise<void> {
    const { values, descending, pacer } = this;
    await pacer.pause();
    const range = rangeOf(values, positions);
    if (range.isOne) return;
    if (positions.length <= COMPARED || depth > DEEPEST) {
      this.compare(positions);
      return;
    }
    const pairs = new Uint32Array(2 * positions.length);
    let keys = decimalKeys(values, positions, range, descending);
    if (!keys || !(await this.write(keys, positions, pairs))) {
      keys = evenKeys(values, range, descending);
      await this.write(keys, positions, pairs);
    }
    const keyed = await this.inOrder(pairs, keys.last);
    for (let at = 0; at < positions.length; at++) positions[at] = keyed[2 * at + 1] as number;
    if (!keys.areExact) await this.sortEqualKeys(positions, keyed, depth);
  }

  /** Numbers of one key are sorted by themselves, over a range much smaller. */
  private async sortEqualKeys(positions: Uint32Array, keyed: Uint32Array, depth: number): Promise<void> {
    for (let start = 0, end = 1; start < positions.length; start = end++) {
      const key = keyed[2 * start] as number;
      while (end < positions.length && (keyed[2 * end] as number) === key) end++;
      if (end - start === 1) continue;
      if (end - start <= INSERTED) this.insert(positions, start, end);
      else await this.sort(positions.subarray(start, end), depth + 1);
    }
  }

  /** Writes [key, position] of each number; false when these are not keys for them. */
  private async write(keys: NumberKeys, positions: Uint32Array, pairs: Uint32Array): Promise<boolean> {
    for (let start = 0; start < positions.length; start += SLICE) {
      await this.pacer.pause();
      const part = positions.subarray(start, start + SLICE);
      if (!keys.write(part, pairs.subarray(2 * start))) return false;
    }
    return true;
  }

  /** Pairs in the order of their keys, those of one key as they were. */
  private async inOrder(pairs: Uint32Array, lastKey: number): Promise<Uint32Array> {
    const bits = 32 - Math.clz32(lastKey);
    const digits = Math.ceil(bits / DIGIT_BITS);
    const digitBits = Math.ceil(bits / digits);
    let from = pairs;
    let to: Uint32Array = new Uint32Array(pairs.length);
    for (let digit = 0; digit < digits; digit++) {
      const shift = digit * digitBits;
      const starts = bucketStarts(from, shift, digitBits);
      for (let start = 0; start < from.length; start += 2 * SLICE) {
        await this.pacer.pause();
        spread(from, to, starts, shift, start, Math.min(from.length, start + 2 * SLICE));
      }
      [from, to] = [to, from];
    }
    return from;
  }

  private insert(positions: Uint32Array, start: number, end: number): void {
    const { values, descending } = this;
    for (let at = start + 1; at < end; at++) {
      const position = positions[at] as number;
      const value = values[position] as number;
      let place = at;
      for (; place > start; place--) {
        const before = positions[place - 1] as number;
        const other = values[before] as number;
        if (descending ? other >= value : other <= value) break;
        positions[place] = before;
      }
      positions[place] = position;
    }
  }

  private compare(positions: Uint32Array): void {
    const { values } = this;
    const sign = this.descending ? -1 : 1;
    positions.sort((a, b) => {
      const [first, second] = [values[a] as number, values[b] as number];
      return first < second ? -sign : first > second ? sign : a - b;
    });
  }
}

/** Where each bucket of a digit begins, in pairs. */
function bucketStarts(pairs: Uint32Array, shift: number, bits: number): Uint32Array {
  const starts = new Uint32Array(1 << bits);
  const mask = starts.length - 1;
  for (let at = 0; at < pairs.length; at += 2) starts[((pairs[at] as number) >>> shift) & mask]!++;
  let sum = 0;
  for (let bucket = 0; bucket < starts.length; bucket++) {
    const count = starts[bucket] as number;
    starts[bucket] = sum;
    sum += count;
  }
  return starts;
}

function spread(
  from: Uint32Array,
  to: Uint32Array,
  starts: Uint32Array,
  shift: number,
  start: number,
  end: number,
): void {
  const mask = starts.length - 1;
  for (let at = start; at < end; at += 2) {
    const key = from[at] as number;
    const bucket = (key >>> shift) & mask;
    const place = starts[bucket] as number;
    starts[bucket] = place + 1;
    to[2 * place] = key;
    to[2 * place + 1] = from[at + 1] as number;
  }
}
