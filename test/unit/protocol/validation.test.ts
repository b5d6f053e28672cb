import assert from 'node:assert/strict';
import { isCoded } from '../../../src/base/errors';
import { masksPage } from '../../../src/protocol/masksPage';
import { tablePage } from '../../../src/protocol/tablePage';
import { passOn, validated, validatingHandlers } from '../../../src/protocol/validation';

const { signal } = new AbortController();
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

describe('Requests of a page', () => {
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
    ['objects that are texts', masksPage, 'selectRows', { image: 0, objects: ['1'] }],
    ['a list for a buffer', masksPage, 'labelTile', { image: 0, level: 0, x: 0, y: 0, hidden: [1] }],
    ['a tile of no level', masksPage, 'labelTile', { image: 0, level: 31, x: 0, y: 0 }],
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
