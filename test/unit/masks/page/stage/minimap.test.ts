import { deepEqual, equal, ok } from 'node:assert/strict';
import { minimapSize } from '../../../../../src/masks/page/stage/masksStage';

describe('the overview', () => {
  it('takes at most a fifth of the width', () => {
    for (const width of [500, 600, 700, 2000]) {
      const size = minimapSize({ width, height: 900 }, { width: 3000, height: 1000 });
      ok(size && size.width <= width / 5, String(width));
    }
  });

  it('keeps the shape of the image', () => {
    deepEqual(minimapSize({ width: 1000, height: 900 }, { width: 3040, height: 1520 }), {
      width: 152,
      height: 76,
    });
  });

  it('is not too high in a low stage', () => {
    const size = minimapSize({ width: 1000, height: 200 }, { width: 1000, height: 1000 });
    ok(size && size.height <= 80);
  });

  it('is left out of a narrow stage, where it would lie on the scale bar', () => {
    equal(minimapSize({ width: 499, height: 900 }, { width: 100, height: 100 }), undefined);
  });
});
