import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import { numberOrder } from '../../../../../src/columns/engine/radixSort';

/** The order by the language's own stable sort. */
function expected(values: Float64Array, descending: boolean): number[] {
  return [...values.keys()].sort((a, b) => {
    const [first = NaN, second = NaN] = [values[a], values[b]];
    if (Number.isNaN(first) || Number.isNaN(second))
      return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
    return first === second ? 0 : first < second === descending ? 1 : -1;
  });
}

async function check(values: Float64Array): Promise<void> {
  for (const descending of [false, true])
    assert.deepEqual([...(await numberOrder(values, descending))], expected(values, descending));
}

const special = fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 5e-324, -5e-324, Number.MAX_VALUE, -1, 1);

describe('the order of numbers', () => {
  it('is that of a stable sort, missing ones last, for any doubles', async () => {
    const anyDoubles = fc.array(fc.oneof(fc.double(), special), { maxLength: 400 });
    await fc.assert(fc.asyncProperty(anyDoubles, values => check(Float64Array.from(values))));
  });

  it('is that of a stable sort where few numbers repeat', async () => {
    const fewInteger = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 100, maxLength: 400 });
    await fc.assert(fc.asyncProperty(fewInteger, values => check(Float64Array.from(values))));
  });

  it('is that of a stable sort for numbers of few decimals, also with others far behind', async () => {
    const decimals = fc.tuple(
      fc.array(fc.integer({ min: -50_000, max: 50_000 }), { minLength: 1100, maxLength: 1300 }),
      fc.constantFrom(1, 10, 1e3, 1e5),
      fc.array(fc.oneof(special, fc.constantFrom(Math.PI, 1e16, 2 ** 53 + 2)), { maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(decimals, ([whole, factor, others]) =>
        check(Float64Array.from([...whole.map(value => value / factor), ...others])),
      ),
      { numRuns: 60 },
    );
  });

  it('is that of a stable sort for many doubles of any size', async () => {
    const many = fc.array(fc.oneof(fc.double(), special), { minLength: 1100, maxLength: 1300 });
    await fc.assert(
      fc.asyncProperty(many, values => check(Float64Array.from(values))),
      { numRuns: 60 },
    );
  });

  it('distinguishes numbers that differ only in their last bits', async () => {
    // Beside two far ones, hundreds of doubles that follow each other, each twice.
    const near = Array.from({ length: 2400 }, (_, at) => 1 + ((at * 7919) % 300) * Number.EPSILON);
    await check(Float64Array.from([1e300, ...near, -1e300]));
    await check(Float64Array.from(near, value => -value));
  });

  it('of negative and positive zero is that of the file', async () => {
    await check(Float64Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? -0 : 0)));
    await check(Float64Array.from({ length: 100 }, (_, at) => [0, -0, 5e-324, -5e-324][at % 4] ?? 0));
  });

  it('stops when it is canceled', async () => {
    const stop = new AbortController();
    const order = numberOrder(Float64Array.from({ length: 3_000_000 }, Math.random), false, stop.signal);
    stop.abort();
    await assert.rejects(order, error => isCoded(error, 'cancelled'));
  });
});
