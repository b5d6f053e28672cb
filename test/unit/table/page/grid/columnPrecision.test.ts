import assert from 'node:assert/strict';
import { ColumnPrecision } from '../../../../../src/table/page/grid/gridColumns';

describe('the precision of a column', () => {
  it('is that of its first cells to be loaded, and stays', () => {
    const precision = new ColumnPrecision('.');
    assert.equal(precision.of(1), undefined);
    precision.learn([], [1]);
    precision.learn([{ cells: ['', '1.25'] }, { cells: ['', '2.5'] }], [1]);
    assert.equal(precision.of(1), 2);
    precision.learn([{ cells: ['', '1.2345678'] }], [0, 1]);
    assert.equal(precision.of(1), 2);
    assert.equal(precision.of(0), undefined);
  });
});
