import type { TableSummary } from '../../../../src/columns/tableSummary';
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { firstLayout, fittingView, type TableViewState } from '../../../../src/table/page/tableViewState';

const table = (...names: string[]): TableSummary => ({
  columns: names.map((name, index) => ({ index, name, kind: 'number' })),
  rowCount: 3,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
});

describe('a table as it was left', () => {
  const first = table('Area', 'Perimeter', 'Class');
  const left: TableViewState = {
    ...fittingView({}, first),
    sort: [{ column: 1, descending: true }],
    filters: [{ filter: { kind: 'range', column: 0, from: 100, to: null } }],
    widths: { 'column-0': 300 },
    layout: { order: [2, 0, 1], hidden: [1], pinned: [2] },
    isArranged: true,
    firstPosition: 2,
    withHeader: true,
  };

  it('is found so again', () => {
    deepEqual(fittingView(left, table('Area', 'Perimeter', 'Class')), left);
  });

  it('is found so again with columns that only its longer rows have', () => {
    const { filters, sort, header } = fittingView(left, table('Area', 'Perimeter', 'Class', '', ''));
    deepEqual([filters, sort, header], [left.filters, left.sort, left.header]);
  });

  it('has converted columns beside those whose numbers they have, until the user arranges them', () => {
    const before = table('Area', 'Perimeter', 'Class');
    const columns = [
      ...before.columns,
      { index: 3, name: 'Area (µm²)', kind: 'number' as const, converted: { of: 0 } },
      { index: 4, name: 'Perimeter (µm)', kind: 'number' as const, converted: { of: 1 } },
    ];
    deepEqual(firstLayout({ ...before, columns }).order, [0, 3, 1, 4, 2]);
    // They aren't of the file: the table is the same one.
    const again = fittingView(
      { ...left, imageColumns: ['Area (µm²)', 'Perimeter (µm)'] },
      { ...before, columns },
    );
    deepEqual([again.filters, again.layout.order.slice(0, 3)], [left.filters, left.layout.order]);
  });

  it('keeps filters of a computed column that was renamed, and none of one that another replaced', () => {
    const computed = (name: string, formula: string): TableSummary => ({
      ...first,
      columns: [...first.columns, { index: 3, name, kind: 'number', computed: { formula, type: 'number' } }],
    });
    const [ofFile] = left.filters;
    const ofComputed = { filter: { kind: 'range' as const, column: 3, from: 1, to: null } };
    const saved = {
      ...fittingView(left, computed('Half', '[Area] / 2')),
      filters: [...left.filters, ofComputed],
    };
    deepEqual(fittingView(saved, computed('Halved', '[Area] / 2')).filters, [ofFile, ofComputed]);
    deepEqual(fittingView(saved, computed('Double', '[Area] * 2')).filters, [ofFile]);
    // An earlier version saved the name alone.
    const earlier = { ...saved, imageColumns: ['Half'] };
    deepEqual(fittingView(earlier, computed('Half', '[Area] / 2')).filters, [ofFile, ofComputed]);
    deepEqual(fittingView(earlier, computed('Double', '[Area] * 2')).filters, [ofFile]);
  });

  it('was arranged by the user where an earlier version saved a layout of the same header, and nowhere else', () => {
    const { isArranged, ...earlier } = left;
    equal(isArranged, true);
    equal(fittingView(earlier, first).isArranged, true);
    equal(fittingView(earlier, table('Perimeter', 'Area', 'Class')).isArranged, false);
    equal(fittingView({ ...left, isArranged: false }, first).isArranged, false);
    equal(fittingView({}, first).isArranged, false);
  });

  it('hides and filters nothing by a column that stands elsewhere now', () => {
    const other = fittingView(left, table('Perimeter', 'Area', 'Class'));
    deepEqual([other.filters, other.sort, other.layout.hidden], [[], [], []]);
    deepEqual([other.widths, other.firstPosition], [{}, 0]);
    equal(other.withHeader, true);
    notEqual(other.header, left.header);
  });

  it('has the filter of rows selected on the masks as it was, as long as the engine has these rows', () => {
    const selected = { filter: { kind: 'rowSet' as const, set: 4 }, off: true as const };
    const saved = { ...left, filters: [selected, ...left.filters], selectedSet: 4 };
    const same = fittingView(saved, first, 4);
    deepEqual([same.filters, same.selectedSet], [saved.filters, 4]);
    // Removed before: it isn't made a filter again.
    const removed = fittingView({ ...saved, filters: left.filters }, first, 4);
    deepEqual([removed.filters, removed.selectedSet], [left.filters, 4]);
    for (const set of [undefined, 5]) {
      const gone = fittingView(saved, first, set);
      deepEqual([gone.filters, gone.selectedSet], [left.filters, undefined]);
    }
  });

  it('can be undone as before, unless the table has another header', () => {
    const history = { past: [{ before: { hidden: [] }, after: { hidden: [1] } }], future: [] };
    deepEqual(fittingView({ ...left, history }, first).history, history);
    const other = table('Perimeter', 'Area', 'Class');
    deepEqual(fittingView({ ...left, history }, other).history, { past: [], future: [] });
  });

  it('is compared by names, not by their concatenation', () => {
    notEqual(fittingView({}, table('a', 'b')).header, fittingView({}, table('a,b')).header);
  });
});
