import { deepEqual, equal } from 'node:assert/strict';
import { restoredCells, savedCells } from '../../../../../../src/table/page/grid/cellSelection';

const range = {
  anchor: { position: 4, column: 1 },
  active: { position: 2, column: 0 },
  wholeRows: false,
};
const saved = savedCells(70, range, [5, 3, 9]);

describe('selected cells that are saved', () => {
  it('are restored where the same columns are shown in another order', () => {
    deepEqual(restoredCells(saved, [5, 3, 9], 10, 2), range);
    const moved = { ...range, anchor: { position: 4, column: 2 }, active: { position: 2, column: 1 } };
    deepEqual(restoredCells(saved, [9, 5, 3], 10, 2), moved);
  });

  it('are gone with a column or a row, and where other rows are at their place', () => {
    equal(restoredCells(saved, [5, 9], 10, 2), undefined);
    equal(restoredCells(saved, [5, 3, 9], 4, 2), undefined);
    equal(restoredCells(saved, [5, 3, 9], 10, 7), undefined);
    // The row in focus may not have been loaded.
    deepEqual(restoredCells(saved, [5, 3, 9], 10, undefined), range);
  });

  it('are none without a selection', () => {
    deepEqual(savedCells(null, null, [5]), { row: null, range: null });
    equal(restoredCells({ row: 3, range: null }, [5], 10, 3), undefined);
  });
});
