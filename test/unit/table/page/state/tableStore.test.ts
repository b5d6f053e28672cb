import { deepEqual, equal } from 'node:assert/strict';
import type { TableSummary } from '../../../../../src/columns/tableSummary';
import { PageText, type TableText } from '../../../../../src/pages/page/pageText';
import { tableTexts } from '../../../../../src/pages/tableTexts';
import { TableStore } from '../../../../../src/table/page/state/tableStore';
import { fittingView, type TableViewState } from '../../../../../src/table/page/tableViewState';
import type { TableStart } from '../../../../../src/table/tablePage';
import { plainEnglish } from '../../../../../src/words/translate';

const table: TableSummary = {
  columns: [
    { index: 0, name: 'Image', kind: 'text' },
    { index: 1, name: 'Area', kind: 'number' },
  ],
  rowCount: 100,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
};

type Responses = Record<string, (params: never) => unknown>;

/** The store of a table of two columns, and what was sent, requested and saved. */
function store(
  start: Partial<TableStart> = {},
  responses: Responses = {},
  saved: Partial<TableViewState> = {},
) {
  const done: unknown[] = [];
  const view = fittingView(saved, table);
  const port = {
    view: view as Partial<TableViewState>,
    updateView(changes: Partial<TableViewState>) {
      port.view = { ...port.view, ...changes };
      done.push({ saved: changes });
    },
  };
  const panel = {
    send: (event: string, value: unknown) => done.push([event, value]),
    request: (method: string, params: never) => {
      done.push(method);
      const respond = responses[method];
      return respond ? Promise.resolve(respond(params)) : Promise.reject(new Error(method));
    },
  };
  const page = new TableStore({
    start: {
      kind: 'objects',
      title: 'objects.csv',
      table,
      hovered: null,
      selected: null,
      ...start,
    } as TableStart,
    text,
    view,
    port,
    panel: panel as never,
  });
  return { page, done, port };
}

const text: TableText = new PageText(tableTexts(plainEnglish));
const allDue = () => new Promise<void>(resolve => setImmediate(resolve));
const range = { filter: { kind: 'range', column: 1, from: 5, to: null } } as const;

describe('the store of the table page', () => {
  // Statistics wait for a frame, which never comes.
  before(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  it('has masks to open only for a table of one job', () => {
    const { page, done } = store();
    equal(page.hasMasks, true);
    page.openMasks();
    deepEqual(done, [['showMasks', {}]]);
    equal(store({ kind: 'file' }).page.hasMasks, false);
    equal(store({ joined: true }).page.hasMasks, false);
  });

  it('tells those that read it of filters, the order and the number of rows', async () => {
    const { page } = store({}, { applyFilters: () => ({ rowCount: 7 }) });
    const seen: unknown[] = [];
    page.levels.otherFilters.subscribe(filters => seen.push(filters.length));
    await page.table.setFilters([range]);
    page.table.setSort([{ column: 1, descending: true }]);
    deepEqual([seen, page.table.rowCount], [[0, 1], 7]);
  });

  it('says what filters were refused, so that their controls show what is in force', async () => {
    const { page } = store();
    const counts: number[] = [];
    page.filters.refused.subscribe(count => counts.push(count));
    page.filters.add(range);
    await allDue();
    deepEqual(counts, [0, 1]);
    deepEqual(page.messages.notice.value, {
      words: text.get('filterFailed', 'applyFilters'),
      failed: true,
    });
  });

  it('says the same words twice, and forgets a notice once the user goes on', () => {
    const { page } = store();
    const said: string[] = [];
    page.messages.said.subscribe(words => said.push(words));
    page.messages.say('Copied');
    page.messages.say('Copied');
    deepEqual(said, ['', 'Copied', 'Copied\u00a0']);
    page.rows.moved(0, 1, false);
    equal(page.messages.notice.value, undefined);
  });

  it('saves what is selected with the verb that selects it, and tells how much that is', () => {
    const { page, port } = store();
    page.grid = { shown: [1, 0], rowAt: (position: number) => ({ fileRow: position + 10 }) } as never;
    page.rows.moved(3, 0, false);
    deepEqual(page.cells.size.value, { rows: 1, columns: 1, wholeRows: false, fileRow: 13 });
    deepEqual(page.cells.place, { position: 3, column: 0 });
    const place = { position: 3, column: 0 };
    deepEqual(port.view.cells, { row: 13, range: { anchor: place, active: place, wholeRows: false } });
    equal(page.link.selected.value, 13);
    page.cells.selectAll();
    deepEqual(page.cells.size.value.rows, 100);
  });

  it('knows how far a table has been read, and why no further', () => {
    const { page } = store({ table: { ...table, reading: true } });
    const growth = { rowCount: 5, bytesDone: 30, bytesTotal: 40, done: false };
    equal(page.reading.share.value, 0);
    page.reading.progressed(growth);
    equal(page.reading.share.value, 0.75);
    page.reading.progressed({ ...growth, done: true, failed: 'The disk is gone.' });
    deepEqual([page.reading.share.value, page.reading.failure.value], [undefined, 'The disk is gone.']);
    equal(store({ failed: 'It was cut.' }).page.reading.failure.value, 'It was cut.');
  });

  it('saves a search as it is typed, and marks what it finds once the user goes on', async () => {
    const matches = { matches: 2, isCut: false, index: 0 };
    const { page, port, done } = store(
      {},
      { tableFind: () => ({ found: null }), tableFindMatches: () => matches },
    );
    page.find.type('ab');
    deepEqual(
      [port.view.find, page.find.matcher.value, done.includes('tableFind')],
      [{ text: 'ab' }, undefined, false],
    );
    page.find.next();
    equal(page.find.matcher.value?.('cab'), true);
    await allDue();
    deepEqual([page.find.hasNone.value, page.find.matches.value], [true, matches]);
    page.find.clear();
    deepEqual(
      [port.view.find, page.find.matcher.value, page.find.matches.value],
      [{ text: '' }, undefined, undefined],
    );
  });

  it('finds a search as it was left, unless the user has typed', () => {
    const { page } = store({}, { tableFindMatches: () => ({ matches: 1, isCut: false, index: null }) });
    page.find.type('new');
    page.find.restore({ text: 'old', wholeCell: true });
    deepEqual(page.find.search.value, { text: 'new' });
    page.find.clear();
    page.find.restore({ text: 'old', wholeCell: true });
    deepEqual(page.find.search.value, { text: 'old', wholeCell: true });
  });

  it('copies with the header again once it was chosen', async () => {
    const { page, port, done } = store({}, { tableRows: () => ({ rows: [] }), copy: () => ({}) });
    await page.output.copy(true);
    deepEqual(
      [page.output.withHeader.value, port.view.withHeader, done],
      [true, true, [{ saved: { withHeader: true } }]],
    );
  });
});
