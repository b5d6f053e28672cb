import betainc from '@stdlib/math-base-special-betainc';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { statisticsOf } from '../columns/columnStatistics';
import { exactSum } from '../columns/exactSum';

/*
 * Statistics of replicates, and tests between conditions. docs/measurements.md has the definitions
 * and sources; test/golden/makeStatistics.py and makeRepeated.R compute them independently. All p
 * are two-sided; all intervals are of 95 %, unadjusted or simultaneous.
 */

/**
 * Minimum number of replicates of a condition, or of pairs, for a test and an interval of a
 * difference.
 */
export const MIN_REPLICATES = 3;

/** Error rate of intervals, unadjusted or simultaneous. */
const ERROR_RATE = 0.05;

/**
 * Possible rounding error of a value, relative to the numbers that it was computed from. Sums and
 * quotients of doubles lose a few units of the last place; R and Excel write 15 digits.
 */
const ROUNDING = 32 * Number.EPSILON;

export type Interval = [low: number, high: number];

/** Statistics of values that may count as replicates; null if there are too few values. */
interface Summary {
  n: number;
  mean: number | null;
  /** With n − 1. */
  sd: number | null;
  sem: number | null;
  /** The interval of the mean, by Student's t. */
  ci95: Interval | null;
  median: number | null;
  q1: number | null;
  q3: number | null;
  min: number | null;
  max: number | null;
}

/** Statistics of finite values. */
export function summaryOf(values: readonly number[]): Summary {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  const { mean, sd, median, q1, q3, min, max } = statisticsOf({ present: n, missing: 0, sorted });
  const sem = sd === null ? null : sd / Math.sqrt(n);
  const ci95 = mean === null || sem === null ? null : intervalAround(mean, sem, n - 1);
  return { n, mean, sd, sem, ci95, median, q1, q3, min, max };
}

/** Why a comparison has no p and no interval. */
export type NoTest =
  /** Fewer than MIN_REPLICATES replicates in a condition, or fewer pairs. */
  | 'few'
  /**
   * No variance: in both conditions, in all paired differences, or in any of several conditions.
   */
  | 'no-variance'
  /** A value of 0 or less, which has no logarithm. */
  | 'not-positive'
  /** A share of 0 or 1, which has no logit. */
  | 'not-between';

/** A comparison of two conditions: the second minus the first. */
export interface PairTest {
  /** Number of replicates of both conditions together, or of pairs. */
  n: number;
  /** The difference of the means; null if a condition has no value. */
  difference: number | null;
  ci95: Interval | null;
  t: number | null;
  df: number | null;
  p: number | null;
  reason?: NoTest;
}

/**
 * Possible rounding errors of values. `sizes`: magnitudes of the numbers that each was computed
 * from, such as the mean of absolute values for a mean.
 */
export function roundingOf(values: readonly number[], sizes?: readonly number[]): number[] {
  return values.map((value, at) => ROUNDING * Math.max(Math.abs(value), sizes?.[at] ?? 0));
}

/**
 * Whether values differ by more than rounding errors. Equal values with such errors would have a
 * variance, and a tiny p: 0.3 − 0.2 isn't 0.2 − 0.1. They are equal if one number is within the
 * error of each.
 */
export function varies(
  values: readonly number[],
  roundingErrors: readonly number[] = roundingOf(values),
): boolean {
  let highestLow = -Infinity;
  let lowestHigh = Infinity;
  values.forEach((value, at) => {
    const error = roundingErrors[at] ?? 0;
    highestLow = Math.max(highestLow, value - error);
    lowestHigh = Math.min(lowestHigh, value + error);
  });
  return highestLow > lowestHigh;
}

/** The values of a condition; null for a replicate without a value. */
type Values = readonly (number | null)[];

/** Options of tests. `roundingErrors`: possible rounding error of each value of each condition. */
interface TestOptions {
  roundingErrors?: readonly (readonly number[])[];
  /** Error rate of the interval of a difference. */
  errorRate?: number;
}

/** Welch's t test (Welch 1947), with degrees of freedom by Welch and Satterthwaite. */
export function welchTest(
  a: readonly number[],
  b: readonly number[],
  { roundingErrors: [errorsA, errorsB] = [], errorRate }: TestOptions = {},
): PairTest {
  const n = a.length + b.length;
  const difference = a.length > 0 && b.length > 0 ? meanOf(b) - meanOf(a) : null;
  if (difference === null || Math.min(a.length, b.length) < MIN_REPLICATES)
    return withoutTest(n, difference, 'few');
  if (!varies(a, errorsA) && !varies(b, errorsB)) return withoutTest(n, difference, 'no-variance');
  const meanVarianceA = varianceOf(a) / a.length;
  const meanVarianceB = varianceOf(b) / b.length;
  const df =
    (meanVarianceA + meanVarianceB) ** 2 /
    (meanVarianceA ** 2 / (a.length - 1) + meanVarianceB ** 2 / (b.length - 1));
  return { n, ...testResult(difference, Math.sqrt(meanVarianceA + meanVarianceB), df, errorRate) };
}

/**
 * The paired t test. Values are in the same order of replicates; a pair with null doesn't count.
 */
export function pairedTest(a: Values, b: Values, { roundingErrors, errorRate }: TestOptions = {}): PairTest {
  const { values, roundingErrors: errorsOfValues } = differencesOf(a, b, roundingErrors);
  const n = values.length;
  const difference = n > 0 ? meanOf(values) : null;
  if (difference === null || n < MIN_REPLICATES) return withoutTest(n, difference, 'few');
  if (!varies(values, errorsOfValues)) return withoutTest(n, difference, 'no-variance');
  return { n, ...testResult(difference, Math.sqrt(varianceOf(values) / n), n - 1, errorRate) };
}

/** The differences b − a of complete pairs, with their possible rounding errors. */
function differencesOf(
  a: Values,
  b: Values,
  [
    errorsA = roundingOf(a.map(orZero)),
    errorsB = roundingOf(b.map(orZero)),
  ]: TestOptions['roundingErrors'] = [],
): { values: number[]; roundingErrors: number[] } {
  const values: number[] = [];
  const roundingErrors: number[] = [];
  a.forEach((value, at) => {
    const valueOfB = b[at] ?? null;
    if (value === null || valueOfB === null) return;
    values.push(valueOfB - value);
    roundingErrors.push((errorsA[at] ?? 0) + (errorsB[at] ?? 0));
  });
  return { values, roundingErrors };
}

/** A test of all conditions. */
export interface OverallTest {
  f: number | null;
  df: [between: number, within: number] | null;
  p: number | null;
  /**
   * For repeated measures: the number of replicates with a value in each condition, and the factor
   * of the degrees of freedom.
   */
  n?: number;
  epsilon?: number | null;
  reason?: NoTest;
}

/** Welch's analysis of variance (Welch 1951). */
export function welchAnova(
  groups: readonly (readonly number[])[],
  { roundingErrors }: TestOptions = {},
): OverallTest {
  const noTest = { f: null, df: null, p: null };
  if (groups.some(({ length }) => length < MIN_REPLICATES)) return { ...noTest, reason: 'few' };
  if (!groups.every((group, at) => varies(group, roundingErrors?.[at])))
    return { ...noTest, reason: 'no-variance' };
  const k = groups.length;
  const means = groups.map(meanOf);
  const weights = groups.map(group => group.length / varianceOf(group));
  const weight = sumOf(weights);
  const grandMean = sumOf(weights.map((groupWeight, at) => groupWeight * (means[at] ?? 0))) / weight;
  const imbalance = sumOf(
    weights.map((groupWeight, at) => (1 - groupWeight / weight) ** 2 / ((groups[at]?.length ?? 0) - 1)),
  );
  const between =
    sumOf(weights.map((groupWeight, at) => groupWeight * ((means[at] ?? 0) - grandMean) ** 2)) / (k - 1);
  const f = between / (1 + ((2 * (k - 2)) / (k * k - 1)) * imbalance);
  const df: [number, number] = [k - 1, (k * k - 1) / (3 * imbalance)];
  return { f, df, p: fTail(f, ...df) };
}

/**
 * The analysis of variance of repeated measures, over the replicates with a value in each
 * condition. Degrees of freedom are by Greenhouse and Geisser (1959). Values are in the same order
 * of replicates.
 */
export function repeatedAnova(
  groups: readonly Values[],
  { roundingErrors = [] }: TestOptions = {},
): OverallTest {
  const k = groups.length;
  const [first = []] = groups;
  const complete = [...first.keys()].filter(at => groups.every(group => hasValue(group[at] ?? null)));
  const n = complete.length;
  const noTest = { f: null, df: null, p: null, n, epsilon: null };
  if (n < MIN_REPLICATES) return { ...noTest, reason: 'few' };
  const completeGroups = groups.map(group => complete.map(at => group[at] ?? 0));
  const errorsOf = (group: number) => {
    const errors = roundingErrors[group];
    return errors ? complete.map(at => errors[at] ?? 0) : roundingOf(completeGroups[group] ?? []);
  };
  const isVaried = completeGroups.some((group, at) => {
    const differences = differencesOf(completeGroups[0] ?? [], group, [errorsOf(0), errorsOf(at)]);
    return at > 0 && varies(differences.values, differences.roundingErrors);
  });
  if (!isVaried) return { ...noTest, reason: 'no-variance' };
  // Without the mean of each replicate, the residuals of a replicate sum to 0.
  const means = complete.map((_, at) => meanOf(completeGroups.map(group => group[at] ?? 0)));
  const within = completeGroups.map(group => group.map((value, at) => value - (means[at] ?? 0)));
  const effects = within.map(meanOf);
  const residuals = within.map((group, at) => group.map(value => value - (effects[at] ?? 0)));
  const between = n * sumOf(effects.map(effect => effect ** 2));
  const residualSum = sumOf(residuals.flatMap(group => group.map(residual => residual ** 2)));
  // Sums of products in place of covariances: their common divisor cancels.
  const products = sumOf(
    residuals.flatMap(a => residuals.map(b => sumOf(a.map((residual, at) => residual * (b[at] ?? 0))) ** 2)),
  );
  const epsilon = Math.min(1, residualSum ** 2 / ((k - 1) * products));
  const f = between / (residualSum / (n - 1));
  const df: [number, number] = [epsilon * (k - 1), epsilon * (k - 1) * (n - 1)];
  return { f, df, p: fTail(f, ...df), n, epsilon };
}

/** One comparison of several. */
interface FamilyTest extends PairTest {
  /** The positions of both conditions: the difference is the second less the first. */
  of: [number, number];
  /** Adjusted for the family; null without p. */
  pAdjusted: number | null;
}

/**
 * Compares all pairs of conditions, or each with the reference. p is adjusted for the family of
 * comparisons with p (Holm 1979). Paired values are in the same order of replicates in all groups;
 * unpaired values must not be null. Simultaneous intervals together cover all differences
 * (Bonferroni).
 */
export function familyTests(
  groups: readonly Values[],
  reference: number | undefined,
  isPaired: boolean,
  {
    roundingErrors,
    areSimultaneous = false,
  }: Pick<TestOptions, 'roundingErrors'> & { areSimultaneous?: boolean } = {},
): FamilyTest[] {
  const pairs = groups.flatMap((_, first) =>
    groups.flatMap((__, second): [number, number][] => {
      if (reference === undefined) return first < second ? [[first, second]] : [];
      return first === reference && second !== reference ? [[first, second]] : [];
    }),
  );
  const testOf = ([first, second]: [number, number], errorRate: number) => {
    const a = groups[first] ?? [];
    const b = groups[second] ?? [];
    const [errorsA, errorsB] = [roundingErrors?.[first], roundingErrors?.[second]];
    const options = { errorRate, ...(errorsA && errorsB && { roundingErrors: [errorsA, errorsB] }) };
    return isPaired ? pairedTest(a, b, options) : welchTest(a.filter(hasValue), b.filter(hasValue), options);
  };
  const unadjustedTests = pairs.map(pair => testOf(pair, ERROR_RATE));
  const count = unadjustedTests.filter(({ p }) => p !== null).length;
  const tests =
    areSimultaneous && count > 1 ? pairs.map(pair => testOf(pair, ERROR_RATE / count)) : unadjustedTests;
  const adjusted = holm(tests.map(({ p }) => p));
  return tests.map((test, at) => ({ of: pairs[at] ?? [0, 0], ...test, pAdjusted: adjusted[at] ?? null }));
}

/** p adjusted by Holm's method, in the given order; the family is the tests with p. */
export function holm(ps: readonly (number | null)[]): (number | null)[] {
  const ordered = ps.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = ps.map(() => null);
  let largest = 0;
  ordered.forEach(({ p, at }, rank) => {
    largest = Math.max(largest, Math.min(1, p * (ordered.length - rank)));
    adjusted[at] = largest;
  });
  return adjusted;
}

function withoutTest(n: number, difference: number | null, reason: NoTest): PairTest {
  return { n, difference, ci95: null, t: null, df: null, p: null, reason };
}

function testResult(difference: number, error: number, df: number, errorRate?: number): Omit<PairTest, 'n'> {
  const t = difference / error;
  return { difference, ci95: intervalAround(difference, error, df, errorRate), t, df, p: tTails(t, df) };
}

function intervalAround(center: number, error: number, df: number, errorRate = ERROR_RATE): Interval {
  const halfWidth = tQuantile(1 - errorRate / 2, df) * error;
  return [center - halfWidth, center + halfWidth];
}

/** P(|T| ≥ |t|) of Student's t. */
function tTails(t: number, df: number): number {
  return betaTail(df, t * t, df / 2, 0.5);
}

/** P(F ≥ f). */
function fTail(f: number, between: number, within: number): number {
  return betaTail(within, between * f, within / 2, between / 2);
}

/**
 * The regularized incomplete beta function of x / (x + y), computed from the side with the small
 * argument: 1 minus a number near 1 loses the digits of a small p, and an argument near 1 those of
 * a p near 1.
 */
function betaTail(x: number, y: number, a: number, b: number): number {
  return x < y ? betainc(x / (x + y), a, b) : betainc(y / (x + y), b, a, true, true);
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

function sumOf(values: readonly number[]): number {
  return exactSum(Float64Array.from(values));
}

function varianceOf(values: readonly number[]): number {
  return (summaryOf(values).sd ?? 0) ** 2;
}

function hasValue(value: number | null): value is number {
  return value !== null;
}

function orZero(value: number | null): number {
  return value ?? 0;
}
