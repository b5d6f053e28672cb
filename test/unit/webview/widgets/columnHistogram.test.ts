import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { barsPath, binsOf, rangeOfBins, toPrecision } from '../../../../src/webview/widgets/columnHistogram';

const histogram = (low: number, high: number, bins = 40) => ({
  low,
  high,
  all: new Array<number>(bins).fill(1),
  shown: new Array<number>(bins).fill(0),
});

describe('a histogram that is brushed', () => {
  it('gives a range whose ends are open at the ends of the column', () => {
    deepEqual(rangeOfBins(histogram(0, 80), 0, 39), { min: null, max: null });
    deepEqual(rangeOfBins(histogram(0, 80), 10, 39), { min: 20, max: null });
    deepEqual(rangeOfBins(histogram(0, 80), 0, 9), { min: null, max: 20 });
  });

  it('of a part of a column gives a range that ends where the part does, unless the column ends there too', () => {
    const part = histogram(20, 60);
    deepEqual(rangeOfBins(part, 0, 39, [0, 80]), { min: 20, max: 60 });
    deepEqual(rangeOfBins(part, 0, 19, [20, 80]), { min: null, max: 40 });
    deepEqual(rangeOfBins(part, 20, 39, [0, 60]), { min: 40, max: null });
  });

  it('marks again the bins that were brushed, whatever the numbers are rounded to', () => {
    const place = fc.integer({ min: 0, max: 39 });
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
        place,
        place,
        (low, width, a, b) => {
          const data = histogram(low, low + width);
          const [first, last] = [Math.min(a, b), Math.max(a, b)];
          deepEqual(binsOf(data, rangeOfBins(data, first, last)), [first, last]);
        },
      ),
    );
  });

  it('of a column with one value keeps that value in', () => {
    deepEqual(binsOf(histogram(5, 5, 1), { min: null, max: null }), [0, 0]);
    equal(toPrecision(5, 0), 5);
  });

  it('rounds to the resolution of a bin', () => {
    equal(toPrecision(12.345678, 1), 12.3);
    equal(toPrecision(0.00123456, 0.0001), 0.00123);
    equal(toPrecision(123456.7, 5000), 123457);
  });

  it('draws no bar for nothing, and a bar of a pixel for the rarest value', () => {
    equal(barsPath([0, 0], 0, 10, 20), '');
    ok(barsPath([1, 1_000_000], 1_000_000, 10, 20).includes('v-1h'));
  });
});
