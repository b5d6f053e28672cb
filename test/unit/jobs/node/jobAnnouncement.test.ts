import { deepEqual, equal } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { claimAnnouncement } from '../../../../src/jobs/node/jobAnnouncement';
import { JobFacts } from '../../../../src/jobs/node/jobFacts';
import { silentLog } from '../../../../src/base/log';
import { MemoryLines } from '../../uploads/node/memoryLines';
import { reason, quoted } from '../../../../src/base/reasons';
import { AwaitedResults } from '../../../../src/jobs/node/jobEnds';
import type { TrackedJob } from '../../../../src/jobs/node/jobState';
import { jobEndWords } from '../../../../src/words/jobWords';
import { reasonWords } from '../../../../src/words/reasonWords';
import { plainEnglish } from '../../../../src/words/translate';

type AnnouncementParts = Parameters<typeof claimAnnouncement>[1];

const job: TrackedJob = {
  jobId: '1',
  what: 'analysis',
  startedAt: 0,
  by: 'person',
  phase: 'succeeded',
  status: 'SUCCEEDED',
  percentageCompleted: 100,
};

describe('The announcement of a finished job', () => {
  let delays: number[];
  let claims: number;
  let isClaimedElsewhere: boolean;
  let submitted: { name?: string; by: 'person' | 'program' } | undefined;
  let awaited: AwaitedResults;

  beforeEach(() => {
    delays = [];
    claims = 0;
    isClaimedElsewhere = false;
    submitted = undefined;
    awaited = new AwaitedResults();
  });

  const jobFacts = new JobFacts({ lines: new MemoryLines(), log: silentLog });

  const announce = (more: Partial<TrackedJob> = {}, parts: Partial<AnnouncementParts> = {}) => {
    const session = {
      awaited,
      submittedJobs: { find: () => Promise.resolve(submitted) },
      jobFacts,
      endClaims: { claim: () => Promise.resolve((claims++, !isClaimedElsewhere)) },
    } as unknown as AccountSession;
    return claimAnnouncement(
      { session, job: { ...job, ...more } },
      {
        level: 'all',
        isFocused: () => true,
        isWaitedFor: false,
        t: plainEnglish,
        delay: milliseconds => Promise.resolve(void delays.push(milliseconds)),
        ...parts,
      },
    );
  };

  it('offers all results, or the masks alone', async () => {
    deepEqual(await announce(), {
      how: 'notify',
      what: 'analysis',
      name: 'Job 1',
      results: ['objects', 'aggregate', 'masks'],
    });
    deepEqual((await announce({ what: 'masks' }))?.results, ['masks']);
    const results = { objects: false, aggregate: true };
    deepEqual((await announce({ results }))?.results, ['aggregate', 'masks']);
    deepEqual((await announce({ what: 'masks', phase: 'failed' }))?.results, ['objects', 'aggregate']);
  });

  it('says that a job that is no longer followed may still run', async () => {
    const why = reason('It made no progress for {0} hours', 24);
    const { failure, mayStillRun } = (await announce({ phase: 'unknown', reason: why })) ?? {};
    deepEqual([failure, mayStillRun], [why, true]);
    const words = {
      what: 'analysis',
      name: 'plate',
      failure: reasonWords(plainEnglish, why),
      mayStillRun,
    } as const;
    equal(
      jobEndWords(plainEnglish, words),
      'No longer following the job "plate": It made no progress for 24 hours',
    );
  });

  it('says why a job failed, or at least its status', async () => {
    const why = quoted('no cells');
    deepEqual((await announce({ phase: 'failed', reason: why }))?.failure, why);
    deepEqual((await announce({ phase: 'failed', status: 'ABORTED' }))?.failure, quoted('ABORTED'));
  });

  it('calls a canceled job so, with its reason where there is one', async () => {
    const canceled = async (change: Partial<TrackedJob>) => {
      const announced = await announce({ phase: 'failed', status: 'CANCELLED', ...change });
      const { failure, ...rest } = announced ?? { what: 'analysis', name: '' };
      return jobEndWords(plainEnglish, {
        ...rest,
        ...(failure && { failure: reasonWords(plainEnglish, failure) }),
      });
    };
    equal(await canceled({}), 'The job "Job 1" was canceled.');
    equal(
      await canceled({ reason: quoted('Out of credits.') }),
      'The job "Job 1" was canceled. Out of credits.',
    );
    equal(await canceled({ what: 'masks' }), 'Generating the masks of "Job 1" was canceled.');
  });

  it("is omitted for a program's jobs, and for masks nobody requested here", async () => {
    equal(await announce({ by: 'program' }), undefined);
    submitted = { by: 'person', name: 'plate' };
    const listed: TrackedJob = { ...job };
    delete listed.by;
    const session = (what: TrackedJob['what']) =>
      claimAnnouncement(
        {
          session: {
            awaited,
            submittedJobs: { find: () => Promise.resolve(submitted) },
            jobFacts,
            endClaims: { claim: () => Promise.resolve(true) },
          } as unknown as AccountSession,
          job: { ...listed, what },
        },
        {
          level: 'all',
          isFocused: () => true,
          isWaitedFor: false,
          t: plainEnglish,
          delay: () => Promise.resolve(),
        },
      );
    equal((await session('analysis'))?.name, 'plate');
    equal(await session('masks'), undefined);
    equal(claims, 0);
  });

  it('follows the setting', async () => {
    equal(await announce({}, { level: 'failures' }), undefined);
    equal((await announce({ phase: 'failed' }, { level: 'failures' }))?.name, 'Job 1');
    equal(await announce({ phase: 'failed' }, { level: 'off' }), undefined);
  });

  it('is left to the focused window, which announces it in any case', async () => {
    equal((await announce({}, { isFocused: () => false }))?.name, 'Job 1');
    deepEqual(delays, [10_000]);
    isClaimedElsewhere = true;
    equal(await announce({}, { isFocused: () => false }), undefined);
    equal((await announce())?.name, 'Job 1');
  });

  it('is the result itself, once, in the window that submitted the job', async () => {
    awaited.add(job);
    equal((await announce())?.how, 'open');
    equal(claims, 1);
    equal((await announce())?.how, 'notify');
    awaited.add(job);
    equal((await announce({ what: 'masks' }))?.how, 'notify');
  });

  it('is the result itself where the user comes back to the window in time', async () => {
    awaited.add(job);
    let isFocused = false;
    const back = () => Promise.resolve(void (isFocused = true));
    equal((await announce({}, { isFocused: () => isFocused, delay: back }))?.how, 'open');
    awaited.add(job);
    equal((await announce({}, { isFocused: () => false }))?.how, 'notify');
  });

  it('is the result itself, or in the status bar alone, without notifications', async () => {
    awaited.add(job);
    equal((await announce({}, { level: 'off' }))?.how, 'open');
    awaited.add(job);
    equal((await announce({}, { level: 'off', isFocused: () => false }))?.how, 'statusBar');
    equal(await announce({}, { level: 'off' }), undefined);
  });

  it("is a notification where a job failed, has no table, or is a program's", async () => {
    awaited.add(job);
    equal((await announce({ phase: 'failed' }))?.how, 'notify');
    awaited.add(job);
    equal((await announce({ results: { objects: false, aggregate: false } }))?.how, 'notify');
    awaited.add(job);
    equal(await announce({ by: 'program' }), undefined);
  });

  it('is left to the command that waits for the job, unless the window is not focused or it failed', async () => {
    equal(await announce({}, { isWaitedFor: true }), undefined);
    equal(claims, 1);
    equal((await announce({}, { isWaitedFor: true, isFocused: () => false }))?.how, 'notify');
    equal((await announce({ phase: 'failed' }, { isWaitedFor: true }))?.how, 'notify');
  });
});
