import { deepEqual, rejects } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { inputOfRun, withoutPipeline } from '../../../../src/jobs/node/runAgain';

describe('What a job is run with again', () => {
  const items = [{ id: 'a', name: 'a.tif' }, { id: 'b' }];
  const record = { pipeline: { id: 'p', description: 'Bright objects' }, items, name: 'plate 7' };
  const submitted = { pipelineId: 'p', filesystemIds: ['a'], name: 'plate 7' };

  const sessionWith = (run: unknown, job: unknown) =>
    ({
      runs: { find: () => Promise.resolve(run) },
      submittedJobs: { find: () => Promise.resolve(job) },
      jobFacts: { get: () => ({}), listedName: () => undefined },
    }) as unknown as AccountSession;

  it('comes from its record', async () => {
    const input = await inputOfRun(sessionWith(record, undefined), '7');
    deepEqual(input, {
      pipelineId: 'p',
      pipelineDescription: 'Bright objects',
      filesystemIds: ['a', 'b'],
      items,
      name: 'plate 7',
    });
    deepEqual(withoutPipeline(input), { filesystemIds: ['a', 'b'], items });
  });

  it('comes from what older versions stored where there is no record', async () => {
    deepEqual(await inputOfRun(sessionWith(undefined, submitted), '7'), submitted);
  });

  it("isn't known of a job from elsewhere, or one whose items were dropped", async () => {
    const unknown = (job: unknown) =>
      rejects(inputOfRun(sessionWith(undefined, job), '7'), { code: 'not-found' });
    await unknown(undefined);
    await unknown({ ...submitted, filesystemIds: [] });
  });
});
