import { deepEqual } from 'node:assert/strict';
import { AwaitedRows } from '../../../../../../src/webview/table/grid/rows/awaitedRows';

/** Rows that are loaded by and by, and what was waited for so far. */
function rowsLoadedLater() {
  const loaded = new Set<number>();
  const asked: number[] = [];
  const rows = new AwaitedRows(position => {
    asked.push(position);
    return loaded.has(position);
  });
  const came = (...positions: number[]) => {
    for (const each of positions) loaded.add(each);
    rows.came();
  };
  return { rows, asked, came };
}

const settled = () => new Promise<void>(done => setImmediate(done));

describe('rows that are about to be shown', () => {
  it('are waited for until all of them are there, each asked for at once', async () => {
    const { rows, asked, came } = rowsLoadedLater();
    let isThere = false;
    const all = rows.all([1, 2]).then(() => (isThere = true));
    deepEqual(asked, [1, 2]);
    came(1);
    await settled();
    deepEqual(isThere, false);
    came(2);
    await all;
    came(3);
    deepEqual(asked, [1, 2, 1, 2, 1, 2]);
  });

  it('are not waited for where they are there', async () => {
    const { rows, asked, came } = rowsLoadedLater();
    came(4);
    await rows.all([4]);
    deepEqual(asked, [4]);
  });

  it('are given up after a while, and without a trace', async () => {
    const { rows, asked, came } = rowsLoadedLater();
    await rows.all([5]);
    came(5);
    deepEqual(asked, [5]);
  });
});
