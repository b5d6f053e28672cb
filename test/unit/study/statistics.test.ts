import * as assert from 'node:assert/strict';
import {
  familyTests,
  holm,
  type PairTest,
  pairedTest,
  summaryOf,
  welchAnova,
  welchTest,
} from '../../../src/study/statistics';
import golden from '../../golden/statistics.json';
import { assertClose } from './assertClose';

interface ExpectedTest {
  difference: number | null;
  t: number | null;
  df: number | null;
  p: number | null;
  ci95: number[] | null;
  n?: number;
}

function assertTest(actual: PairTest, expected: ExpectedTest, at: string): void {
  const { difference, t, df, p, ci95, n } = actual;
  assertClose({ difference, t, df, p, ci95 }, pick(expected), at);
  if (expected.n !== undefined) assert.equal(n, expected.n, at);
  assert.equal(
    actual.reason === undefined,
    p !== null,
    `${at}: a reason where there is no p, and only there`,
  );
}

function pick({ difference, t, df, p, ci95 }: ExpectedTest): Omit<ExpectedTest, 'n'> {
  return { difference, t, df, p, ci95 };
}

describe('Statistics of replicates', () => {
  it('are those of scipy: summaries', () => {
    for (const [at, { values, ...expected }] of golden.summary.entries())
      assertClose(summaryOf(values), expected, `summary ${at}`);
  });

  it("are those of scipy: Welch's t", () => {
    for (const [at, expected] of golden.welch.entries())
      assertTest(welchTest(expected.a, expected.b), expected, `welch ${at}`);
  });

  it('are those of scipy: paired t', () => {
    for (const [at, expected] of golden.paired.entries())
      assertTest(pairedTest(expected.a, expected.b), expected, `paired ${at}`);
  });

  it('are those of scipy: families of comparisons, and the test over all', () => {
    for (const [at, { groups, reference, paired, anova, pairs }] of golden.several.entries()) {
      const tests = familyTests(groups, reference ?? undefined, paired);
      assert.deepEqual(
        tests.map(({ of }) => of),
        pairs.map(({ of }) => of),
      );
      tests.forEach((test, pair) => {
        const expected = pairs[pair] as (typeof pairs)[number];
        assertTest(test, expected, `several ${at}, pair ${pair}`);
        assertClose(test.pAdjusted, expected.pAdjusted, `several ${at}, pair ${pair}: adjusted`);
      });
      if (!anova) continue;
      const { f, df, p } = welchAnova(groups);
      assertClose({ f, df, p }, anova, `several ${at}: over all`);
    }
  });

  it("are those of scipy: Welch's t of logarithms", () => {
    for (const [at, { a, b, ratio, ci95, t, df, p }] of golden.ratio.entries()) {
      const test = welchTest(a.map(Math.log), b.map(Math.log));
      const back = { ratio: Math.exp(test.difference ?? NaN), ci95: test.ci95?.map(Math.exp) };
      assertClose({ ...back, t: test.t, df: test.df, p: test.p }, { ratio, ci95, t, df, p }, `ratio ${at}`);
    }
  });

  it('have no p below three replicates, and say so', () => {
    assert.equal(welchTest([1, 2], [3, 4, 5]).reason, 'few');
    assert.equal(pairedTest([1, 2, null], [3, 5, 5]).reason, 'few');
    assert.equal(
      welchAnova([
        [1, 2, 3],
        [2, 3, 4],
        [1, 2],
      ]).reason,
      'few',
    );
  });

  it('have no p without variance, though rounding would leave one', () => {
    // The mean of these is not 0.1: computed naively they vary.
    const equal = Array.from({ length: 10 }, () => 0.1);
    assert.equal(welchTest(equal, [0.3, 0.3, 0.3]).reason, 'no-variance');
    assert.equal(pairedTest(equal, equal).reason, 'no-variance');
    assert.equal(pairedTest([0.1, 0.2, 0.3], [0.2, 0.3, 0.4]).reason, 'no-variance');
    assert.equal(welchAnova([equal, [1, 2, 3], [2, 3, 5]]).reason, 'no-variance');
    assert.equal(welchTest(equal, [0.3, 0.4, 0.5]).reason, undefined);
  });

  it('have no difference where a condition has no value at all', () => {
    assert.equal(welchTest([], [1, 2, 3]).difference, null);
    assert.equal(pairedTest([1, null], [null, 2]).difference, null);
  });

  it('keep p near 1 and p near 0 to the last digits', () => {
    const spread = [-4, -3, -2, -1, 0, 1, 2, 3, 4];
    const apart = (difference: number) =>
      welchTest(
        spread,
        spread.map(value => value + difference),
      ).p;
    // By ttest_ind of scipy 1.17.
    assertClose([apart(0.25), apart(1e6)], [0.8488876652088587, 5.021673524365451e-86], 'p');
  });

  it('adjust p by Holm in the order given, never above 1, missing ones apart', () => {
    assertClose(holm([0.04, null, 0.01, 0.9]), [0.08, null, 0.03, 0.9], 'holm');
    assert.deepEqual(holm([0.6, 0.5]), [1, 1]);
  });
});
