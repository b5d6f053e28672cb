import { equal } from 'node:assert/strict';
import { contrast, luminance } from '../../../../../src/base/colors';

describe('the contrast of colors', () => {
  it('is that of WCAG', () => {
    equal(luminance([255, 255, 255]), 1);
    equal(contrast([255, 255, 255], [0, 0, 0]), 21);
  });
});
