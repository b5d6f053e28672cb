import assert from 'node:assert/strict';
import { canceledError } from '../../../../src/base/errors';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import { RowsAhead } from '../../../../src/table/node/rowsAhead';

const growing: TableSummary = {
  columns: [{ index: 0, name: 'Code', kind: 'number' }],
  rowCount: 2,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
  reading: true,
};

/**
 * A table that the test lets grow, and change: `read` are the numbers of rows that were requested.
 */
function tableThatGrows() {
  const state = {
    table: growing,
    cells: ['7', '8', '9'],
    failure: undefined as Error | undefined,
  };
  const read: number[] = [];
  const fail = () => (state.failure ? Promise.reject(state.failure) : undefined);
  const tables = {
    open: () => fail() ?? Promise.resolve(state.table),
    request: (_kind: string, _method: string, { end }: { end: number }) => {
      read.push(end);
      const rows = state.cells.slice(0, end).map((cell, row) => [row, cell]);
      return fail() ?? Promise.resolve({ rows });
    },
  };
  const { signal } = new AbortController();
  const first = () => new RowsAhead({ tables: tables as never, kind: 'objects', signal });
  return { state, read, first };
}

describe('The first rows of a table', () => {
  it('are read before they are requested, and anew for each request after the first', async () => {
    const { state, read, first } = tableThatGrows();
    const rows = first();
    await new Promise(setImmediate);
    assert.deepEqual(read, [2]);
    const wanted = {
      rows: [
        [0, '7'],
        [1, '8'],
      ],
    };
    assert.deepEqual(await rows.of(state.table), wanted);
    assert.deepEqual(read, [2]);
    assert.deepEqual(await rows.of(state.table), wanted);
    assert.deepEqual(read, [2, 2]);
  });

  it('are read again where there are more of them by now', async () => {
    const { state, read, first } = tableThatGrows();
    const rows = first();
    await new Promise(setImmediate);
    state.table = { ...growing, rowCount: 3 };
    assert.deepEqual(await rows.of(state.table), {
      rows: [
        [0, '7'],
        [1, '8'],
        [2, '9'],
      ],
    });
    assert.deepEqual(read, [2, 3]);
  });

  it('are those of the table as it was opened last, with as many rows and another format', async () => {
    const { state, first } = tableThatGrows();
    const rows = first();
    await new Promise(setImmediate);
    state.table = { ...growing, columns: [{ index: 0, name: 'Code;Area', kind: 'text' }], delimiter: ',' };
    state.cells = ['7;1', '8;2', '9;3'];
    const wanted = [
      [0, '7;1'],
      [1, '8;2'],
    ];
    assert.deepEqual(await rows.of(state.table), { rows: wanted });
  });

  it('are read again where that failed before, and left to the page where it fails again', async () => {
    const { state, first } = tableThatGrows();
    state.failure = canceledError();
    const rows = first();
    await new Promise(setImmediate);
    assert.equal(await rows.of(growing), undefined);
    state.failure = undefined;
    assert.deepEqual(await rows.of(growing), {
      rows: [
        [0, '7'],
        [1, '8'],
      ],
    });
  });

  it("aren't read of an empty table, or of very many columns", async () => {
    const { read, first } = tableThatGrows();
    const rows = first();
    await new Promise(setImmediate);
    assert.equal(await rows.of({ ...growing, columns: [], rowCount: 0 }), undefined);
    const columns = Array.from({ length: 401 }, (_, index) => ({ index, name: '', kind: 'text' as const }));
    assert.equal(await rows.of({ ...growing, columns }), undefined);
    assert.deepEqual(read, [2]);
  });
});
