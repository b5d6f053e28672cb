import assert from 'node:assert/strict';
import type { Raster } from '../../../../../src/images/raster';
import { hematoxylin } from '../../../../../src/sample/node/analysis/grayImage';

describe('Color deconvolution', () => {
  // Values of scikit-image 0.26: separate_stains with hdx_from_rgb, times 6, which makes its unit
  // an optical density.
  for (const [stain, color, density] of [
    ['hematoxylin', [120, 100, 180], 0.532616],
    ['DAB', [180, 120, 60], 0],
    ['both', [90, 60, 70], 0.458116],
    ['hardly any', [240, 240, 245], 0.033694],
    ['none', [255, 255, 255], 0],
    ['some', [160, 165, 190], 0.255196],
  ] as const) {
    it(`gives the amount of hematoxylin where there is ${stain}`, () => {
      const pixel: Raster = {
        width: 1,
        height: 1,
        channels: 4,
        alpha: 3,
        bitsPerSample: 8,
        samples: Uint8Array.of(...color, 9),
        photometric: 'rgb',
        notes: [],
      };
      const [amount = NaN] = hematoxylin(pixel);
      assert.ok(Math.abs(amount / 255 - density) < 2e-6, `${amount / 255}`);
    });
  }
});
