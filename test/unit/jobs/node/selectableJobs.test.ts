import { deepEqual, equal } from 'node:assert/strict';
import type { AnalysisJob } from '../../../../src/service/wire';
import { SelectableJobs } from '../../../../src/jobs/node/listedJobs';
import { FakeSessions } from './fakeSessions';

describe('The jobs to select from', () => {
  const job = (id: string, status: string): AnalysisJob => ({ id, status, percentageCompleted: 50 });
  let sessions: FakeSessions;

  beforeEach(() => {
    sessions = new FakeSessions();
    sessions.jobs = [job('1', 'RUNNING'), job('2', 'SUCCEEDED'), job('3', 'FAILED')];
    sessions.submitted.set('2', {
      jobId: '2',
      name: 'plate',
      pipelineId: 'p',
      filesystemIds: [],
      submittedAt: '2026-03-01T12:00:00Z',
      by: 'person',
    });
  });

  it('are all jobs of the account, page by page, with the details stored when they were submitted', async () => {
    const jobs = new SelectableJobs(sessions.session);
    while (jobs.mayHaveMore) await jobs.loadMore();
    deepEqual(
      jobs.items.map(({ id, submitted }) => [id, submitted?.name]),
      [
        ['1', undefined],
        ['2', 'plate'],
        ['3', undefined],
      ],
    );
  });

  it('are those whose input is known where only these can be run again', async () => {
    sessions.submitted.set('3', {
      jobId: '3',
      pipelineId: 'p',
      filesystemIds: ['a'],
      submittedAt: '2026-03-01T12:00:00Z',
      by: 'person',
    });
    const jobs = new SelectableJobs(sessions.session, 'known');
    while (jobs.mayHaveMore) await jobs.loadMore();
    deepEqual(
      jobs.items.map(({ id }) => id),
      ['3'],
    );
  });

  it('are those that succeeded where only these have results', async () => {
    const jobs = new SelectableJobs(sessions.session, 'succeeded');
    equal(jobs.mayHaveMore, true);
    await jobs.loadMore();
    deepEqual(
      jobs.items.map(({ id }) => id),
      ['2'],
    );
  });
});
