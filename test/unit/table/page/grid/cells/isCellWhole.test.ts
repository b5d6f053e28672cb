import { equal } from 'node:assert/strict';
import { isCellWhole } from '../../../../../../src/table/page/controls/cellPopover';

describe('A cell that is double-clicked', () => {
  const fits = (textContent: string) => ({ scrollWidth: 80, clientWidth: 80, textContent });

  it('opens nothing where all of its text shows', () => {
    equal(isCellWhole('12.5', false, fits('12.5')), true);
    equal(isCellWhole('', false, fits('')), true);
    equal(isCellWhole('5', false, fits('5.00')), true);
    equal(isCellWhole('5,0', false, fits('5')), true);
  });

  it('opens its text where some of it does not show', () => {
    equal(isCellWhole('a long name', false, { ...fits('a long name'), scrollWidth: 81 }), false);
    equal(isCellWhole('cut when sent', true, fits('cut when sent')), false);
    equal(isCellWhole('first line\nsecond line', false, fits('first line\nsecond line')), false);
    equal(isCellWhole('16.1234', false, fits('16.12')), false);
    equal(isCellWhole('16,1234', false, fits('16,12')), false);
  });
});
