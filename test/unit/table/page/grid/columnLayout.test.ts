import { deepEqual, equal } from 'node:assert/strict';
import {
  changedColumns,
  fileLayout,
  fittingLayout,
  shownColumns,
  withHidden,
  withMoved,
  withPinned,
} from '../../../../../src/table/page/grid/columnLayout';

describe('the layout of columns', () => {
  it('shows pinned columns first, each group in order, and leaves hidden ones out', () => {
    const layout = withHidden(withPinned(fileLayout(5), 3, true), 1, true);
    deepEqual(shownColumns(layout), [3, 0, 2, 4]);
  });

  it('differs from another in the columns that are hidden or pinned in one of them only', () => {
    const layout = withHidden(withPinned(fileLayout(9), 3, true), 1, true);
    deepEqual(changedColumns(layout, layout), []);
    deepEqual(changedColumns(layout, withHidden(layout, 5, true)), [5]);
    deepEqual(changedColumns(withPinned(layout, 3, false), withHidden(layout, 1, false)), [1, 3]);
  });

  it('never hides the last column', () => {
    const one = withHidden(fileLayout(2), 0, true);
    equal(withHidden(one, 1, true), one);
  });

  it('moves a column by one place and not past the ends', () => {
    deepEqual(withMoved(fileLayout(3), 1, -1).order, [1, 0, 2]);
    deepEqual(withMoved(fileLayout(3), 2, 1).order, [0, 1, 2]);
  });

  it('that was saved fits another table: unknown columns go, new ones come last', () => {
    const kept = { order: [7, 2, 2, 0], hidden: [9, 0], pinned: [-1, 2] };
    deepEqual(fittingLayout(kept, 4), { order: [2, 0, 1, 3], hidden: [0], pinned: [2] });
    deepEqual(fittingLayout({ hidden: [0, 1] }, 2).hidden, []);
    deepEqual(fittingLayout(undefined, 2), fileLayout(2));
  });
});
