import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import { sortDecimals, sortedNumbers } from '../../../../../src/columns/engine/sortedNumbers';
import { Pacer } from '../../../../../src/base/node/slices';

const wholes = (span: number) =>
  fc.array(fc.integer({ min: -span, max: span }), { minLength: 1, maxLength: 300 });
const special = fc.constantFrom(-0, Infinity, -Infinity, 5e-324, Math.PI, 1e16, 2 ** 53 + 2);

describe('numbers of few decimals', () => {
  it('are sorted exactly as by the language, by counting and by digits', async () => {
    const decimals = fc.tuple(
      fc.oneof(wholes(5), wholes(50_000), wholes(2 ** 31 - 1)),
      fc.constantFrom(1, 10, 1e3, 1e6, 1e9),
    );
    await fc.assert(
      fc.asyncProperty(decimals, async ([whole, factor]) => {
        // −0 isn't such a number.
        const numbers = Float64Array.from(whole, value => (value === 0 ? 0 : value / factor));
        const expected = numbers.slice().sort();
        assert.equal(await sortDecimals(numbers, new Pacer()), true);
        assert.deepEqual(numbers, expected);
      }),
    );
  });

  it('are distinguished from others, which stay unchanged or are sorted as well', async () => {
    const mixed = fc.tuple(wholes(50_000), fc.array(special, { minLength: 1, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(mixed, async ([whole, others]) => {
        const numbers = Float64Array.from([...whole.map(value => value / 1000), ...others]);
        const [before, expected] = [numbers.slice(), numbers.slice().sort()];
        const isSorted = await sortDecimals(numbers, new Pacer());
        assert.deepEqual(numbers, isSorted ? expected : before);
      }),
    );
  });

  it('of a large column are sorted, and so are others, without missing ones', async () => {
    const count = 300_000;
    const spread = (at: number) => (at * 7919) % count;
    for (const numberAt of [
      (at: number) => spread(at) / 100,
      (at: number) => spread(at) * 14_000 + 0.5,
      (at: number) => spread(at) / 3,
      (at: number) => (at % 2 === 0 ? -0 : 0),
    ]) {
      const numbers = Float64Array.from({ length: count }, (_, at) => (at % 1000 === 7 ? NaN : numberAt(at)));
      const expected = numbers.filter(value => !Number.isNaN(value)).sort();
      const sorted = await sortedNumbers(numbers);
      assert.equal(sorted.length, expected.length);
      // −0 and 0 may come in any order. deepEqual would take minutes to print a difference.
      assert.ok(sorted.every((value, at) => value === expected[at]));
    }
  });

  it('stops when it is canceled', async () => {
    const stop = new AbortController();
    const numbers = Float64Array.from({ length: 3_000_000 }, (_, at) => (at % 1000) / 8);
    const sorted = sortDecimals(numbers, new Pacer(stop.signal));
    stop.abort();
    await assert.rejects(sorted, error => isCoded(error, 'cancelled'));
  });
});
