import { deepEqual } from 'node:assert/strict';
import { shownEnds } from '../../../../src/jobs/node/jobEnds';
import type { TrackedJob } from '../../../../src/jobs/node/jobState';

describe('The list of jobs that ended', () => {
  const results = { objects: true, aggregate: false };
  const end = (jobId: string, what: TrackedJob['what'], phase: TrackedJob['phase'] = 'succeeded') => ({
    job: {
      jobId,
      what,
      phase,
      ...(what === 'analysis' && phase === 'succeeded' && { results }),
    } as TrackedJob,
  });
  const listed = (...ends: ReturnType<typeof end>[]) =>
    shownEnds(ends).map(({ ended, tables }) => [ended.job.jobId, ended.job.what, tables]);

  it('has a job once whose masks were generated too, with its tables', () => {
    deepEqual(listed(end('1', 'masks'), end('2', 'analysis'), end('1', 'analysis')), [
      ['1', 'masks', results],
      ['2', 'analysis', results],
    ]);
  });

  it('has a job and its masks where one of them failed', () => {
    deepEqual(listed(end('1', 'masks', 'failed'), end('1', 'analysis')), [
      ['1', 'masks', results],
      ['1', 'analysis', results],
    ]);
  });

  it('does not know the tables of masks whose job ended before', () => {
    deepEqual(listed(end('1', 'masks')), [['1', 'masks', undefined]]);
  });
});
