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
  /** Conditions in order; there are no others. */
  conditions: readonly string[];
  /** Whether there are replicate columns at all. */
  hasReplicates: boolean;
  /** The condition that others are compared with; else the first of two, and all pairs of more. */
  reference?: string | undefined;
  /** The user said that replicates of one name are the same donor, day or animal. */
  paired: boolean;
  /** Questions to the user before any test. */
  open?: OpenQuestion | undefined;
  scale: ComparisonScale;
  /** For several comparisons; unadjusted by default. */
  intervals?: ComparisonIntervals;
}

/**
 * Which columns are replicates, or whether replicates of equal names in several conditions are the
 * same.
 */
export type OpenQuestion = 'levels-open' | 'names-open';

/**
 * Differences of means, ratios of geometric means, or for shares ratios of odds, tested as logits.
 */
export type ComparisonScale = 'difference' | 'ratio' | 'logit';

/** Intervals of several comparisons: each of 95 %, or all of them together. */
export type ComparisonIntervals = 'unadjusted' | 'simultaneous';

/** A condition with the statistics of its replicates. */
export interface ComparedCondition {
  condition: string;
  /** Replicates with a value. */
  n: number;
  /** Of its replicates; without replicate columns, of all objects or images together. */
  mean: number | null;
  sd: number | null;
  sem: number | null;
  ci95: Interval | null;
  /**
   * The compared value if it isn't the mean: the geometric mean for a ratio, the mean of logits as
   * a share for odds, each with its interval; null if a value has no logarithm or logit.
   */
  center?: number | null;
  centerCi95?: Interval | null;
  /** Why it is out of some tests, or of all. */
  flaw?: NoTest;
}

/** A comparison of one condition with another. */
export interface ComparedPair {
  of: [reference: string, condition: string];
  /**
   * The difference, condition − reference, or the ratio (of odds) condition/reference; null without
   * one.
   */
  effect: number | null;
  /** Of the effect: unadjusted, or simultaneous if selected. */
  ci95: Interval | null;
  t: number | null;
  df: number | null;
  p: number | null;
  /** By Holm over the family; p itself for one comparison. */
  pAdjusted: number | null;
  /** Replicates that count: those of both conditions, or pairs. */
  n: number;
  reason?: NoTest;
}

/** Why something isn't compared, or not counted. */
export type NoComparison = NoTest | OpenQuestion | 'no-replicates' | 'one-condition' | 'no-value' | 'no-pair';

/** Conditions compared by the values of their replicates. */
export interface Comparison<R = Replicate> {
  test: 'welch-t' | 'paired-t' | 'welch-anova' | 'rm-anova' | null;
  groups: ComparedCondition[];
  pairs: ComparedPair[];
  /** Number of comparisons that p is adjusted for. */
  family: number;
  /**
   * The analysis of variance over three or more conditions: Welch's, or of repeated measures if
   * paired; null for two.
   */
  overall: Omit<OverallTest, 'reason'> | null;
  /** Why there is no p of two conditions, or over several. */
  reason?: NoTest | OpenQuestion | 'no-replicates' | 'one-condition';
  /** If paired: replicates that lack a partner in another condition. */
  unpaired: R[];
}

/** The transformation of values before tests, and its inverse. */
interface Scale {
  to: (value: number) => number;
  /** The slope of `to`: rounding grows by it. */
  slope: (value: number) => number;
  back: (value: number) => number;
  /** From a difference to an effect. */
  effect: (difference: number) => number;
  /** Why some values can't be transformed, and which can. */
  flaw: NoTest;
  has: (value: number) => boolean;
}

const LOGARITHMS: Scale = {
  to: Math.log,
  slope: value => 1 / value,
  back: Math.exp,
  effect: Math.exp,
  flaw: 'not-positive',
  has: value => value > 0,
};

const LOGITS: Scale = {
  to: share => Math.log(share / (1 - share)),
  slope: share => 1 / (share * (1 - share)),
  back: value => 1 / (1 + Math.exp(-value)),
  effect: Math.exp,
  flaw: 'not-between',
  has: value => value > 0 && value < 1,
};

const SCALES = { difference: undefined, ratio: LOGARITHMS, logit: LOGITS } as const;

/** Values on the scale of the test, with the possible rounding error of each. */
interface Scaled {
  values: number[];
  offs: number[];
}

/** Undefined where a value has no place on the scale. */
function scaled(replicates: readonly Replicate[], scale: Scale | undefined): Scaled | undefined {
  const values = replicates.map(({ value }) => value ?? 0);
  const sizes = replicates.map(({ size }) => size ?? 0);
  const offs = roundingOf(values, sizes);
  if (!scale) return { values, offs };
  if (!values.every(scale.has)) return undefined;
  const transformed = values.map(scale.to);
  // Variance is judged on original values: logarithms near 0 would magnify their last digits.
  const grown = offs.map((off, at) => off * scale.slope(values[at] ?? 0));
  return { values: transformed, offs: roundingOf(transformed).map((own, at) => own + (grown[at] ?? 0)) };
}

/**
 * Compares conditions by their replicates. docs/measurements.md defines the tests, and when there
 * are none.
 */
export function compareReplicates(replicates: readonly Replicate[], spec: ComparisonSpec): Comparison {
  const { conditions, hasReplicates, paired } = spec;
  const scale = SCALES[spec.scale];
  const known = replicates.filter(({ value }) => value !== null);
  const columns = conditions.map(condition => known.filter(one => one.condition === condition));
  const nothing = { pairs: [], family: 0, overall: null, unpaired: [] };
  if (!hasReplicates) {
    // All objects of a condition together are no replicate.
    const groups = columns.map((own, at) => {
      const mean = own[0]?.value ?? null;
      return { condition: conditions[at] ?? '', n: 0, mean, sd: null, sem: null, ci95: null };
    });
    return { ...nothing, test: null, groups, reason: 'no-replicates' };
  }
  if (spec.open === 'levels-open') {
    // Each of these depends on the definition of replicates.
    const groups = conditions.map(condition => {
      return { condition, n: 0, mean: null, sd: null, sem: null, ci95: null };
    });
    return { ...nothing, test: null, groups, reason: spec.open };
  }
  const onScale = columns.map(own => scaled(own, scale));
  const groups = columns.map((own, at): ComparedCondition => {
    const { n, mean, sd, sem, ci95 } = summaryOf(own.map(({ value }) => value ?? 0));
    const flaw = flawOf(onScale[at], scale);
    const center = scale && centerOf(onScale[at], scale);
    return { condition: conditions[at] ?? '', n, mean, sd, sem, ci95, ...center, ...(flaw && { flaw }) };
  });
  if (conditions.length < 2) return { ...nothing, test: null, groups, reason: 'one-condition' };
  if (spec.open) return { ...nothing, test: null, groups, reason: spec.open };

  const names = [...new Set(known.map(nameOf))];
  /**
   * In the order of names if paired; a condition without values on the scale is in no comparison.
   */
  const ordered = columns.map((own, at) => {
    const { values = [], offs = [] } = onScale[at] ?? {};
    if (!paired) return { values, offs };
    const places = new Map(own.map((one, place) => [nameOf(one), place]));
    const inOrder = <T>(of: readonly T[], none: T) => names.map(name => of[places.get(name) ?? -1] ?? none);
    return { values: inOrder<number | null>(values, null), offs: inOrder(offs, 0) };
  });
  const tested = ordered.map(({ values }) => values);
  const offs = ordered.map(each => each.offs);
  const chosen = conditions.indexOf(spec.reference ?? '');
  const reference = chosen >= 0 ? chosen : conditions.length === 2 ? 0 : undefined;
  const effectOf = scale?.effect ?? (difference => difference);
  const isOff = (at: number) => onScale[at] === undefined;
  const areSimultaneous = spec.intervals === 'simultaneous';
  const pairs = familyTests(tested, reference, paired, { offs, areSimultaneous }).map(
    ({ of, difference, ci95, reason, ...test }): ComparedPair => {
      const why = scale && of.some(isOff) ? scale.flaw : reason;
      return {
        ...test,
        of: [conditions[of[0]] ?? '', conditions[of[1]] ?? ''],
        effect: difference === null ? null : effectOf(difference),
        ci95: ci95 && [effectOf(ci95[0]), effectOf(ci95[1])],
        ...(why && { reason: why }),
      };
    },
  );
  const compared = {
    groups,
    pairs,
    family: pairs.filter(({ p }) => p !== null).length,
    unpaired: paired ? unpairedOf(known, conditions) : [],
  };
  if (conditions.length === 2) {
    const reason = pairs[0]?.reason;
    return { ...compared, test: paired ? 'paired-t' : 'welch-t', overall: null, ...(reason && { reason }) };
  }
  const { reason, ...anova } = paired
    ? repeatedAnova(tested, { offs })
    : welchAnova(
        onScale.map(each => each?.values ?? []),
        { offs },
      );
  const why = scale && groups.some((_, at) => isOff(at)) ? scale.flaw : reason;
  return {
    ...compared,
    test: paired ? 'rm-anova' : 'welch-anova',
    overall: anova,
    ...(why && { reason: why }),
  };
}

function flawOf(values: Scaled | undefined, scale: Scale | undefined): NoTest | undefined {
  if (!values) return scale?.flaw;
  if (values.values.length < MIN_REPLICATES) return 'few';
  return varies(values.values, values.offs) ? undefined : 'no-variance';
}

/** The mean on a scale, as a value, with its interval. */
function centerOf(
  values: Scaled | undefined,
  { back }: Scale,
): Required<Pick<ComparedCondition, 'center' | 'centerCi95'>> {
  const { mean, ci95 } = summaryOf(values?.values ?? []);
  return { center: mean === null ? null : back(mean), centerCi95: ci95 && [back(ci95[0]), back(ci95[1])] };
}

/** The identity of a replicate across conditions. */
function nameOf({ name }: Pick<Replicate, 'name'>): string {
  return JSON.stringify(name);
}

function unpairedOf(known: readonly Replicate[], conditions: readonly string[]): Replicate[] {
  const seen = new Map<string, number>();
  for (const one of known) seen.set(nameOf(one), (seen.get(nameOf(one)) ?? 0) + 1);
  return known.filter(one => (seen.get(nameOf(one)) ?? 0) < conditions.length);
}

/**
 * Whether replicates of equal names occur in several conditions: the same donor, or a coincidence;
 * only a user knows.
 */
export function namesRecur(replicates: readonly Replicate[]): boolean {
  const first = new Map<string, string>();
  return replicates.some(one => {
    const condition = first.get(nameOf(one)) ?? one.condition;
    first.set(nameOf(one), condition);
    return condition !== one.condition;
  });
}
