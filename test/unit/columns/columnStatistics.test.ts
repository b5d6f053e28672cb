import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { statisticsOf } from '../../../src/columns/columnStatistics';

/** Steps of the values below: a power of two, so that every value is exact. */
const STEP = 2 ** -20;

/** The standard deviation of whole numbers of steps, in whole numbers to the last division. */
function exactDeviation(steps: readonly bigint[]): number {
  const count = BigInt(steps.length);
  const sum = steps.reduce((total, value) => total + value, 0n);
  const squares = steps.reduce((total, value) => total + value * value, 0n);
  return Math.sqrt(Number(count * squares - sum * sum) / Number(count * (count - 1n))) * STEP;
}

function deviation(steps: readonly bigint[]): number {
  const sorted = Float64Array.from(steps, value => Number(value) * STEP).sort();
  return statisticsOf({ present: sorted.length, missing: 0, sorted }).sd ?? NaN;
}

function assertClose(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-13 * expected, `${actual} instead of ${expected}`);
}

describe('The standard deviation of a column', () => {
  it('is exact for small noise on 1,000,000,000', () => {
    const noise = fc.array(fc.integer({ min: 0, max: 4096 }), { minLength: 2, maxLength: 200 });
    fc.assert(
      fc.property(noise, values => {
        const steps = values.map(value => 10n ** 9n * 2n ** 20n + BigInt(value));
        assertClose(deviation(steps), exactDeviation(steps));
      }),
    );
  });

  it('is exact for 200,000 such values', () => {
    const steps = Array.from(
      { length: 200_000 },
      (_, at) => 10n ** 9n * 2n ** 20n + BigInt((at * 48_271) % 4099),
    );
    assertClose(deviation(steps), exactDeviation(steps));
  });
});
