import * as assert from 'node:assert/strict';
import { FilteredRows } from '../../../../src/columns/engine/filteredRows';
import type { RowSubset } from '../../../../src/columns/engine/read/tableSource';

const signal = new AbortController().signal;
const filter = (from: number) => [{ kind: 'range' as const, column: 0, from, to: null }];

/** A table in whose views are the given rows, and how often it was asked for them. */
function tableWith(subset: RowSubset) {
  const table = {
    requests: 0,
    filteredRows: () => {
      table.requests++;
      return Promise.resolve(subset);
    },
  };
  return table;
}

describe('FilteredRows', () => {
  it('finds which of some rows are in the view; -1 is not, nor is a row past the last', async () => {
    const table = tableWith({ rows: Uint32Array.of(0, 7, 8, 31, 1000), count: 5 });
    const rows = new FilteredRows(() => table);
    const found = await rows.areInView(
      Int32Array.of(-1, 0, 1, 7, 8, 9, 31, 1000, 1001, 5000),
      { sort: [], filters: filter(1) },
      signal,
    );
    assert.deepEqual([...found], [0, 1, 0, 1, 1, 0, 1, 1, 0, 0]);
  });

  it('has all rows in a view without filters, and none where no row matches', async () => {
    const rows = Int32Array.of(-1, 0, 9);
    const all = new FilteredRows(() => tableWith({ rows: undefined, count: 10 }));
    assert.deepEqual([...(await all.areInView(rows, { sort: [] }, signal))], [0, 1, 1]);
    const none = new FilteredRows(() => tableWith({ rows: new Uint32Array(0), count: 0 }));
    assert.deepEqual([...(await none.areInView(rows, { sort: [], filters: filter(1) }, signal))], [0, 0, 0]);
  });

  it('asks the table once for all images, and again for other filters and after the table was reopened', async () => {
    const table = tableWith({ rows: Uint32Array.of(1), count: 1 });
    const rows = new FilteredRows(() => table);
    const ask = (from: number) =>
      rows.areInView(Int32Array.of(1), { sort: [], filters: filter(from) }, signal);
    await Promise.all([ask(1), ask(1)]);
    await ask(1);
    assert.equal(table.requests, 1);
    await ask(2);
    assert.equal(table.requests, 2);
    rows.clear();
    await ask(2);
    assert.equal(table.requests, 3);
  });
});
