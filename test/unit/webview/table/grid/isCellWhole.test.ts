import { equal } from 'node:assert/strict';
import { isCellWhole } from '../../../../../src/webview/table/grid/isCellWhole';

describe('A cell that is double-clicked', () => {
  const fits = { scrollWidth: 80, clientWidth: 80 };

  it('opens nothing where all of its text shows', () => {
    equal(isCellWhole('12.5', false, fits), true);
    equal(isCellWhole('', false, fits), true);
  });

  it('opens its text where some of it does not show', () => {
    equal(isCellWhole('a long name', false, { scrollWidth: 81, clientWidth: 80 }), false);
    equal(isCellWhole('cut when sent', true, fits), false);
    equal(isCellWhole('first line\nsecond line', false, fits), false);
  });
});
