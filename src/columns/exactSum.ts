/*
 * Sums that are the same in every order of the numbers, so that statistics need no sorted ones, and
 * agree wherever they are shown. Each number is split into a multiple of a large step, a multiple
 * of a small one, and what is left. Steps are powers of two, and so large that sums of their
 * multiples are exact (Demmel and Nguyen, Fast reproducible floating-point summation, 2013).
 */

/** The least and the greatest of some numbers; least > greatest where there are none. */
export interface NumberExtent {
  least: number;
  greatest: number;
}

/** The extent of numbers, or of these and another extent's. No NaN. */
export function extentOf(numbers: Float64Array, { least, greatest }: NumberExtent = NO_EXTENT): NumberExtent {
  for (let at = 0; at < numbers.length; at++) {
    const value = numbers[at] as number;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { least, greatest };
}

/** The extent of no numbers. */
export const NO_EXTENT: NumberExtent = { least: Infinity, greatest: -Infinity };

/** The extent of all numbers that two are of. */
export function extentOfBoth(one: NumberExtent, other: NumberExtent): NumberExtent {
  return { least: Math.min(one.least, other.least), greatest: Math.max(one.greatest, other.greatest) };
}

/** The sum of numbers, to a double's last digit, in any order. No NaN; `extent` is theirs. */
export function exactSum(numbers: Float64Array, extent: NumberExtent = extentOf(numbers)): number {
  const steps = stepsOf(Math.max(-extent.least, extent.greatest), numbers.length);
  return (steps && sumInSteps(numbers, steps)) ?? sumInOrder(numbers);
}

/** The sum of squared differences from the mean. No NaN; `extent` is the numbers'. */
export function squaresAbout(mean: number, numbers: Float64Array, { least, greatest }: NumberExtent): number {
  const largest = Math.max(mean - least, greatest - mean);
  const steps = stepsOf(largest * largest, numbers.length);
  const [large, small] = steps ? [steps.large, steps.small] : [0, 0];
  let [sum, rest, offs] = [0, 0, 0];
  for (let at = 0; at < numbers.length; at++) {
    const off = (numbers[at] as number) - mean;
    const square = off * off;
    const multiple = square + large - large;
    sum += multiple;
    // Squares are all positive: what is smaller than the small step changes no digit.
    rest += square - multiple + small - small;
    offs += off;
  }
  // What rounding left in the mean is taken out again.
  return sum + rest - (offs * offs) / numbers.length;
}

/** Per step, what rounds to its multiples when added and subtracted: 1.5 · 2⁵² steps. */
interface Steps {
  large: number;
  small: number;
  tiny: number;
}

/** Beyond these powers of two, steps aren't doubles. */
const MAX_EXPONENT = 800;

/** Steps for `count` numbers of at most this magnitude; undefined where there are none. */
function stepsOf(magnitude: number, count: number): Steps | undefined {
  // One more than needed, should the logarithm be rounded down.
  const exponent = Math.floor(Math.log2(magnitude)) + 2;
  if (!(Math.abs(exponent) < MAX_EXPONENT)) return undefined;
  const countBits = Math.max(2, 32 - Math.clz32(count));
  // A sum of all is below 2⁵³ steps, and what is left of a number at most half a step.
  const large = 1.5 * 2 ** (exponent + countBits - 1);
  const finer = 2 ** (countBits - 54);
  return { large, small: large * finer, tiny: large * finer * finer };
}

/** Undefined where numbers differ so much that the smallest have digits below all steps. */
function sumInSteps(numbers: Float64Array, { large, small, tiny }: Steps): number | undefined {
  let [sum, rest, restOfRest] = [0, 0, 0];
  let isExact = true;
  for (let at = 0; at < numbers.length; at++) {
    const value = numbers[at] as number;
    const multiple = value + large - large;
    const left = value - multiple;
    const smallMultiple = left + small - small;
    sum += multiple;
    rest += smallMultiple;
    if (left === smallMultiple) continue;
    const tinyMultiple = left - smallMultiple + tiny - tiny;
    restOfRest += tinyMultiple;
    isExact &&= tinyMultiple === left - smallMultiple;
  }
  return isExact ? threeSum(sum, rest, restOfRest) : undefined;
}

/** The sum of three numbers of falling magnitude, rounded once. */
function threeSum(first: number, second: number, third: number): number {
  const sum = first + second;
  const share = sum - first;
  const lost = first - (sum - share) + (second - share);
  return sum + (lost + third);
}

/** The sum in ascending order, with what rounding loses added back (Neumaier). */
function sumInOrder(numbers: Float64Array): number {
  let sum = 0;
  let lost = 0;
  for (const value of numbers.slice().sort()) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  const total = sum + lost;
  return total === total ? total : sum;
}
