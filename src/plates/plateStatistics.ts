import { quantile, statisticsOf } from '../columns/columnStatistics';

/*
 * Statistics of plates from the values of wells. Each definition and its source is in
 * docs/measurements.md, and in code of another kind in test/golden/makeStatistics.py. Where a
 * denominator is 0 the number is missing.
 */

/** Wells of each control that are needed for Z′, robust Z′ and SSMD. */
export const MIN_CONTROLS = 3;

/** Factor that makes the median absolute deviation of normally distributed values their SD. */
const MAD_TO_SD = 1.4826;

/** Rounding error of a zero difference, relative to the size of the numbers. */
const ROUNDING = 32 * Number.EPSILON;

/** Separation of negative and positive control wells; null if missing. */
export interface ControlQuality {
  /** 1 − 3 (SD₊ + SD₋) ÷ |mean₊ − mean₋| (Zhang 1999). */
  zPrime: number | null;
  /** The same with medians and 1.4826 · MAD. */
  robustZPrime: number | null;
  /** (mean₊ − mean₋) ÷ √(variance₊ + variance₋) (Zhang 2007). */
  ssmd: number | null;
}

const NONE: ControlQuality = { zPrime: null, robustZPrime: null, ssmd: null };

/** Takes finite values; all numbers are null with fewer than MIN_CONTROLS of one kind. */
export function controlQuality(negative: readonly number[], positive: readonly number[]): ControlQuality {
  if (Math.min(negative.length, positive.length) < MIN_CONTROLS) return NONE;
  const [negativeSpread, positiveSpread] = [spreadOf(negative), spreadOf(positive)];
  const magnitude = largestMagnitude([...negative, ...positive]);
  const oneMinus = (share: number | null) => (share === null ? null : 1 - share);
  return {
    zPrime: oneMinus(
      quotient(
        3 * (negativeSpread.sd + positiveSpread.sd),
        Math.abs(positiveSpread.mean - negativeSpread.mean),
        magnitude,
      ),
    ),
    robustZPrime: oneMinus(
      quotient(
        3 * (negativeSpread.mad + positiveSpread.mad),
        Math.abs(positiveSpread.median - negativeSpread.median),
        magnitude,
      ),
    ),
    ssmd: quotient(
      positiveSpread.mean - negativeSpread.mean,
      Math.sqrt(negativeSpread.sd ** 2 + positiveSpread.sd ** 2),
      magnitude,
    ),
  };
}

/** 100 × value ÷ mean of the negative wells, per value; null without them, or for a mean of 0. */
export function percentOfControl(
  values: readonly (number | null)[],
  negative: readonly number[],
): (number | null)[] {
  return quotients(values, negative, (value, { mean }) => [100 * value, mean]);
}

/**
 * (value − median) ÷ (1.4826 · MAD) per value, both of `samples`, the wells that are no controls;
 * null without any, or if all are equal.
 */
export function robustZScores(
  values: readonly (number | null)[],
  samples: readonly number[],
): (number | null)[] {
  return quotients(values, samples, (value, { median, mad }) => [value - median, mad]);
}

/** Quotients of values and statistics of some wells; null without these. */
function quotients(
  values: readonly (number | null)[],
  wells: readonly number[],
  fractionOf: (
    value: number,
    spread: ReturnType<typeof spreadOf>,
  ) => [numerator: number, denominator: number],
): (number | null)[] {
  if (wells.length === 0) return values.map(() => null);
  const [spread, magnitude] = [spreadOf(wells), largestMagnitude(wells)];
  return values.map(value => (value === null ? null : quotient(...fractionOf(value, spread), magnitude)));
}

/** Mean, SD, median and scaled MAD of at least one number. */
function spreadOf(values: readonly number[]): { mean: number; sd: number; median: number; mad: number } {
  const ascending = (numbers: readonly number[]) => Float64Array.from(numbers).sort();
  const sorted = ascending(values);
  const { mean, sd, median } = statisticsOf({ present: sorted.length, missing: 0, sorted });
  const deviations = ascending(values.map(value => Math.abs(value - (median ?? NaN))));
  return {
    mean: mean ?? NaN,
    sd: sd ?? 0,
    median: median ?? NaN,
    mad: MAD_TO_SD * quantile(deviations, 0.5),
  };
}

function largestMagnitude(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

/** Null if the denominator is 0 within rounding, or the quotient exceeds doubles. */
function quotient(numerator: number, denominator: number, magnitude: number): number | null {
  if (Math.abs(denominator) <= ROUNDING * magnitude) return null;
  const value = numerator / denominator;
  return Number.isFinite(value) ? value : null;
}
