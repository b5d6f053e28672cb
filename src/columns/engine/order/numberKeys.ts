import { eachPart, type Pacer } from '../../../base/node/slices';

/** Finite numbers have keys from 1; infinities those beside. */
const GREATEST = 0xffff_fffe;
/** Decimals that are tried, and numbers sampled to find how many there are. */
const MAX_DECIMALS = 9;
const SAMPLE = 64;

/** Whole numbers of 32 bits in the order of the numbers they stand for; equal numbers have equal keys. */
export interface NumberKeys {
  /** The greatest key. */
  last: number;
  /** Whether different numbers have different keys. */
  areExact: boolean;
  /**
   * Writes [key, position] of each number into `target`. False when one of them has more decimals than the
   * sample: then what was written is void.
   */
  write(positions: Uint32Array, target: Uint32Array): boolean;
}

/** The least and the greatest finite number, and whether all numbers are one. */
export interface NumberRange {
  min: number;
  max: number;
  isOne: boolean;
}

/** The range of the numbers at some positions; min > max when none is finite. Throws `cancelled`. */
export async function rangeOf(
  values: Float64Array,
  positions: Uint32Array,
  pacer: Pacer,
): Promise<NumberRange> {
  const first = values[positions[0] as number] as number;
  let min = Infinity;
  let max = -Infinity;
  let others = 0;
  await eachPart(positions.length, pacer, (start, end) => {
    const part = extent(values, positions, start, end, first);
    min = Math.min(min, part.min);
    max = Math.max(max, part.max);
    others |= part.others;
  });
  return { min, max, isOne: others === 0 };
}

/** The least and greatest finite number of a part, and whether some are other than `first`. */
function extent(values: Float64Array, positions: Uint32Array, start: number, end: number, first: number) {
  let min = Infinity;
  let max = -Infinity;
  let others = 0;
  for (let at = start; at < end; at++) {
    const value = values[positions[at] as number] as number;
    others |= Number(value !== first);
    if (value < min && value !== -Infinity) min = value;
    if (value > max && value !== Infinity) max = value;
  }
  return { min, max, others };
}

/**
 * Keys of numbers with few decimals, as most measurements are: the numbers without their mark. Exact, and small where the
 * numbers are few. Undefined when some of the sample are not such numbers.
 */
export function decimalKeys(
  values: Float64Array,
  positions: Uint32Array,
  { min, max }: NumberRange,
  descending: boolean,
): NumberKeys | undefined {
  const factor = decimalFactor(positions.length, at => values[positions[at] as number] as number);
  if (factor === undefined) return undefined;
  const [first, end] = [Math.round(min * factor), Math.round(max * factor)];
  const last = end - first + 2;
  // Beyond 2⁵³ whole numbers are no longer all there.
  if (!(last <= GREATEST && Math.abs(first) < 2 ** 53 && Math.abs(end) < 2 ** 53)) return undefined;
  const sign = descending ? -1 : 1;
  const base = (descending ? end : first) * sign - 1;
  return {
    last,
    areExact: true,
    write: (part, target) => {
      let others = 0;
      for (let at = 0; at < part.length; at++) {
        const position = part[at] as number;
        const value = values[position] as number;
        const whole = Math.round(value * factor);
        others |= Number(whole / factor !== value);
        let key = whole * sign - base;
        if (key === -Infinity) key = 0;
        if (key === Infinity) key = last;
        target[2 * at] = key;
        target[2 * at + 1] = position;
      }
      return others === 0;
    },
  };
}

/** Keys that divide the range evenly: what is rounded keeps the order, and numbers too near each other share a key. */
export function evenKeys(values: Float64Array, { min, max }: NumberRange, descending: boolean): NumberKeys {
  // Where min and max differ by more than a double holds, their halves do not.
  const half = Number.isFinite(max - min) ? 1 : 0.5;
  const from = (descending ? max : min) * half;
  const range = max * half - min * half;
  const steps = range > 0 ? Math.min((GREATEST - 1) / range, Number.MAX_VALUE) : 0;
  const scale = descending ? -steps : steps;
  const [beforeAll, afterAll] = descending ? [Infinity, -Infinity] : [-Infinity, Infinity];
  return {
    last: GREATEST + 1,
    areExact: false,
    write: (part, target) => {
      for (let at = 0; at < part.length; at++) {
        const position = part[at] as number;
        const value = values[position] as number;
        let key = ((value * half - from) * scale + 1) >>> 0;
        if (value === beforeAll) key = 0;
        if (value === afterAll) key = GREATEST + 1;
        target[2 * at] = key;
        target[2 * at + 1] = position;
      }
      return true;
    },
  };
}

/** The power of ten that makes a sample of the numbers whole; undefined if there is none. */
export function decimalFactor(count: number, numberAt: (at: number) => number): number | undefined {
  const step = Math.max(1, Math.floor(count / SAMPLE));
  let decimals = 0;
  for (let at = 0; at < count; at += step) {
    const value = numberAt(at);
    while (Math.round(value * 10 ** decimals) / 10 ** decimals !== value)
      if (++decimals > MAX_DECIMALS) return undefined;
  }
  return 10 ** decimals;
}
