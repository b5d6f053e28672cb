import { deepEqual, equal } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { AwaitedResults } from '../../../../src/jobs/node/jobEnds';
import { masksAfterAnalysis } from '../../../../src/jobs/node/masksOfJob';
import { isUnprotected } from '../../../../src/jobs/node/submitState';
import { CodedError } from '../../../../src/base/errors';

describe('Masks that were asked for with an analysis', () => {
  const analysis = { jobId: '7', what: 'analysis', phase: 'succeeded' } as const;
  const masks = { jobId: '7', what: 'masks' } as const;
  let record: { masks?: true; name?: string } | undefined;
  let isClaimed: boolean;
  let failure: Error | undefined;
  let requested: string[];
  let tracked: unknown[];
  let awaited: AwaitedResults;
  let session: AccountSession;

  beforeEach(() => {
    record = { masks: true, name: 'coins' };
    isClaimed = false;
    failure = undefined;
    requested = [];
    tracked = [];
    awaited = new AwaitedResults();
    awaited.add(analysis);
    awaited.add(masks);
    session = {
      awaited,
      runs: {
        find: () => Promise.resolve(record),
        claimMasks: () => Promise.resolve(!isClaimed && (isClaimed = true)),
      },
      submitGuard: {
        submitMasks: (jobId: string) => {
          requested.push(jobId);
          return failure ? Promise.reject(failure) : Promise.resolve({ status: 'QUEUED' });
        },
      },
      tracker: { track: (...args: unknown[]) => Promise.resolve(void tracked.push(args)) },
    } as unknown as AccountSession;
  });

  it('are requested once, whatever window learns of the end, and open in place of the table', async () => {
    const results = await Promise.all([
      masksAfterAnalysis(session, analysis),
      masksAfterAnalysis(session, analysis),
    ]);
    deepEqual(results, [{ kind: 'requested' }, { kind: 'requested' }]);
    deepEqual(requested, ['7']);
    deepEqual(tracked, [['7', { what: 'masks', by: 'person', name: 'coins' }]]);
    deepEqual([awaited.opensItself(analysis), awaited.opensItself(masks)], [false, true]);
  });

  it('are not requested after a failure, for masks, or where nobody asked for them', async () => {
    deepEqual(await masksAfterAnalysis(session, { ...analysis, phase: 'failed' }), { kind: 'not-wanted' });
    deepEqual(await masksAfterAnalysis(session, { ...analysis, ...masks }), { kind: 'not-wanted' });
    record = {};
    deepEqual(await masksAfterAnalysis(session, analysis), { kind: 'not-wanted' });
    record = undefined;
    deepEqual(await masksAfterAnalysis(session, analysis), { kind: 'not-wanted' });
    deepEqual(requested, []);
    equal(awaited.opensItself(analysis), true);
  });

  it('are not requested again by themselves after a failure; the table opens', async () => {
    failure = new CodedError('network', 'down');
    deepEqual(await masksAfterAnalysis(session, analysis), { kind: 'failed', error: failure });
    deepEqual([awaited.opensItself(analysis), awaited.opensItself(masks)], [true, false]);
    await masksAfterAnalysis(session, analysis);
    deepEqual(requested, ['7']);
  });

  it('are not requested where other windows could not see that they are', async () => {
    session.runs.claimMasks = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const outcome = await masksAfterAnalysis(session, analysis);
    equal(outcome.kind === 'failed' && isUnprotected(outcome.error), true);
    deepEqual(requested, []);
  });
});
