import type { Replicate } from './replicates';
import {
  familyTests,
  MIN_REPLICATES,
  type NoTest,
  summaryOf,
  type Interval,
  varies,
  welchAnova,
} from './statistics';

/** How conditions are compared. */
export interface ComparisonSpec {
  /** Conditions in order; there are no others. */
  conditions: readonly string[];
  /** Whether there are replicate columns at all. */
  hasReplicates: boolean;
  /** The condition that others are compared with; else the first of two, and all pairs of more. */
  reference?: string | undefined;
  /** A person said that replicates of one name are the same donor, day or animal. */
  paired: boolean;
  /** What a person has to say before anything is tested. */
  open?: OpenQuestion | undefined;
  scale: ComparisonScale;
}

/** Which columns are replicates, or whether replicates of equal names in several conditions are the same ones. */
export type OpenQuestion = 'levels-open' | 'names-open';

/** Differences of means, or ratios of geometric means. */
export type ComparisonScale = 'difference' | 'ratio';

/** A condition with the statistics of its replicates. */
export interface ComparedCondition {
  condition: string;
  /** Replicates with a value. */
  n: number;
  /** Of its replicates; where there are no replicate columns, of all objects or images together. */
  mean: number | null;
  sd: number | null;
  sem: number | null;
  ci95: Interval | null;
  /** Why it is out of some tests, or of all. */
  flaw?: NoTest;
}

/** A comparison of one condition with another. */
export interface ComparedPair {
  of: [reference: string, condition: string];
  /** The difference, condition − reference, or the ratio condition/reference; null where there is none. */
  effect: number | null;
  /** Of the effect, unadjusted. */
  ci95: Interval | null;
  t: number | null;
  df: number | null;
  p: number | null;
  /** By Holm over the family; p itself where there is one comparison. */
  pAdjusted: number | null;
  /** Replicates that count: those of both conditions, or pairs. */
  n: number;
  reason?: NoTest;
}

/** Why something isn't compared, or not counted. */
export type NoComparison = NoTest | OpenQuestion | 'no-replicates' | 'one-condition' | 'no-value' | 'no-pair';

/** Conditions compared by the values of their replicates. */
export interface Comparison<R = Replicate> {
  test: 'welch-t' | 'paired-t' | 'welch-anova' | null;
  groups: ComparedCondition[];
  pairs: ComparedPair[];
  /** How many comparisons p are adjusted for. */
  family: number;
  /** Welch's analysis of variance over three conditions or more; null for two, and where paired. */
  overall: { f: number | null; df: [between: number, within: number] | null; p: number | null } | null;
  /** Why there is no p of two conditions, or over several. */
  reason?: NoTest | OpenQuestion | 'no-replicates' | 'one-condition';
  /** Where paired: replicates that lack a partner in another condition. */
  unpaired: R[];
}

/** Compares conditions by their replicates. Which tests there are, and when there are none, is in docs/measurements.md. */
export function compareReplicates(replicates: readonly Replicate[], spec: ComparisonSpec): Comparison {
  const { conditions, hasReplicates, scale, paired } = spec;
  const known = replicates.filter(({ value }) => value !== null);
  const columns = conditions.map(condition => {
    const own = known.filter(one => one.condition === condition);
    return {
      condition,
      values: own.map(({ value }) => value ?? 0),
      byName: new Map(own.map(one => [nameOf(one), one.value])),
    };
  });
  const nothing = { pairs: [], family: 0, overall: null, unpaired: [] };
  if (!hasReplicates) {
    // All objects of a condition together are no replicate.
    const groups = columns.map(({ condition, values: [mean = null] }) => {
      return { condition, n: 0, mean, sd: null, sem: null, ci95: null };
    });
    return { ...nothing, test: null, groups, reason: 'no-replicates' };
  }
  if (spec.open === 'levels-open') {
    // Each of these depends on what the replicates are.
    const groups = conditions.map(condition => {
      return { condition, n: 0, mean: null, sd: null, sem: null, ci95: null };
    });
    return { ...nothing, test: null, groups, reason: spec.open };
  }
  const groups = columns.map(({ condition, values }): ComparedCondition => {
    const { n, mean, sd, sem, ci95 } = summaryOf(values);
    const flaw = flawOf(values, scale);
    return { condition, n, mean, sd, sem, ci95, ...(flaw && { flaw }) };
  });
  if (conditions.length < 2) return { ...nothing, test: null, groups, reason: 'one-condition' };
  if (spec.open) return { ...nothing, test: null, groups, reason: spec.open };

  const names = [...new Set(known.map(nameOf))];
  const tested = columns.map(({ values, byName }, at) => {
    // Without logarithms there is no ratio with this condition.
    if (groups[at]?.flaw === 'not-positive') return [];
    const ordered = paired ? names.map(name => byName.get(name) ?? null) : values;
    return scale === 'ratio' ? ordered.map(value => (value === null ? null : Math.log(value))) : ordered;
  });
  const chosen = conditions.indexOf(spec.reference ?? '');
  const reference = chosen >= 0 ? chosen : conditions.length === 2 ? 0 : undefined;
  const back = (value: number) => (scale === 'ratio' ? Math.exp(value) : value);
  const pairs = familyTests(tested, reference, paired).map(
    ({ of, difference, ci95, reason, ...test }): ComparedPair => {
      const why = of.some(at => groups[at]?.flaw === 'not-positive') ? ('not-positive' as const) : reason;
      return {
        ...test,
        of: [conditions[of[0]] ?? '', conditions[of[1]] ?? ''],
        effect: difference === null ? null : back(difference),
        ci95: ci95 && [back(ci95[0]), back(ci95[1])],
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
  if (conditions.length === 2 || paired) {
    const reason = conditions.length === 2 ? pairs[0]?.reason : undefined;
    return { ...compared, test: paired ? 'paired-t' : 'welch-t', overall: null, ...(reason && { reason }) };
  }
  const { reason, ...anova } = welchAnova(tested.map(values => values.filter(value => value !== null)));
  const why = groups.some(({ flaw }) => flaw === 'not-positive') ? ('not-positive' as const) : reason;
  return { ...compared, test: 'welch-anova', overall: anova, ...(why && { reason: why }) };
}

function flawOf(values: readonly number[], scale: ComparisonScale): NoTest | undefined {
  if (scale === 'ratio' && values.some(value => value <= 0)) return 'not-positive';
  if (values.length < MIN_REPLICATES) return 'few';
  return varies(values) ? undefined : 'no-variance';
}

/** What identifies a replicate across conditions. */
function nameOf({ name }: Pick<Replicate, 'name'>): string {
  return JSON.stringify(name);
}

function unpairedOf(known: readonly Replicate[], conditions: readonly string[]): Replicate[] {
  const seen = new Map<string, number>();
  for (const one of known) seen.set(nameOf(one), (seen.get(nameOf(one)) ?? 0) + 1);
  return known.filter(one => (seen.get(nameOf(one)) ?? 0) < conditions.length);
}

/**
 * Whether replicates of the same name occur in several conditions: the same donor, or another one called alike; only a
 * person knows.
 */
export function namesRecur(replicates: readonly Replicate[]): boolean {
  const first = new Map<string, string>();
  return replicates.some(one => {
    const condition = first.get(nameOf(one)) ?? one.condition;
    first.set(nameOf(one), condition);
    return condition !== one.condition;
  });
}
