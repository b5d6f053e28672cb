import assert from 'node:assert/strict';
import { isCoded } from '../../../src/base/errors';
import { masksPage } from '../../../src/masks/masksPage';
import { tablePage } from '../../../src/table/tablePage';
import { passOn, validated, validatingHandlers } from '../../../src/protocol/declarations';

const { signal } = new AbortController();
const zeros = (length: number) => Array.from({ length }, () => 0);
const upTo = (length: number) => Array.from({ length }, (_, at) => at);
const valuesOf = (values: string[]) => ({ kind: 'values', column: 0, values });
const megabyte = 'x'.repeat(1_000_000);
const objects = upTo(1_000_001);
// Of virtual memory: no byte of it is touched.
const hugePlot = new ArrayBuffer(2 ** 28 + 1);
const view = { sort: [{ column: 0, descending: true }] };

/** What the handlers of a page see of a request; rejects when they never see it. */
async function seen(page: typeof masksPage | typeof tablePage, method: string, params: unknown) {
  const handlers = validatingHandlers(
    page,
    Object.fromEntries(
      Object.keys({ ...page.passedOn, ...page.requests }).map(name => [name, (given: unknown) => given]),
    ),
  );
  return handlers[method]?.(params, signal);
}

const link = { image: 'i1', path: 'control/img_1.png' };

const groups = { ...view, by: [0], measures: [1], statistics: ['mean'], start: 0, end: 1 };

describe('Requests of a page', () => {
  it('may name each of 500,000 columns, in whatever order, and the same one on both axes', async () => {
    const columns = upTo(500_000).reverse();
    assert.deepEqual(await seen(tablePage, 'saveView', { ...view, columns }), { ...view, columns });
    const numbers = { row: 0, columns: [2, 2] };
    assert.deepEqual(await seen(tablePage, 'tableNumbers', numbers), numbers);
  });

  it('are passed on in their declared shape, without other fields', async () => {
    const filters = [
      { kind: 'range', column: 1, from: 2.5, to: null },
      { kind: 'values', column: 0, values: ['a'], missing: true },
      { kind: 'text', column: 0, match: 'regex', text: 'a+', exclude: true },
      { kind: 'missing', column: 2, missing: false },
      { kind: 'rowSet', set: 1 },
    ];
    const params = { ...view, filters, upTo: 10, start: 0, end: 5, columns: [2, 0] };
    assert.deepEqual(await seen(tablePage, 'tableRows', { ...params, table: 'aggregate' }), params);
    assert.deepEqual(await seen(tablePage, 'tableLevels', { ...view, upTo: 3 }), {});
  });

  it('keep their buffers as they are', async () => {
    const rows = new ArrayBuffer(8);
    const params = (await seen(tablePage, 'tableRowSet', { rows })) as { rows: ArrayBuffer };
    assert.equal(params.rows, rows);
  });

  it('clamp the colors of an appearance', async () => {
    const channel = { shown: true, color: [300, -1, 12.5], low: 5, high: 1 };
    const look = { page: 0, z: 0, t: 0, channels: [channel] };
    const params = { backgroundImage: 1, level: 0, x: 0, y: 0, look };
    assert.deepEqual(await seen(masksPage, 'backgroundImageTile', params), {
      ...params,
      look: { ...look, channels: [{ ...channel, color: [255, 0, 12.5] }] },
    });
  });

  const invalid: [string, typeof masksPage | typeof tablePage, string, unknown][] = [
    ['a column that is no position', tablePage, 'tableStatistics', { ...view, columns: [-1] }],
    ['a number that is not finite', tablePage, 'tableHistogram', { ...view, column: 0, bins: NaN }],
    ['a filter of no kind', tablePage, 'tableView', { ...view, filters: [{ kind: 'sql', column: 0 }] }],
    ['a function', tablePage, 'tableFind', { ...view, text: () => 'text' }],
    ['no parameters at all', tablePage, 'copy', null],
    ['a file type of its own', tablePage, 'savePlot', { name: 'a', type: 'exe', data: new ArrayBuffer(1) }],
    ['an image that is no position', masksPage, 'objectValues', { image: -1, column: 3 }],
    ['objects that are texts', masksPage, 'selectRows', { selection: [{ image: 0, objects: ['1'] }] }],
    ['a list for a buffer', masksPage, 'labelTile', { image: 0, level: 0, x: 0, y: 0, hidden: [1] }],
    ['a tile of no level', masksPage, 'labelTile', { image: 0, level: 31, x: 0, y: 0 }],
    ['a million columns', tablePage, 'tableRows', { ...view, start: 0, end: 1, columns: zeros(1_000_000) }],
    [
      'more columns than a table has',
      tablePage,
      'tableFind',
      { ...view, text: '', columns: upTo(2 ** 20 + 1) },
    ],
    ['a column twice', tablePage, 'tableSelection', { ...view, start: 0, end: 1, columns: [3, 1, 3] }],
    ['many groups', tablePage, 'tableGroup', { ...view, by: zeros(5000), measures: [] }],
    ['many numbers', tablePage, 'tableNumbers', { row: 0, columns: zeros(5000) }],
    ['many statistics', tablePage, 'tableGroups', { ...groups, statistics: zeros(1000).map(() => 'mean') }],
    ['many filters', tablePage, 'tableView', { ...view, filters: zeros(1001).map(() => valuesOf(['a'])) }],
    ['many values', tablePage, 'tableView', { ...view, filters: [valuesOf(zeros(100_001).map(String))] }],
    ['long values', tablePage, 'tableView', { ...view, filters: [valuesOf(zeros(17).map(() => megabyte))] }],
    ['many sort keys', tablePage, 'tableView', { sort: zeros(1001).map(() => view.sort[0]) }],
    ['a long text', tablePage, 'tableFind', { ...view, text: `${megabyte}x` }],
    ['a long name', masksPage, 'saveView', { name: megabyte }],
    ['many headers', tablePage, 'saveGroups', { ...groups, header: zeros(100_001).map(String) }],
    ['many corners', tablePage, 'tableLasso', { ...view, x: 0, y: 1, polygon: zeros(40_001) }],
    ['many corners', masksPage, 'objectsInRegion', { image: 0, polygon: zeros(40_001) }],
    [
      'many objects',
      masksPage,
      'shapesOfSelection',
      { selection: [0, 1].map(image => ({ image, objects })) },
    ],
    ['many links', masksPage, 'linkImages', { links: zeros(1001).map(() => link) }],
    ['many links', tablePage, 'linkImages', { links: zeros(1001).map(() => link) }],
    ['a long path', masksPage, 'linkImages', { links: [{ ...link, path: megabyte }] }],
    ['a long ID', masksPage, 'linkImages', { links: [{ ...link, image: megabyte }] }],
    ['a plot of gigabytes', tablePage, 'savePlot', { name: 'a', type: 'png', data: hugePlot }],
    ['half a row', masksPage, 'objectRow', { row: 0.5 }],
    ['an offer of no kind', masksPage, 'acceptBackgroundImage', { image: 0, offer: { kind: 'crop' } }],
    [
      'a buffer of more than 4 MB',
      masksPage,
      'saveViewPart',
      { save: 1, bytes: new ArrayBuffer(4 * 2 ** 20 + 1), last: true },
    ],
  ];
  for (const [what, page, method, params] of invalid) {
    it(`fail with bad-request when they have ${what}`, async () => {
      await assert.rejects(seen(page, method, params), error => isCoded(error, 'bad-request'));
    });
  }
});

describe('Events of a page', () => {
  it('say at most as much of a failure as a line of the log holds', () => {
    for (const { events } of [masksPage, tablePage]) {
      const { message } = validated(events.failure, { message: 'x'.repeat(10_000_000) }, 'failure');
      assert.equal(message.length, 8192);
    }
  });

  it('have their declared shape', () => {
    assert.deepEqual(validated(masksPage.events.hover, { image: 1, object: 2, extra: 3 }, 'hover'), {
      image: 1,
      object: 2,
    });
    assert.equal(validated(tablePage.events.select, null, 'select'), null);
    const colors = { Cell: '#ff0000', constructor: null };
    assert.deepEqual(validated(masksPage.events.classColors, colors, 'classColors'), colors);
  });

  it('are invalid otherwise', () => {
    for (const [schema, value] of [
      [tablePage.events.hover, '3'],
      [masksPage.events.visibility, { hiddenClasses: [1.5] }],
      [masksPage.events.classColors, { Cell: 7 }],
      [masksPage.events.classColors, { Cell: megabyte }],
      [masksPage.events.classColors, Object.fromEntries(upTo(17).map(at => [`${at}${megabyte}`, null]))],
    ] as const) {
      assert.throws(
        () => validated(schema, value, 'event'),
        error => isCoded(error, 'bad-request'),
      );
    }
  });
});

describe('Requests that are passed on', () => {
  it('reach the engine with their method, parameters and signal', async () => {
    const passed: unknown[] = [];
    const handlers = passOn(masksPage.passedOn, (...given) => {
      passed.push(given);
      return Promise.resolve({ objects: [7] });
    });
    const params = { image: 0, x: 1, y: 2 };
    assert.deepEqual(await handlers.objectsAt(params, signal), { objects: [7] });
    assert.deepEqual(passed, [['objectsAt', params, signal]]);
  });
});
