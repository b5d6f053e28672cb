import type { Replicate } from './replicates';
import {
  familyTests,
  type Interval,
  MIN_REPLICATES,
  type NoTest,
  type OverallTest,
  repeatedAnova,
  roundingOf,
  summaryOf,
  varies,
  welchAnova,
} from './statistics';

/** Settings of a comparison of conditions. */
export interface ComparisonSpec {
  /** All conditions, in order. */
  conditions: readonly string[];
  /** Whether there are columns of replicates. */
  hasReplicates: boolean;
  /**
   * The condition that others are compared with. By default the first of two; with more, all pairs
   * are compared.
   */
  reference?: string | undefined;
  /** Whether the user said that replicates with equal names are the same donor, day or animal. */
  paired: boolean;
  /** The question that the user must answer before any test. */
  open?: OpenQuestion | undefined;
  scale: ComparisonScale;
  /** The kind of intervals of several comparisons; unadjusted by default. */
  intervals?: ComparisonIntervals;
}

/**
 * The user must say which columns are replicates, or whether replicates with equal names in several
 * conditions are the same.
 */
export type OpenQuestion = 'levels-open' | 'names-open';

/**
 * The effect: a difference of means, a ratio of geometric means, or for shares an odds ratio,
 * tested on logits.
 */
export type ComparisonScale = 'difference' | 'ratio' | 'logit';

/** Intervals of several comparisons: 95 % for each, or for all of them together. */
export type ComparisonIntervals = 'unadjusted' | 'simultaneous';

/** A condition with the statistics of its replicates. */
export interface ComparedCondition {
  condition: string;
  /** Number of replicates with a value. */
  n: number;
  /**
   * The mean of its replicates; without replicate columns, the value of all its objects or images.
   */
  mean: number | null;
  sd: number | null;
  sem: number | null;
  ci95: Interval | null;
  /**
   * The compared value if it isn't the mean: for a ratio the geometric mean, for odds the mean of
   * logits as a share. Null if a value has no logarithm or logit.
   */
  center?: number | null;
  centerCi95?: Interval | null;
  /** Why some tests, or all of them, leave the condition out. */
  flaw?: NoTest;
}

/** A comparison of one condition with another. */
export interface ComparedPair {
  of: [reference: string, condition: string];
  /**
   * The difference, condition − reference, or the ratio (of odds), condition / reference; null if
   * it can't be computed.
   */
  effect: number | null;
  /** The interval of the effect: unadjusted, or simultaneous if selected. */
  ci95: Interval | null;
  t: number | null;
  df: number | null;
  p: number | null;
  /** Adjusted by Holm for the family; p itself for a single comparison. */
  pAdjusted: number | null;
  /** The number of replicates of both conditions, or of pairs. */
  n: number;
  reason?: NoTest;
}

/** Why there is no comparison, or why a value doesn't count in one. */
export type NoComparison = NoTest | OpenQuestion | 'no-replicates' | 'one-condition' | 'no-value' | 'no-pair';

/** The comparison of conditions by the values of their replicates. */
export interface Comparison<R = Replicate> {
  test: 'welch-t' | 'paired-t' | 'welch-anova' | 'rm-anova' | null;
  groups: ComparedCondition[];
  pairs: ComparedPair[];
  /** Number of comparisons that p is adjusted for. */
  family: number;
  /**
   * The analysis of variance for three or more conditions: Welch's, or with repeated measures if
   * paired; null for two.
   */
  overall: Omit<OverallTest, 'reason'> | null;
  /** Why there is no p, of two conditions or of the analysis of variance. */
  reason?: NoTest | OpenQuestion | 'no-replicates' | 'one-condition';
  /** If paired, the replicates that are missing in another condition. */
  unpaired: R[];
}

/** The transformation of values before tests, and its inverse. */
interface Scale {
  to: (value: number) => number;
  /** The derivative of `to`, by which rounding errors grow. */
  slope: (value: number) => number;
  back: (value: number) => number;
  /** Converts a difference on the scale to an effect. */
  effect: (difference: number) => number;
  /** The reason why some values can't be transformed. */
  flaw: NoTest;
  canTransform: (value: number) => boolean;
}

const LOGARITHMS: Scale = {
  to: Math.log,
  slope: value => 1 / value,
  back: Math.exp,
  effect: Math.exp,
  flaw: 'not-positive',
  canTransform: value => value > 0,
};

const LOGITS: Scale = {
  to: share => Math.log(share / (1 - share)),
  slope: share => 1 / (share * (1 - share)),
  back: value => 1 / (1 + Math.exp(-value)),
  effect: Math.exp,
  flaw: 'not-between',
  canTransform: value => value > 0 && value < 1,
};

const SCALES = { difference: undefined, ratio: LOGARITHMS, logit: LOGITS } as const;

/** Values on the scale of the test, each with its possible rounding error. */
interface ScaledValues {
  values: number[];
  roundingErrors: number[];
}

/** Transforms values; undefined if one of them can't be transformed. */
function scaled(replicates: readonly Replicate[], scale: Scale | undefined): ScaledValues | undefined {
  const values = replicates.map(({ value }) => value ?? 0);
  const sizes = replicates.map(({ size }) => size ?? 0);
  const roundingErrors = roundingOf(values, sizes);
  if (!scale) return { values, roundingErrors };
  if (!values.every(scale.canTransform)) return undefined;
  const transformed = values.map(scale.to);
  // Original values decide whether there is variance: logarithms near 0 would magnify rounding
  // errors.
  const scaledErrors = roundingErrors.map((error, at) => error * scale.slope(values[at] ?? 0));
  return {
    values: transformed,
    roundingErrors: roundingOf(transformed).map((error, at) => error + (scaledErrors[at] ?? 0)),
  };
}

/**
 * Compares conditions by their replicates. docs/measurements.md defines the tests, and the cases
 * without a test.
 */
export function compareReplicates(replicates: readonly Replicate[], spec: ComparisonSpec): Comparison {
  const { conditions, hasReplicates, paired } = spec;
  const scale = SCALES[spec.scale];
  const measured = replicates.filter(({ value }) => value !== null);
  const byCondition = conditions.map(condition =>
    measured.filter(replicate => replicate.condition === condition),
  );
  const emptyResult = { pairs: [], family: 0, overall: null, unpaired: [] };
  if (!hasReplicates) {
    // The mean of all objects of a condition doesn't count as a replicate.
    const groups = byCondition.map((conditionReplicates, at) => {
      const mean = conditionReplicates[0]?.value ?? null;
      return { condition: conditions[at] ?? '', n: 0, mean, sd: null, sem: null, ci95: null };
    });
    return { ...emptyResult, test: null, groups, reason: 'no-replicates' };
  }
  if (spec.open === 'levels-open') {
    // Statistics depend on the columns of replicates, which the user has to confirm first.
    const groups = conditions.map(condition => {
      return { condition, n: 0, mean: null, sd: null, sem: null, ci95: null };
    });
    return { ...emptyResult, test: null, groups, reason: spec.open };
  }
  const scaledByCondition = byCondition.map(conditionReplicates => scaled(conditionReplicates, scale));
  const groups = byCondition.map((conditionReplicates, at): ComparedCondition => {
    const { n, mean, sd, sem, ci95 } = summaryOf(conditionReplicates.map(({ value }) => value ?? 0));
    const flaw = flawOf(scaledByCondition[at], scale);
    const center = scale && centerOf(scaledByCondition[at], scale);
    return { condition: conditions[at] ?? '', n, mean, sd, sem, ci95, ...center, ...(flaw && { flaw }) };
  });
  if (conditions.length < 2) return { ...emptyResult, test: null, groups, reason: 'one-condition' };
  if (spec.open) return { ...emptyResult, test: null, groups, reason: spec.open };

  const names = [...new Set(measured.map(nameOf))];
  /**
   * Values by condition; if paired, in the order of names. Empty for a condition whose values can't
   * be transformed.
   */
  const ordered = byCondition.map((conditionReplicates, at) => {
    const { values = [], roundingErrors = [] } = scaledByCondition[at] ?? {};
    if (!paired) return { values, roundingErrors };
    const positionOfName = new Map(
      conditionReplicates.map((replicate, position) => [nameOf(replicate), position]),
    );
    const inOrder = <T>(samples: readonly T[], missing: T) =>
      names.map(name => samples[positionOfName.get(name) ?? -1] ?? missing);
    return { values: inOrder<number | null>(values, null), roundingErrors: inOrder(roundingErrors, 0) };
  });
  const valuesByCondition = ordered.map(({ values }) => values);
  const errors = ordered.map(sample => sample.roundingErrors);
  const referenceIndex = conditions.indexOf(spec.reference ?? '');
  const reference = referenceIndex >= 0 ? referenceIndex : conditions.length === 2 ? 0 : undefined;
  const effectOf = scale?.effect ?? (difference => difference);
  const hasUnscaledValues = (at: number) => scaledByCondition[at] === undefined;
  const areSimultaneous = spec.intervals === 'simultaneous';
  const pairs = familyTests(valuesByCondition, reference, paired, {
    roundingErrors: errors,
    areSimultaneous,
  }).map(({ of, difference, ci95, reason, ...test }): ComparedPair => {
    const noTest = scale && of.some(hasUnscaledValues) ? scale.flaw : reason;
    return {
      ...test,
      of: [conditions[of[0]] ?? '', conditions[of[1]] ?? ''],
      effect: difference === null ? null : effectOf(difference),
      ci95: ci95 && [effectOf(ci95[0]), effectOf(ci95[1])],
      ...(noTest && { reason: noTest }),
    };
  });
  const common = {
    groups,
    pairs,
    family: pairs.filter(({ p }) => p !== null).length,
    unpaired: paired ? unpairedOf(measured, conditions) : [],
  };
  if (conditions.length === 2) {
    const reason = pairs[0]?.reason;
    return { ...common, test: paired ? 'paired-t' : 'welch-t', overall: null, ...(reason && { reason }) };
  }
  const { reason, ...anova } = paired
    ? repeatedAnova(valuesByCondition, { roundingErrors: errors })
    : welchAnova(
        scaledByCondition.map(scaledValues => scaledValues?.values ?? []),
        { roundingErrors: errors },
      );
  const noTest = scale && groups.some((_, at) => hasUnscaledValues(at)) ? scale.flaw : reason;
  return {
    ...common,
    test: paired ? 'rm-anova' : 'welch-anova',
    overall: anova,
    ...(noTest && { reason: noTest }),
  };
}

function flawOf(values: ScaledValues | undefined, scale: Scale | undefined): NoTest | undefined {
  if (!values) return scale?.flaw;
  if (values.values.length < MIN_REPLICATES) return 'few';
  return varies(values.values, values.roundingErrors) ? undefined : 'no-variance';
}

/** The mean on a scale, transformed back, with its interval. */
function centerOf(
  values: ScaledValues | undefined,
  { back }: Scale,
): Required<Pick<ComparedCondition, 'center' | 'centerCi95'>> {
  const { mean, ci95 } = summaryOf(values?.values ?? []);
  return { center: mean === null ? null : back(mean), centerCi95: ci95 && [back(ci95[0]), back(ci95[1])] };
}

/** The identity of a replicate across conditions. */
function nameOf({ name }: Pick<Replicate, 'name'>): string {
  return JSON.stringify(name);
}

function unpairedOf(measured: readonly Replicate[], conditions: readonly string[]): Replicate[] {
  const countOfName = new Map<string, number>();
  for (const replicate of measured)
    countOfName.set(nameOf(replicate), (countOfName.get(nameOf(replicate)) ?? 0) + 1);
  return measured.filter(replicate => (countOfName.get(nameOf(replicate)) ?? 0) < conditions.length);
}

/**
 * Whether replicates of several conditions have equal names. Only a user knows whether they are the
 * same donor.
 */
export function namesRecur(replicates: readonly Replicate[]): boolean {
  const firstCondition = new Map<string, string>();
  return replicates.some(replicate => {
    const condition = firstCondition.get(nameOf(replicate)) ?? replicate.condition;
    firstCondition.set(nameOf(replicate), condition);
    return condition !== replicate.condition;
  });
}
