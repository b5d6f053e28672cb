import { deepEqual, ok } from 'node:assert/strict';
import { classColor, contrast, distinctColors } from '../../../../../src/base/colors';
import { haloOf } from '../../../../../src/masks/page/labels/labelTiles';
import { makeColorScale } from '../../../../../src/pages/page/widgets/colorScale';

describe('the halo of an outline', () => {
  it('is dark around the colors of classes', () => {
    deepEqual(haloOf([255, 0, 0]), [0, 0, 0]);
    for (let at = 0; at < distinctColors; at++) deepEqual(haloOf(classColor(at)), [0, 0, 0]);
  });

  it('is light around dark colors, which would be lost on a dark image', () => {
    deepEqual(haloOf([68, 1, 84]), [255, 255, 255]);
    deepEqual(haloOf([0, 0, 255]), [255, 255, 255]);
  });

  it('contrasts with each color of each scale', () => {
    for (const name of ['viridis', 'turbo', 'grays'] as const)
      for (const color of makeColorScale(name))
        ok(contrast(color, haloOf(color)) >= 3, `${name} ${color.join(' ')}`);
  });
});
