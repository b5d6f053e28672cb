import { eachPart, Pacer } from '../../base/node/slices';

/** Maximum bits of a digit; keys are sorted by digits, the least significant first. */
const DIGIT_BITS = 11;
/** Items searched for equal keys between two checks of the clock. */
const ITEMS_PER_PAUSE = 1 << 16;
/** Maximum number of items to sort by insertion, and by comparing. */
const MAX_INSERTED = 24;
const MAX_COMPARED = 1024;
/** Maximum nested sorts: numbers that share a key then span hundreds of powers of ten. */
const MAX_DEPTH = 4;

/**
 * The order that sorts numbers stably: positions in `values`, NaN last in both directions, −0 as 0.
 * Throws `cancelled`.
 *
 * Sorts by radix, because comparing doubles through a callback takes several times as long. Numbers
 * get keys of 32 bits in the same order. Pairs of key and position are sorted digit by digit. Only
 * numbers that share a key are sorted again.
 */
export async function numberOrder(
  values: Float64Array,
  descending: boolean,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const pacer = new Pacer(signal);
  const order = new Uint32Array(values.length);
  let numberCount = 0;
  await eachPart(values.length, pacer, (start, end) => {
    numberCount = appendWhere(values, false, start, end, order, numberCount);
  });
  let count = numberCount;
  if (count < order.length)
    await eachPart(values.length, pacer, (start, end) => {
      count = appendWhere(values, true, start, end, order, count);
    });
  await new Sorting(values, descending, pacer).sort(order.subarray(0, numberCount), 1);
  return order;
}

/**
 * Appends rows with, or without, missing values to the first `count` of `order`. Returns the new
 * count.
 */
function appendWhere(
  values: Float64Array,
  missing: boolean,
  start: number,
  end: number,
  order: Uint32Array,
  count: number,
): number {
  for (let i = start; i < end; i++) {
    order[count] = i;
    count += Number(Number.isNaN(values[i]) === missing);
  }
  return count;
}

/** Sorts positions by the numbers at these positions. */
class Sorting {
  constructor(
    private readonly values: Float64Array,
    private readonly descending: boolean,
    private readonly pacer: Pacer,
  ) {}

  async sort(positions: Uint32Array, depth: number): Promise<void> {
    const { values, descending, pacer } = this;
    const range = await rangeOf(values, positions, pacer);
    if (range.areEqual) return;
    if (positions.length <= MAX_COMPARED || depth > MAX_DEPTH) {
      this.sortByComparing(positions);
      return;
    }
    const pairs = new Uint32Array(2 * positions.length);
    let keys = decimalKeys(values, positions, range, descending);
    if (!keys || !(await this.writePairs(keys, positions, pairs))) {
      keys = evenKeys(values, range, descending);
      await this.writePairs(keys, positions, pairs);
    }
    const sortedPairs = await this.sortByKeys(pairs, keys.last);
    await eachPart(positions.length, pacer, (start, end) => {
      for (let i = start; i < end; i++) positions[i] = sortedPairs[2 * i + 1] as number;
    });
    if (!keys.areExact) await this.sortEqualKeys(positions, sortedPairs, depth);
  }

  /** Sorts the numbers that share a key among themselves, over a much smaller range. */
  private async sortEqualKeys(
    positions: Uint32Array,
    sortedPairs: Uint32Array,
    depth: number,
  ): Promise<void> {
    for (let start = 0, end = 1, checked = 0; start < positions.length; start = end++) {
      if (start >= checked) {
        await this.pacer.pause();
        checked = start + ITEMS_PER_PAUSE;
      }
      const key = sortedPairs[2 * start] as number;
      while (end < positions.length && (sortedPairs[2 * end] as number) === key) end++;
      if (end - start === 1) continue;
      if (end - start <= MAX_INSERTED) this.sortByInsertion(positions, start, end);
      else await this.sort(positions.subarray(start, end), depth + 1);
    }
  }

  /** Writes [key, position] of each number. Returns false if the keys don't suit the numbers. */
  private async writePairs(keys: NumberKeys, positions: Uint32Array, pairs: Uint32Array): Promise<boolean> {
    let areSuitable = true;
    await eachPart(positions.length, this.pacer, (start, end) => {
      if (areSuitable) areSuitable = keys.write(positions.subarray(start, end), pairs.subarray(2 * start));
    });
    return areSuitable;
  }

  /** Sorts pairs by their keys. Pairs with the same key stay in order. */
  private async sortByKeys(pairs: Uint32Array, lastKey: number): Promise<Uint32Array> {
    const bits = 32 - Math.clz32(lastKey);
    const digits = Math.ceil(bits / DIGIT_BITS);
    const digitBits = Math.ceil(bits / digits);
    let from = pairs;
    let to: Uint32Array = new Uint32Array(pairs.length);
    for (let digit = 0; digit < digits; digit++) {
      const shift = digit * digitBits;
      const [source, target] = [from, to];
      const starts = new Uint32Array(1 << digitBits);
      await eachPart(pairs.length, this.pacer, (start, end) => countDigit(source, starts, shift, start, end));
      makeStarts(starts);
      await eachPart(pairs.length, this.pacer, (start, end) =>
        spreadByDigit(source, target, starts, shift, start, end),
      );
      [from, to] = [target, source];
    }
    return from;
  }

  private sortByInsertion(positions: Uint32Array, start: number, end: number): void {
    const { values, descending } = this;
    for (let i = start + 1; i < end; i++) {
      const position = positions[i] as number;
      const value = values[position] as number;
      let index = i;
      for (; index > start; index--) {
        const before = positions[index - 1] as number;
        const other = values[before] as number;
        if (descending ? other >= value : other <= value) break;
        positions[index] = before;
      }
      positions[index] = position;
    }
  }

  private sortByComparing(positions: Uint32Array): void {
    const { values } = this;
    const sign = this.descending ? -1 : 1;
    positions.sort((a, b) => {
      const [first, second] = [values[a] as number, values[b] as number];
      return first < second ? -sign : first > second ? sign : a - b;
    });
  }
}

function countDigit(
  pairs: Uint32Array,
  counts: Uint32Array,
  shift: number,
  start: number,
  end: number,
): void {
  const mask = counts.length - 1;
  for (let i = start; i < end; i += 2) {
    const digit = ((pairs[i] as number) >>> shift) & mask;
    counts[digit] = (counts[digit] as number) + 1;
  }
}

/** Replaces the count of each digit by the position of the first item with that digit. */
function makeStarts(counts: Uint32Array): void {
  let sum = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit] as number;
    counts[digit] = sum;
    sum += count;
  }
}

/** Copies pairs to the positions in `starts`, by the digit of their keys. */
function spreadByDigit(
  from: Uint32Array,
  to: Uint32Array,
  starts: Uint32Array,
  shift: number,
  start: number,
  end: number,
): void {
  const mask = starts.length - 1;
  for (let i = start; i < end; i += 2) {
    const key = from[i] as number;
    const bucket = (key >>> shift) & mask;
    const index = starts[bucket] as number;
    starts[bucket] = index + 1;
    to[2 * index] = key;
    to[2 * index + 1] = from[i + 1] as number;
  }
}

/** Finite numbers have keys from 1. Infinities have the keys before and after those. */
const MAX_KEY = 0xffff_fffe;
/** Maximum number of decimals to try, and how many numbers to sample for them. */
const MAX_DECIMALS = 9;
const SAMPLE_SIZE = 64;

/** 32-bit integers that sort as the numbers they stand for. Equal numbers have equal keys. */
interface NumberKeys {
  /** The greatest key. */
  last: number;
  /** Whether different numbers have different keys. */
  areExact: boolean;
  /**
   * Writes [key, position] per number into `target`. Returns false if a number has more decimals
   * than the sample: the pairs are then void.
   */
  write(positions: Uint32Array, target: Uint32Array): boolean;
}

/** The least and the greatest finite number, and whether all numbers are equal. */
interface NumberRange {
  min: number;
  max: number;
  areEqual: boolean;
}

/** The range of numbers at some positions; min > max if none is finite. Throws `cancelled`. */
async function rangeOf(values: Float64Array, positions: Uint32Array, pacer: Pacer): Promise<NumberRange> {
  const first = values[positions[0] as number] as number;
  let min = Infinity;
  let max = -Infinity;
  let areDifferent = 0;
  await eachPart(positions.length, pacer, (start, end) => {
    const part = rangeOfPart(values, positions, start, end, first);
    min = Math.min(min, part.min);
    max = Math.max(max, part.max);
    areDifferent |= part.areDifferent;
  });
  return { min, max, areEqual: areDifferent === 0 };
}

/** The least and the greatest finite number of a part, and whether some differ from `first`. */
function rangeOfPart(
  values: Float64Array,
  positions: Uint32Array,
  start: number,
  end: number,
  first: number,
) {
  let min = Infinity;
  let max = -Infinity;
  let areDifferent = 0;
  for (let i = start; i < end; i++) {
    const value = values[positions[i] as number] as number;
    areDifferent |= Number(value !== first);
    if (value < min && value !== -Infinity) min = value;
    if (value > max && value !== Infinity) max = value;
  }
  return { min, max, areDifferent };
}

/**
 * Keys of numbers with few decimals, as most measurements have: the numbers without their decimal
 * mark. These keys are exact. Undefined if numbers of the sample have more decimals.
 */
function decimalKeys(
  values: Float64Array,
  positions: Uint32Array,
  { min, max }: NumberRange,
  descending: boolean,
): NumberKeys | undefined {
  const factor = decimalFactor(positions.length, index => values[positions[index] as number] as number);
  if (factor === undefined) return undefined;
  const [first, end] = [Math.round(min * factor), Math.round(max * factor)];
  const last = end - first + 2;
  // Doubles can't hold all integers beyond 2⁵³.
  if (!(last <= MAX_KEY && Math.abs(first) < 2 ** 53 && Math.abs(end) < 2 ** 53)) return undefined;
  const sign = descending ? -1 : 1;
  const base = (descending ? end : first) * sign - 1;
  return {
    last,
    areExact: true,
    write: (part, target) => {
      let haveMoreDecimals = 0;
      for (let i = 0; i < part.length; i++) {
        const position = part[i] as number;
        const value = values[position] as number;
        const integer = Math.round(value * factor);
        haveMoreDecimals |= Number(integer / factor !== value);
        let key = integer * sign - base;
        if (key === -Infinity) key = 0;
        if (key === Infinity) key = last;
        target[2 * i] = key;
        target[2 * i + 1] = position;
      }
      return haveMoreDecimals === 0;
    },
  };
}

/** Keys that divide the range evenly. Rounding keeps the order; close numbers share a key. */
function evenKeys(values: Float64Array, { min, max }: NumberRange, descending: boolean): NumberKeys {
  // If the difference of min and max overflows a double, that of their halves doesn't.
  const scaleDown = Number.isFinite(max - min) ? 1 : 0.5;
  const origin = (descending ? max : min) * scaleDown;
  const range = max * scaleDown - min * scaleDown;
  const steps = range > 0 ? Math.min((MAX_KEY - 1) / range, Number.MAX_VALUE) : 0;
  const scale = descending ? -steps : steps;
  const [beforeAll, afterAll] = descending ? [Infinity, -Infinity] : [-Infinity, Infinity];
  return {
    last: MAX_KEY + 1,
    areExact: false,
    write: (part, target) => {
      for (let i = 0; i < part.length; i++) {
        const position = part[i] as number;
        const value = values[position] as number;
        let key = ((value * scaleDown - origin) * scale + 1) >>> 0;
        if (value === beforeAll) key = 0;
        if (value === afterAll) key = MAX_KEY + 1;
        target[2 * i] = key;
        target[2 * i + 1] = position;
      }
      return true;
    },
  };
}

/** The power of ten that makes integers of a sample of the numbers; undefined if none does. */
export function decimalFactor(count: number, numberAt: (position: number) => number): number | undefined {
  const step = Math.max(1, Math.floor(count / SAMPLE_SIZE));
  let decimals = 0;
  for (let i = 0; i < count; i += step) {
    const value = numberAt(i);
    while (Math.round(value * 10 ** decimals) / 10 ** decimals !== value)
      if (++decimals > MAX_DECIMALS) return undefined;
  }
  return 10 ** decimals;
}
