import * as assert from 'node:assert/strict';
import type { ComparedPair } from '../../../../src/conditions/comparison';
import type { ShownReplicate } from '../../../../src/conditions/comparisonRequests';
import { pLabels, replicateNames } from '../../../../src/conditions/page/comparePlot';

describe('The plot of a comparison', () => {
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
