import * as assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import {
  FileResult,
  type FileUri,
  JobResult,
  JoinedJobsResult,
  reviveSource,
} from '../../../../src/session/node/resultSource';
import { isCoded } from '../../../../src/base/errors';

const signal = new AbortController().signal;
const noProgress = () => undefined;

function parseUri(text: string): FileUri {
  const { protocol, pathname } = new URL(text);
  const path = decodeURIComponent(pathname);
  return { scheme: protocol.slice(0, -1), path, fsPath: path, toString: () => text };
}

/** Sessions whose downloads are named after the account, the job and the part. */
const sessions = {
  all: [] as AccountSession[],
  of: (accountId: string) =>
    Promise.resolve({
      resultFiles: {
        fetch: ({ jobId, part }: { jobId: string; part: string }) =>
          Promise.resolve({ path: `/${accountId}/${jobId}/${part}` }),
        discard: ({ jobId, part }: { jobId: string; part: string }) =>
          Promise.resolve(`${jobId} ${part}` === '2 objects'),
      },
    } as unknown as AccountSession),
};
const jobs = [
  { id: '1', label: 'Plate' },
  { id: '2', label: 'Plate' },
  { id: '3', label: 'Control' },
];
const joined = () => new JoinedJobsResult({ sessions, accountId: 'me', jobs, jobColumn: 'Job' });
const revive = (stored: unknown) => reviveSource({ sessions, parseUri, jobColumn: 'Job' }, stored);
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('Sources of results', () => {
  it('have the name that a job was given after its title was stored', () => {
    const stored = throughJson(new JobResult(sessions, 'me', '1', 'Plate').restore);
    const jobFacts = { get: (jobId: string) => (jobId === '1' ? { name: 'Renamed' } : {}) };
    const all = [{ account: { id: 'me' }, jobFacts } as unknown as AccountSession];
    const revived = reviveSource({ sessions: { ...sessions, all }, parseUri, jobColumn: 'Job' }, stored);
    assert.equal(revived?.title, 'Renamed');
  });

  it('are the same after a reload', () => {
    const sources = [
      new JobResult(sessions, 'me', '1', 'Plate'),
      joined(),
      new FileResult(parseUri('file:///data/a.csv'), 'file'),
      new FileResult(parseUri('file:///data/a.zip'), 'masks'),
    ];
    for (const source of sources) {
      const revived = revive(throughJson(source.restore));
      assert.equal(revived?.key, source.key);
      assert.equal(revived.title, source.title);
      assert.equal(revived.accountId, (source as { accountId?: string }).accountId);
    }
  });

  it("aren't created from invalid data", () => {
    for (const stored of [
      undefined,
      null,
      'job',
      {},
      { kind: 'job', jobId: '1' },
      { kind: 'job', accountId: 'me', jobId: 1 },
      { kind: 'jobs', accountId: 'me', jobs: [] },
      { kind: 'jobs', accountId: 'me', jobs: [{ id: 1, label: 'Plate' }, null] },
      { kind: 'file', holds: 'file' },
    ])
      assert.equal(revive(stored), undefined);
  });

  it('use the ID of a job as its title where none was stored', () => {
    assert.equal(revive({ kind: 'job', accountId: 'me', jobId: '7' })?.title, '7');
  });
});

describe('The results of a job', () => {
  it('are downloaded in its account', async () => {
    const job = new JobResult(sessions, 'me', '1', 'Plate');
    assert.equal(await job.path('objects', noProgress, signal), '/me/1/objects');
  });

  it('leave the cache of its account when they are damaged', async () => {
    assert.equal(await new JobResult(sessions, 'me', '2', 'Plate').discard('objects'), true);
    assert.equal(await new JobResult(sessions, 'me', '1', 'Plate').discard('objects'), false);
    assert.equal(await new JobResult(sessions, 'me', '2', 'Plate').discard('file'), false);
    const parts = joined().tables('objects')?.parts ?? [];
    const mayHelp = await Promise.all(parts.map(async part => part.discard?.('objects')));
    assert.deepEqual(mayHelp, [false, true, false]);
  });

  it('include no local file', async () => {
    const job = new JobResult(sessions, 'me', '1', 'Plate');
    await assert.rejects(job.path('file', noProgress, signal), error => isCoded(error, 'not-found'));
  });
});

describe('The joined tables of several jobs', () => {
  it('number jobs with the same label', async () => {
    const tables = joined().tables('objects');
    assert.deepEqual(
      tables?.parts.map(({ label }) => label),
      ['Plate (1)', 'Plate (2)', 'Control'],
    );
    assert.equal(tables.jobColumn, 'Job');
    assert.equal(await tables.parts[1]?.path('objects', noProgress, signal), '/me/2/objects');
  });

  it('are objects tables only', async () => {
    assert.equal(joined().tables('aggregate'), undefined);
    await assert.rejects(joined().path(), error => isCoded(error, 'not-found'));
  });
});

describe('A result in a file', () => {
  let folder: string;
  let uri: FileUri;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-result-'));
    const path = join(folder, 'a.csv');
    await writeFile(path, 'a\n1\n');
    uri = { ...parseUri(pathToFileURL(path).href), fsPath: path };
  });
  after(() => rm(folder, { recursive: true }));

  it('has its path on disk', async () => {
    assert.equal(await new FileResult(uri, 'file').path('file'), uri.fsPath);
    await assert.rejects(new FileResult(uri, 'file').path('masks'), error => isCoded(error, 'not-found'));
  });

  it("is rejected where it isn't a file on disk", async () => {
    const missing = new FileResult({ ...uri, fsPath: join(folder, 'b.csv') }, 'file');
    await assert.rejects(missing.path('file'), error => isCoded(error, 'not-a-file'));
    const remote = new FileResult(parseUri('memfs:///a.csv'), 'file');
    await assert.rejects(
      remote.path('file'),
      error =>
        isCoded(error, 'not-a-file') &&
        error.details.reason?.message === 'Only files on a disk can be opened',
    );
  });

  it('differs by where it is shown', () => {
    assert.notEqual(new FileResult(uri, 'file').key, new FileResult(uri, 'file', 'editor:').key);
  });
});
