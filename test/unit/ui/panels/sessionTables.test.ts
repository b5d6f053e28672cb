import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import type { TableSummary } from '../../../../src/protocol/tableEngine';
import { ResultSession } from '../../../../src/ui/panels/resultSession';
import { SessionTables } from '../../../../src/ui/panels/sessionTables';
import { checkPlain, tableQuestionHandlers } from '../../../../src/ui/panels/tableQuestions';
import { InProcessEngine } from './inProcessEngine';

const signal = new AbortController().signal;
const growing: TableSummary = {
  columns: [{ index: 0, name: 'Area', kind: 'number' }],
  rowCount: 10,
  delimiter: ',',
  raggedRows: { count: 0, first: [] },
  reading: true,
};

describe('the tables of a session', () => {
  const grown = { table: 'objects', rowCount: 50, bytesDone: 9, bytesTotal: 9, done: true };
  const open = (answer: (tables: SessionTables) => void = () => undefined) => {
    const tables: SessionTables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      ask: () => {
        answer(tables);
        return Promise.resolve(growing);
      },
      memory: () => 64,
      onOpened: () => undefined,
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

  it('lose nothing of what is heard before the answer', async () => {
    const tables = open(each => each.grew(grown));
    const { rowCount, reading } = await tables.open('objects', signal);
    assert.deepEqual([rowCount, reading], [50, undefined]);
    await tables.whenRead('objects', signal);
  });

  it('know nothing of the reading before when they are opened anew', async () => {
    const openings: (number | undefined)[] = [];
    const tables: SessionTables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      ask: (_method, { options }) => {
        openings.push(options?.opening);
        // The reading before ends just now.
        if (openings.length === 2) tables.grew({ ...grown, opening: openings[0] ?? NaN });
        return Promise.resolve(growing);
      },
      memory: () => 64,
      onOpened: () => undefined,
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

describe('a session whose engine is lost while a table is read', () => {
  it('waits for no more rows, and links rows and objects once both are there again', async () => {
    const tables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      ask: () => Promise.resolve(growing),
      memory: () => 64,
      onOpened: () => undefined,
    });
    await tables.open('objects', signal);
    const read = tables.whenRead('objects', signal);
    tables.forget();
    await assert.rejects(read, error => isCoded(error, 'cancelled'));
    await tables.open('objects', signal);
    const again = tables.whenRead('objects', signal);
    tables.grew({ table: 'objects', rowCount: 50, bytesDone: 9, bytesTotal: 9, done: true });
    await again;
  });

  it('waits no longer than its panel', async () => {
    const tables = new SessionTables({
      files: () => Promise.resolve({ files: [{ path: 'objects.csv', label: '' }], jobColumn: '' }),
      ask: () => Promise.resolve(growing),
      memory: () => 64,
      onOpened: () => undefined,
    });
    await tables.open('objects', signal);
    const closing = new AbortController();
    const read = tables.whenRead('objects', closing.signal);
    closing.abort();
    await assert.rejects(read, error => isCoded(error, 'cancelled'));
  });
});

describe('several jobs’ objects', () => {
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
    session = new ResultSession(source, () => new InProcessEngine(), silentLog);
  });
  after(async () => {
    session.dispose();
    await rm(folder, { recursive: true });
  });

  it('are one table with a column that names the job', async () => {
    const { columns } = await session.openTable('objects', signal);
    const questions = tableQuestionHandlers(session, 'objects');
    const { rows } = await questions.tableRows({ sort: [], start: 0, end: 9 }, signal);
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

  it('become a filter when they are chosen on masks', async () => {
    await session.pickRows([0, 2], signal);
    const { picked } = session;
    assert.equal(picked?.rows, 2);
    const filters = [{ kind: 'rowSet' as const, set: picked.set }];
    const asked = { table: 'objects', sort: [], filters };
    assert.equal((await session.askTable('objects', 'tableView', asked, signal)).rowCount, 2);
  });
});

describe('what a page may send', () => {
  it('is plain values', () => {
    checkPlain({ filters: [{ kind: 'values', values: ['a', null, true, 1.5] }], rows: new ArrayBuffer(4) });
  });

  for (const [what, value] of Object.entries({
    'no function': () => undefined,
    'no NaN': { from: NaN },
    'no endless nesting': [[[[[[[1]]]]]]],
  })) {
    it(`is ${what}`, () => {
      assert.throws(
        () => checkPlain(value),
        error => isCoded(error, 'bad-request'),
      );
    });
  }
});
