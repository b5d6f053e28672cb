import { deepEqual, equal, ok } from 'node:assert/strict';
import type { GroupRow } from '../../../../../src/table/page/state/groupColumns';
import { makeRows } from '../../../../browser/preview/tableData';
import { OpenedTable, until, useNoScreen } from '../openedTable';

const ROWS = 10_000;
const [CLASS, AREA] = [2, 3] as const;
const rows = makeRows(ROWS);

describe('The groups of a table', () => {
  useNoScreen();
  let page: OpenedTable;

  beforeEach(async () => {
    page = await OpenedTable.open({ rowCount: ROWS });
  });
  afterEach(() => page.close());

  /** What is shown in place of them, or how many there are. */
  const shown = () => {
    const content = page.store.groups.content.value;
    return content?.kind === 'groups' ? content.groups.total : content;
  };
  const countOf = (column: number, value: string) => rows.filter(cells => cells[column] === value).length;
  const turn = async (row: GroupRow) => {
    await page.store.groups.selection.toggle(row);
    await page.settled();
  };

  it('are those of a column of thousands of values, of which only the first are requested', async () => {
    const { store, engine } = page;
    store.showGroups(AREA);
    await page.settled();
    equal(shown(), new Set(rows.map(cells => cells[AREA])).size);
    const requested = engine.requests.filter(({ method }) => method === 'tableGroups');
    equal(requested.length, 1);
    const order = { of: { kind: 'key', key: 0 }, descending: true } as const;
    const [first, ...others] = await store.groups.fetch(0, 50, order);
    equal(others.length, 49);
    ok(first);
    const largest = String(Math.max(...rows.map(cells => Number(cells[AREA]))));
    deepEqual(first.keys, [largest]);
    await turn(first);
    equal(store.table.rowCount, countOf(AREA, largest));
  });

  it('stay while the table is filtered to one of them, which is left again by the same', async () => {
    const { store } = page;
    store.showGroups(CLASS);
    await page.settled();
    const all = await store.groups.fetch(0, 10, undefined);
    const mitotic = all.find(({ keys }) => keys[0] === 'Mitotic');
    ok(mitotic);
    await turn(mitotic);
    deepEqual([store.table.rowCount, shown()], [countOf(CLASS, 'Mitotic'), 3]);
    deepEqual(
      all.map(row => store.groups.selection.isSelected(row)),
      all.map(row => row === mitotic),
    );
    await turn(mitotic);
    deepEqual([store.table.filters, store.table.rowCount], [[], ROWS]);
    await turn(mitotic);
    store.groups.selection.clear();
    await page.settled();
    deepEqual([store.table.filters, store.table.rowCount], [[], ROWS]);
  });

  it('say that they failed, as often as they do, and come once they are requested again', async () => {
    const { store, engine } = page;
    engine.failRequests('The worker ended.', 'tableGroups');
    store.showGroups();
    await page.settled();
    const failure = { kind: 'failure', reason: 'The worker ended.' };
    deepEqual(shown(), failure);
    const { length } = engine.requests;
    store.groups.load(true);
    await until(() => !store.groups.isBusy.value);
    deepEqual(shown(), failure);
    equal(engine.requests.slice(length).filter(({ method }) => method === 'tableGroups').length, 1);
    engine.mend();
    store.groups.load(true);
    await page.settled();
    equal(shown(), 3);
  });
});
