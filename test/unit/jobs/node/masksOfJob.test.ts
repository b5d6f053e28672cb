import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { masksState, requestMasks } from '../../../../src/jobs/node/masksOfJob';
import { CodedError } from '../../../../src/base/errors';

describe('The masks of a job', () => {
  const state = (masksJob: () => Promise<object>) =>
    masksState({ client: { masksJob } } as unknown as AccountSession, '1');

  it("don't exist before they are requested, or after their generation failed", async () => {
    equal(await state(() => Promise.reject(new CodedError('not-found', 'no'))), 'none');
    equal(await state(() => Promise.resolve({ status: 'FAILED' })), 'none');
  });

  it('are ready once they have a link', async () => {
    equal(await state(() => Promise.resolve({ status: 'RUNNING' })), 'generating');
    equal(await state(() => Promise.resolve({ status: 'SUCCEEDED' })), 'generating');
    equal(await state(() => Promise.resolve({ status: 'SUCCEEDED', masksZipUrl: 'https://a' })), 'ready');
  });

  it('are not considered missing while the service is unreachable', async () => {
    await rejects(
      state(() => Promise.reject(new CodedError('network', 'down'))),
      { code: 'network' },
    );
  });

  it('are tracked once requested', async () => {
    const tracked: unknown[] = [];
    const session = {
      submitGuard: { submitMasks: () => Promise.resolve({ status: 'QUEUED' }) },
      tracker: { track: (...args: unknown[]) => Promise.resolve(void tracked.push(args)) },
    } as unknown as AccountSession;
    equal((await requestMasks(session, '1', 'person', 'plate')).status, 'QUEUED');
    deepEqual(tracked, [['1', { what: 'masks', by: 'person', name: 'plate' }]]);
  });
});
