import { deepEqual, equal } from 'node:assert/strict';
import { columns, makeRows } from '../../../../browser/preview/tableData';
import { OpenedTable, until, useNoScreen } from '../openedTable';

const [IMAGE, AREA, PERIMETER] = [0, 3, 4] as const;

describe('A table of which more is read', () => {
  useNoScreen();

  it('lists in a plot the columns that turn out to be numeric', async () => {
    const page = await OpenedTable.open({ rowCount: 1000 });
    const { plots } = page.store;
    plots.toggle();
    const offered = () => plots.columns.value.flatMap(({ kind, name }) => (kind === 'number' ? [name] : []));
    equal(offered().includes('Area'), true);
    deepEqual(
      [plots.plots.value[0]?.spec].map(spec => spec?.kind === 'scatter' && spec.x),
      [AREA],
    );
    const summary = await page.summary();
    const growth = { rowCount: 1000, bytesDone: 1, bytesTotal: 1, done: true };
    const asText = summary.columns.map(each =>
      each.index === AREA ? { ...each, kind: 'text' as const } : each,
    );
    await page.store.grow({ ...growth, summary: { ...summary, columns: asText } });
    await page.settled();
    equal(offered().includes('Area'), false);
    deepEqual(
      [plots.plots.value[0]?.spec].map(spec => spec?.kind === 'scatter' && spec.x),
      [PERIMETER],
    );
    await page.close();
  });

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
