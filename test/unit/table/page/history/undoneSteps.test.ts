import { deepEqual, equal } from 'node:assert/strict';
import { OpenedTable, useNoScreen } from '../openedTable';

const [IMAGE, CLASS, AREA] = [0, 2, 3] as const;

describe('Steps of a table that are undone', () => {
  useNoScreen();
  let page: OpenedTable;
  afterEach(() => page.close());

  it('bring back groups, and open them', async () => {
    page = await OpenedTable.open({ rowCount: 1000 });
    const { groups } = page.store;
    page.store.showGroups();
    await page.settled();
    const by = () => groups.state.value.by;
    const found = () => {
      const content = groups.content.value;
      return content?.kind === 'groups' ? content.found.total : content?.kind;
    };
    deepEqual([by(), found()], [[CLASS], 3]);
    groups.choose({ by: [IMAGE] });
    await page.settled();
    equal(found(), Math.ceil(1000 / 128));
    groups.open(false);
    equal(await page.move('undo'), 'Undid: Change Groups');
    deepEqual([by(), found(), groups.isOpen.value], [[CLASS], 3, true]);
  });

  it('are those that give filters a name, another one, or take it, with what is measured by them', async () => {
    page = await OpenedTable.open({ study: {} });
    const [KI67, TREATMENT] = [4, 5] as const;
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
    const saved = page.sentAs('saveGroups').at(-1) as { units: { measures: { kind: string }[] } };
    equal(saved.units.measures.at(-1)?.kind, 'share');

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
