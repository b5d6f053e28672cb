import { deepEqual, equal } from 'node:assert/strict';
import { conditionsInTable } from '../../../../src/study/page/conditionsInTable';
import { OpenedTable, useNoScreen } from '../../table/page/openedTable';
import { NOTHING_ADDED } from '../../table/page/tableStart';
import { allDue, range, store } from '../../table/page/twoColumns';

const added = { ...NOTHING_ADDED, contributions: [conditionsInTable] };

describe('Groups with statistics of images', () => {
  it('has statistics of replicate means, with those that only replicates have, and says where there are none', async () => {
    const asked: unknown[] = [];
    let replicate = [2];
    const { page } = store(
      {},
      {
        tableGroupColumns: () => ({ columns: [0] }),
        compareStart: () => ({ condition: [], replicate, technical: [] }),
        tableGroups: () => ({ groups: [], total: 1, all: { rows: 0, values: [] }, excludedImages: 2 }),
        tableUnitGroups: params => {
          asked.push(params);
          return { groups: [], total: 1, all: { rows: 0, values: [] } };
        },
      },
      {},
      added,
    );
    page.groups.begin();
    page.toggleGroups();
    await allDue();
    const shown = page.groups.content.value;
    equal(shown?.kind === 'groups' && shown.found.excludedImages, 2);
    page.groups.choose({ by: [0], measures: [1], statistics: ['mean', 'sem'], of: 'replicates' });
    await allDue();
    const { of, replicate: columns, measures, statistics } = asked.at(-1) as Record<string, unknown>;
    deepEqual([of, columns, statistics], ['replicates', [2], ['mean', 'sem']]);
    deepEqual(measures, [{ kind: 'column', column: 1 }]);
    page.groups.choose({ of: 'images' });
    await allDue();
    deepEqual((asked.at(-1) as Record<string, unknown>)['statistics'], ['mean']);
    replicate = [];
    page.groups.choose({ of: 'replicates' });
    await allDue();
    deepEqual(page.groups.content.value, { kind: 'message', words: 'No column has the role of replicates.' });
  });

  it('has objects per image and shares of named filters as measures of images', async () => {
    const requested: { measures: unknown[]; order?: unknown }[] = [];
    const saved: unknown[] = [];
    const { page, port } = store(
      {},
      {
        applyFilters: () => ({ rowCount: 7 }),
        tableGroupColumns: () => ({ columns: [0] }),
        compareStart: () => ({ condition: [0], replicate: [], technical: [], hasAreas: true }),
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
    await page.table.setFilters([range]);
    equal(page.filterSets.add(' Large  ones '), undefined);
    equal(page.filterSets.add('large ones'), 'taken');
    equal(page.filterSets.add(' '), 'empty');
    deepEqual(port.view.filterSets, [
      { name: 'Large ones', filters: [{ kind: 'range', column: 'Area', from: 5, to: null }] },
    ]);
    await page.table.setFilters([]);
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
    const share = { kind: 'share', of: [range.filter] };
    const measures = [{ kind: 'column', column: 1 }, { kind: 'objectsPerImage', per: 'image' }, share];
    deepEqual(requested.at(-1)?.measures, measures);
    const shown = page.groups.content.value;
    deepEqual(shown?.kind === 'groups' && shown.found.columns.map(({ fullName }) => fullName), [
      'Image',
      'Rows',
      'Area (Mean)',
      'Objects per image (Mean)',
      'Share of Large ones (named filter) (Mean)',
    ]);
    page.groups.sort({ of: { kind: 'value', value: 2 }, descending: true });
    await page.groups.save();
    deepEqual((saved[0] as { measures: unknown }).measures, measures);
    // A share follows the name of its filters, and goes with them; then an order by it is none.
    equal(page.filterSets.rename('Large ones', 'Big'), undefined);
    await allDue();
    deepEqual(port.view.groups?.measures.at(-1), { kind: 'filter', name: 'Big' });
    deepEqual(port.view.groups?.order?.of, { kind: 'value', value: 2 });
    const renamed = page.groups.content.value;
    equal(
      renamed?.kind === 'groups' && renamed.found.columns.at(-1)?.fullName,
      'Share of Big (named filter) (Mean)',
    );
    page.filterSets.remove('Big');
    await allDue();
    deepEqual(requested.at(-1)?.measures, measures.slice(0, 2));
    equal(port.view.groups?.order, undefined);
  });

  it('measures a share on whose filters got another name in another view, but not one of other filters', () => {
    const named = (name: string, from: number) => ({
      name,
      filters: [{ kind: 'range' as const, column: 'Area', from, to: null }],
    });
    const { page, port } = store({ filterSets: [named('Large', 5), named('Huge', 50)] }, {}, {}, added);
    page.groups.choose({ by: [0], measures: [{ kind: 'filter', name: 'Large' }], of: 'images' });
    page.filterSets.show([named('Big', 5), named('Huge', 50)]);
    deepEqual(port.view.groups?.measures, [{ kind: 'filter', name: 'Big' }]);
    page.filterSets.show([named('Small', 1), named('Huge', 50)]);
    deepEqual(port.view.groups?.measures, [{ kind: 'filter', name: 'Big' }]);
  });
});

describe('Steps of a table that are undone with shares of filters', () => {
  useNoScreen();
  let opened: OpenedTable | undefined;
  afterEach(() => opened?.close());

  it('are those that give filters a name, another one, or take it, with what is measured by them', async () => {
    const page = (opened = await OpenedTable.open({ study: {}, added }));
    const [CLASS, AREA, KI67, TREATMENT] = [2, 3, 4, 5] as const;
    const { store, engine } = page;
    /** The latest request of a method. */
    const requested = (method: string) =>
      JSON.stringify(engine.requests.findLast(each => each.method === method) ?? {});
    store.filters.add({ filter: { kind: 'range', column: KI67, from: 95, to: null } });
    await page.settled();
    store.filters.add({ filter: { kind: 'values', column: CLASS, values: ['Mitotic'] } });
    await page.settled();
    equal(store.filterSets.add('Dividing'), undefined);
    await page.settled();
    store.filters.set([]);
    store.showGroups();
    store.groups.choose({
      by: [TREATMENT],
      of: 'images',
      measures: [AREA, { kind: 'filter', name: 'Dividing' }],
    });
    await page.settled();
    const share = /"share".+"column":4,"from":95.+"column":2,"values":\["Mitotic"\]/;
    equal(share.test(requested('tableUnitGroups')), true);
    await store.groups.copy();
    equal(String(page.sentAs('copy').at(-1)).includes('\tShare of Dividing (named filter) (Mean)\t'), true);
    await store.groups.save();
    const saved = page.sentAs('saveUnitGroups').at(-1) as { measures: { kind: string }[] };
    equal(saved.measures.at(-1)?.kind, 'share');

    const measures = () => store.groups.state.value.measures.slice(1);
    const named = (name: string) => [{ kind: 'filter', name }];
    equal(store.filterSets.rename('Dividing', 'Cycling'), undefined);
    await page.settled();
    deepEqual(measures(), named('Cycling'));
    store.filterSets.remove('Cycling');
    await page.settled();
    deepEqual(store.filterSets.all.value, []);
    equal(await page.move('undo'), 'Undid: Remove Named Filter');
    deepEqual(measures(), named('Cycling'));
    equal(await page.move('undo'), 'Undid: Rename Named Filter');
    deepEqual(measures(), named('Dividing'));
    equal(await page.move('redo'), 'Redid: Rename Named Filter');
    deepEqual(measures(), named('Cycling'));

    const again = await page.again();
    // Back to the table, filtered by the name.
    const [set] = again.store.filterSets.all.value;
    if (set) again.store.filterSets.apply(set);
    await again.settled();
    deepEqual(
      again.store.table.filters.map(({ filter }) => filter.kind),
      ['range', 'values'],
    );
  });
});
