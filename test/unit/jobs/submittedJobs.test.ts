import * as assert from 'node:assert/strict';
import type { StateStore } from '../../../src/base/stateStore';
import { SubmittedJobs, type SubmittedJob } from '../../../src/jobs/submittedJobs';

function memoryState(initial?: unknown): StateStore & { value: unknown } {
  const state = {
    value: initial,
    read: () => Promise.resolve(state.value),
    write: (_key: string, value: unknown) => {
      state.value = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  };
  return state;
}

const job = (jobId: string): SubmittedJob => ({
  jobId,
  name: `name of ${jobId}`,
  pipelineId: 'p',
  filesystemIds: ['f'],
  submittedAt: '2026-11-20T10:00:00.000Z',
  by: 'person',
});

describe('The store of submitted jobs', () => {
  it('outlives a reload', async () => {
    const state = memoryState();
    await new SubmittedJobs(state).add(job('a'));
    assert.deepEqual(await new SubmittedJobs(state).find('a'), job('a'));
    assert.equal(await new SubmittedJobs(state).find('b'), undefined);
  });

  it('knows a job that another window submitted meanwhile', async () => {
    const state = memoryState();
    const [here, there] = [new SubmittedJobs(state), new SubmittedJobs(state)];
    await here.add(job('a'));
    await there.add(job('b'));
    assert.deepEqual([await here.isKnown('a'), await here.isKnown('b')], [true, true]);
    assert.equal(await here.isKnown('c'), false);
  });

  it('drops the oldest over its limit', async () => {
    const state = memoryState(Array.from({ length: 2000 }, (_, index) => job(String(index))));
    const jobs = new SubmittedJobs(state);
    await jobs.add(job('newest'));
    assert.equal(await jobs.find('0'), undefined);
    assert.ok(await jobs.find('1'));
    assert.ok(await jobs.find('newest'));
  });

  it('preserves what another window stored in the meantime', async () => {
    const state = memoryState();
    const [here, there] = [new SubmittedJobs(state), new SubmittedJobs(state)];
    await here.find('a');
    await there.add(job('theirs'));
    await Promise.all([here.add(job('ours')), here.add(job('ours too'))]);
    const later = new SubmittedJobs(state);
    for (const id of ['theirs', 'ours', 'ours too']) assert.ok(await later.find(id), id);
  });

  it('drops the items of old jobs before writing them takes too long', async () => {
    const state = memoryState();
    const jobs = new SubmittedJobs(state);
    const filesystemIds = Array.from({ length: 20_000 }, (_, index) => `item ${index}`);
    for (const id of ['1', '2', '3', '4']) await jobs.add({ ...job(id), filesystemIds });
    const kept = await Promise.all(['1', '2', '3', '4'].map(id => jobs.find(id)));
    assert.deepEqual(
      kept.map(found => found?.filesystemIds.length),
      [0, 0, 20_000, 20_000],
    );
    assert.deepEqual(
      kept.map(found => found?.name),
      ['1', '2', '3', '4'].map(id => `name of ${id}`),
    );
  });

  it('knows a job until the window closes when the disk fails', async () => {
    const failing: StateStore = {
      read: () => Promise.reject(new Error('EIO')),
      write: () => assert.fail('what cannot be read must not be overwritten'),
    };
    const jobs = new SubmittedJobs(failing);
    assert.equal(await jobs.find('a'), undefined);
    await assert.rejects(jobs.add(job('a')), /EIO/);
    assert.deepEqual(await jobs.find('a'), job('a'));
  });

  it('ignores invalid entries', async () => {
    const jobs = new SubmittedJobs(memoryState([{ jobId: 7 }, null, job('good')]));
    assert.ok(await jobs.find('good'));
    assert.equal(await new SubmittedJobs(memoryState('damaged')).find('good'), undefined);
  });
});
