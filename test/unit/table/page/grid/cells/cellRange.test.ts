import { deepEqual, equal } from 'node:assert/strict';
import { CellBounds, moveToCell } from '../../../../../../src/table/page/grid/cellSelection';

describe('a range of cells', () => {
  const start = moveToCell(null, { position: 5, column: 2 }, false);

  it('is one cell after a plain move', () => {
    equal(new CellBounds(start, 10).count, 1);
  });

  it('reaches from its anchor to the cell moved to with Shift, in any direction', () => {
    const range = moveToCell(start, { position: 3, column: 4 }, true);
    deepEqual({ ...new CellBounds(range, 10) }, { firstRow: 3, lastRow: 5, firstColumn: 2, lastColumn: 4 });
    equal(new CellBounds(range, 10).count, 9);
  });

  it('includes all columns when whole rows are selected, and still does when extended', () => {
    const rows = moveToCell(null, { position: 5, column: 0 }, false, true);
    const more = moveToCell(rows, { position: 8, column: 3 }, true);
    deepEqual({ ...new CellBounds(more, 4) }, { firstRow: 5, lastRow: 8, firstColumn: 0, lastColumn: 3 });
  });

  it('stays within the columns that are left when some are hidden', () => {
    const range = moveToCell(start, { position: 5, column: 9 }, true);
    deepEqual({ ...new CellBounds(range, 4) }, { firstRow: 5, lastRow: 5, firstColumn: 2, lastColumn: 3 });
  });

  it('holds its corners and nothing beyond them', () => {
    const bounds = new CellBounds(moveToCell(start, { position: 6, column: 3 }, true), 10);
    equal(bounds.holds(5, 2) && bounds.holds(6, 3), true);
    equal(bounds.holds(7, 3) || bounds.holds(5, 1), false);
  });
});
