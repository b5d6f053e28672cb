import type { TableGrowth } from '../../../../src/columns/tableSummary';
import type { Filter } from '../../../../src/columns/viewSpec';
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import type { EngineThread } from '../../../../src/session/node/engineThread';
import { useEngineThreads } from './engineThreads';

/** MB: enough for all tables here. */
const memory = 1024;

describe('tables in an engine thread', () => {
  const threads = useEngineThreads();

  const request: EngineThread['endpoint']['request'] = (method, params, signal) =>
    threads.current.endpoint.request(method, params, signal);

  const file = (name: string, text: string) => threads.file(name, text);

  /** Over 33 MB, enough for a second thread; the second column proves to be text near the end. */
  function largeText(): string {
    const wide = 'x'.repeat(60);
    const lines = ['id,mixed,class,note'];
    for (let row = 0; row < 420_000; row++)
      lines.push(`${row},${row === 400_000 ? 'late' : row / 4},class ${row % 5},"${wide}\n${row % 1000}"`);
    return `${lines.join('\n')}\n`;
  }
  /** The path of a file with it, which tests only read. */
  let large = '';

  before(async () => {
    const text = largeText();
    assert.ok(text.length > 33 * 1024 * 1024);
    large = await file('large.csv', text);
  });

  it('return as many rows as there is room for their cells, also where those are empty', async () => {
    const columns = Array.from({ length: 2000 }, (_, at) => `c${at}`);
    const row = `${','.repeat(1999)}\n`;
    const path = await file('empty.csv', `${columns.join(',')}\n${row.repeat(2000)}`);
    await request('openTable', { table: 'file', path, options: { memory } });
    const { rows } = await request('tableRows', { table: 'file', start: 0, end: 2000, sort: [] });
    assert.ok(rows.length >= 750 && rows.length < 800, `${rows.length}`);
  });

  it('are read the same by two threads as by one', async () => {
    const summary = await request('openTable', { table: 'file', path: large, options: { memory } });
    assert.equal(summary.rowCount, 420_000);
    assert.deepEqual(
      summary.columns.map(({ kind }) => kind),
      ['number', 'text', 'text', 'text'],
    );
    const statistics = (await request('tableStatistics', { table: 'file', sort: [], columns: [0] }))
      .statistics;
    assert.deepEqual(
      [statistics[0]?.count, statistics[0]?.distinct, statistics[0]?.max],
      [420_000, 420_000, 419_999],
    );
    const { values } = await request('tableDistinct', { table: 'file', sort: [], column: 2, limit: 9 });
    assert.deepEqual(
      values.map(({ text: each, count }) => [each, count]),
      [0, 1, 2, 3, 4].map(at => [`class ${at}`, 84_000]),
    );
    const filters: Filter[] = [{ kind: 'text', column: 1, match: 'equals', text: 'late' }];
    const found = await request('tableRows', {
      table: 'file',
      start: 0,
      end: 9,
      sort: [],
      filters,
      columns: [1, 0],
    });
    assert.deepEqual(found, { rows: [['late', '400000']], fileRows: [400_000] });
    const last = await request('tableRows', {
      table: 'file',
      start: 419_999,
      end: 420_000,
      sort: [],
      columns: [3],
    });
    assert.equal(last.rows[0]?.[0], `${'x'.repeat(60)}\n999`);
  });

  it('return rows while the rest is being read, and report progress', async () => {
    const growths: TableGrowth[] = [];
    const done = new Promise<void>(resolve => {
      threads.current.endpoint.on('tableGrowth', growth => {
        growths.push(growth);
        if (growth.done) resolve();
      });
    });
    const options = { memory, progressive: true, opening: 7 };
    const first = await request('openTable', { table: 'file', path: large, options });
    assert.equal(first.reading, true);
    assert.ok(first.rowCount > 0 && first.rowCount < 420_000);
    const { rows } = await request('tableRows', {
      table: 'file',
      start: 0,
      end: 1,
      sort: [],
      columns: [0, 2],
    });
    assert.deepEqual(rows, [['0', 'class 0']]);
    await done;
    const last = growths.at(-1);
    assert.deepEqual([last?.rowCount, last?.done, last?.summary?.reading], [420_000, true, undefined]);
    assert.ok(growths.every(({ opening }) => opening === 7));
    assert.equal(last?.summary?.columns[1]?.kind, 'text');
    const counts = growths.map(({ rowCount }) => rowCount);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
  });

  it('keep the rows before the damage, and report its reason', async () => {
    const path = await file('damaged.csv', `a,b\n${'1,2\n'.repeat(2_000_000)}3,"open\n`);
    const failed = new Promise<TableGrowth>(resolve => {
      threads.current.endpoint.on('tableGrowth', growth => {
        if (growth.done) resolve(growth);
      });
    });
    await request('openTable', { table: 'file', path, options: { memory, progressive: true } });
    const { failure, rowCount } = await failed;
    assert.equal(failure?.code, 'damaged-table');
    assert.deepEqual(failure.details?.reason, {
      message: 'The quote opened on line {0} is never closed',
      args: [2_000_002],
    });
    assert.equal(rowCount, 2_000_000);
    await assert.rejects(request('openTable', { table: 'file', path, options: { memory } }), error =>
      isCoded(error, 'damaged-table'),
    );
  });

  it('are no longer read once they are closed', async () => {
    await request('openTable', { table: 'file', path: large, options: { memory, progressive: true } });
    await request('closeTable', { table: 'file' });
    await assert.rejects(request('tableSummary', { table: 'file' }), error => isCoded(error, 'bad-request'));
    await request('openTable', {
      table: 'file',
      path: await file('small.csv', 'a\n1\n'),
      options: { memory },
    });
    assert.equal((await request('tableSummary', { table: 'file' })).rowCount, 1);
  });

  it('return windows of limited size, with long texts cut', async () => {
    const long = 'é'.repeat(5000);
    const path = await file('long.csv', `a,b\n${`1,${long}\n`.repeat(3000)}1,x,9\n`);
    await request('openTable', { table: 'file', path, options: { memory } });
    const { rows, cut } = await request('tableRows', { table: 'file', start: 0, end: 3000, sort: [] });
    assert.ok(rows.length > 100 && rows.length < 3000);
    assert.equal(rows[0]?.[1], 'é'.repeat(2000));
    assert.deepEqual(cut?.[0], [0, 1]);
    assert.equal(cut?.length, rows.length);
    const cell = await request('tableCell', { table: 'file', row: 5, column: 1, start: 4990 });
    assert.deepEqual(cell, { text: 'é'.repeat(10), length: 5000 });
    const ragged = await request('tableRows', { table: 'file', start: 3000, end: 3001, sort: [] });
    assert.deepEqual(ragged, { rows: [['1', 'x', '9']], fileRows: [3000], ragged: [0] });
  });

  it('cut long texts between characters', async () => {
    const long = '図'.repeat(4000);
    await request('openTable', {
      table: 'file',
      path: await file('wide.csv', `a,b\n1,${long}\n2,"${long}"\n`),
      options: { memory },
    });
    const { rows } = await request('tableRows', { table: 'file', start: 0, end: 2, sort: [], columns: [1] });
    assert.deepEqual(rows, [['図'.repeat(2000)], ['図'.repeat(2000)]]);
  });

  it('return histograms, points, row sets, groups and statistics', async () => {
    const path = await file('points.csv', 'x,y,c\n1,4,a\n2,5,b\n3,6,a\n,7,b\n');
    const view = { table: 'file', sort: [] };
    await request('openTable', { table: 'file', path, options: { memory } });
    const histogram = await request('tableHistogram', { ...view, column: 0, bins: 2 });
    assert.deepEqual([...new Uint32Array(histogram.all)], [1, 2]);
    const some: Filter[] = [{ kind: 'values', column: 2, values: ['b'] }];
    const amongSome = await request('tableHistogram', { ...view, column: 1, bins: 2, among: some });
    assert.deepEqual([amongSome.min, amongSome.max], [5, 7]);
    assert.deepEqual([...new Uint32Array(amongSome.all)], [1, 1]);
    assert.deepEqual([...new Uint32Array(amongSome.filtered)], [1, 2]);
    const amongNone = await request('tableHistogram', {
      ...view,
      column: 1,
      bins: 2,
      among: [{ kind: 'range', column: 1, from: 99, to: null }],
    });
    assert.deepEqual([amongNone.min, ...new Uint32Array(amongNone.all)], [null, 0, 0]);
    const points = await request('tablePoints', { ...view, x: 0, y: 1, color: 2, limit: 10 });
    assert.deepEqual([...new Float64Array(points.y)], [4, 5, 6]);
    assert.deepEqual(points.colorValues, ['a', 'b']);
    const apart = await request('tablePoints', {
      ...view,
      x: 0,
      y: 1,
      limit: 10,
      filters: some,
      among: [],
      window: { x: [0, 100], y: [0, 6] },
    });
    assert.deepEqual([...new Float64Array(apart.y)], [5]);
    assert.deepEqual([...new Float64Array(apart.filteredOut?.y ?? new ArrayBuffer())], [4, 6]);
    const { numbers } = await request('tableNumbers', { table: 'file', row: 1, columns: [1, 2] });
    assert.deepEqual(numbers, [5, null]);
    const { set, rows } = await request('tableLasso', {
      ...view,
      x: 0,
      y: 1,
      polygon: [0, 0, 9, 0, 9, 5.5, 0, 5.5],
    });
    assert.equal(rows, 2);
    const filters: Filter[] = [{ kind: 'rowSet', set }];
    assert.deepEqual(await request('tableView', { ...view, filters }), { rowCount: 2 });
    const extended = await request('tableRowSet', {
      table: 'file',
      rows: Uint32Array.of(3).buffer,
      add: set,
    });
    assert.equal(extended.rows, 3);
    await assert.rejects(request('tableView', { ...view, filters }), error => isCoded(error, 'bad-request'));
    const { groups } = await request('tableGroup', { ...view, by: [2], measures: [1] });
    assert.deepEqual(
      groups.map(({ keys, measures }) => [keys[0], measures[0]?.mean]),
      [
        ['a', 5],
        ['b', 6],
      ],
    );
    assert.deepEqual((await request('tableFind', { ...view, text: 'B' })).found, {
      position: 1,
      row: 1,
      column: 2,
    });
    const selection = await request('tableSelection', { ...view, start: 0, end: 2, columns: [0, 1] });
    assert.deepEqual(
      selection.columns.map(({ column, sum }) => [column, sum]),
      [
        [0, 3],
        [1, 9],
      ],
    );
    assert.equal((await request('tableLevels', { table: 'file' })).levels, null);
    await assert.rejects(request('tableStatistics', { ...view, columns: [7] }), error =>
      isCoded(error, 'bad-request'),
    );
  });

  it('are saved as shown, without leaving temporary files', async () => {
    await request('openTable', {
      table: 'file',
      path: await file('source.csv', 'a,b\n2,x\n1,"y,z"\n'),
      options: { memory },
    });
    const destination = join(threads.folder, 'saved', 'view.csv');
    const view = { table: 'file', sort: [{ column: 0, descending: false }], destination };
    await assert.rejects(request('tableSave', view), error => isCoded(error, 'not-a-file'));
    const other = join(threads.folder, 'view.csv');
    const saved = await request('tableSave', { ...view, destination: other });
    assert.deepEqual(saved, { path: other, bytes: 16, rows: 2 });
    await assert.rejects(request('tableSave', { ...view, destination: other }), error =>
      isCoded(error, 'exists'),
    );
    assert.deepEqual(
      (await readdir(threads.folder)).filter(name => name.endsWith('.part')),
      [],
    );
  });

  it('are saved completely, even while being read', async () => {
    const { reading } = await request('openTable', {
      table: 'file',
      path: large,
      options: { memory, progressive: true },
    });
    assert.equal(reading, true);
    const destination = join(threads.folder, 'whole.csv');
    const filters: Filter[] = [{ kind: 'range', column: 0, from: 419_990, to: null }];
    // The screen shows only the first rows in the meantime.
    const { rows } = await request('tableSave', { table: 'file', sort: [], filters, upTo: 5, destination });
    assert.equal(rows, 10);
  });

  it('of several jobs are opened as one', async () => {
    const files = [
      { path: await file('one.csv', 'id,area\n1,5\n'), label: 'First' },
      { path: await file('two.csv', 'id,area\n1,7\n2,8\n'), label: 'Second' },
    ];
    const summary = await request('openTables', {
      table: 'all',
      files,
      jobColumn: 'Job',
      options: { memory },
    });
    assert.deepEqual([summary.rowCount, summary.columns.map(({ name }) => name)], [3, ['Job', 'id', 'area']]);
    const sort = [{ column: 2, descending: true }];
    assert.deepEqual((await request('tableRows', { table: 'all', start: 0, end: 9, sort })).rows, [
      ['Second', '2', '8'],
      ['Second', '1', '7'],
      ['First', '1', '5'],
    ]);
    await assert.rejects(
      request('openTables', {
        table: 'none',
        files: [...files, { path: join(threads.folder, 'no.csv'), label: 'x' }],
        jobColumn: 'Job',
        options: { memory },
      }),
      error => isCoded(error, 'not-a-file'),
    );
  });
});
