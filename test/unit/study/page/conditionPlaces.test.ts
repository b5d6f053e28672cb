import * as assert from 'node:assert/strict';
import { conditionAxis, conditionPlaces } from '../../../../src/study/page/conditionPlaces';

describe('The places of conditions in a plot', () => {
  it('are side by side, or where their numbers are', () => {
    const even = conditionPlaces(undefined, 3, 300);
    assert.deepEqual([0, 1, 2].map(even.x), [50, 150, 250]);
    const doses = conditionPlaces([0, 1, 10], 3, 400);
    const [zero = 0, one = 0, ten = 0] = [0, 1, 2].map(doses.x);
    assert.equal(Math.round((ten - zero) / (one - zero)), 10);
    // Neighbors don't run into each other, and those at the ends are in the plot.
    assert.ok(2 * doses.half <= one - zero + 1e-9 || doses.half === 8);
    assert.ok(zero - doses.half >= 0 && ten + doses.half <= 400);
    // Two conditions of one number have no place on an axis.
    assert.deepEqual([0, 1].map(conditionPlaces([5, 5], 2, 100).x), [25, 75]);
  });

  it('are on a logarithmic axis where a linear one had the closest over each other', () => {
    const doses = [0, 0.1, 1, 10, 100];
    assert.equal(conditionAxis(doses)?.isLogarithmic, true);
    const { x, half } = conditionPlaces(doses, doses.length, 500);
    const places = doses.map((_, at) => x(at));
    for (const [at, place] of places.slice(1).entries())
      assert.ok(place - (places[at] ?? 0) >= 2 * half - 1e-9 && half > 16, `${place}`);
    // Even steps are closer on a logarithmic axis, however many there are.
    const even = Array.from({ length: 40 }, (_, at) => at);
    assert.equal(conditionAxis(even)?.isLogarithmic, false);
    assert.equal(conditionAxis([0, 1, 10])?.isLogarithmic, false);
    assert.equal(conditionAxis([NaN, 1, 2]), undefined);
    assert.equal(conditionAxis([3]), undefined);
  });
});
