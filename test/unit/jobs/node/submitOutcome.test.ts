import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { AwaitedResults } from '../../../../src/jobs/node/jobEnds';
import { isComplete, missingDetails, trySubmit } from '../../../../src/jobs/node/submission';
import { submit } from '../../../../src/jobs/node/submit';
import { unprotectedSubmit } from '../../../../src/jobs/node/submitState';
import type { SubmitOptions } from '../../../../src/jobs/node/submitGuard';
import { CodedError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';

const request = { pipelineId: 'p', filesystemIds: ['1', '2'] };
const { signal } = new AbortController();

function sessionWith(submit: (request: unknown, options?: SubmitOptions) => Promise<{ jobId: string }>) {
  const tracked: string[] = [];
  const awaited = new AwaitedResults();
  const session = {
    log: silentLog,
    awaited,
    submitGuard: { submit, stored: () => Promise.resolve() },
    runs: { submitted: () => Promise.reject(new Error('The disk is full')) },
    tracker: { track: (jobId: string) => Promise.resolve(void tracked.push(jobId)) },
  } as unknown as AccountSession;
  return { session, tracked, awaited };
}

describe('The steps before a submit', () => {
  it('are the missing details, and always the last step, which mentions the cost', () => {
    deepEqual(missingDetails({}), ['pipeline', 'items', 'name']);
    deepEqual(missingDetails({ pipelineId: 'p' }), ['items', 'name']);
    deepEqual(missingDetails({ filesystemIds: ['1'] }), ['pipeline', 'name']);
    deepEqual(missingDetails({ fileCount: 3 }), ['pipeline', 'name']);
  });

  it('are skipped where everything was confirmed before an upload', () => {
    equal(isComplete(request), true);
    equal(isComplete({ pipelineId: 'p' }), false);
    equal(isComplete({ ...request, fileCount: 2 }), false);
  });
});

describe("A person's submit", () => {
  it("succeeds even when its name can't be stored on disk", async () => {
    const { session, tracked } = sessionWith(() => Promise.resolve({ jobId: '7' }));
    deepEqual(await trySubmit(session, request, { signal }), { kind: 'submitted', jobId: '7' });
    deepEqual(tracked, ['7']);
  });

  it('has its result, and the masks that were wanted with it, open by themselves', async () => {
    const { session, awaited } = sessionWith(() => Promise.resolve({ jobId: '7' }));
    const opening = () =>
      (['analysis', 'masks'] as const).filter(what => awaited.opensItself({ jobId: '7', what }));
    await submit(session, { ...request, masks: true }, 'program');
    deepEqual(opening(), []);
    await submit(session, request, 'person');
    deepEqual(opening(), ['analysis']);
    await submit(session, { ...request, masks: true }, 'person');
    deepEqual(opening(), ['analysis', 'masks']);
  });

  it('reports that it was sent when it was canceled too late', async () => {
    const late = new CodedError('cancelled', 'canceled', { sent: true });
    const { session } = sessionWith(() => Promise.reject(late));
    deepEqual(await trySubmit(session, request, { signal }), { kind: 'canceled-after-sending' });
  });

  it('leaves an ambiguous response to the person, with the jobs it may have created', async () => {
    const lost = new CodedError('ambiguous-submit', 'lost', { candidates: ['8'] });
    const { session, tracked } = sessionWith(() => Promise.reject(lost));
    deepEqual(await trySubmit(session, request, { signal }), { kind: 'ambiguous', candidates: ['8'] });
    deepEqual(tracked, []);
  });

  it('that other windows can not see is sent once the person has agreed', async () => {
    const questions: unknown[] = [];
    const { session } = sessionWith((_request, options) => {
      questions.push(options);
      return options?.isAgreed
        ? Promise.resolve({ jobId: '7' })
        : Promise.reject(unprotectedSubmit(Object.assign(new Error('full'), { code: 'ENOSPC' })));
    });
    const held = await trySubmit(session, request, { signal });
    equal(held.kind, 'unprotected');
    equal(held.kind === 'unprotected' && held.error.code, 'no-space');
    deepEqual(await trySubmit(session, request, { signal, isAgreed: true }), {
      kind: 'submitted',
      jobId: '7',
    });
    await rejects(submit(session, request, 'program'), { code: 'no-space' });
    deepEqual(questions, [{ signal }, { signal, isAgreed: true }, {}]);
  });

  it("fails with the service's error otherwise, and when it was canceled in time", async () => {
    for (const code of ['bad-request', 'cancelled'] as const) {
      const { session } = sessionWith(() => Promise.reject(new CodedError(code, 'no')));
      await rejects(trySubmit(session, request, { signal }), { code });
    }
  });
});
