import { deepEqual, equal } from 'node:assert/strict';
import type { PageFilter } from '../../../../../src/table/page/filterList';
import { sameFilters, stepBetween, withChanges } from '../../../../../src/table/page/viewHistory';
import { moveOf } from '../../../../../src/pages/page/stepHistory';
import { stepWords } from '../../../../../src/table/page/tableUndo';
import { INITIAL_GROUPS } from '../../../../../src/table/page/state/groupsState';

type UndoableView = Parameters<typeof stepBetween>[0];
const columns = ['Class', 'Area', 'Perimeter', 'X'].map((name, index) => ({
  index,
  name,
  kind: 'number' as const,
}));
const view: UndoableView = {
  filters: [],
  sort: [],
  widths: {},
  layout: { order: [0, 1, 2, 3], hidden: [], pinned: [] },
  isArranged: true,
  groups: { ...INITIAL_GROUPS, by: [0] },
};
const range = (column: number, from: number): PageFilter => ({
  filter: { kind: 'range', column, from, to: null },
});
const lasso = (set: number): PageFilter => ({
  filter: { kind: 'rowSet', set },
  lasso: { x: 1, y: 2, polygon: [0, 0, 1, 0, 1, 1] },
});
const onMasks = (set: number): PageFilter => ({ filter: { kind: 'rowSet', set } });
const off = (filter: PageFilter): PageFilter => ({ ...filter, off: true });

/** What a change of the view does, in words. */
function words(before: Partial<UndoableView>, after: Partial<UndoableView>): string | undefined {
  const step = stepBetween({ ...view, ...before }, { ...view, ...before, ...after });
  return step && stepWords(step, columns);
}
const ofFilters = (before: PageFilter[], after: PageFilter[]) =>
  words({ filters: before }, { filters: after });
const ofLayout = (
  changes: Partial<UndoableView['layout']>,
  isArranged = true,
  before: Partial<UndoableView['layout']> = {},
) => {
  const layout = { ...view.layout, ...before };
  return words({ layout }, { layout: { ...layout, ...changes }, isArranged });
};

describe('A step of the user in a table', () => {
  it('has only the parts of the view that changed', () => {
    const layout = { order: [0, 1, 2, 3], hidden: [2], pinned: [] };
    deepEqual(stepBetween(view, { ...view, layout }), { before: { hidden: [] }, after: { hidden: [2] } });
    equal(stepBetween(view, { ...view, layout: { ...view.layout } }), undefined);
    equal(stepBetween(view, { ...view, groups: { ...view.groups, open: true, height: 9 } }), undefined);
  });

  it('is none where the page lays out columns, begins with groups, or draws a lasso again', () => {
    const { groups } = view;
    equal(words({ isArranged: false }, { layout: { ...view.layout, hidden: [3] } }), undefined);
    equal(words({ groups: { ...groups, by: [] } }, { groups }), undefined);
    equal(ofFilters([lasso(1)], [lasso(2)]), undefined);
    equal(words({}, { isArranged: false }), undefined);
  });

  it('is worded as what the user clicked', () => {
    equal(ofFilters([], [range(1, 5)]), 'Filter Area');
    equal(ofFilters([range(1, 5)], [range(1, 6)]), 'Filter Area');
    equal(ofFilters([range(1, 5), lasso(1)], [lasso(1)]), 'Remove the Filter of Area');
    equal(ofFilters([range(1, 5)], [off(range(1, 5))]), 'Turn Off the Filter of Area');
    equal(ofFilters([off(range(1, 5))], [range(1, 5)]), 'Turn On the Filter of Area');
    equal(ofFilters([range(1, 5), range(2, 5), lasso(1)], []), 'Clear Filters');
    equal(ofFilters([], [lasso(1)]), 'Filter Area and Perimeter');
    equal(ofFilters([onMasks(1)], [onMasks(2)]), 'Filter Selected Objects');
    equal(ofFilters([], [range(0, 1), range(1, 1)]), 'Filter Class, Area');
    equal(ofFilters([], [range(0, 1), range(1, 1), range(2, 1)]), 'Change Filters');
    equal(words({}, { sort: [{ column: 1, descending: true }] }), 'Sort by Area');
    equal(words({ sort: [{ column: 1, descending: true }] }, { sort: [] }), 'Clear Sorting');
    equal(words({}, { widths: { 'column-2': 90 } }), 'Resize Perimeter');
    equal(words({}, { groups: { ...view.groups, by: [1] } }), 'Change Groups');
  });

  it('is worded by the column that was hidden, pinned or moved', () => {
    equal(ofLayout({ hidden: [1] }), 'Hide Area');
    equal(ofLayout({ hidden: [] }, true, { hidden: [1] }), 'Show Area');
    equal(ofLayout({ hidden: [] }, true, { hidden: [1, 2] }), 'Show All Columns');
    equal(ofLayout({ pinned: [2] }), 'Pin Perimeter');
    equal(ofLayout({ pinned: [] }, true, { pinned: [2] }), 'Unpin Perimeter');
    equal(ofLayout({ order: [1, 2, 3, 0] }), 'Move Class');
    equal(ofLayout({ order: [3, 0, 1, 2] }), 'Move X');
    equal(ofLayout({ order: [3, 2, 1, 0] }), 'Move Columns');
    // Either of the two may have been moved.
    equal(ofLayout({ order: [0, 2, 1, 3] }), 'Move Columns');
    equal(ofLayout({ hidden: [] }, false, { hidden: [1] }), 'Reset Columns');
  });

  it('changes filters that are others by now as far as it was about them', () => {
    const from = [range(1, 5), lasso(1)];
    deepEqual(withChanges([range(1, 5), lasso(7)], from, [lasso(1)]), [lasso(1)]);
    deepEqual(withChanges([range(1, 5), lasso(1), onMasks(4)], from, [lasso(1)]), [lasso(1), onMasks(4)]);
    deepEqual(withChanges([onMasks(4)], [range(1, 5)], []), [onMasks(4)]);
    deepEqual(withChanges([range(1, 9), onMasks(4)], [range(1, 5)], [range(1, 2), range(2, 2)]), [
      range(1, 2),
      onMasks(4),
      range(2, 2),
    ]);
    equal(sameFilters([lasso(1)], [off(lasso(1))]), false);
  });
});

describe('The keys that undo', () => {
  const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
  const control = { ...none, ctrlKey: true };
  const command = { ...none, metaKey: true };

  it('are those of Windows, Linux and macOS', () => {
    equal(moveOf({ ...control, key: 'z' }), 'undo');
    equal(moveOf({ ...command, key: 'z' }), 'undo');
    equal(moveOf({ ...control, shiftKey: true, key: 'Z' }), 'redo');
    equal(moveOf({ ...command, shiftKey: true, key: 'z' }), 'redo');
    equal(moveOf({ ...control, key: 'y' }), 'redo');
  });

  it('are no others', () => {
    equal(moveOf({ ...none, key: 'z' }), undefined);
    equal(moveOf({ ...control, altKey: true, key: 'z' }), undefined);
    equal(moveOf({ ...control, shiftKey: true, key: 'y' }), undefined);
    equal(moveOf({ ...command, key: 'y' }), undefined);
  });
});
