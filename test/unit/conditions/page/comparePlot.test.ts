import * as assert from 'node:assert/strict';
import type { ComparedPair } from '../../../../src/conditions/comparison';
import type { ShownReplicate } from '../../../../src/conditions/comparisonRequests';
import { conditionPlaces, pLabels, replicateNames } from '../../../../src/conditions/page/comparePlot';

describe('The plot of a comparison', () => {
  it('has conditions side by side, or where their numbers are', () => {
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

  it('gives replicates of one name one color and shape, in the order in which people count', () => {
    const replicate = (condition: string, name: string): ShownReplicate => {
      return { condition, name: [name], images: 1, objects: 1, imagesWithValue: 1, value: 1 };
    };
    const names = replicateNames([replicate('a', 'd10'), replicate('a', 'd2'), replicate('b', 'd2')]);
    assert.deepEqual(
      [...names],
      [
        ['["d2"]', 0],
        ['["d10"]', 1],
      ],
    );
  });

  it('has probabilities with one sign where they are close, upright where closer, and none where they would overlap even so', () => {
    const pair: ComparedPair = {
      of: ['a', 'b'],
      effect: 1,
      ci95: [0, 2],
      t: 3,
      df: 4,
      p: 0.0064,
      pAdjusted: null,
      n: 6,
    };
    const words = { p: () => 'p = 0.0064', pNumber: () => '0.0064' };
    const labels = (step: number) => pLabels([pair, pair], words, step);
    const { room, ...whole } = labels(80);
    assert.deepEqual(whole, { texts: ['p = 0.0064', 'p = 0.0064'], sign: '', isUpright: false });
    const texts = ['0.0064', '0.0064'];
    assert.deepEqual(labels(64), { texts, sign: 'p', isUpright: false, room });
    const upright = labels(30);
    assert.deepEqual([upright.isUpright, upright.texts], [true, texts]);
    assert.ok(upright.room > room);
    assert.deepEqual(labels(10).texts, ['', '']);
    assert.equal(pLabels([], words, 80).room, 0);
  });
});
