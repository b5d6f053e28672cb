import { deepEqual, ok } from 'node:assert/strict';
import { controlQuality, percentOfControl, robustZScores } from '../../../src/plates/plateStatistics';
import golden from '../../golden/statistics.json';

/** The error that is allowed, relative or absolute. */
const TOLERANCE = 1e-12;

function assertNear(actual: readonly (number | null)[], expected: readonly (number | null)[], at: string) {
  deepEqual(actual.length, expected.length, at);
  expected.forEach((value, place) => {
    const own = actual[place] ?? null;
    if (value === null || own === null) return deepEqual(own, value, `${at} ${place}`);
    const off = Math.abs(own - value);
    return ok(off <= TOLERANCE * Math.max(1, Math.abs(value)), `${at} ${place}: ${own} instead of ${value}`);
  });
}

describe('Statistics of plates', () => {
  it('are those of numpy', () => {
    for (const [at, plate] of golden.plate.entries()) {
      const { negative, positive, samples } = plate;
      const { zPrime, robustZPrime, ssmd } = controlQuality(negative, positive);
      const expected = [plate.zPrime, plate.robustZPrime, plate.ssmd];
      assertNear([zPrime, robustZPrime, ssmd], expected, `controls of plate ${at}`);
      assertNear(percentOfControl(samples, negative), plate.percentOfControl, `percent of plate ${at}`);
      const all = [...samples, ...negative, ...positive];
      const scores = [...plate.robustZ.samples, ...plate.robustZ.negative, ...plate.robustZ.positive];
      assertNear(robustZScores(all, samples), scores, `robust z of plate ${at}`);
    }
  });

  it('are missing with fewer than 3 wells of a control', () => {
    const none = { zPrime: null, robustZPrime: null, ssmd: null };
    deepEqual(controlQuality([1, 2], [7, 8, 9]), none);
    deepEqual(controlQuality([1, 2, 3], [7, 8]), none);
  });

  it('are missing each by its own denominator', () => {
    // Equal means and other medians; equal medians and other means; no variance at all.
    const { zPrime, robustZPrime, ssmd } = controlQuality([0, 3, 3], [1, 2, 3]);
    deepEqual([zPrime, ssmd], [null, 0]);
    ok(robustZPrime !== null);
    const other = controlQuality([0, 2, 4], [1, 2, 9]);
    ok(other.zPrime !== null && other.robustZPrime === null);
    deepEqual(controlQuality([1, 1, 1], [2, 2, 2]), { zPrime: 1, robustZPrime: 1, ssmd: null });
  });

  it('take what rounding leaves of a difference for none', () => {
    const sum = 0.1 + 0.2;
    deepEqual(controlQuality([sum, sum, sum], [0.3, 0.3, 0.3]).zPrime, null);
    deepEqual(robustZScores([1], [sum, 0.3, 0.3, 0.3]), [null]);
    deepEqual(percentOfControl([1], [0.3, -0.1, -0.2]), [null]);
  });

  it('are missing where a value is, and where no well counts', () => {
    deepEqual(percentOfControl([5, null], [10]), [50, null]);
    deepEqual(percentOfControl([5], []), [null]);
    deepEqual(robustZScores([null, 5], [4, 5, 6]), [null, 0]);
    deepEqual(robustZScores([5], []), [null]);
  });
});
