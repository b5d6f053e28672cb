import { deepEqual } from 'node:assert/strict';
import { GridRows, LoadedRows } from '../../../../../../src/table/page/grid/gridRows';

/** Rows that the test loads, and the positions that were checked. */
function rowsLoadedLater() {
  const loaded = new Set<number>();
  const checked: number[] = [];
  const rows = new LoadedRows(position => {
    checked.push(position);
    return loaded.has(position);
  });
  const load = (...positions: number[]) => {
    for (const each of positions) loaded.add(each);
    rows.changed();
  };
  return { rows, checked, load };
}

const settled = () => new Promise<void>(done => setImmediate(done));

describe('rows that are about to be shown', () => {
  it('are waited for until all are loaded, and all requested at once', async () => {
    const { rows, checked, load } = rowsLoadedLater();
    let areLoaded = false;
    const all = rows.wait([1, 2]).then(() => (areLoaded = true));
    deepEqual(checked, [1, 2]);
    load(1);
    await settled();
    deepEqual(areLoaded, false);
    load(2);
    await all;
    load(3);
    deepEqual(checked, [1, 2, 1, 2, 1, 2]);
  });

  it('are not waited for where they are loaded', async () => {
    const { rows, checked, load } = rowsLoadedLater();
    load(4);
    await rows.wait([4]);
    deepEqual(checked, [4]);
  });

  it('are no longer waited for after a while', async () => {
    const { rows, checked, load } = rowsLoadedLater();
    await rows.wait([5]);
    load(5);
    deepEqual(checked, [5]);
  });

  it('are fetched once, by whom they are wanted first', async () => {
    const fetched: string[] = [];
    const rows = new GridRows({
      rowCount: 100,
      blockRows: 40,
      fetchRows: (start, end) => {
        fetched.push(`${start} to ${end}`);
        return new Promise(() => undefined);
      },
      onFailure: () => undefined,
      onFirstRows: () => undefined,
      onRows: () => undefined,
    });
    const callbacks = { successCallback: () => undefined, failCallback: () => undefined };
    const range = { startRow: 80, endRow: 120 };
    rows.prefetch(99);
    rows.source().getRows({ ...range, ...callbacks } as never);
    // A key is pressed again, while they are on their way.
    rows.prefetch(99);
    await settled();
    deepEqual(fetched, ['80 to 100', '40 to 80']);
    rows.replaced(90);
    rows.prefetch(89);
    deepEqual(fetched.slice(2), ['80 to 90', '40 to 80']);
  });

  it('are fetched again where the order changes, though they were fetched ahead', async () => {
    let order = 'first order';
    const given: unknown[] = [];
    const rows = new GridRows({
      rowCount: 80,
      blockRows: 40,
      fetchRows: start => Promise.resolve([{ fileRow: start, cells: [order] }]),
      onFailure: error => given.push(error),
      onFirstRows: () => undefined,
      onRows: () => undefined,
    });
    rows.prefetch(79);
    await settled();
    order = 'second order';
    rows.replaced(80);
    const successCallback = (block: unknown) => void given.push(block);
    const request = { startRow: 40, endRow: 80, successCallback, failCallback: () => given.push('failed') };
    rows.source().getRows(request as never);
    await settled();
    deepEqual(given, [[{ fileRow: 40, cells: ['second order'] }]]);
  });
});
