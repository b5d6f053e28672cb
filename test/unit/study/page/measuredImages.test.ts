import { deepEqual, equal } from 'node:assert/strict';
import { imageMeasuresOfPlots } from '../../../../src/drawing/page/plottedTable';
import { conditionsInTable } from '../../../../src/study/page/conditionsInTable';
import { NOTHING_ADDED } from '../../table/page/tableStart';
import { store } from '../../table/page/twoColumns';

const added = { ...NOTHING_ADDED, contributions: [conditionsInTable] };

describe('Measures of images in plots', () => {
  it('are also means of a column in a population, and its number per mm², by the names that it gets', async () => {
    const requested: { measures: unknown }[] = [];
    const answers = {
      studyColumns: () => ({ condition: [], replicate: [], technical: [] }),
      tableUnitGroups: (params: { measures: unknown }) => {
        requested.push(params);
        return { groups: [], total: 0, all: { rows: 0, values: [] } };
      },
    };
    const { page } = store({}, answers, {}, added);
    const measures = page.added.get(imageMeasuresOfPlots);
    equal(measures.within({ column: 'Area' }), undefined, 'no population to choose');
    page.populations.set([{ name: 'Large', columns: [] }]);
    const [whole, large] = measures.within({ column: 'Area' })?.options ?? [];
    deepEqual([whole, large?.[1]], [['', 'All Objects'], 'In Large']);
    let key = large?.[0] ?? '';
    const requestedOf = async (of: string) => {
      await measures.groups({ by: 0, key: of, all: false, limit: 9 }, new AbortController().signal);
      return requested.at(-1)?.measures;
    };
    const within = (name: string) => ({ of: [{ kind: 'population', name }] });
    deepEqual(await requestedOf(key), [{ kind: 'column', column: 1, ...within('Large') }]);
    equal(measures.nameOf(key), 'Area in Large');
    measures.onDidChange(renamed => (key = renamed(key)));
    page.populations.set([{ name: 'Big', columns: [] }], { from: 'Large', to: 'Big' });
    deepEqual(await requestedOf(key), [{ kind: 'column', column: 1, ...within('Big') }]);
    deepEqual(measures.within({ key })?.options, [whole, [key, 'In Big']]);
    const perAreaIn = (listed: typeof measures) =>
      listed.listed().find(({ name }) => name === 'Big per mm²')?.key;
    const perArea = { kind: 'objectsPerImage', per: 'area', ...within('Big') };
    deepEqual(await requestedOf(perAreaIn(measures) ?? ''), [perArea]);
    // One that is gone is told apart.
    page.populations.set([{ name: 'Other', columns: [] }]);
    deepEqual(
      measures.within({ key })?.options.map(([, words]) => words),
      ['All Objects', 'In Other', 'In Big'],
    );
    equal(measures.within({ key: '{"kind":"filter","name":"Other"}' }), undefined);
    // A table of several jobs has no masks, which tell how large images are.
    const joined = store({ joined: true }, answers, {}, added).page;
    joined.populations.set([{ name: 'Big', columns: [] }]);
    equal(perAreaIn(joined.added.get(imageMeasuresOfPlots)), undefined);
  });
});
