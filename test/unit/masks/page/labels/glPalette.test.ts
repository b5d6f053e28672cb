import { deepEqual, equal } from 'node:assert/strict';
import { layOutPalette } from '../../../../../src/masks/page/labels/glLabelRenderer';

describe('a palette as a texture', () => {
  it('is laid out in rows', () => {
    deepEqual(layOutPalette(50_001, 8192), { width: 1024, height: 49 });
    deepEqual(layOutPalette(1, 8192), { width: 1024, height: 1 });
  });

  it('grows wider before it grows too tall', () => {
    deepEqual(layOutPalette(20_000_000, 8192), { width: 8192, height: 2442 });
  });

  it('stays within the smallest limits that WebGL2 allows', () => {
    deepEqual(layOutPalette(4_000_000, 2048), { width: 2048, height: 1954 });
    equal(layOutPalette(2048 * 2048 + 1, 2048), undefined);
  });
});
