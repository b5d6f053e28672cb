import { deepEqual, equal } from 'node:assert/strict';
import {
  brushRange,
  rangeEndText,
  rangeOfBrush,
  typedRangeEnd,
} from '../../../../../src/table/page/filterList';

describe('the end of a range', () => {
  it('is a number, and digits only where a double would be another integer', () => {
    deepEqual(
      ['9223372036854775807', ' -09007199254740993 ', '9223372036854775808', '1,5', '1e400', ''].map(typed =>
        typedRangeEnd(typed),
      ),
      ['9223372036854775807', '-9007199254740993', 2 ** 63, 1.5, undefined, null],
    );
    equal(typedRangeEnd('9,007,199,254,740,993'), undefined);
  });

  it('is shown with all digits', () => {
    deepEqual([2 ** 63, -(2 ** 53), 0.5, 1e300, '9007199254740993', null].map(rangeEndText), [
      '9223372036854775808',
      '-9007199254740992',
      '0.5',
      '1e+300',
      '9007199254740993',
      '',
    ]);
  });

  it('is a double for a histogram', () => {
    deepEqual(brushRange({ from: '9007199254740993', to: null }), { min: 2 ** 53, max: null });
  });

  it('keeps its digits where only the other end is brushed', () => {
    const typed = { from: '9007199254740993', to: '18446744073709551615' };
    const { max } = brushRange(typed);
    deepEqual(rangeOfBrush({ min: 2 ** 60, max }, typed), { from: 2 ** 60, to: typed.to });
    deepEqual(rangeOfBrush({ min: null, max }, typed), { from: null, to: typed.to });
    deepEqual(rangeOfBrush({ min: 1, max: 2 }, null), { from: 1, to: 2 });
  });
});
