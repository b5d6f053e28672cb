import assert from 'node:assert/strict';
import fc from 'fast-check';
import { robustSpread } from '../../../../../src/sample/node/analysis/statistics';

describe('The spread of most values', () => {
  const value = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
  );

  it('has the median of the values, and of how far they are from it', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), list => {
        const { median, deviation } = robustSpread(Float32Array.from(list));
        const sorted = Float32Array.from(list).sort();
        // Which of the two zeros it is doesn't matter.
        assert.ok(median === (sorted[sorted.length >> 1] ?? 0));
        const distances = sorted.map(each => Math.abs(each - median)).sort();
        assert.ok(deviation === 1.4826 * (distances[distances.length >> 1] ?? 0));
      }),
    );
  });

  it('is found in the order of values that are sorted, reversed or all the same', () => {
    for (const at of [(i: number) => i, (i: number) => -i, () => 7]) {
      const { median } = robustSpread(Float32Array.from({ length: 100_000 }, (_, i) => at(i)));
      assert.equal(median, at(at(1) < 0 ? 49_999 : 50_000));
    }
  });
});
