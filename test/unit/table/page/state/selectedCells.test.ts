import { deepEqual, equal } from 'node:assert/strict';
import { makeRows } from '../../../../browser/preview/tableData';
import { OpenedTable, until, useNoScreen } from '../openedTable';

const ROWS = 10_000;
const [ID, AREA, PERIMETER, Y] = [1, 3, 4, 9] as const;
const rows = makeRows(ROWS);

describe('Selected cells of a table', () => {
  useNoScreen();
  let page: OpenedTable;

  beforeEach(async () => {
    page = await OpenedTable.open({ rowCount: ROWS });
  });
  afterEach(() => page.close());

  const sortByArea = () => page.store.table.setSort([{ column: AREA, descending: false }]);
  const copies = () => page.sentAs('copy').map(text => String(text).trimEnd().split('\n'));
  const sizeOfSelection = () => {
    const { rows: count, columns } = page.store.cells.size.value;
    return [count, columns];
  };
  /** Three rows of two columns. */
  const selectBlock = (from: number) => {
    page.store.rows.moved(from, AREA, false);
    page.store.rows.moved(from + 2, PERIMETER, true);
    deepEqual(sizeOfSelection(), [3, 2]);
  };

  it('are never copied as rows other than those selected, even when the order has changed', async () => {
    const { store, engine } = page;
    selectBlock(2);
    engine.delayResponses('tablePosition');
    sortByArea();
    await until(() => engine.delayedResponses > 0);
    // The new position of the focused row is not known yet: nothing is selected.
    deepEqual(sizeOfSelection(), [0, 0]);
    await store.output.copy();
    await page.settled();
    deepEqual(copies(), []);
    engine.release();
    await until(() => sizeOfSelection()[0] === 1);
    await store.output.copy();
    // The ID is pinned.
    const [image, id, ...others] = rows[4] ?? [];
    deepEqual(copies(), [[[id, image, ...others].join('\t').trimEnd()]]);
  });

  it('stay as they were selected while the focused row was being located', async () => {
    const { store, engine } = page;
    store.rows.moved(2, AREA, false);
    engine.delayResponses('tablePosition');
    sortByArea();
    await until(() => engine.delayedResponses > 0);
    const inOrder = rows.toSorted((a, b) => Number(a[AREA]) - Number(b[AREA]));
    await until(() => page.grid.rowAt(0)?.cells[AREA] === inOrder[0]?.[AREA]);
    selectBlock(1);
    engine.release();
    await page.settled();
    deepEqual(sizeOfSelection(), [3, 2]);
    const sum = inOrder.slice(1, 4).reduce((total, cells) => total + Number(cells[AREA]), 0);
    deepEqual(
      store.cells.statistics.value?.map(each => [each.column, each.numbers]),
      [
        [AREA, 3],
        [PERIMETER, 3],
      ],
    );
    equal(store.cells.statistics.value?.[0]?.sum, sum);
    await store.output.copy();
    deepEqual(copies(), [inOrder.slice(1, 4).map(cells => `${cells[AREA]}\t${cells[PERIMETER]}`)]);
  });

  it('are selected again when the page is loaded again, and once more as they are then', async () => {
    const restored = async (from: OpenedTable) => {
      const again = await from.again();
      const { cells } = again.port.view;
      if (cells) await again.store.rows.restoreCells(cells);
      await again.settled();
      return again;
    };
    const sizeIn = ({ store }: OpenedTable) => store.cells.size.value;
    selectBlock(2);
    const again = await restored(page);
    deepEqual(sizeIn(again), page.store.cells.size.value);
    equal(again.store.cells.statistics.value?.[0]?.numbers, 3);
    again.store.rows.moved(5, PERIMETER, true);
    const last = await restored(again);
    deepEqual([sizeIn(last).rows, sizeIn(last).columns], [4, 2]);
    await last.store.output.copy();
    const wanted = rows.slice(2, 6).map(cells => `${cells[AREA]}\t${cells[PERIMETER]}`);
    deepEqual(String(last.sentAs('copy').at(-1)).trimEnd().split('\n'), wanted);
  });

  it('are copied from the view as it was when copying began', async () => {
    const { store, engine } = page;
    store.rows.moved(0, ID, false);
    store.cells.selectAll();
    equal(sizeOfSelection()[0], ROWS);
    engine.delayResponses('tableRows');
    const copied = store.output.copy();
    await until(() => engine.delayedResponses > 0);
    sortByArea();
    await page.settled();
    engine.release();
    await copied;
    deepEqual(
      copies()[0]?.map(line => line.split('\t')[AREA]),
      rows.map(cells => cells[AREA]),
    );
  });

  it('have the same sum once their last rows arrive after it', async () => {
    const { store, engine } = page;
    store.rows.moved(0, AREA, false);
    engine.delayResponses('tableRows');
    const loading = page.grid.loadAround(ROWS - 1);
    store.rows.moved(ROWS - 1, Y, true);
    await until(() => store.cells.statistics.value !== undefined);
    equal(store.cells.rowInFocus, null);
    engine.release();
    await loading;
    await page.settled();
    equal(store.cells.rowInFocus, ROWS - 1);
    const sum = rows.reduce((total, cells) => total + Number(cells[AREA]), 0);
    const [ofArea] = store.cells.statistics.value ?? [];
    deepEqual([ofArea?.column, ofArea?.sum], [AREA, sum]);
  });
});
