import { deepEqual, equal } from 'node:assert/strict';
import { bounds, contains, moveTo, rowsIn } from '../../../../src/webview/table/rowRange';

describe('selected rows', () => {
  it('are one row after a plain move', () => {
    const range = moveTo(moveTo(null, 3, false), 7, false);
    deepEqual(bounds(range), { first: 7, last: 7 });
    equal(rowsIn(range), 1);
  });

  it('reach from the anchor to the active row, upwards too', () => {
    const range = moveTo(moveTo(null, 7, false), 3, true);
    deepEqual(bounds(range), { first: 3, last: 7 });
    deepEqual(
      [2, 3, 7, 8].map(position => contains(range, position)),
      [false, true, true, false],
    );
  });

  it('turn around the anchor', () => {
    const range = moveTo(moveTo(moveTo(null, 5, false), 2, true), 8, true);
    deepEqual(bounds(range), { first: 5, last: 8 });
  });

  it('begin where an extension has no anchor', () => {
    deepEqual(moveTo(null, 4, true), { anchor: 4, active: 4 });
  });

  it('are none without a range', () => {
    equal(rowsIn(null), 0);
    equal(contains(null, 0), false);
  });
});
