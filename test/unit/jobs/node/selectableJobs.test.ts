import { deepEqual, equal, match } from 'node:assert/strict';
import type { AnalysisJob } from '../../../../src/service/wire';
import { latestJob, SelectableJobs } from '../../../../src/jobs/node/listedJobs';
import { selectableJobItem } from '../../../../src/jobs/node/treeItems';
import { plainEnglish } from '../../../../src/words/translate';
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

  it('are told from each other by when they were submitted and what they analyzed, never by an ID', async () => {
    const id = '75afb445955a2be8c75dac86';
    const folders = ['plate/control', 'plate/treated'];
    const items = folders.map((folder, at) => ({ id: `i${at}`, name: 's1.png', folder }));
    sessions.jobs = [{ ...job(id, 'SUCCEEDED'), createdAt: '2026-03-02T12:00:00Z' }, job('2', 'SUCCEEDED')];
    sessions.submitted.set('2', {
      ...{ jobId: '2', name: 'plate', pipelineId: 'p', items, filesystemIds: ['i0', 'i1'] },
      ...{ submittedAt: '2026-03-01T12:00:00Z', by: 'person' },
    });
    void sessions.facts.add('2', { pipeline: 'Bright objects. Finds nuclei.' });
    const jobs = new SelectableJobs(sessions.session);
    await jobs.loadMore();
    const shown = jobs.items.map(each => selectableJobItem({ t: plainEnglish, locale: 'en' }, each));
    deepEqual(
      shown.map(({ label, detail }) => [label, detail]),
      [
        ['Job …5dac86', ''],
        ['plate', 'control, treated (2 images) · Bright objects'],
      ],
    );
    for (const { description } of shown) match(description, /^Done · .*2026/);
    equal(JSON.stringify(shown).includes(id), false);
    equal(latestJob(jobs.items)?.id, id);
    equal(latestJob([]), undefined);
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
