import { deepEqual, equal } from 'node:assert/strict';
import { conditionsInTable } from '../../../../src/study/page/conditionsInTable';
import { NOTHING_ADDED } from '../../table/page/tableStart';
import { allDue, store } from '../../table/page/twoColumns';

const added = { ...NOTHING_ADDED, contributions: [conditionsInTable] };

describe('Groups with statistics of images', () => {
  it('has statistics of replicate means, with those that only replicates have, and says where there are none', async () => {
    const asked: unknown[] = [];
    let replicate = [2];
    const { page } = store(
      {},
      {
        tableGroupColumns: () => ({ columns: [0] }),
        studyColumns: () => ({ condition: [], replicate, technical: [] }),
        tableGroups: () => ({ groups: [], total: 1, all: { rows: 0, values: [] }, excludedImages: 2 }),
        tableUnitGroups: params => {
          asked.push(params);
          return { groups: [], total: 1, all: { rows: 0, values: [] }, inSeveralJobs: 3 };
        },
      },
      {},
      added,
    );
    page.groups.begin();
    page.toggleGroups();
    await allDue();
    const shown = page.groups.content.value;
    equal(shown?.kind === 'groups' && shown.groups.excludedImages, 2);
    page.groups.choose({ by: [0], measures: [1], statistics: ['mean', 'sem'], of: 'replicates' });
    await allDue();
    const { of, replicate: columns, measures, statistics } = asked.at(-1) as Record<string, unknown>;
    deepEqual([of, columns, statistics], ['replicates', [2], ['mean', 'sem']]);
    deepEqual(measures, [{ kind: 'column', column: 1 }]);
    const ofReplicates = page.groups.content.value;
    deepEqual(ofReplicates?.kind === 'groups' && ofReplicates.groups.notes, [
      '3 image paths are in several jobs, and count once for each.',
    ]);
    page.groups.choose({ of: 'images' });
    await allDue();
    deepEqual((asked.at(-1) as Record<string, unknown>)['statistics'], ['mean']);
    replicate = [];
    page.groups.choose({ of: 'replicates' });
    await allDue();
    deepEqual(page.groups.content.value, { kind: 'message', words: 'No column has the role of replicates.' });
  });

  it('has objects per image and shares of populations as measures of images', async () => {
    const requested: { measures: unknown[]; order?: unknown }[] = [];
    const saved: unknown[] = [];
    const { page, port } = store(
      {},
      {
        applyFilters: () => ({ rowCount: 7 }),
        tableGroupColumns: () => ({ columns: [0] }),
        studyColumns: () => ({ condition: [0], replicate: [], technical: [], hasAreas: true }),
        tableGroups: (params: { measures: unknown[] }) => {
          requested.push(params);
          return { groups: [], total: 1, all: { rows: 0, values: [] } };
        },
        tableUnitGroups: (params: { measures: unknown[] }) => {
          requested.push(params);
          return { groups: [], total: 1, all: { rows: 0, values: [] }, unjudged: [0, 0, 3] };
        },
        saveUnitGroups: (params: unknown) => {
          saved.push(params);
          return { saved: null };
        },
      },
      {},
      added,
    );
    page.groups.begin();
    page.populations.set([{ name: 'Large ones', columns: ['Area'] }]);
    page.toggleGroups();
    page.groups.choose({
      by: [0],
      measures: [1, { kind: 'objectsPerImage' }, { kind: 'filter', name: 'Large ones' }],
      statistics: ['mean'],
    });
    await allDue();
    // Single objects have neither.
    deepEqual(requested.at(-1)?.measures, [1]);
    page.groups.choose({ of: 'images' });
    await allDue();
    const share = { kind: 'share', of: [{ kind: 'population', name: 'Large ones' }] };
    const measures = [{ kind: 'column', column: 1 }, { kind: 'objectsPerImage', per: 'image' }, share];
    deepEqual(requested.at(-1)?.measures, measures);
    const shown = page.groups.content.value;
    deepEqual(shown?.kind === 'groups' && shown.groups.columns.map(({ fullName }) => fullName), [
      'Image',
      'Rows',
      'Area (Mean)',
      'Objects per image (Mean)',
      'Share of Large ones (population) (Mean)',
    ]);
    page.groups.sort({ of: { kind: 'value', value: 2 }, descending: true });
    await page.groups.save();
    deepEqual((saved[0] as { measures: unknown }).measures, measures);
    // A share follows the name of its population, and goes with it; then an order by it is none.
    page.populations.set([{ name: 'Big', columns: [] }], { from: 'Large ones', to: 'Big' });
    await allDue();
    deepEqual(port.view.groups?.measures.at(-1), { kind: 'filter', name: 'Big' });
    deepEqual(port.view.groups?.order?.of, { kind: 'value', value: 2 });
    const renamed = page.groups.content.value;
    equal(
      renamed?.kind === 'groups' && renamed.groups.columns.at(-1)?.fullName,
      'Share of Big (population) (Mean)',
    );
    const mean = { kind: 'column', name: 'Area', population: 'Big' };
    const number = { kind: 'objectsPerImage', population: 'Big' };
    page.groups.choose({ measures: [1, { kind: 'objectsPerImage' }, mean, number] });
    await allDue();
    const of = [{ kind: 'population', name: 'Big' }];
    deepEqual(requested.at(-1)?.measures.slice(2), [
      { kind: 'column', column: 1, of },
      { kind: 'objectsPerImage', per: 'image', of },
    ]);
    const measured = page.groups.content.value;
    deepEqual(
      measured?.kind === 'groups' && measured.groups.columns.slice(-2).map(({ fullName }) => fullName),
      ['Area in Big (Mean)', 'Big per image (Mean)'],
    );
    // Another gate under the same name.
    const before = requested.length;
    page.populations.set([{ name: 'Big', columns: [] }]);
    await allDue();
    equal(requested.length, before + 1);
    page.populations.set([]);
    await allDue();
    deepEqual(requested.at(-1)?.measures, measures.slice(0, 2));
    equal(port.view.groups?.order, undefined);
  });
});
