import { deepEqual, equal } from 'node:assert/strict';
import { allDue, range, store, table } from '../twoColumns';

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
      words: "Couldn't apply the filter: applyFilters",
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
    deepEqual(page.cells.activeCell, { position: 3, column: 0 });
    const place = { position: 3, column: 0 };
    deepEqual(port.view.cells, { row: 13, range: { anchor: place, active: place, wholeRows: false } });
    equal(page.link.selected.value, 13);
    page.cells.selectAll();
    deepEqual(page.cells.size.value.rows, 100);
  });

  it('shows the first rows of another order, and leads back to the selected one', async () => {
    const { page } = store({}, { tablePosition: () => ({ position: 42 }) });
    const done: unknown[] = [];
    page.grid = {
      shown: [0, 1],
      rowAt: (position: number) => ({ fileRow: position + 10 }),
      reveal: (position: number, where?: string) => done.push(['reveal', position, where ?? 'near']),
      setFocus: (position: number) => done.push(['focus', position]),
      loadAround: () => Promise.resolve(),
      isSeen: () => true,
    } as never;
    page.rows.moved(3, 0, false);
    page.table.setSort([{ column: 1, descending: true }]);
    await page.rows.reordered();
    deepEqual(done.splice(0), [
      ['reveal', 0, 'top'],
      ['focus', 42],
    ]);
    deepEqual([page.cells.rowInFocus, page.cells.range?.active.position], [13, 42]);
    await page.rows.revealSelected();
    deepEqual(done[0], ['reveal', 42, 'near']);
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

  it('saves how the columns are arranged with the verb that arranges them, before there is a grid too', () => {
    const { page, port } = store();
    page.columns.hide(1);
    deepEqual([port.view.layout?.hidden, port.view.isArranged, page.columns.canHide], [[1], true, false]);
    // The last one stays.
    page.columns.hide(0);
    deepEqual(page.columns.layout.value.hidden, [1]);
    page.columns.togglePin(0);
    page.columns.move(1, -1);
    page.columns.showAll();
    deepEqual(page.columns.layout.value, { order: [1, 0], hidden: [], pinned: [0] });
    page.columns.resized('column-0', 80);
    page.columns.reset();
    deepEqual(page.columns.layout.value, { order: [0, 1], hidden: [], pinned: [] });
    deepEqual([port.view.widths, port.view.isArranged], [{}, false]);
  });

  it('lists columns that say the same in every row while they are hidden, and leaves an arrangement alone', async () => {
    const constants = [{ column: 0, text: 'a.tif' }];
    const { page } = store({ constants });
    await page.columns.load();
    deepEqual([page.columns.layout.value.hidden, page.columns.hiddenConstants.value], [[0], constants]);
    page.columns.show(0);
    deepEqual(page.columns.hiddenConstants.value, []);
    const arranged = store(
      { constants },
      {},
      { layout: { order: [0, 1], hidden: [], pinned: [] }, isArranged: true },
    );
    await arranged.page.columns.load();
    deepEqual(arranged.page.columns.layout.value.hidden, []);
  });

  it('requests groups once the rows are there, and again for other filters, but not for one of a group', async () => {
    const requested: unknown[] = [];
    const groups = {
      applyFilters: () => ({ rowCount: 7 }),
      tableGroupColumns: () => ({ columns: [0] }),
      tableGroups: (params: object) => {
        requested.push((params as { filters: unknown[] }).filters.length);
        const row = { keys: ['a.tif'], row: 0, rows: 7, values: [1, 2, 3] };
        return { groups: [row], total: 1, all: row };
      },
    };
    const { page, port } = store({}, groups);
    page.toggleGroups();
    await allDue();
    deepEqual(requested, []);
    page.groups.begin();
    await allDue();
    deepEqual([requested, port.view.groups?.by, page.groups.content.value?.kind], [[0], [0], 'groups']);
    await page.table.setFilters([range]);
    await allDue();
    deepEqual(requested, [0, 1]);
    await page.groups.selection.toggle({ keys: ['a.tif'], row: 0, rows: 7, values: [] });
    await allDue();
    deepEqual([requested, page.groups.selection.hasGroup], [[0, 1], true]);
  });

  it('goes on loading further groups while one of them is selected, until others are shown', async () => {
    const ended: number[] = [];
    const { page } = store(
      {},
      {
        applyFilters: () => ({ rowCount: 7 }),
        tableGroupColumns: () => ({ columns: [0] }),
        tableGroups: ({ start, end }: { start: number; end: number }, signal) => {
          const row = { keys: ['a.tif'], row: 0, rows: 7, values: [1] };
          if (start === 0) return { groups: new Array(end).fill(row), total: 900, all: row };
          return new Promise(() => signal?.addEventListener('abort', () => ended.push(start)));
        },
      },
    );
    page.groups.begin();
    page.toggleGroups();
    await allDue();
    void page.groups.fetch(200, 400, undefined);
    await page.groups.selection.toggle({ keys: ['a.tif'], row: 0, rows: 7, values: [] });
    await allDue();
    deepEqual([page.groups.selection.hasGroup, ended], [true, []]);
    await page.table.setFilters([range]);
    await allDue();
    deepEqual(ended, [200]);
    void page.groups.fetch(400, 600, undefined);
    page.toggleGroups();
    deepEqual(ended, [200, 400]);
    page.toggleGroups();
    void page.groups.fetch(600, 800, undefined);
    await allDue();
    deepEqual(ended, [200, 400]);
  });

  it('is busy with groups no longer once those are wanted again that are shown', async () => {
    const { page } = store(
      {},
      {
        tableGroupColumns: () => ({ columns: [0] }),
        tableGroups: ({ statistics }: { statistics: string[] }) =>
          // Others are still on their way.
          statistics[0] === 'mean'
            ? { groups: [], total: 1, all: { rows: 0, values: [] } }
            : new Promise(() => undefined),
      },
    );
    page.groups.begin();
    page.groups.choose({ by: [0], measures: [1], statistics: ['mean'] });
    page.toggleGroups();
    await allDue();
    page.groups.choose({ statistics: ['sd'] });
    await allDue();
    equal(page.groups.isBusy.value, true);
    page.groups.choose({ statistics: ['mean'] });
    await allDue();
    equal(page.groups.isBusy.value, false);
  });

  it('says why there are no groups, and keeps an order as long as its statistic is there', async () => {
    const { page, port } = store({}, { tableGroupColumns: () => ({ columns: [] }) });
    page.groups.begin();
    page.toggleGroups();
    await allDue();
    deepEqual(page.groups.content.value, { kind: 'message', words: 'No column to group by.' });
    page.groups.choose({ by: [0], measures: [1] });
    await allDue();
    deepEqual(page.groups.content.value, { kind: 'failure', reason: 'tableGroups' });
    page.groups.sort({ of: { kind: 'value', value: 0 }, descending: true });
    page.groups.choose({ by: [0, 1] });
    deepEqual(port.view.groups?.order, { of: { kind: 'value', value: 0 }, descending: true });
    page.groups.choose({ statistics: ['mean'] });
    deepEqual([port.view.groups?.order, 'order' in (port.view.groups ?? {})], [undefined, false]);
  });

  it('saves changes of the view, and tells other panels, only once it is as it was left', async () => {
    const { page, done } = store({}, { applyFilters: () => ({ rowCount: 7 }) });
    await page.table.setFilters([range]);
    const isTold = (each: unknown) => Array.isArray(each) && each[0] === 'filtered';
    equal(done.some(isTold), false);
    page.begin();
    page.table.setSort([{ column: 1, descending: true }]);
    const filters = [range.filter];
    const told = (sort: unknown[]) => ['filtered', { view: { sort, filters }, rowCount: 7, total: 100 }];
    deepEqual(done.filter(isTold), [told([]), told([{ column: 1, descending: true }])]);
    const saved = { sort: [{ column: 1, descending: true }], filters: [range], areLevelsMixed: false };
    deepEqual(done.at(-1), { saved });
  });

  it('passes the pointer and the selection on to other panels, but not back to them', () => {
    const { page, done } = store();
    page.link.hover(4, 'plot');
    page.link.hoveredElsewhere(5);
    page.link.select(6);
    page.link.selectedElsewhere(7);
    deepEqual(done, [
      ['hover', 4],
      ['select', 6],
    ]);
    deepEqual([page.link.hovered.value, page.link.selected.value], [{ row: 5, by: 'panel' }, 7]);
  });

  it('offers to read rows again until they come', async () => {
    const { page } = store();
    const waits = page.body.failed('The disk is gone.');
    const message = page.body.message.value;
    if (message?.kind === 'failure') message.retry();
    await waits;
    page.body.gridCreated();
    deepEqual([page.body.message.value, page.body.hasGrid.value], [undefined, true]);
  });
});
