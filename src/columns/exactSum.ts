/*
 * Sums that don't depend on the order of the numbers, so that statistics need no sorting and agree
 * wherever they are shown. Each number is split into a multiple of a large step, a multiple of a
 * small step, and a remainder. Steps are powers of two, so large that sums of their multiples are
 * exact (Demmel and Nguyen, Fast reproducible floating-point summation, 2013).
 */

/** The smallest and the largest of some numbers; least > greatest if there are none. */
export interface NumberExtent {
  least: number;
  greatest: number;
}

/** The extent of numbers, extended from another extent if given. No NaN. */
export function extentOf(numbers: Float64Array, { least, greatest }: NumberExtent = NO_EXTENT): NumberExtent {
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i] as number;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { least, greatest };
}

/** The extent of no numbers. */
export const NO_EXTENT: NumberExtent = { least: Infinity, greatest: -Infinity };

/** The extent of the numbers of both extents. */
export function extentOfBoth(a: NumberExtent, b: NumberExtent): NumberExtent {
  return { least: Math.min(a.least, b.least), greatest: Math.max(a.greatest, b.greatest) };
}

/**
 * The sum of numbers in any order, exact to the last digit of a double. No NaN. `extent`: of the
 * numbers.
 */
export function exactSum(numbers: Float64Array, extent: NumberExtent = extentOf(numbers)): number {
  const steps = stepsOf(Math.max(-extent.least, extent.greatest), numbers.length);
  return (steps && sumInSteps(numbers, steps)) ?? sumInOrder(numbers);
}

/** The sum of squared differences from the mean. No NaN. `extent`: of the numbers. */
export function squaresAbout(mean: number, numbers: Float64Array, { least, greatest }: NumberExtent): number {
  const largest = Math.max(mean - least, greatest - mean);
  const steps = stepsOf(largest * largest, numbers.length);
  const [large, small] = steps ? [steps.large, steps.small] : [0, 0];
  let [sum, smallSum, deviations] = [0, 0, 0];
  for (let i = 0; i < numbers.length; i++) {
    const deviation = (numbers[i] as number) - mean;
    const square = deviation * deviation;
    const multiple = square + large - large;
    sum += multiple;
    // Squares are positive: what is smaller than the small step changes no digit of the sum.
    smallSum += square - multiple + small - small;
    deviations += deviation;
  }
  // Corrects for the rounding of the mean.
  return sum + smallSum - (deviations * deviations) / numbers.length;
}

/** Per step: the constant that rounds to multiples when added and subtracted, 1.5 · 2⁵² steps. */
interface Steps {
  large: number;
  small: number;
  tiny: number;
}

/** Beyond these powers of two, steps aren't doubles. */
const MAX_EXPONENT = 800;

/** Steps for `count` numbers of at most this magnitude; undefined without numbers. */
function stepsOf(magnitude: number, count: number): Steps | undefined {
  // One more than necessary, in case the logarithm is rounded down.
  const exponent = Math.floor(Math.log2(magnitude)) + 2;
  if (!(Math.abs(exponent) < MAX_EXPONENT)) return undefined;
  const countBits = Math.max(2, 32 - Math.clz32(count));
  // The sum of all multiples is below 2⁵³ steps, and a remainder is at most half a step.
  const large = 1.5 * 2 ** (exponent + countBits - 1);
  const ratio = 2 ** (countBits - 54);
  return { large, small: large * ratio, tiny: large * ratio * ratio };
}

/** Undefined if numbers differ so much that the smallest have digits below all steps. */
function sumInSteps(numbers: Float64Array, { large, small, tiny }: Steps): number | undefined {
  let [sum, smallSum, tinySum] = [0, 0, 0];
  let isExact = true;
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i] as number;
    const multiple = value + large - large;
    const remainder = value - multiple;
    const smallMultiple = remainder + small - small;
    sum += multiple;
    smallSum += smallMultiple;
    if (remainder === smallMultiple) continue;
    const tinyMultiple = remainder - smallMultiple + tiny - tiny;
    tinySum += tinyMultiple;
    isExact &&= tinyMultiple === remainder - smallMultiple;
  }
  return isExact ? threeSum(sum, smallSum, tinySum) : undefined;
}

/** The sum of three numbers of decreasing magnitude, rounded once. */
function threeSum(first: number, second: number, third: number): number {
  const sum = first + second;
  const share = sum - first;
  const lost = first - (sum - share) + (second - share);
  return sum + (lost + third);
}

/** The sum in ascending order. Adds back what rounding has lost (Neumaier). */
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
