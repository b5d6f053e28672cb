import { deepEqual } from 'node:assert/strict';
import type { ApplyColumnStateParams } from 'ag-grid-community';
import {
  fileLayout,
  withHidden,
  withMoved,
  withPinned,
  type ColumnLayout,
} from '../../../../../src/table/page/grid/columnLayout';
import { GridLayout } from '../../../../../src/table/page/grid/gridLayout';

const COLUMNS = 10_000;

/** What the grid is told when its layout is set: of how many columns, and whether they move. */
function told(first: ColumnLayout, layouts: readonly ColumnLayout[]) {
  const calls: { columns: number; moves: boolean }[] = [];
  const api = {
    getAllDisplayedVirtualColumns: () => [],
    getFocusedCell: () => null,
    getColumn: () => ({ getActualWidth: () => 80 }),
    applyColumnState: ({ state = [], applyOrder = false }: ApplyColumnStateParams) => {
      calls.push({ columns: state.length, moves: applyOrder });
    },
  };
  const layout = new GridLayout({
    root: { clientWidth: 1000 } as HTMLElement,
    api: () => api as never,
    layout: first,
    onLayout: () => undefined,
  });
  for (const each of layouts) layout.set({ ...each, order: [...each.order] });
  return calls;
}

describe('the layout of a grid', () => {
  it('changes only the columns that are hidden or pinned, of thousands', () => {
    const first = fileLayout(COLUMNS, 1);
    const hidden = withHidden(first, 5000, true);
    deepEqual(told(first, [hidden, withPinned(hidden, 7, true), withHidden(hidden, 5000, false)]), [
      { columns: 1, moves: false },
      { columns: 1, moves: false },
      { columns: 2, moves: false },
    ]);
  });

  it('is left alone where nothing changes, and set as a whole where columns move', () => {
    const first = fileLayout(COLUMNS, 1);
    deepEqual(told(first, [first, withMoved(first, 3, 1)]), [{ columns: COLUMNS + 1, moves: true }]);
  });

  it('is set as a whole where columns that stuck scroll with the others for want of room', () => {
    const first = fileLayout(COLUMNS, 1);
    const many = Array.from({ length: 9 }, (_, column) => column).reduce(
      (layout, column) => withPinned(layout, column, true),
      first,
    );
    deepEqual(told(first, [many, first]), [
      { columns: COLUMNS + 1, moves: true },
      { columns: COLUMNS + 1, moves: true },
    ]);
  });
});
