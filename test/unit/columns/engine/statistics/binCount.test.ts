import * as assert from 'node:assert/strict';
import { binCount } from '../../../../../src/columns/engine/statistics/histogram';

const evenly = (count: number, from: number, step: number) =>
  Float64Array.from({ length: count }, (_, at) => from + at * step);
const binsOf = (sorted: Float64Array, count = sorted.length) =>
  binCount(sorted, { count, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN });

describe('The number of bins of a histogram', () => {
  it('is that of Freedman and Diaconis', () => {
    // The interquartile range is half of the range: cbrt(n) bins.
    assert.equal(binsOf(evenly(1001, 0, 0.37)), 11);
    assert.equal(binsOf(evenly(8001, -5, 0.01)), 21);
    // A sample stands for all.
    assert.equal(binsOf(evenly(1001, 0, 0.37), 8001), 21);
  });

  it('is at least 5 and at most 64', () => {
    assert.equal(binsOf(evenly(8, 0, 0.5)), 5);
    assert.equal(binsOf(Float64Array.of(3, 3, 3)), 5);
    assert.equal(binsOf(new Float64Array(0)), 5);
    assert.equal(binsOf(evenly(1001, 0, 0.37), 1e9), 64);
  });

  it('gives each of a few integers a bin', () => {
    assert.equal(binsOf(Float64Array.from(evenly(1001, 0, 1), value => value % 8).sort()), 8);
  });

  it('is finite where most numbers are equal', () => {
    assert.equal(binsOf(Float64Array.of(0, ...new Float64Array(1000).fill(7.5), 900.5)), 11);
  });
});
