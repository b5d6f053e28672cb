import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  barsPath,
  binEnds,
  binsOf,
  rangeOfBins,
} from '../../../../../src/pages/page/widgets/columnHistogram';

/** Bins between these numbers; infinite ones are open. */
const between = (...edges: number[]) => {
  const bins = edges.slice(1);
  const counts = bins.map(() => 1);
  return {
    low: 0.123,
    high: 79.8,
    ends: bins.flatMap((edge, at) => [edges[at] ?? 0, edge]),
    all: counts,
    shown: counts,
  };
};
const whole = between(-Infinity, 20, 40, 60, Infinity);
const part = between(20.1, 30, 39.9);
const integers = { ...whole, ends: [-Infinity, 4, 5, 9, 10, Infinity], all: [1, 1, 1] };

describe('a histogram that is brushed', () => {
  it('gives a range whose ends are open beyond all numbers', () => {
    deepEqual(rangeOfBins(whole, 0, 3), { min: null, max: null });
    deepEqual(rangeOfBins(whole, 1, Infinity), { min: 20, max: null });
    deepEqual(rangeOfBins(whole, -1, 1), { min: null, max: 40 });
    deepEqual(rangeOfBins(part, 0, 1), { min: 20.1, max: 39.9 });
  });

  it('marks again the bins that were brushed, or that a typed range reaches into', () => {
    for (const data of [whole, part, integers])
      for (let first = 0; first < data.all.length; first++)
        for (let last = first; last < data.all.length; last++)
          deepEqual(binsOf(data, rangeOfBins(data, first, last)), [first, last]);
    deepEqual(binsOf(whole, { min: 19, max: 41 }), [0, 2]);
    deepEqual(binsOf(part, { min: 50, max: 60 }), [1, 1]);
    deepEqual(binsOf(part, { min: 1, max: 2 }), [0, 0]);
    // No integer is between two bins.
    deepEqual(binsOf(integers, { min: 4.5, max: 9.5 }), [1, 1]);
    deepEqual(binsOf(integers, { min: 9, max: 9 }), [1, 1]);
  });

  it('says where bins are, the outermost up to the last number', () => {
    deepEqual(
      [binEnds(whole, 0), binEnds(whole, 1), binEnds(whole, 3)],
      [
        [0.123, 20],
        [20, 40],
        [60, 79.8],
      ],
    );
  });

  it('draws no bar for nothing, and a bar of a pixel for the rarest value', () => {
    equal(barsPath([0, 0], 0, 10, 20), '');
    ok(barsPath([1, 1_000_000], 1_000_000, 10, 20).includes('v-1h'));
  });
});
