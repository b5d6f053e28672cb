import type { ViewSpec } from '../../../../../../src/columns/viewSpec';
import type { TableSummary } from '../../../../../../src/columns/tableSummary';
import assert from 'node:assert/strict';
import { fetchFirstRows, RowFetcher } from '../../../../../../src/table/page/grid/rowFetcher';
import { TableModel } from '../../../../../../src/table/page/tableModel';

const table: TableSummary = {
  columns: [{ index: 0, name: 'n', kind: 'number' }],
  rowCount: 4,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
};

/**
 * A model of the numbers 0 to 3, and how often their rows were requested. Responses wait for
 * `held.until`.
 */
function fourNumbers() {
  const requests: string[] = [];
  const held = { until: Promise.resolve() };
  const request = async (method: string, { sort, start, end }: ViewSpec & { start: number; end: number }) => {
    requests.push(`${method} ${start}`);
    const fileRows = sort[0]?.descending ? [3, 2, 1, 0] : [0, 1, 2, 3];
    const shown = fileRows.slice(start, end);
    await held.until;
    return { rows: shown.map(row => [String(row)]), fileRows: shown };
  };
  return { requests, held, model: new TableModel({ request } as never, table) };
}

describe("a grid's first rows", () => {
  it('are not fetched again where they have been fetched to measure the columns', async () => {
    const { requests, model } = fourNumbers();
    const rows = new RowFetcher(model, await fetchFirstRows(model, { limit: 200 }));
    assert.deepEqual(
      (await rows.rows(0, 4)).map(({ fileRow }) => fileRow),
      [0, 1, 2, 3],
    );
    assert.deepEqual(requests, ['tableRows 0']);
    await rows.rows(0, 4);
    assert.equal(requests.length, 2);
  });

  it('are those of the current view, even if it changed before the grid requested any', async () => {
    const { model } = fourNumbers();
    const rows = new RowFetcher(model, await fetchFirstRows(model, { limit: 200 }));
    model.setSort([{ column: 0, descending: true }]);
    assert.deepEqual(
      (await rows.rows(0, 4)).map(({ fileRow }) => fileRow),
      [3, 2, 1, 0],
    );
  });

  it('are not requested where they came with the table', async () => {
    const { requests, model } = fourNumbers();
    const sent = { rows: [['0'], ['1'], ['2'], ['3']], fileRows: [0, 1, 2, 3] };
    const rows = new RowFetcher(model, await fetchFirstRows(model, { limit: 200, sent }));
    assert.deepEqual(
      (await rows.rows(0, 4)).map(({ cells }) => cells[0]),
      ['0', '1', '2', '3'],
    );
    assert.deepEqual(requests, []);
  });

  it('are requested where the view has an order, or more rows were read since they were sent', async () => {
    const { requests, model } = fourNumbers();
    const fewer = await fetchFirstRows(model, { limit: 200, sent: { rows: [['0']], fileRows: [0] } });
    assert.equal(fewer.rows.length, 4);
    model.setSort([{ column: 0, descending: true }]);
    const sent = { rows: [['0'], ['1'], ['2'], ['3']], fileRows: [0, 1, 2, 3] };
    const sorted = await fetchFirstRows(model, { limit: 200, sent });
    assert.deepEqual(
      sorted.rows.map(({ fileRow }) => fileRow),
      [3, 2, 1, 0],
    );
    assert.equal(requests.length, 2);
  });

  it('of a new order are requested once, before the grid does', async () => {
    const { requests, model } = fourNumbers();
    const rows = new RowFetcher(model, await fetchFirstRows(model, { limit: 200 }));
    await rows.rows(0, 4);
    const sort = [{ column: 0, descending: true }];
    rows.fetchAhead(sort, 200);
    assert.equal(requests.length, 2);
    model.setSort(sort);
    assert.deepEqual(
      (await rows.rows(0, 4)).map(({ fileRow }) => fileRow),
      [3, 2, 1, 0],
    );
    assert.equal(requests.length, 2);
  });

  it('fetched for an order that was not set are not shown', async () => {
    const { model } = fourNumbers();
    const rows = new RowFetcher(model, await fetchFirstRows(model, { limit: 200 }));
    rows.fetchAhead([{ column: 0, descending: true }], 200);
    assert.deepEqual(
      (await rows.rows(0, 4)).map(({ fileRow }) => fileRow),
      [0, 1, 2, 3],
    );
  });

  it('fetched ahead are discarded where the order changes while they are on their way', async () => {
    const { held, model } = fourNumbers();
    const rows = new RowFetcher(model, await fetchFirstRows(model, { limit: 200 }));
    await rows.rows(0, 4);
    const sort = [{ column: 0, descending: true }];
    let send = () => {};
    held.until = new Promise(resolve => (send = resolve));
    rows.fetchAhead(sort, 200);
    model.setSort(sort);
    const shown = rows.rows(0, 4);
    model.setSort([]);
    send();
    assert.deepEqual(
      (await shown).map(({ fileRow }) => fileRow),
      [0, 1, 2, 3],
    );
  });

  it('are fetched again where fetching them ahead failed', async () => {
    const { requests, model } = fourNumbers();
    const rows = new RowFetcher(model, await fetchFirstRows(model, { limit: 200 }));
    const sort = [{ column: 0, descending: true }];
    const { request } = model;
    model.request = () => Promise.reject(new Error('No'));
    rows.fetchAhead(sort, 200);
    model.request = request;
    model.setSort(sort);
    assert.deepEqual(
      (await rows.rows(0, 4)).map(({ fileRow }) => fileRow),
      [3, 2, 1, 0],
    );
    assert.equal(requests.length, 2);
  });
});
