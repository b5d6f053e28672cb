import { deepEqual, equal } from 'node:assert/strict';
import { SessionRows } from '../../../../src/linking/node/sessionRows';
import type { TableShown } from '../../../../src/linking/shownRows';

const shown = (from: number, column?: number): TableShown => ({
  view: {
    sort: column === undefined ? [] : [{ column, descending: false }],
    filters: [{ kind: 'range', column: 1, from, to: null }],
  },
  rowCount: 2,
  total: 4,
});

describe('The rows that a table shows', () => {
  it('are reported when they are others, not the same ones in another order', async () => {
    const rows = new SessionRows();
    let changes = 0;
    rows.onDidChangeShown(() => changes++);
    await rows.setShown(shown(1));
    await rows.setShown(shown(1, 2));
    equal(changes, 1);
    deepEqual(rows.shown, shown(1, 2));
    await rows.setShown(shown(3));
    await rows.setShown(null);
    await rows.setShown(null);
    equal(changes, 3);
  });

  it('are set once all have followed who need time for it', async () => {
    const rows = new SessionRows();
    let follow: () => void = () => undefined;
    const followed = new Promise<void>(resolve => (follow = resolve));
    rows.onDidChangeShown(({ waitUntil }) => waitUntil(followed));
    let isSet = false;
    const set = rows.setShown(shown(1)).then(() => (isSet = true));
    await new Promise(resolve => setImmediate(resolve));
    equal(isSet, false);
    follow();
    await set;
  });

  it('are those from before a reload, unless the table says meanwhile which it shows', async () => {
    const rows = new SessionRows();
    await rows.restore(() => Promise.resolve(shown(1)));
    deepEqual(rows.shown, shown(1));
    let found: (rows: TableShown) => void = () => undefined;
    const restoring = rows.restore(() => new Promise(resolve => (found = resolve)));
    await rows.setShown(shown(1));
    found(shown(2));
    await Promise.all([restoring, rows.settled()]);
    deepEqual(rows.shown, shown(1));
    const failing = rows.restore(() => Promise.reject(new Error('gone')));
    await rows.settled();
    deepEqual(await failing.catch(String), 'Error: gone');
  });

  it('are all rows of another table, of which none is selected', () => {
    const rows = new SessionRows();
    const selected = { set: 1, rows: 3 };
    const heard: unknown[] = [];
    rows.onDidSelect(each => heard.push(each));
    rows.select(selected);
    deepEqual([rows.selected, heard], [selected, [selected]]);
    void rows.setShown(shown(1));
    rows.objectsReplaced();
    deepEqual([rows.selected, rows.shown], [undefined, null]);
  });
});
