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

describe('The memory of submitted jobs', () => {
  it('outlives a reload', async () => {
    const state = memoryState();
    await new SubmittedJobs(state).add(job('a'));
    assert.deepEqual(await new SubmittedJobs(state).find('a'), job('a'));
    assert.equal(await new SubmittedJobs(state).find('b'), undefined);
  });

  it('drops the oldest past its bound', async () => {
    const state = memoryState(Array.from({ length: 2000 }, (_, index) => job(String(index))));
    const jobs = new SubmittedJobs(state);
    await jobs.add(job('newest'));
    assert.equal(await jobs.find('0'), undefined);
    assert.ok(await jobs.find('1'));
    assert.ok(await jobs.find('newest'));
  });

  it('reads past entries that make no sense', async () => {
    const jobs = new SubmittedJobs(memoryState([{ jobId: 7 }, null, job('good')]));
    assert.ok(await jobs.find('good'));
    assert.equal(await new SubmittedJobs(memoryState('damaged')).find('good'), undefined);
  });
});
