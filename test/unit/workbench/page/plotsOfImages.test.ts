import { deepEqual, equal, fail } from 'node:assert/strict';
import { conditionsInTable } from '../../../../src/study/page/conditionsInTable';
import { loadPlot } from '../../../../src/plots/page/drawPlot';
import { plotsInTable, plotsOfTable } from '../../../../src/plots/page/plotsInTable';
import type { AddedToTable } from '../../table/page/tableStart';
import { allDue, range, store, table } from '../../table/page/twoColumns';

const added: AddedToTable = {
  contributions: [conditionsInTable, plotsInTable],
  loadLater: () => Promise.resolve({ plots: { loadPlot } } as never),
};

describe('Plots of what is measured of images', () => {
  // Statistics wait for a frame, which never comes.
  before(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  it('plots objects per image and shares by group, which follow the name of a population', async () => {
    const requested: { measures: unknown; of: string; filters: unknown }[] = [];
    const values = [1, 2, 3, 4, 5, 3, 1.5, 4, 0];
    const { page, port } = store(
      { table: { ...table, columns: [...table.columns, { index: 2, name: 'Class', kind: 'text' }] } },
      {
        applyFilters: () => ({ rowCount: 7 }),
        studyColumns: () => ({ condition: [], replicate: [], technical: [], hasAreas: false }),
        tableDistinct: () => ({ values: [{ text: 'Mitotic', count: 3 }] }),
        tableUnitGroups: (params: { measures: unknown; of: string; filters: unknown }) => {
          requested.push(params);
          return {
            groups: [{ keys: ['a.tif'], rows: 7, row: 0, values }],
            total: 1,
            all: { rows: 7, values },
          };
        },
      },
      {},
      added,
    );
    await page.table.setFilters([range]);
    page.populations.set([{ name: 'Large', columns: [] }]);
    const plots = page.added.get(plotsOfTable);
    const { imageMeasures } = plots.options;
    if (!imageMeasures) fail('plots know nothing of images');
    imageMeasures.offer();
    await allDue();
    deepEqual(
      imageMeasures.listed().map(({ name }) => name),
      [
        'Objects per image',
        'Objects per mm²',
        'Share of Mitotic',
        'Share of Large (population)',
        'Large per image',
        'Large per mm²',
      ],
    );
    const key = imageMeasures.listed().find(({ name }) => name.startsWith('Share of Large'))?.key ?? '';
    for (const kind of ['bar', 'box'] as const)
      plots.restore([{ kind, measure: null, by: 0, imageMeasure: key }]);
    const [plot] = plots.plots.value;
    await plot?.load();
    deepEqual([plot?.spec.kind, plot?.content], ['box', 'plot']);
    // Those of all rows, in gray, and those that match.
    deepEqual(
      requested.map(({ filters, measures, of }) => [filters, measures, of]),
      [[], [range.filter]].map(filters => [
        filters,
        [{ kind: 'share', of: [{ kind: 'population', name: 'Large' }] }],
        'images',
      ]),
    );
    page.populations.set([{ name: 'Big', columns: [] }], { from: 'Large', to: 'Big' });
    const renamed = imageMeasures.listed().find(({ name }) => name.startsWith('Share of Big'))?.key;
    equal(plot?.spec.imageMeasure, renamed);
    deepEqual(port.view.drawer?.plots, [{ kind: 'box', measure: null, by: 0, imageMeasure: renamed }]);
    page.populations.set([]);
    await plot?.load();
    equal(plot?.content, 'empty');
    // It isn't offered any more, but still says what it is.
    equal(imageMeasures.listed().length, 3);
    deepEqual(imageMeasures.listed(renamed).at(-1), { key: renamed, name: 'Share of Big (population)' });
    deepEqual(
      await imageMeasures.groups({ by: 0, key: '{', all: false, limit: 9 }, new AbortController().signal),
      undefined,
    );
  });
});
