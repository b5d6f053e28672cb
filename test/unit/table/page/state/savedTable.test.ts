import { deepEqual, equal } from 'node:assert/strict';
import type { ViewSpec } from '../../../../../src/columns/viewSpec';
import type { PageFilter } from '../../../../../src/table/page/filterList';
import { makeRows } from '../../../../browser/preview/tableData';
import { OpenedTable, until, useNoScreen } from '../openedTable';

const ROWS = 2000;
const [IMAGE, CLASS, AREA] = [0, 2, 3] as const;
const rows = makeRows(ROWS);
const mitotic: PageFilter = { filter: { kind: 'values', column: CLASS, values: ['Mitotic'] } };

describe('A table that is saved', () => {
  useNoScreen();
  let page: OpenedTable;

  beforeEach(async () => {
    page = await OpenedTable.open({ rowCount: ROWS });
  });
  afterEach(() => page.close());

  const saved = (name: string) => page.sentAs(name).at(-1);

  it('has the rows of filters that are still being applied', async () => {
    const { engine, store } = page;
    engine.delayResponses('tableView');
    store.filters.add(mitotic);
    await until(() => engine.delayedResponses > 0);
    const saving = store.output.save();
    await page.settled();
    deepEqual(page.sentAs('saveView'), []);
    engine.release();
    await saving;
    deepEqual((saved('saveView') as ViewSpec).filters, [mitotic.filter]);
  });

  it('has the rows of filters that are still being applied when it has just been opened again', async () => {
    const { engine, store } = page;
    store.filters.add(mitotic);
    await page.settled();
    const again = await page.reopened();
    engine.delayResponses('tableView');
    const shown = again.show();
    await until(() => engine.delayedResponses > 0);
    const saving = again.store.output.save();
    await again.settled();
    deepEqual(again.sentAs('saveView'), []);
    engine.release();
    await Promise.all([shown, saving]);
    deepEqual((again.sentAs('saveView').at(-1) as ViewSpec).filters, [mitotic.filter]);
  });

  it('has all rows where its filters are turned off, as other panels have', async () => {
    const { store } = page;
    store.filters.add(mitotic);
    await page.settled();
    const count = rows.filter(cells => cells[CLASS] === 'Mitotic').length;
    equal(store.table.rowCount, count);
    const [filter] = store.table.filters;
    if (filter) store.filters.turn(filter, false);
    await page.settled();
    deepEqual([store.table.rowCount, saved('filtered')], [ROWS, null]);
    await store.output.save();
    deepEqual((saved('saveView') as ViewSpec).filters, []);
    // Also when the page is shown again.
    const again = await page.again();
    deepEqual([again.store.table.filters, again.store.table.rowCount], [[{ ...mitotic, off: true }], ROWS]);
    const [off] = again.store.table.filters;
    if (off) again.store.filters.turn(off, true);
    await again.settled();
    equal(again.store.table.rowCount, count);
  });

  it('says of a plot whose file cannot be drawn to save it as SVG, unless that is what failed', async () => {
    const { output } = page.store;
    const fail = () => Promise.reject(new Error('No memory'));
    await output.savePlot('Plot', 'svg', fail);
    equal(page.said.at(-1), "Couldn't save: No memory");
    await output.savePlot('Plot', 'png', fail);
    equal(page.said.at(-1), "Couldn't save the plot as PNG. Save it as SVG instead.");
  });

  describe('as groups', () => {
    const named = (name: string) => rows.filter(cells => cells[CLASS] === name);
    const mean = (among: readonly string[][]) =>
      among.reduce((sum, cells) => sum + Number(cells[AREA]), 0) / among.length;
    const statisticsOf = (name: string) =>
      ['Mean', 'SD', 'Median'].map(statistic => `${name} (${statistic})`);
    const byMean = { of: { kind: 'value', value: 0 }, descending: true } as const;

    beforeEach(async () => {
      page.store.showGroups();
      await page.settled();
    });

    it('are copied whole in their order, with a header and all digits', async () => {
      const { groups } = page.store;
      groups.sort(byMean);
      await groups.copy();
      const [header, ...lines] = String(saved('copy')).trimEnd().split('\n');
      const measured = ['Area', 'Perimeter', 'Length of Major Axis'].flatMap(statisticsOf);
      equal(header, ['Class', 'Rows', ...measured].join('\t'));
      const names = ['Nucleus', 'Mitotic', 'Debris, out of focus'].sort(
        (a, b) => mean(named(b)) - mean(named(a)),
      );
      deepEqual(
        lines.map(line => line.split('\t').slice(0, 3)),
        [
          ...names.map(name => [name, String(named(name).length), String(mean(named(name)))]),
          ['All rows', String(ROWS), String(mean(rows))],
        ],
      );
    });

    it('are those of two columns, of the rows that another filter leaves, also when the page is shown again', async () => {
      const { store } = page;
      store.filters.add({ filter: { kind: 'values', column: CLASS, values: ['Mitotic', 'Nucleus'] } });
      store.groups.sort(byMean);
      store.groups.choose({ by: [CLASS, IMAGE] });
      await page.settled();
      const shown = rows.filter(cells => cells[CLASS] !== 'Debris, out of focus');
      const pairs = new Set(shown.map(cells => JSON.stringify([cells[CLASS], cells[IMAGE]])));
      const found = ({ store: { groups } }: OpenedTable) => {
        const content = groups.content.value;
        return content?.kind === 'groups' && [content.groups.total, content.groups.areFiltered];
      };
      deepEqual(found(page), [pairs.size, true]);
      await store.groups.save();
      const { by, header, order } = saved('saveGroups') as { by: number[]; header: string[]; order: unknown };
      deepEqual(
        [by, header.slice(0, 3)],
        [
          [CLASS, IMAGE],
          ['Class', 'Image origin', 'Rows'],
        ],
      );
      deepEqual(order, byMean);
      const again = await page.again();
      await again.settled();
      deepEqual(found(again), [pairs.size, true]);
    });
  });
});
