import assert from 'node:assert/strict';
import { bestPairs } from '../../../../src/comparison/engine/bestPairs';

type Pair = readonly [a: number, b: number, weight: number];

/** More steps than any of these tests needs: what takes more never ends. */
const MAX_STEPS = 1_000_000;

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
  for (let step = 0; step < MAX_STEPS; step++) {
    const { done, value } = steps.next();
    if (done) return [...value];
  }
  return assert.fail('no end');
}

/** A stretch of pixels of a row: from, to (exclusive). */
type Stretch = readonly [from: number, to: number];

/** The pairs of stretches whose IoU is half or more. */
function pairsOf(a: readonly Stretch[], b: readonly Stretch[]): Pair[] {
  return a.flatMap(([from, to], atA) =>
    b.flatMap(([start, end], atB): Pair[] => {
      const shared = Math.min(to, end) - Math.max(from, start);
      const union = to - from + end - start - shared;
      return 2 * shared >= union ? [[atA, atB, shared / union]] : [];
    }),
  );
}

function totalOf(pairs: readonly Pair[], partners: readonly number[]): { count: number; weight: number } {
  const chosen = partners.flatMap((b, a) => pairs.filter(pair => pair[0] === a && pair[1] === b));
  return { count: chosen.length, weight: chosen.reduce((sum, [, , weight]) => sum + weight, 0) };
}

/**
 * All ways to choose partners; the best of them by the rules, and of equal ones the first by
 * partners, none counting last.
 */
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

  it('ends where rounding makes the way back to an object seem shorter', () => {
    const pairs = pairsOf(
      [
        [0, 10],
        [1, 9],
        [4, 13],
        [5, 13],
        [2, 14],
      ],
      [
        [4, 16],
        [2, 13],
      ],
    );
    assert.deepEqual(totalOf(pairs, partnersOf(pairs, 5, 2)), totalOf(pairs, byTrying(pairs, 5)));
  });

  it('finds as many pairs of random overlapping shapes, and as large a total, as trying all ways', () => {
    const random = numbers(38);
    for (let round = 0; round < 4000; round++) {
      const length = 8 + Math.floor(random() * 60);
      const stretches = (): Stretch[] =>
        Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
          const from = Math.floor(random() * length * 0.4);
          return [from, from + 2 + Math.floor(random() * length * 0.6)];
        });
      const a = stretches();
      const b = stretches();
      const pairs = pairsOf(a, b);
      const found = totalOf(pairs, partnersOf(pairs, a.length, b.length));
      const best = totalOf(pairs, byTrying(pairs, a.length));
      const shapes = `round ${round}: ${JSON.stringify({ a, b })}`;
      assert.equal(found.count, best.count, shapes);
      assert.ok(Math.abs(found.weight - best.weight) <= 1e-12, shapes);
    }
  });

  it('yields while a row is added to a large component, so that it can be canceled', () => {
    const count = 400;
    const pairs: Pair[] = [];
    for (let a = 0; a < count; a++) for (let b = 0; b < count; b++) pairs.push([a, b, 1 / (1 + a * b)]);
    const possible = {
      count: pairs.length,
      a: pairs.map(([a]) => a),
      b: pairs.map(([, b]) => b),
      weight: pairs.map(([, , weight]) => weight),
    };
    const walk = bestPairs(possible, count, count);
    // One for each row that is added and each that is lowered is what there is without.
    let steps = 0;
    while (steps < 3 * count && !walk.next().done) steps++;
    assert.equal(steps, 3 * count);
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
