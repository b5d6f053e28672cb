import { deepEqual, equal, ok } from 'node:assert/strict';
import { coarser, spreadOf, usualRange } from '../../../../../src/pages/page/widgets/colorScale';

describe('how values are spread', () => {
  it('is counted in equal bins, the largest value in the last', () => {
    deepEqual(spreadOf(new Float64Array([0, 1, 2, 3, 4, NaN, Infinity]), 4), {
      min: 0,
      max: 4,
      counts: new Uint32Array([1, 1, 1, 2]),
    });
  });

  it('is nothing without any number', () => {
    equal(spreadOf(new Float64Array([NaN]), 4), undefined);
    equal(spreadOf(new Float64Array(0), 4), undefined);
  });

  it('leaves a few outliers out of the usual range, and little else', () => {
    const values = Float64Array.from({ length: 10_000 }, (_, i) => 100 + (i % 100));
    values[0] = 1e4;
    const spread = spreadOf(values, 256);
    ok(spread);
    const { low, high } = usualRange(spread);
    ok(low <= 100 && high < 300, `${low}…${high}`);
  });

  it('is whole where the values are even', () => {
    deepEqual(usualRange({ min: 0, max: 8, counts: new Uint32Array([5, 5, 5, 5]) }), { low: 0, high: 8 });
  });

  it('keeps every count when it is drawn coarser', () => {
    deepEqual(coarser(new Uint32Array([1, 2, 3, 4, 5]), 2), [6, 9]);
  });
});
