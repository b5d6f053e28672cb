import { deepEqual } from 'node:assert/strict';
import type { PageFilter } from '../../../../../src/table/page/filterList';
import { TableFilters } from '../../../../../src/table/page/tableFilters';
import type { TableModel } from '../../../../../src/table/page/tableModel';

/** Filters of a table of a text column and a numeric one, and how often they were set. */
function filtersOf(decimalComma = false) {
  const columns = [
    { index: 0, name: 'Class', kind: 'text' },
    { index: 1, name: 'Well', kind: 'number' },
  ];
  const model = {
    filters: [] as readonly PageFilter[],
    get latestFilters() {
      return this.filters;
    },
    sets: 0,
    table: { columns, decimalComma },
    setFilters(filters: readonly PageFilter[]) {
      this.filters = filters;
      this.sets++;
      return Promise.resolve();
    },
  };
  const filters = new TableFilters(model as unknown as TableModel, () => undefined);
  return { model, filters, shown: () => model.filters.map(({ filter }) => filter) };
}

describe('a click in a plot', () => {
  it('filters to a group, and again to none', () => {
    const { filters, shown } = filtersOf();
    filters.toggleGroup(0, 'Nucleus');
    deepEqual(shown(), [{ kind: 'values', column: 0, values: ['Nucleus'] }]);
    filters.toggleGroup(0, null);
    deepEqual(shown(), [{ kind: 'values', column: 0, values: [], missing: true }]);
    filters.toggleGroup(0, null);
    deepEqual(shown(), []);
  });

  it('filters to a group, and again to none, beside filters of its column that are off', () => {
    const { filters, model } = filtersOf();
    const off: PageFilter = { filter: { kind: 'missing', column: 0, missing: false }, off: true };
    filters.set([off, { filter: { kind: 'values', column: 0, values: ['Debris'] }, off: true }]);
    filters.toggleGroup(0, 'Nucleus');
    deepEqual(model.filters, [off, { filter: { kind: 'values', column: 0, values: ['Nucleus'] } }]);
    filters.toggleGroup(0, 'Nucleus');
    deepEqual(model.filters, [off]);
  });

  it('filters to a group of numbers by value, to the last digit', () => {
    const { filters, shown } = filtersOf(true);
    filters.toggleGroup(1, '12,5');
    deepEqual(shown(), [{ kind: 'range', column: 1, from: 12.5, to: 12.5 }]);
    filters.toggleGroup(1, '9007199254740993');
    deepEqual(shown(), [{ kind: 'range', column: 1, from: '9007199254740993', to: '9007199254740993' }]);
  });

  it('filters to a bin, and again to none', () => {
    const { filters, shown } = filtersOf();
    filters.toggleRange(1, { min: 2, max: null });
    deepEqual(shown(), [{ kind: 'range', column: 1, from: 2, to: null }]);
    filters.toggleRange(1, { min: 2, max: null });
    deepEqual(shown(), []);
  });

  it('removes only lassos over its own columns, and changes nothing without any', () => {
    const { filters, model, shown } = filtersOf();
    filters.add({ filter: { kind: 'rowSet', set: 1 }, lasso: { x: 0, y: 1, polygon: [] } });
    filters.removeLassos({ x: 1, y: 0 });
    filters.clearColumn(1);
    filters.toggleRange(1, null);
    deepEqual(model.sets, 1);
    filters.removeLassos({ x: 0, y: 1 });
    deepEqual(shown(), []);
  });
});
