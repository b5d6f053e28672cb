import assert from 'node:assert/strict';
import type { TableSummary, ViewSpec } from '../../../../src/protocol/tableEngine';
import { fetchFirstRows, rowsAfter } from '../../../../src/webview/table/rowFetcher';
import { TableModel } from '../../../../src/webview/table/tableModel';

const table: TableSummary = {
  columns: [{ index: 0, name: 'n', kind: 'number' }],
  rowCount: 4,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
};

/** A model of the numbers 0 to 3, and how often their rows were asked for. */
function fourNumbers() {
  const asked: string[] = [];
  const request = (question: string, { sort, start, end }: ViewSpec & { start: number; end: number }) => {
    asked.push(`${question} ${start}`);
    const fileRows = sort[0]?.descending ? [3, 2, 1, 0] : [0, 1, 2, 3];
    const shown = fileRows.slice(start, end);
    return Promise.resolve({ rows: shown.map(row => [String(row)]), fileRows: shown });
  };
  return { asked, model: new TableModel({ request } as never, table) };
}

describe("a grid's first rows", () => {
  it('are not fetched again where they have been fetched to measure the columns', async () => {
    const { asked, model } = fourNumbers();
    const rows = rowsAfter(model, await fetchFirstRows(model, 200));
    assert.deepEqual(
      (await rows(0, 4)).map(({ fileRow }) => fileRow),
      [0, 1, 2, 3],
    );
    assert.deepEqual(asked, ['tableRows 0']);
    await rows(0, 4);
    assert.equal(asked.length, 2);
  });

  it('are those of the view as it is, though it changed before the grid asked for any', async () => {
    const { model } = fourNumbers();
    const rows = rowsAfter(model, await fetchFirstRows(model, 200));
    model.setSort([{ column: 0, descending: true }]);
    assert.deepEqual(
      (await rows(0, 4)).map(({ fileRow }) => fileRow),
      [3, 2, 1, 0],
    );
  });
});
