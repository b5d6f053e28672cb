import betainc from '@stdlib/math-base-special-betainc';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { statisticsOf } from '../columns/columnStatistics';
import { exactSum } from '../columns/exactSum';

/*
 * Statistics of replicates and tests between conditions. Each definition and its source is in docs/measurements.md, and
 * in code of another kind in test/golden/makeStatistics.py. All p are two-sided; all intervals are of 95 % and unadjusted.
 */

/** Replicates that a condition needs for a test and for an interval of a difference; pairs likewise. */
export const MIN_REPLICATES = 3;

export type Interval = [low: number, high: number];

/** Statistics of values that may count as replicates; null where there are too few values for one. */
export interface Summary {
  n: number;
  mean: number | null;
  /** With n − 1. */
  sd: number | null;
  sem: number | null;
  /** Of the mean, by Student's t. */
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
  /** No variance in both conditions, in all paired differences or, for several conditions, in any of them. */
  | 'no-variance'
  /** A value that isn't greater than 0, which has no logarithm. */
  | 'not-positive';

/** A comparison of two conditions: the second less the first. */
export interface PairTest {
  /** Replicates that count: of both conditions together, or pairs. */
  n: number;
  /** The difference of the means; null where one of them has no value. */
  difference: number | null;
  ci95: Interval | null;
  t: number | null;
  df: number | null;
  p: number | null;
  reason?: NoTest;
}

/** Welch's t test (Welch 1947), with degrees of freedom by Welch and Satterthwaite. */
export function welchTest(a: readonly number[], b: readonly number[]): PairTest {
  const n = a.length + b.length;
  const difference = a.length > 0 && b.length > 0 ? meanOf(b) - meanOf(a) : null;
  if (difference === null || Math.min(a.length, b.length) < MIN_REPLICATES)
    return untested(n, difference, 'few');
  if (!varies(a) && !varies(b)) return untested(n, difference, 'no-variance');
  const va = varianceOf(a) / a.length;
  const vb = varianceOf(b) / b.length;
  const df = (va + vb) ** 2 / (va ** 2 / (a.length - 1) + vb ** 2 / (b.length - 1));
  return { n, ...tested(difference, Math.sqrt(va + vb), df) };
}

/** The paired t test. Values are in the same order of replicates; null where one has none: that pair doesn't count. */
export function pairedTest(a: readonly (number | null)[], b: readonly (number | null)[]): PairTest {
  const differences: number[] = [];
  let largest = 0;
  a.forEach((value, at) => {
    const other = b[at] ?? null;
    if (value === null || other === null) return;
    differences.push(other - value);
    largest = Math.max(largest, Math.abs(value), Math.abs(other));
  });
  const n = differences.length;
  const difference = n > 0 ? meanOf(differences) : null;
  if (difference === null || n < MIN_REPLICATES) return untested(n, difference, 'few');
  if (!varies(differences, largest)) return untested(n, difference, 'no-variance');
  return { n, ...tested(difference, Math.sqrt(varianceOf(differences) / n), n - 1) };
}

/** A test over all conditions. */
export interface OverallTest {
  f: number | null;
  df: [between: number, within: number] | null;
  p: number | null;
  reason?: NoTest;
}

/** Welch's analysis of variance (Welch 1951). */
export function welchAnova(groups: readonly (readonly number[])[]): OverallTest {
  const none = { f: null, df: null, p: null };
  if (groups.some(({ length }) => length < MIN_REPLICATES)) return { ...none, reason: 'few' };
  if (!groups.every(group => varies(group))) return { ...none, reason: 'no-variance' };
  const k = groups.length;
  const means = groups.map(meanOf);
  const weights = groups.map(group => group.length / varianceOf(group));
  const weight = sumOf(weights);
  const grand = sumOf(weights.map((each, at) => each * (means[at] ?? 0))) / weight;
  const lack = sumOf(weights.map((each, at) => (1 - each / weight) ** 2 / ((groups[at]?.length ?? 0) - 1)));
  const between = sumOf(weights.map((each, at) => each * ((means[at] ?? 0) - grand) ** 2)) / (k - 1);
  const f = between / (1 + ((2 * (k - 2)) / (k * k - 1)) * lack);
  const df: [number, number] = [k - 1, (k * k - 1) / (3 * lack)];
  return { f, df, p: fTail(f, ...df) };
}

/** One comparison of several. */
export interface FamilyTest extends PairTest {
  /** The positions of both conditions: the difference is the second less the first. */
  of: [number, number];
  /** Adjusted over the family; null where there is no p. */
  pAdjusted: number | null;
}

/**
 * All pairs of conditions, or each with the reference, with p adjusted over this family (Holm 1979); comparisons without p
 * aren't of the family. Paired values are in the same order of replicates in all groups; unpaired ones may not be null.
 */
export function familyTests(
  groups: readonly (readonly (number | null)[])[],
  reference: number | undefined,
  isPaired: boolean,
): FamilyTest[] {
  const pairs = groups.flatMap((_, first) =>
    groups.flatMap((__, second): [number, number][] => {
      if (reference === undefined) return first < second ? [[first, second]] : [];
      return first === reference && second !== reference ? [[first, second]] : [];
    }),
  );
  const tests = pairs.map(([first, second]) => {
    const a = groups[first] ?? [];
    const b = groups[second] ?? [];
    return isPaired ? pairedTest(a, b) : welchTest(a.filter(isKnown), b.filter(isKnown));
  });
  const adjusted = holm(tests.map(({ p }) => p));
  return tests.map((test, at) => ({ of: pairs[at] ?? [0, 0], ...test, pAdjusted: adjusted[at] ?? null }));
}

/** p adjusted by Holm's method, in the order given; missing ones aren't of the family. */
export function holm(ps: readonly (number | null)[]): (number | null)[] {
  const known = ps.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = ps.map(() => null);
  let running = 0;
  known.forEach(({ p, at }, rank) => {
    running = Math.max(running, Math.min(1, p * (known.length - rank)));
    adjusted[at] = running;
  });
  return adjusted;
}

function untested(n: number, difference: number | null, reason: NoTest): PairTest {
  return { n, difference, ci95: null, t: null, df: null, p: null, reason };
}

function tested(difference: number, error: number, df: number): Omit<PairTest, 'n'> {
  const t = difference / error;
  return { difference, ci95: intervalAround(difference, error, df), t, df, p: tTails(t, df) };
}

function intervalAround(center: number, error: number, df: number): Interval {
  const reach = tQuantile(0.975, df) * error;
  return [center - reach, center + reach];
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
 * The regularized incomplete beta function of x / (x + y). It is taken from the side where the argument is small: 1 less a
 * number near 1 would lose the digits of a small p, and an argument near 1 those of a p near 1.
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

/**
 * Whether values differ by more than rounding, which would leave equal ones a variance, and with it a tiny p: 0.3 − 0.2
 * isn't 0.2 − 0.1. `largest`: the size of the numbers that they were computed from.
 */
export function varies(
  values: readonly number[],
  largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
): boolean {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return high - low > 8 * Number.EPSILON * largest;
}

function varianceOf(values: readonly number[]): number {
  return (summaryOf(values).sd ?? 0) ** 2;
}

function isKnown(value: number | null): value is number {
  return value !== null;
}
