import { sessionRows } from '../../../../src/linking/node/sessionRows';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { type ResultSession } from '../../../../src/session/node/resultSession';
import { SessionTables } from '../../../../src/session/node/sessionTables';
import { openSession } from './sessionFixture';

const signal = new AbortController().signal;
const growing: TableSummary = {
  columns: [{ index: 0, name: 'Area', kind: 'number' }],
  rowCount: 10,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
  reading: true,
};

describe('The tables of a session', () => {
  const grown = { table: 'objects', rowCount: 50, bytesDone: 9, bytesTotal: 9, done: true };
  const open = (answer: (tables: SessionTables) => void = () => undefined) => {
    const tables: SessionTables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      request: () => {
        answer(tables);
        return Promise.resolve(growing as never);
      },
      memory: () => 64,
    });
    return tables;
  };

  it('are usable at once and grow while they are read', async () => {
    const tables = open();
    assert.equal((await tables.open('objects', signal)).rowCount, 10);
    const read = tables.whenRead('objects', signal);
    tables.grew(grown);
    await read;
    const { rowCount, reading } = await tables.open('objects', signal);
    assert.deepEqual([rowCount, reading], [50, undefined]);
  });

  it('lose no notification sent before the response', async () => {
    const tables = open(each => each.grew(grown));
    const { rowCount, reading } = await tables.open('objects', signal);
    assert.deepEqual([rowCount, reading], [50, undefined]);
    await tables.whenRead('objects', signal);
  });

  it('ignore the previous reading when they are reopened', async () => {
    const openings: (number | undefined)[] = [];
    const tables: SessionTables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      request: (_method: string, params: object) => {
        const { options }: { options?: { opening?: number } } = params;
        openings.push(options?.opening);
        // The reading before ends just now.
        if (openings.length === 2) tables.grew({ ...grown, opening: openings[0] ?? NaN });
        return Promise.resolve(growing as never);
      },
      memory: () => 64,
    });
    const heard: number[] = [];
    await tables.open('objects', signal);
    tables.onDidGrow(({ rowCount }) => heard.push(rowCount));
    const { rowCount, reading } = await tables.reopen('objects', { delimiter: ';' }, signal);
    assert.deepEqual([rowCount, reading, heard], [10, true, []]);
    tables.grew({ ...grown, rowCount: 30, opening: openings[1] ?? NaN });
    assert.deepEqual([(await tables.open('objects', signal)).rowCount, heard], [30, [30]]);
  });

  it('say why reading ended early', async () => {
    const tables = open();
    await tables.open('objects', signal);
    const read = tables.whenRead('objects', signal);
    tables.grew({ ...grown, failure: { code: 'damaged-table', message: 'A quote is never closed' } });
    await assert.rejects(read, error => isCoded(error, 'damaged-table'));
    // Whoever looks at it later is to know that rows are missing.
    const { failure, reading } = await tables.open('objects', signal);
    assert.deepEqual([failure?.code, reading], ['damaged-table', undefined]);
  });
});

describe('A table that proves damaged while it is read', () => {
  const failure = { code: 'damaged-table', message: 'A quote is never closed' } as const;
  const ended = { table: 'objects', rowCount: 12, bytesDone: 9, bytesTotal: 9, done: true };

  /** Each download may be discarded once; `later` is what happens to the second and later ones. */
  function damagedTables({ mayHelp = true, later = () => Promise.resolve(growing) } = {}) {
    const calls: string[] = [];
    let downloads = 0;
    const tables = new SessionTables({
      files: () => {
        const path = `download ${(downloads += 1)}`;
        const discard = () => {
          calls.push(`discard ${path}`);
          return Promise.resolve(mayHelp);
        };
        return Promise.resolve({ files: [{ path, label: '', discard }], jobColumn: '' });
      },
      request: (_method, params) => {
        calls.push(`open ${'path' in params ? params.path : ''}`);
        return downloads === 1 ? Promise.resolve(growing) : later();
      },
      memory: () => 64,
    });
    return { tables, calls };
  }

  it('leaves the cache, and is opened once more from another download', async () => {
    const { tables, calls } = damagedTables();
    await tables.open('objects', signal);
    const read = tables.whenRead('objects', signal);
    const replaced = new Promise(resolve => tables.onDidReplace(resolve));
    tables.grew({ ...ended, opening: 1, failure });
    assert.equal(await replaced, 'objects');
    assert.deepEqual(calls, ['open download 1', 'discard download 1', 'open download 2']);
    tables.grew({ ...ended, opening: 2, rowCount: 80 });
    // Who waited for its rows waited for those of the second download.
    await read;
    const { rowCount, reading, failure: why } = await tables.open('objects', signal);
    assert.deepEqual([rowCount, reading, why], [80, undefined, undefined]);
  });

  it('keeps what the second reading has sent before its response', async () => {
    const early = () => {
      tables.grew({ ...ended, opening: 2, rowCount: 80 });
      return Promise.resolve(growing);
    };
    const { tables } = damagedTables({ later: early });
    await tables.open('objects', signal);
    const replaced = new Promise(resolve => tables.onDidReplace(resolve));
    tables.grew({ ...ended, opening: 1, failure });
    await replaced;
    const { rowCount, reading } = await tables.open('objects', signal);
    assert.deepEqual([rowCount, reading], [80, undefined]);
  });

  for (const [why, options] of [
    ['another download would be the same', { mayHelp: false }],
    ['another download fails', { later: () => Promise.reject(new Error('No network')) }],
  ] as const) {
    it(`keeps the rows read so far, and says why they are not all, where ${why}`, async () => {
      const { tables } = damagedTables(options);
      await tables.open('objects', signal);
      const read = tables.whenRead('objects', signal);
      tables.grew({ ...ended, opening: 1, failure });
      await assert.rejects(read, error => isCoded(error, 'damaged-table'));
      const table = await tables.open('objects', signal);
      assert.deepEqual(
        [table.rowCount, table.failure?.code, table.reading],
        [12, 'damaged-table', undefined],
      );
    });
  }

  it('is not replaced once the user has opened it in another format', async () => {
    const { tables } = damagedTables();
    await tables.open('objects', signal);
    let replaced = 0;
    tables.onDidReplace(() => (replaced += 1));
    tables.grew({ ...ended, opening: 1, failure });
    await tables.reopen('objects', { delimiter: ';' }, signal);
    tables.grew({ ...ended, opening: 2, rowCount: 80 });
    const table = await tables.open('objects', signal);
    assert.deepEqual([table.rowCount, table.failure, replaced], [80, undefined, 0]);
  });
});

describe('A session whose engine crashes while a table is read', () => {
  it('stops waiting for rows, and waits for those of the next reading', async () => {
    const tables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      request: () => Promise.resolve(growing),
      memory: () => 64,
    });
    await tables.open('objects', signal);
    const read = tables.whenRead('objects', signal);
    tables.engineLost();
    await assert.rejects(read, error => isCoded(error, 'cancelled'));
    await tables.open('objects', signal);
    const again = tables.whenRead('objects', signal);
    tables.grew({ table: 'objects', rowCount: 50, bytesDone: 9, bytesTotal: 9, done: true });
    await again;
  });

  it('stops waiting when its panel is closed', async () => {
    const tables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      request: () => Promise.resolve(growing),
      memory: () => 64,
    });
    await tables.open('objects', signal);
    const closing = new AbortController();
    const read = tables.whenRead('objects', closing.signal);
    closing.abort();
    await assert.rejects(read, error => isCoded(error, 'cancelled'));
  });
});

describe('The objects of several jobs', () => {
  let folder: string;
  let session: ResultSession;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joined-'));
    await writeFile(join(folder, 'a.csv'), 'Image,Area\na.tif,5\na.tif,7\n');
    await writeFile(join(folder, 'b.csv'), 'Image,Area,Class\nb.tif,9,Large\n');
    const parts = ['a', 'b'].map(name => ({
      label: `Job ${name}`,
      path: () => Promise.resolve(join(folder, `${name}.csv`)),
    }));
    const source = {
      key: 'jobs',
      title: 'Job a, Job b',
      restore: {},
      path: () => Promise.reject(new Error('Nobody asks for a part of several jobs')),
      tables: () => ({ jobColumn: 'Job', parts }),
    };
    ({ session } = openSession(source));
  });
  after(async () => {
    session.dispose();
    await rm(folder, { recursive: true });
  });

  it('are one table with a column that names the job', async () => {
    const { columns } = await session.tables.open('objects', signal);
    const params = { sort: [], start: 0, end: 9 };
    const { rows } = await session.tables.request('objects', 'tableRows', params, signal);
    assert.equal(columns[0]?.name, 'Job');
    assert.deepEqual(
      rows.map(row => row.slice(0, 3)),
      [
        ['Job a', 'a.tif', '5'],
        ['Job a', 'a.tif', '7'],
        ['Job b', 'b.tif', '9'],
      ],
    );
  });

  it('become a filter when they are selected on masks', async () => {
    const rows = Uint32Array.of(0, 2).buffer;
    session.get(sessionRows).select(await session.tables.request('objects', 'tableRowSet', { rows }, signal));
    const { selected: selectedRows } = session.get(sessionRows);
    assert.equal(selectedRows?.rows, 2);
    const filters = [{ kind: 'rowSet' as const, set: selectedRows.set }];
    const params = { sort: [], filters };
    assert.equal((await session.tables.request('objects', 'tableView', params, signal)).rowCount, 2);
  });
});
