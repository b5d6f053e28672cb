import assert from 'node:assert/strict';
import { bestPairs } from '../../../../src/matching/engine/bestPairs';

type Pair = readonly [a: number, b: number, weight: number];

function partnersOf(pairs: readonly Pair[], countA: number, countB: number): number[] {
  const steps = bestPairs(
    {
      count: pairs.length,
      a: pairs.map(([a]) => a),
      b: pairs.map(([, b]) => b),
      weight: pairs.map(([, , weight]) => weight),
    },
    countA,
    countB,
  );
  for (;;) {
    const { done, value } = steps.next();
    if (done) return [...value];
  }
}

/** All ways to choose partners; the best of them by the rules, and of equal ones the first by partners, none counting last. */
function byTrying(pairs: readonly Pair[], countA: number): number[] {
  const weights = new Map(pairs.map(([a, b, weight]) => [`${a}:${b}`, weight]));
  let best: { partners: number[]; count: number; weight: number } | undefined;
  const go = (partners: number[], weight: number): void => {
    const a = partners.length;
    if (a === countA) {
      const count = partners.filter(b => b >= 0).length;
      const isBetter = !best || count > best.count || (count === best.count && weight > best.weight + 1e-9);
      // The first that is found has the lowest partners.
      if (isBetter) best = { partners, count, weight };
      return;
    }
    const choices = pairs.filter(pair => pair[0] === a && !partners.includes(pair[1])).map(([, b]) => b);
    for (const b of choices.sort((one, other) => one - other))
      go([...partners, b], weight + (weights.get(`${a}:${b}`) ?? 0));
    go([...partners, -1], weight);
  };
  go([], 0);
  return best?.partners ?? [];
}

/** Numbers 0…1 that are the same in each run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('bestPairs', () => {
  it('prefers more pairs to a larger total', () => {
    const pairs: Pair[] = [
      [0, 0, 0.99],
      [0, 1, 0.5],
      [1, 0, 0.5],
    ];
    assert.deepEqual(partnersOf(pairs, 2, 2), [1, 0]);
  });

  it('prefers the larger total among as many pairs', () => {
    const pairs: Pair[] = [
      [0, 0, 0.6],
      [0, 1, 0.7],
      [1, 0, 0.7],
      [1, 1, 0.6],
    ];
    assert.deepEqual(partnersOf(pairs, 2, 2), [1, 0]);
  });

  it('prefers the lowest positions among equal totals', () => {
    const same = (weight: number): Pair[] =>
      [0, 1, 2].flatMap(a => [0, 1, 2].map(b => [a, b, weight] as const));
    assert.deepEqual(partnersOf(same(0.75), 3, 3), [0, 1, 2]);
  });

  it('leaves the last ones without a partner where there are too few', () => {
    assert.deepEqual(
      partnersOf(
        [
          [0, 0, 0.5],
          [1, 0, 0.5],
          [2, 0, 0.5],
        ],
        3,
        1,
      ),
      [0, -1, -1],
    );
  });

  it('has no partners where there are no pairs', () => {
    assert.deepEqual(partnersOf([], 2, 3), [-1, -1]);
    assert.deepEqual(partnersOf([], 0, 0), []);
  });

  it('finds what trying all ways finds', () => {
    const random = numbers(30);
    for (let round = 0; round < 1500; round++) {
      const countA = 1 + Math.floor(random() * 6);
      const countB = 1 + Math.floor(random() * 6);
      const density = random();
      // Few different weights, so that there are ties, also of sums.
      const weights = round % 2 === 0 ? [0.5, 0.6, 0.7, 0.8] : [1 / 2, 5 / 9, 7 / 11, 2 / 3, 7 / 9, 1];
      const pairs: Pair[] = [];
      for (let a = 0; a < countA; a++)
        for (let b = 0; b < countB; b++)
          if (random() < density) pairs.push([a, b, weights[Math.floor(random() * weights.length)] ?? 1]);
      const expected = byTrying(pairs, countA);
      // In any order.
      const shuffled = pairs
        .map(pair => ({ pair, order: random() }))
        .sort((one, other) => one.order - other.order)
        .map(({ pair }) => pair);
      assert.deepEqual(
        partnersOf(shuffled, countA, countB),
        expected,
        `round ${round}: ${JSON.stringify(pairs)}`,
      );
    }
  });

  it('pairs hundreds of equal objects in their order', () => {
    const count = 300;
    const pairs: Pair[] = [];
    for (let a = 0; a < count; a++) for (let b = 0; b < count; b++) pairs.push([a, b, 1]);
    assert.deepEqual(
      partnersOf(pairs, count, count),
      Array.from({ length: count }, (_, at) => at),
    );
  });
});
