import { eachPart, Pacer } from '../../base/node/slices';
import { decimalFactor } from './radixSort';

/**
 * The numbers of `values` in ascending order, without NaN. Overwrites `values`. Throws `cancelled`.
 */
export async function sortedNumbers(values: Float64Array, signal?: AbortSignal): Promise<Float64Array> {
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value === value) values[count++] = value;
  }
  return sortNumbers(values.subarray(0, count), new Pacer(signal));
}

/** Like sortedNumbers, for numbers without NaN. */
export async function sortNumbers(numbers: Float64Array, pacer: Pacer): Promise<Float64Array> {
  const count = numbers.length;
  if (count <= 1 << 18) return numbers.sort();
  if (await sortDecimals(numbers, pacer)) return numbers;
  // Sorts parts with `sort`, and merges them with pauses.
  let width = 1 << 18;
  for (let start = 0; start < count; start += width) {
    await pacer.pause();
    numbers.subarray(start, Math.min(count, start + width)).sort();
  }
  let from: Float64Array = numbers;
  let to: Float64Array = new Float64Array(count);
  for (; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width)
      await merge(from, to, start, Math.min(start + width, count), Math.min(start + 2 * width, count), pacer);
    [from, to] = [to, from];
  }
  return from;
}

/** The index of a number among ascending numbers; −1 if it isn't among them. */
export function indexInSorted(numbers: ArrayLike<number>, searched: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const number = numbers[middle] as number;
    if (number === searched) return middle;
    if (number < searched) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
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
    for (let i = first; i < stop; i++) {
      const takesLeft = left < middle && (right >= end || (from[left] as number) <= (from[right] as number));
      to[i] = (takesLeft ? from[left++] : from[right++]) as number;
    }
  }
}

/** Ranges of up to this many integers, or as many as there are numbers, are sorted by counting. */
const MAX_COUNTED = 1 << 22;
const DIGIT_BITS = 11;

/**
 * Sorts numbers in place, ascending, if they have few decimals, as most measurements do: times a
 * power of ten they are integers, and counting integers takes a fraction of the time of
 * comparisons. Returns false if they have more decimals, and changes nothing. `numbers` mustn't
 * contain NaN. Needs up to as much memory again. Throws `cancelled`.
 */
export async function sortDecimals(numbers: Float64Array, pacer: Pacer): Promise<boolean> {
  const range = await integerRange(numbers, pacer);
  if (!range) return false;
  if (range.last - range.first < Math.max(MAX_COUNTED, numbers.length))
    await sortByCounting(numbers, range, pacer);
  else await sortByDigits(numbers, range, pacer);
  return true;
}

/**
 * The range of the integers that numbers with few decimals become times a power of ten. Undefined
 * if they have more decimals, or if the range exceeds 32 bits. Allows no NaN. Throws `cancelled`.
 */
async function integerRange(numbers: Float64Array, pacer: Pacer): Promise<IntegerRange | undefined> {
  const factor = decimalFactor(numbers.length, index => numbers[index] as number);
  if (factor === undefined) return undefined;
  const range = { factor, first: Infinity, last: -Infinity, areExact: true };
  await eachPart(numbers.length, pacer, (start, end) => {
    if (range.areExact) extendRange(range, numbers, start, end);
  });
  const { first, last, areExact } = range;
  // Doubles can't hold all integers beyond 2⁵³.
  const fits = Math.abs(first) < 2 ** 53 && Math.abs(last) < 2 ** 53 && last - first < 2 ** 32;
  return areExact && fits ? range : undefined;
}

/** The range of the integers that result from numbers times `factor`. */
interface IntegerRange {
  factor: number;
  first: number;
  last: number;
}

interface MeasuredRange extends IntegerRange {
  /** Whether dividing the integers gives exactly the numbers again; −0 would become 0. */
  areExact: boolean;
}

function extendRange(range: MeasuredRange, numbers: Float64Array, start: number, end: number): void {
  const { factor } = range;
  let { first, last } = range;
  let areInexact = 0;
  for (let i = start; i < end; i++) {
    const value = numbers[i] as number;
    const integer = Math.round(value * factor);
    areInexact |= Number(integer / factor !== value || (value === 0 && 1 / value < 0));
    if (integer < first) first = integer;
    if (integer > last) last = integer;
  }
  Object.assign(range, { first, last, areExact: areInexact === 0 });
}

async function sortByCounting(
  numbers: Float64Array,
  { factor, first, last }: IntegerRange,
  pacer: Pacer,
): Promise<void> {
  const counts = new Uint32Array(last - first + 1);
  await eachPart(numbers.length, pacer, (start, end) => {
    for (let i = start; i < end; i++) {
      const key = Math.round((numbers[i] as number) * factor) - first;
      counts[key] = (counts[key] as number) + 1;
    }
  });
  let written = 0;
  await eachPart(counts.length, pacer, (start, end) => {
    for (let key = start; key < end; key++) {
      const repeats = counts[key] as number;
      if (repeats === 0) continue;
      numbers.fill((key + first) / factor, written, written + repeats);
      written += repeats;
    }
  });
}

async function sortByDigits(
  numbers: Float64Array,
  { factor, first, last }: IntegerRange,
  pacer: Pacer,
): Promise<void> {
  const unsorted = new Uint32Array(numbers.length);
  await eachPart(numbers.length, pacer, (start, end) => {
    for (let i = start; i < end; i++) unsorted[i] = Math.round((numbers[i] as number) * factor) - first;
  });
  const keys = await sortKeys(unsorted, 32 - Math.clz32(last - first), pacer);
  await eachPart(numbers.length, pacer, (start, end) => {
    for (let i = start; i < end; i++) numbers[i] = ((keys[i] as number) + first) / factor;
  });
}

/**
 * Radix sort of keys with some bits, least significant digit first. Overwrites `keys`; returns it
 * or another array.
 */
async function sortKeys(keys: Uint32Array, bits: number, pacer: Pacer): Promise<Uint32Array> {
  const digitBits = Math.ceil(bits / Math.ceil(bits / DIGIT_BITS));
  let sorted = keys;
  let next: Uint32Array = new Uint32Array(keys.length);
  for (let shift = 0; shift < bits; shift += digitBits) {
    const [source, target] = [sorted, next];
    const starts = new Uint32Array(1 << digitBits);
    await eachPart(source.length, pacer, (start, end) => countDigit(source, starts, shift, start, end));
    let sum = 0;
    for (let digit = 0; digit < starts.length; digit++) {
      const times = starts[digit] as number;
      starts[digit] = sum;
      sum += times;
    }
    await eachPart(source.length, pacer, (start, end) => spread(source, target, starts, shift, start, end));
    [sorted, next] = [target, source];
  }
  return sorted;
}

function countDigit(keys: Uint32Array, counts: Uint32Array, shift: number, start: number, end: number): void {
  const mask = counts.length - 1;
  for (let i = start; i < end; i++) {
    const digit = ((keys[i] as number) >>> shift) & mask;
    counts[digit] = (counts[digit] as number) + 1;
  }
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
  for (let i = start; i < end; i++) {
    const key = from[i] as number;
    const digit = (key >>> shift) & mask;
    const index = starts[digit] as number;
    starts[digit] = index + 1;
    to[index] = key;
  }
}
