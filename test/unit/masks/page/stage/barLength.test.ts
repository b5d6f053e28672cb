import { deepEqual, ok } from 'node:assert/strict';
import { barLength } from '../../../../../src/masks/page/stage/masksStage';

describe('the length of a scale bar', () => {
  it('is a round number of µm that fits', () => {
    deepEqual(barLength(1, 0.5, 120), { width: 100, value: 50, unit: 'µm' });
  });

  it('is in pixels while the size of a pixel is not known', () => {
    deepEqual(barLength(0.5, undefined, 120), { width: 100, value: 200, unit: 'px' });
  });

  it('is in mm on a whole slide and in nm close up', () => {
    deepEqual(barLength(0.01, 0.25, 120), { width: 80, value: 2, unit: 'mm' });
    deepEqual(barLength(64, 0.1, 120), { width: 64, value: 100, unit: 'nm' });
  });

  it('is never longer than the limit, nor shorter than two fifths of it', () => {
    for (let scale = 0.001; scale < 64; scale *= 1.3) {
      const { width } = barLength(scale, 0.325, 120);
      ok(width <= 120.001 && width >= 47.9, `${scale}: ${width}`);
    }
  });
});
