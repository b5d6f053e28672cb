import { deepEqual, equal } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { stopFollowing } from '../../../../src/jobs/node/followJob';
import { type JobKey, keyOf } from '../../../../src/jobs/node/jobState';

describe('No longer following a job', () => {
  const analysis = { jobId: '7', what: 'analysis' } as const;
  const masks = { jobId: '7', what: 'masks' } as const;
  let tracked: Set<string>;
  let record: { masks?: true } | undefined;
  let onFind: () => void;
  let session: AccountSession;

  beforeEach(() => {
    tracked = new Set([analysis, masks].map(keyOf));
    record = { masks: true };
    onFind = () => undefined;
    session = {
      runs: {
        find: () => {
          onFind();
          return Promise.resolve(record);
        },
      },
      tracker: {
        find: (job: JobKey) => (tracked.has(keyOf(job)) ? job : undefined),
        stop: (job: JobKey) => tracked.delete(keyOf(job)),
      },
    } as unknown as AccountSession;
  });

  it('is told to leave it without the masks that were to be generated', async () => {
    equal(await stopFollowing(session, analysis), true);
    deepEqual([...tracked], [keyOf(masks)]);
  });

  it('says nothing where no masks were wanted, and of masks that are already being generated', async () => {
    equal(await stopFollowing(session, masks), false);
    record = {};
    equal(await stopFollowing(session, analysis), false);
    deepEqual([...tracked], []);
    tracked.add(keyOf(analysis));
    record = undefined;
    equal(await stopFollowing(session, analysis), false);
  });

  it('says nothing of a job that has ended, or is followed again meanwhile', async () => {
    tracked.delete(keyOf(analysis));
    equal(await stopFollowing(session, analysis), false);
    tracked.add(keyOf(analysis));
    onFind = () => tracked.add(keyOf(analysis));
    equal(await stopFollowing(session, analysis), false);
  });
});
