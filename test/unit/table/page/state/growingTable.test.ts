import { deepEqual, equal } from 'node:assert/strict';
import { columns, makeRows } from '../../../../browser/preview/tableData';
import { OpenedTable, until, useNoScreen } from '../openedTable';

const IMAGE = 0;

describe('A table of which more is read', () => {
  useNoScreen();

  it('moves columns that say the same in every row above the grid once all rows have been read', async () => {
    const page = await OpenedTable.open({ rowCount: 100, isReading: true });
    const { store, grid } = page;
    equal(grid.shown.includes(IMAGE), true);
    deepEqual(store.columns.hiddenConstants.value, []);
    const summary = await page.summary();
    await store.grow({ rowCount: 100, bytesDone: 1, bytesTotal: 1, done: true, summary });
    await until(() => store.columns.hiddenConstants.value.length > 0);
    deepEqual(store.columns.hiddenConstants.value, [{ column: IMAGE, text: makeRows(1)[0]?.[IMAGE] }]);
    equal(columns[IMAGE]?.name, 'Image origin');
    equal(grid.shown.includes(IMAGE), false);
    await page.close();
  });
});
