import { deepEqual } from 'node:assert/strict';
import type { PageFilter } from '../../../../../src/table/page/filterList';
import { TableFilters } from '../../../../../src/table/page/tableFilters';

const range: PageFilter = { filter: { kind: 'range', column: 2, from: 1, to: 5 } };
const lasso: PageFilter = {
  filter: { kind: 'rowSet', set: 1 },
  lasso: { x: 2, y: 3, polygon: [0, 0, 1, 0, 1, 1] },
};
const selected = (set: number): PageFilter => ({ filter: { kind: 'rowSet', set } });

/** The filters of a table after a change of these. */
async function after(
  before: readonly PageFilter[],
  change: (filters: TableFilters) => void,
  columns: readonly object[] = [],
) {
  const failures: unknown[] = [];
  const model = {
    filters: before,
    table: { columns },
    get latestFilters() {
      return this.filters;
    },
    setFilters(filters: readonly PageFilter[]) {
      model.filters = filters;
      return filters.length > 3 ? Promise.reject(new Error('too many')) : Promise.resolve();
    },
  };
  change(new TableFilters(model as never, error => failures.push(error)));
  await new Promise<void>(done => setImmediate(done));
  return { filters: model.filters, failures: failures.map(String) };
}

describe('the filters of a table', () => {
  it('have the rows selected on the masks last, in place of those selected before', async () => {
    const { filters } = await after([selected(8), range, lasso], each =>
      each.setSelectedRows({ set: 9, rows: 3 }),
    );
    deepEqual(filters, [range, lasso, selected(9)]);
  });

  it('have one range of a column, and none once the brush is cleared', async () => {
    const narrow = await after([range, lasso], each => each.setRange(2, { min: 3, max: null }));
    const other = { filter: { kind: 'range', column: 2, from: 3, to: null } };
    deepEqual(narrow.filters, [other, lasso]);
    deepEqual((await after([range, lasso], each => each.setRange(2, null))).filters, [lasso]);
  });

  it('are those to a part of a comparison, with all ways to write it, in place of others of its columns', async () => {
    const columns = [
      { index: 0, name: 'Drug', kind: 'text' },
      { index: 1, name: 'Dose', kind: 'number' },
    ];
    const values = (column: number, ...texts: string[]): PageFilter => {
      return { filter: { kind: 'values', column, values: texts } };
    };
    const before = [values(0, 'a'), { ...values(1, '1'), off: true as const }, range];
    const { filters } = await after(
      before,
      each =>
        each.filterTo([
          { column: 0, values: ['Dox', 'Dox '] },
          { column: 1, values: ['10', '10.0'] },
        ]),
      columns,
    );
    // A column of numbers has one way to write a number.
    const ten: PageFilter = { filter: { kind: 'range', column: 1, from: 10, to: 10 } };
    deepEqual(filters, [before[1], range, values(0, 'Dox', 'Dox '), ten]);
    const between = await after([range], each => each.filterTo([{ column: 2, from: 3, to: 4 }]), [
      ...columns,
      { index: 2, name: 'Area', kind: 'number' },
    ]);
    deepEqual(between.filters, [{ filter: { kind: 'range', column: 2, from: 3, to: 4 } }]);
    const within = (name: string): PageFilter => ({ filter: { kind: 'population', name } });
    const inBig = await after([within('Small'), within('Big')], each =>
      each.filterTo([{ population: 'Big' }]),
    );
    deepEqual(inBig.filters, [within('Small'), within('Big')], 'an object may be in both');
    const off = { ...values(0, 'a'), off: true as const };
    const removed = await after([off, values(0, 'a'), range], each =>
      each.removeAll([values(0, 'a').filter]),
    );
    deepEqual(removed.filters, [off, range]);
  });

  it('are turned off and on where they are, also before the last change was applied', async () => {
    const off = { ...range, off: true as const };
    deepEqual((await after([range, lasso], each => each.turn(range, false))).filters, [off, lasso]);
    const twice = await after([range, lasso], each => {
      each.turn(range, false);
      each.turn(range, true);
    });
    deepEqual(twice.filters, [range, lasso]);
  });

  it('that are off are left alone by what removes the filters of a plot, and set by what filters to a value', async () => {
    const off = { ...range, off: true as const };
    const offLasso = { ...lasso, off: true as const };
    const cleared = await after([off, offLasso], each => {
      each.clearColumn(2);
      each.removeLassos({ x: 2, y: 3 });
      each.toggleRange(2, null);
    });
    deepEqual(cleared.filters, [off, offLasso]);
    const clicked = await after([off], each => each.toggleRange(2, { min: 1, max: 5 }));
    deepEqual(clicked.filters, [range]);
  });

  it('report that they could not be applied', async () => {
    const { failures } = await after([range, lasso, selected(1)], each => each.add(selected(2)));
    deepEqual(failures, ['Error: too many']);
  });
});
