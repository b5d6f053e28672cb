import * as assert from 'node:assert/strict';
import { compareReplicates, type ComparisonSpec, namesRecur } from '../../../src/study/conditionComparison';
import { partValue, type Replicate } from '../../../src/study/replicates';
import golden from '../../golden/statistics.json';
import { assertClose } from './assertClose';

/** Replicates r0, r1, … of each condition c0, c1, … with these values. */
function replicates(groups: readonly (readonly (number | null)[])[]): Replicate[] {
  return groups.flatMap((values, at) =>
    values.map((value, place) => {
      return { condition: `c${at}`, name: [`r${place}`], images: 1, objects: 1, value, parts: [] };
    }),
  );
}

function compared(groups: readonly (readonly (number | null)[])[], spec: Partial<ComparisonSpec> = {}) {
  return compareReplicates(replicates(groups), {
    conditions: groups.map((_, at) => `c${at}`),
    hasReplicates: true,
    paired: false,
    scale: 'difference',
    ...spec,
  });
}

describe('Conditions compared by their replicates', () => {
  it('have the golden tests of several, named by condition', () => {
    for (const { groups, reference, paired, anova, pairs } of golden.several) {
      const found = compared(groups, { paired, reference: reference === null ? undefined : `c${reference}` });
      assert.equal(found.test, paired ? 'rm-anova' : 'welch-anova');
      if (anova) assertClose(found.overall, anova, 'over all');
      assert.deepEqual(
        found.pairs.map(({ of }) => of),
        pairs.map(({ of }) => of.map(at => `c${at}`)),
      );
      assertClose(
        found.pairs.map(({ pAdjusted }) => pAdjusted),
        pairs.map(({ pAdjusted }) => pAdjusted),
        'adjusted',
      );
      assert.equal(found.family, pairs.filter(({ p }) => p !== null).length);
    }
  });

  it('are compared with the reference, whichever of two it is', () => {
    const groups = [
      [1, 2, 3],
      [4, 6, 8],
    ];
    assert.deepEqual(compared(groups).pairs[0]?.of, ['c0', 'c1']);
    assert.equal(compared(groups).pairs[0]?.effect, 4);
    const back = compared(groups, { reference: 'c1' });
    assert.deepEqual(back.pairs[0]?.of, ['c1', 'c0']);
    assert.equal(back.pairs[0]?.effect, -4);
    // One that is left out by a filter is none.
    assert.equal(compared(groups, { reference: 'gone' }).pairs[0]?.effect, 4);
  });

  it('have ratios of geometric means, whose interval is transformed back', () => {
    for (const { a, b, ratio, ci95, t, df, p } of golden.ratio) {
      const [pair] = compared([a, b], { scale: 'ratio' }).pairs;
      assert.ok(pair);
      assertClose([pair.effect, pair.t, pair.df, pair.p, pair.ci95], [ratio, t, df, p, ci95], 'ratio');
    }
  });

  it('have no ratio with a condition that has a value of 0 or less, and the others do', () => {
    const found = compared(
      [
        [1, 2, 3],
        [0, 2, 3],
        [4, 5, 7],
      ],
      { scale: 'ratio' },
    );
    assert.deepEqual(
      found.pairs.map(({ reason, p }) => [reason, p === null]),
      [
        ['not-positive', true],
        [undefined, false],
        ['not-positive', true],
      ],
    );
    assert.equal(found.pairs[0]?.effect, null);
    assert.equal(found.reason, 'not-positive');
    assert.deepEqual(
      found.groups.map(({ flaw }) => flaw),
      [undefined, 'not-positive', undefined],
    );
    assert.equal(found.groups[1]?.n, 3);
  });

  it('show a condition of two replicates without comparing it, and have no test over all', () => {
    const found = compared([
      [1, 2, 3],
      [2, 4],
      [3, 5, 9],
    ]);
    assert.equal(found.groups[1]?.mean, 3);
    assert.ok(found.groups[1]?.ci95);
    assert.deepEqual(
      found.pairs.map(({ reason }) => reason),
      ['few', undefined, 'few'],
    );
    assert.deepEqual([found.overall?.p, found.reason, found.family], [null, 'few', 1]);
  });

  it('count only replicates with a value', () => {
    const { groups } = compared([
      [1, null, 3],
      [null, null],
    ]);
    assert.deepEqual(
      groups.map(({ n, mean }) => [n, mean]),
      [
        [2, 2],
        [0, null],
      ],
    );
  });

  it('leave replicates without a partner out of paired tests, and name them', () => {
    const found = compared(
      [
        [1, 2, 3, 4],
        [2, 4, 5, null, 9],
      ],
      { paired: true },
    );
    const [pair] = found.pairs;
    assert.equal(pair?.n, 3);
    assertClose(pair.effect, 5 / 3, 'mean of the three differences');
    assert.deepEqual(
      found.unpaired.map(({ condition, name }) => [condition, ...name]),
      [
        ['c0', 'r3'],
        ['c1', 'r4'],
      ],
    );
    // They stay in the plot.
    assert.deepEqual(
      found.groups.map(({ n }) => n),
      [4, 4],
    );
  });

  it('have no test without replicate columns or with one condition', () => {
    const found = compared([[5], [9]], { hasReplicates: false });
    assert.deepEqual([found.test, found.reason, found.pairs], [null, 'no-replicates', []]);
    assert.deepEqual(
      found.groups.map(({ n, mean, ci95 }) => [n, mean, ci95]),
      [
        [0, 5, null],
        [0, 9, null],
      ],
    );
    assert.equal(compared([[1, 2, 3]]).reason, 'one-condition');
  });

  it('tell names that recur in several conditions', () => {
    assert.equal(namesRecur(replicates([[1, 2], [3]])), true);
    const [one, two] = replicates([[1], [2]]) as [Replicate, Replicate];
    assert.equal(namesRecur([one, { ...two, name: ['r9'] }]), false);
    assert.equal(namesRecur([one, { ...one, name: ['r1'] }]), false);
  });

  it('have no value where a quotient is of nothing', () => {
    assert.equal(partValue({ numerator: 0, denominator: 0 }), null);
  });
});
