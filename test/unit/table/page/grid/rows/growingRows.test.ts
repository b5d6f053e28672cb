import assert from 'node:assert/strict';
import type { TableGrowth } from '../../../../../../src/columns/tableSummary';
import type { ViewSpec } from '../../../../../../src/columns/viewSpec';
import { useEngineThreads } from '../../../../session/node/engineThreads';
import { PageRows } from './pageRows';

const COLUMNS = 400;
const ROWS = 12_000;
const WIDE = 'wide '.repeat(2);

/** Wide rows, and enough of them for a second thread: at over 32 MB the first rows come alone. */
function wideText(): string {
  const cells = `${WIDE},`.repeat(COLUMNS - 2);
  const rows = Array.from({ length: ROWS }, (_, row) => `${row},${cells}last of ${row}`);
  return [Array.from({ length: COLUMNS }, (_, column) => `c${column}`).join(','), ...rows, ''].join('\n');
}

describe('rows of a large table', () => {
  const threads = useEngineThreads();

  it('are all shown, though its first ones were requested when few had been read', async () => {
    const text = wideText();
    assert.ok(text.length > 32 * 1024 * 1024);
    const path = await threads.file('wide.csv', text);
    const { endpoint } = threads.current;
    const request = (method: string, params: object, signal?: AbortSignal) =>
      endpoint.request(
        method as 'tableRows',
        { ...(params as ViewSpec & { start: number; end: number }), table: 'wide' },
        signal,
      );
    const growth: TableGrowth[] = [];
    const opened: { page?: PageRows } = {};
    const cellsOf = (row: number) => [
      String(row),
      ...Array<string>(COLUMNS - 2).fill(WIDE),
      `last of ${row}`,
    ];
    /** Rows that are on the screen have the cells of the file, at least those that have come. */
    const isRight = (shown: PageRows) => {
      for (const [position, row] of shown.visible) if (row) assert.deepEqual(row.cells, cellsOf(position));
    };
    const grow = async (each: TableGrowth) => {
      if (!opened.page) return void growth.push(each);
      await opened.page.grow(each);
      isRight(opened.page);
    };
    const read = new Promise<void>(resolve =>
      endpoint.on('tableGrowth', each => void grow(each).then(() => each.done && resolve())),
    );
    const options = { memory: 1024, progressive: true };
    const table = await endpoint.request('openTable', { table: 'wide', path, options });
    assert.ok(table.rowCount < 200, 'Not even the first block of rows was there at first');
    const shown = new PageRows({ request, table, blockRows: 200, height: 200 });
    await shown.show();
    opened.page = shown;
    for (const each of growth) await shown.grow(each);
    if (!growth.some(({ done }) => done)) await read;
    for (const first of [0, 32, 100, 150, ROWS / 2, ROWS - 200]) {
      shown.scroll(first / ROWS);
      await shown.settled();
      assert.deepEqual(
        shown.visible.map(([position, row]) => [position, row?.cells]),
        Array.from({ length: 200 }, (_, at) => [first + at, cellsOf(first + at)]),
      );
    }
    assert.deepEqual(shown.failures, []);
  });
});
