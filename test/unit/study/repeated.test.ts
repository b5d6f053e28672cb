import * as assert from 'node:assert/strict';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { compareReplicates, type ComparisonSpec } from '../../../src/study/conditionComparison';
import type { Replicate } from '../../../src/study/replicates';
import { familyTests, repeatedAnova } from '../../../src/study/statistics';
import golden from '../../golden/repeated.json';
import { assertClose } from './assertClose';

/** From a row a replicate to a list a condition. */
function columnsOf(rows: readonly (readonly (number | null)[])[]): (number | null)[][] {
  return (rows[0] ?? []).map((_, column) => rows.map(row => row[column] ?? null));
}

function compared(groups: readonly (readonly (number | null)[])[], spec: Partial<ComparisonSpec>) {
  const replicates = groups.flatMap((values, at) =>
    values.map((value, place): Replicate => {
      return { condition: `c${at}`, name: [`r${place}`], images: 1, objects: 1, value, parts: [] };
    }),
  );
  return compareReplicates(replicates, {
    conditions: groups.map((_, at) => `c${at}`),
    hasReplicates: true,
    paired: false,
    scale: 'difference',
    ...spec,
  });
}

describe('Repeated measures, and intervals of several comparisons', () => {
  it('are those of R: corrected by Greenhouse and Geisser', () => {
    for (const [at, { values, ...expected }] of golden.repeated.entries())
      assertClose(repeatedAnova(columnsOf(values)), expected, `repeated ${at}`);
  });

  it('are the test over three paired conditions and more, of logarithms for a ratio', () => {
    for (const scale of ['difference', 'ratio'] as const)
      for (const { values, ...expected } of golden[scale === 'ratio' ? 'repeatedRatio' : 'repeated']) {
        const found = compared(columnsOf(values), { paired: true, scale });
        assert.equal(found.test, 'rm-anova');
        assertClose(found.overall, expected, scale);
      }
  });

  it('have no p where conditions differ by the same in each replicate, but for rounding', () => {
    const donors = [0.1, 0.7, 3.3, 12.9];
    const groups = [0, 0.1, 0.2].map(shift => donors.map(value => value + shift));
    assert.deepEqual(repeatedAnova(groups), {
      ...{ f: null, df: null, p: null, n: 4, epsilon: null, reason: 'no-variance' },
    });
    assert.equal(repeatedAnova(groups.map(values => values.slice(0, 2))).reason, 'few');
  });

  it('do not depend on what is added to each replicate, nor on the order of conditions', () => {
    const random = seeded(5);
    for (let round = 0; round < 200; round++) {
      const k = 3 + Math.floor(random() * 3);
      const n = 3 + Math.floor(random() * 6);
      const groups = Array.from({ length: k }, () => Array.from({ length: n }, () => random() * 8));
      const added = Array.from({ length: n }, () => Math.round(random() * 1000));
      const moved = groups.map(values => values.map((value, at) => value + (added[at] ?? 0))).toReversed();
      const [one, other] = [repeatedAnova(groups), repeatedAnova(moved)];
      for (const key of ['f', 'p', 'epsilon'] as const)
        assert.ok(Math.abs((other[key] ?? NaN) / (one[key] ?? NaN) - 1) < 1e-8, `${round}, ${key}`);
      assert.ok((one.epsilon ?? 0) >= 1 / (k - 1) - 1e-12 && (one.epsilon ?? 2) <= 1);
    }
  });

  it('are those of R: simultaneous by Bonferroni', () => {
    for (const [at, { groups, paired, pairs }] of golden.simultaneous.entries()) {
      const tests = familyTests(groups, undefined, paired, { areSimultaneous: true });
      tests.forEach(({ of, p, ci95 }, pair) =>
        assertClose({ of, p, ci95 }, pairs[pair], `simultaneous ${at}, pair ${pair}`),
      );
      const single = familyTests(groups, undefined, paired);
      assert.ok(
        tests.every(({ ci95 }, pair) => {
          const [low, high] = single[pair]?.ci95 ?? [NaN, NaN];
          return ci95 && ci95[0] < low && ci95[1] > high;
        }),
      );
    }
  });

  it('have the quantiles of R between 5 and 6 degrees of freedom', () => {
    const { df, t } = golden.quantiles;
    assertClose(
      df.map(each => tQuantile(0.975, each)),
      t,
      't',
    );
  });
});

describe('Ratios and odds', () => {
  it('have the means that are tested, as R has them: geometric ones, and those of logits', () => {
    const cases = [
      { scale: 'ratio', ...golden.geometric },
      ...golden.logit.map(each => ({ scale: 'logit' as const, ...each })),
    ] as const;
    for (const { scale, a, b, groups, effect, ci95, t, df, p } of cases) {
      const found = compared([a, b], { scale });
      const [pair] = found.pairs;
      assertClose(
        found.groups.map(({ center, centerCi95 }) => ({ center, ci95: centerCi95 })),
        groups,
        scale,
      );
      assertClose(
        { effect: pair?.effect, ci95: pair?.ci95, t: pair?.t, df: pair?.df, p: pair?.p },
        { effect, ci95, t, df, p },
        scale,
      );
    }
  });

  it('have none with a share of 0 or 1, and say so', () => {
    const found = compared(
      [
        [0.2, 0.3, 1],
        [0.4, 0.5, 0.7],
      ],
      { scale: 'logit' },
    );
    assert.deepEqual([found.reason, found.pairs[0]?.p, found.groups[0]?.center], ['not-between', null, null]);
    assert.equal(typeof found.groups[1]?.center, 'number');
  });
});

/** Numbers from 0 to below 1, the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
