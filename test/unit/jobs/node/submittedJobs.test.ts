import * as assert from 'node:assert/strict';
import { type RunRecord, RunRecords, SubmittedJobs } from '../../../../src/jobs/node/runRecords';
import { MemoryFiles } from './memoryFiles';

const record = (jobId: string): RunRecord => ({
  version: 1,
  jobId,
  service: 'analysis.example',
  extensionVersion: '0.1.0',
  pipeline: { id: 'p', description: 'Bright objects' },
  name: `name of ${jobId}`,
  items: [{ id: 'f', name: 'f.tif' }],
  by: 'person',
  submittedAt: '2026-11-20T10:00:00.000Z',
});

const job = (jobId: string) => ({
  jobId,
  name: `name of ${jobId}`,
  pipelineId: 'p',
  filesystemIds: ['f'],
  items: [{ id: 'f', name: 'f.tif' }],
  submittedAt: '2026-11-20T10:00:00.000Z',
  by: 'person',
});

describe('The jobs submitted from here', () => {
  let files: MemoryFiles;
  let stored: unknown;

  beforeEach(() => {
    files = new MemoryFiles();
    stored = undefined;
  });

  const openWindow = () => {
    const records = new RunRecords(files);
    return { records, jobs: new SubmittedJobs(records, { read: () => Promise.resolve(stored) }) };
  };

  it('are known by their records, with what came out of them', async () => {
    const { records, jobs } = openWindow();
    await records.add(record('a'));
    assert.deepEqual(await jobs.find('a'), job('a'));
    assert.equal(await jobs.find('b'), undefined);
    await records.update('a', { outcome: { compared: true, withoutResult: ['f'] } });
    assert.deepEqual(await jobs.find('a'), { ...job('a'), withoutResult: 1 });
    await records.update('a', { outcome: { compared: false, why: 'names' } });
    assert.deepEqual(await jobs.find('a'), { ...job('a'), withoutResult: 'names' });
  });

  it('are known also while their records cannot be read, so that none passes for the job of another submit', async () => {
    const unreadable = { find: () => Promise.reject(new Error('EBUSY')) };
    const jobs = new SubmittedJobs(unreadable, { read: () => Promise.resolve(stored) });
    assert.deepEqual([await jobs.isKnown('a'), await jobs.find('a')], [true, undefined]);
  });

  it('include those that another window submits meanwhile', async () => {
    const [here, there] = [openWindow(), openWindow()];
    assert.equal(await here.jobs.find('theirs'), undefined);
    await Promise.all([here.records.add(record('ours')), there.records.add(record('theirs'))]);
    for (const { jobs } of [here, there])
      for (const id of ['ours', 'theirs']) assert.deepEqual(await jobs.find(id), job(id));
    assert.deepEqual([await here.jobs.isKnown('theirs'), await here.jobs.isKnown('c')], [true, false]);
  });

  it('include those of older versions', async () => {
    stored = [{ jobId: 7 }, null, job('old')];
    const { jobs } = openWindow();
    assert.deepEqual(await jobs.find('old'), job('old'));
    stored = 'damaged';
    assert.equal(await openWindow().jobs.find('old'), undefined);
  });

  it('are known until the window closes when the disk fails', async () => {
    files.failing = true;
    const { records } = openWindow();
    const jobs = new SubmittedJobs(records, { read: () => Promise.reject(new Error('EIO')) });
    assert.equal(await jobs.find('a'), undefined);
    await assert.rejects(records.add(record('a')), /disk/);
    assert.deepEqual(await jobs.find('a'), job('a'));
  });
});
