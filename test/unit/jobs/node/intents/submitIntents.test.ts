import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { CodedError, isCoded } from '../../../../../src/base/errors';
import { silentLog } from '../../../../../src/base/log';
import { quoted } from '../../../../../src/base/reasons';
import { isUnprotected } from '../../../../../src/jobs/node/submitState';
import { crashAfter, request, stepsToSend, until } from './crashes';
import { FakeMachine, type FakeWindow } from './fakeWindows';

/** What a submit came to: its job, or the candidates of an ambiguous one. */
type Outcome = { jobId: string } | { candidates: readonly string[] };

async function outcomeOf(work: Promise<{ jobId: string }>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (!isCoded(error, 'ambiguous-submit')) throw error;
    return { candidates: error.details.candidates ?? [] };
  }
}

describe('Submits in several windows', () => {
  let machine: FakeMachine;
  let first: FakeWindow;
  let second: FakeWindow;

  beforeEach(() => {
    machine = new FakeMachine();
    first = machine.openWindow();
    second = machine.openWindow();
  });

  it('are one job where they are the same and overlap', async () => {
    const reordered = { ...request, filesystemIds: ['b', 'a'] };
    const both = await Promise.all([first.guard.submit(request), second.guard.submit(reordered)]);
    assert.deepEqual(both, [{ jobId: 'job1' }, { jobId: 'job1' }]);
    assert.equal(machine.service.posts, 1);
  });

  it('are two jobs one after the other, and two at once with other items, pipelines or names', async () => {
    await first.guard.submit(request);
    await second.guard.submit(request);
    await Promise.all([
      first.guard.submit(request),
      second.guard.submit({ ...request, filesystemIds: ['a'] }),
      first.guard.submit({ ...request, pipelineId: 'q' }),
      second.guard.submit({ ...request, name: 'plate 8' }),
    ]);
    assert.equal(machine.service.posts, 6);
  });

  it('request masks once', async () => {
    const both = await Promise.all([first.guard.submitMasks('j'), second.guard.submitMasks('j')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['SUBMITTED', 'SUBMITTED'],
    );
    assert.equal(machine.service.posts, 1);
  });

  it('fail with the same refusal, of one request', async () => {
    machine.service.refusal = new CodedError('bad-request', 'refused', {
      status: 402,
      reason: quoted('no credits'),
    });
    const both = await Promise.allSettled([first.guard.submit(request), second.guard.submit(request)]);
    for (const { reason: error } of both as PromiseRejectedResult[]) {
      assert.ok(isCoded(error, 'bad-request'));
      assert.deepEqual(error.details.reason, quoted('no credits'));
      assert.equal(error.details.status, 402);
    }
    assert.equal(machine.service.posts, 1);
  });

  it('send one request in whatever order their steps happen', async () => {
    const taken = { submits: 0, masks: 0 };
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 3 }), async (scheduler, count) => {
        const shared = new FakeMachine();
        shared.whenItsTurn = () => scheduler.schedule(Promise.resolve());
        const windows = Array.from({ length: count }, () => shared.openWindow());
        const outcomes = await scheduler.waitFor(
          Promise.all(windows.map(({ guard }) => guard.submit(request))),
        );
        assert.equal(new Set(outcomes.map(({ jobId }) => jobId)).size, 1);
        assert.equal(shared.service.posts, 1);
        taken.submits += 1;
        for (const window of windows) window.steps = 0;
        await scheduler.waitFor(Promise.all(windows.map(({ guard }) => guard.submitMasks('j'))));
        assert.equal(shared.service.posts, 2);
        taken.masks += 1;
      }),
      { numRuns: 200, seed: 7 },
    );
    assert.deepEqual(taken, { submits: 200, masks: 200 });
  });

  it('send one request at most though windows that are open are considered closed', async () => {
    const posts = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async scheduler => {
        const shared = new FakeMachine();
        shared.whenItsTurn = () => scheduler.schedule(Promise.resolve());
        // Each on a machine of its own, without heartbeats: only the time that a file has is known.
        const windows = [0, 1, 2].map(index => shared.openWindow({ host: `machine ${index}` }));
        shared.passTime = () => undefined;
        const outcomes = await scheduler.waitFor(
          Promise.all(windows.map(({ guard }) => outcomeOf(guard.submit(request)))),
        );
        posts.add(shared.service.posts);
        for (const outcome of outcomes)
          if ('jobId' in outcome) assert.equal(outcome.jobId, 'job1', JSON.stringify(outcomes));
      }),
      { numRuns: 200, seed: 7 },
    );
    assert.deepEqual(posts, new Set([1]));
  });

  it('resolve what a crashed window left, wherever it crashed', async () => {
    const found = new Map<string, number>();
    for (let steps = 1; ; steps++) {
      const shared = new FakeMachine();
      const crashing = shared.openWindow();
      await crashAfter(crashing, steps, () => crashing.guard.submit(request));
      if (!crashing.isOver) break;
      const sent = shared.service.posts;
      const left = shared.states()[0] ?? 'nothing';
      const outcome = await outcomeOf(shared.openWindow().guard.submit(request));
      // What was not sent for certain is submitted; what was is found by its name; the rest is for
      // a person to decide.
      if (sent === 1) assert.deepEqual(outcome, { jobId: 'job1' });
      else assert.deepEqual(outcome, left === 'sending' ? { candidates: [] } : { jobId: 'job1' });
      assert.ok(shared.service.posts <= 1, `${left}: ${shared.service.posts} requests`);
      found.set(left, (found.get(left) ?? 0) + 1);
    }
    assert.deepEqual([...found.keys()].sort(), ['nothing', 'preparing', 'sending']);
  });

  it('ask where the job that a crashed window may have created has no name', async () => {
    machine.service.listsNames = false;
    const sending = machine.openWindow();
    await crashAfter(sending, await stepsToSend(), () => sending.guard.submit(request));
    assert.equal(machine.service.posts, 1);
    assert.deepEqual(await outcomeOf(second.guard.submit(request)), { candidates: ['job1'] });
    assert.deepEqual(
      await outcomeOf(first.guard.submit(request)),
      { candidates: ['job1'] },
      'until it is settled',
    );
    await first.guard.settle(request);
    assert.deepEqual(await outcomeOf(second.guard.submit(request)), { jobId: 'job2' });
  });

  it('ask where a crashed window submitted the same with another name', async () => {
    await crashAfter(first, await stepsToSend(), () => first.guard.submit(request));
    const outcome = await outcomeOf(second.guard.submit({ ...request, name: 'plate 8' }));
    assert.deepEqual(outcome, { candidates: ['job1'] });
    assert.equal(machine.service.posts, 1);
  });

  it('take no job for theirs that is known as that of another submit', async () => {
    await crashAfter(first, (await stepsToSend()) - 1, () => first.guard.submit(request));
    const other = await second.guard.submit({ ...request, filesystemIds: ['c'] });
    assert.equal(machine.service.posts, 1);
    second.known.add(other.jobId);
    assert.deepEqual(await outcomeOf(second.guard.submit(request)), { candidates: [] });
  });

  it('find the job of an unresolved submit that appeared after the search for it', async () => {
    await crashAfter(first, (await stepsToSend()) - 1, () => first.guard.submit(request));
    assert.deepEqual(await outcomeOf(second.guard.submit(request)), { candidates: [] });
    const { service } = machine;
    service.jobs.unshift({ id: 'late', status: 'PENDING', percentageCompleted: 0, name: request.name });
    assert.deepEqual(await outcomeOf(second.guard.submit(request)), { jobId: 'late' });
    assert.equal(service.posts, 0);
    assert.deepEqual(await outcomeOf(second.guard.submit(request)), { jobId: 'job1' }, 'a new one');
  });

  it('are resolved by one of two windows that find what a third left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async scheduler => {
        const shared = new FakeMachine();
        const crashing = shared.openWindow();
        await crashAfter(crashing, await stepsToSend(), () => crashing.guard.submit(request));
        shared.whenItsTurn = () => scheduler.schedule(Promise.resolve());
        const windows = [shared.openWindow(), shared.openWindow()];
        const outcomes = await scheduler.waitFor(
          Promise.all(windows.map(({ guard }) => outcomeOf(guard.submit(request)))),
        );
        assert.deepEqual(outcomes[0], { jobId: 'job1' });
        // The other may have begun when the first was through: its submit is a new one then.
        assert.ok(
          shared.service.posts === 1 || shared.states().filter(at => at === 'submitted').length === 2,
        );
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('wait for a window that hangs, take over, and stop it from sending when it goes on', async () => {
    const sending = await stepsToSend();
    for (let steps = 1; steps < sending; steps++) {
      const shared = new FakeMachine();
      const hanging = shared.openWindow();
      const work = hanging.guard.submit(request);
      await until(() => hanging.steps >= steps);
      hanging.stop();
      const outcome = await outcomeOf(shared.openWindow().guard.submit(request));
      hanging.resume();
      const resumed = await outcomeOf(work);
      assert.ok(shared.service.posts <= 1, `hung after ${steps} steps: ${shared.service.posts} requests`);
      if ('jobId' in outcome) assert.deepEqual(resumed, outcome);
    }
  });

  it('take what a window that hung came to while it was taken over', async () => {
    const work = first.guard.submit(request);
    await until(() => machine.service.posts === 1);
    first.stop();
    machine.beforeCreating = () => {
      first.resume();
      return work;
    };
    assert.deepEqual(await second.guard.submit(request), { jobId: 'job1' });
    assert.equal(machine.service.posts, 1);
  });

  it('leave a trace after Esc, which the next one is told of', async () => {
    const leaving = new AbortController();
    const left = first.guard.submit(request, { signal: leaving.signal });
    await until(() => machine.service.posts > 0);
    leaving.abort();
    await assert.rejects(left, error => isCoded(error, 'cancelled') && error.details.sent === true);
    await until(() => machine.states().includes('unclaimed'));
    first.crash();
    const error: unknown = await second.guard.submit(request).catch((caught: unknown) => caught);
    assert.ok(isCoded(error, 'ambiguous-submit'));
    assert.deepEqual(error.details.candidates, ['job1']);
    assert.equal(
      error.details.reason?.message,
      'The same job was submitted before, and canceled after it was sent',
    );
  });

  it('adopt the job of a window that left while they waited for it', async () => {
    const leaving = new AbortController();
    const left = first.guard.submit(request, { signal: leaving.signal });
    const waiting = second.guard.submit(request);
    await until(() => machine.service.posts > 0);
    leaving.abort();
    await assert.rejects(left, { code: 'cancelled' });
    assert.deepEqual(await waiting, { jobId: 'job1' });
    assert.deepEqual(machine.states(), ['submitted']);
    assert.equal(machine.service.posts, 1);
  });

  it('go on when a window leaves before it sent anything', async () => {
    const leaving = new AbortController();
    const left = first.guard.submit(request, { signal: leaving.signal });
    const waiting = second.guard.submit(request);
    await until(() => machine.states().includes('preparing'));
    leaving.abort();
    await assert.rejects(left, error => isCoded(error, 'cancelled') && !error.details.sent);
    assert.deepEqual(await waiting, { jobId: 'job1' });
  });

  it('are left by Esc while they wait', async () => {
    const leaving = new AbortController();
    const working = first.guard.submit(request);
    await until(() => machine.states().includes('preparing'));
    first.stop();
    const waiting = second.guard.submit(request, { signal: leaving.signal });
    leaving.abort();
    await assert.rejects(waiting, error => isCoded(error, 'cancelled') && !error.details.sent);
    first.resume();
    assert.deepEqual(await working, { jobId: 'job1' });
    assert.equal(machine.service.posts, 1);
  });

  it('are one though one with another name came between', async () => {
    const third = machine.openWindow();
    const submitting = first.guard.submit(request);
    const waiting = second.guard.submit(request);
    await until(() => machine.service.posts === 1);
    second.stop();
    await submitting;
    await third.guard.submit({ ...request, name: 'plate 8' });
    second.resume();
    assert.deepEqual(await waiting, { jobId: 'job1' });
    assert.equal(machine.service.posts, 2);
  });

  it('still overlap for who joined one that its first caller left while it waited', async () => {
    const leaving = new AbortController();
    const working = first.guard.submit(request);
    const left = second.guard.submit(request, { signal: leaving.signal });
    const joined = second.guard.submit(request);
    await until(() => second.steps > 1);
    second.stop();
    leaving.abort();
    await assert.rejects(left, { code: 'cancelled' });
    await working;
    second.resume();
    assert.deepEqual(await joined, { jobId: 'job1' });
    assert.equal(machine.service.posts, 1);
  });

  it('are sought, not sent, where the file of the one they wait for is deleted', async () => {
    const submitting = first.guard.submit(request);
    const waiting = second.guard.submit(request);
    await until(() => machine.service.posts === 1);
    second.stop();
    await submitting;
    machine.files.clear();
    second.resume();
    assert.deepEqual(await outcomeOf(waiting), { jobId: 'job1' });
    assert.equal(machine.service.posts, 1);
  });

  it('leave nothing that others wait for where the disk can not be read after they began', async () => {
    await first.guard.submit(request);
    const unread = first.guard.submit(request);
    await until(() => machine.states().includes('preparing'));
    machine.readError = 'EIO';
    await assert.rejects(unread, isUnprotected);
    machine.readError = undefined;
    assert.deepEqual(machine.states(), ['submitted', 'withdrawn']);
    assert.deepEqual(await second.guard.submit(request), { jobId: 'job2' });
  });

  for (const [what, text] of [
    ['is empty', ''],
    ['is cut off', '{"state":{"at":"preparing'],
    ['is of another version', '{"state":{"at":"negotiating"}}'],
    ['is no object', 'null'],
  ] as const) {
    it(`ask where the file of an intent ${what}`, async () => {
      await crashAfter(first, 4, () => first.guard.submit(request));
      const [[file] = ['']] = [...machine.files];
      machine.files.set(file, { text, writtenAt: machine.tick() });
      assert.deepEqual(await outcomeOf(second.guard.submit(request)), { candidates: [] });
      await second.guard.settle(request);
      assert.deepEqual(await outcomeOf(second.guard.submit(request)), { jobId: 'job1' });
    });
  }

  describe('that the disk takes no note of', () => {
    const agreed = { isAgreed: true };
    const isRefused = (code: string) => (error: unknown) => isUnprotected(error) && error.code === code;

    for (const [system, code] of [
      ['ENOSPC', 'no-space'],
      ['EDQUOT', 'no-space'],
      ['EROFS', 'not-writable'],
      ['EACCES', 'not-writable'],
      ['EIO', 'not-writable'],
    ] as const) {
      it(`are refused with ${code} in each window where it says ${system}, and so are masks`, async () => {
        machine.diskError = system;
        for (const { guard } of [first, second]) {
          await assert.rejects(guard.submit(request), isRefused(code));
          await assert.rejects(guard.submitMasks('j'), isRefused(code));
        }
        assert.equal(machine.service.posts, 0);
      });

      it(`are refused where it says ${system} only just before the request`, async () => {
        for (const work of [first.guard.submit(request), first.guard.submitMasks('j')]) {
          await until(() => machine.states().includes('preparing'));
          machine.diskError = system;
          await assert.rejects(work, isRefused(code));
          machine.diskError = undefined;
        }
        assert.equal(machine.service.posts, 0);
      });
    }

    it('are sent once a person has agreed, and the log says so', async () => {
      const lines: string[] = [];
      const window = machine.openWindow({ log: { ...silentLog, warn: line => void lines.push(line) } });
      machine.diskError = 'EROFS';
      assert.deepEqual(await outcomeOf(window.guard.submit(request, agreed)), { jobId: 'job1' });
      assert.match(lines.join(), /EROFS/);
      await window.guard.submitMasks('j', agreed);
      machine.diskError = undefined;
      const later = window.guard.submit(request, agreed);
      await until(() => machine.states().includes('preparing'));
      machine.diskError = 'ENOSPC';
      assert.deepEqual(await outcomeOf(later), { jobId: 'job3' });
    });

    it('take the agreement of whoever joins them', async () => {
      const withoutConsent = first.guard.submit(request);
      await until(() => machine.states().includes('preparing'));
      machine.diskError = 'ENOSPC';
      const withConsent = first.guard.submit(request, agreed);
      assert.deepEqual(await Promise.all([withoutConsent, withConsent]), [
        { jobId: 'job1' },
        { jobId: 'job1' },
      ]);
      assert.equal(machine.service.posts, 1);
    });

    it('still find what a crashed window may have sent, and never send that again', async () => {
      await crashAfter(first, await stepsToSend(), () => first.guard.submit(request));
      machine.diskError = 'ENOSPC';
      await assert.rejects(second.guard.submit(request), isRefused('no-space'));
      assert.deepEqual(await outcomeOf(second.guard.submit(request, agreed)), { jobId: 'job1' });
      assert.equal(machine.service.posts, 1);
    });

    it('are asked about once where an earlier one is unresolved', async () => {
      machine.service.listsNames = false;
      await crashAfter(first, await stepsToSend(), () => first.guard.submit(request));
      assert.deepEqual(await outcomeOf(second.guard.submit(request)), { candidates: ['job1'] });
      machine.diskError = 'ENOSPC';
      assert.deepEqual(await outcomeOf(second.guard.submit(request, agreed)), { candidates: ['job1'] });
      await second.guard.settle(request);
      assert.deepEqual(await outcomeOf(second.guard.submit(request, agreed)), { jobId: 'job2' });
    });
  });

  it('have no timer once they have ended', async () => {
    await Promise.all([first.guard.submit(request), second.guard.submitMasks('j')]);
    assert.equal(machine.heartbeats.size, 0);
  });

  it('write nothing after the account is gone', async () => {
    const work = first.guard.submit(request).catch((error: unknown) => error);
    await until(() => machine.states().includes('preparing'));
    machine.files.clear();
    first.files.dispose();
    assert.ok(isCoded(await work, 'cancelled'));
    assert.deepEqual([...machine.files], []);
    assert.equal(machine.service.posts, 0);
  });

  describe('that ended a day ago', () => {
    /** The first submit of a window tidies the files, after which that many remain. */
    const tidy = async (remaining: number) => {
      machine.passDay();
      await machine.openWindow().guard.submit({ ...request, pipelineId: 'q' });
      await until(() => machine.files.size === remaining);
    };

    it('are deleted, but for those of which a person has to decide', async () => {
      machine.service.listsNames = false;
      await crashAfter(first, await stepsToSend(), () => first.guard.submit(request));
      await assert.rejects(second.guard.submit(request), { code: 'ambiguous-submit' });
      await second.guard.submit({ ...request, pipelineId: 'r' });
      assert.deepEqual(machine.states(), ['sending', 'unresolved', 'submitted']);
      await tidy(3);
      assert.deepEqual(machine.states(), ['sending', 'unresolved', 'submitted']);
      await second.guard.settle(request);
      await tidy(2);
      assert.deepEqual(machine.states(), ['submitted', 'submitted']);
    });

    it('leave nothing of a crashed window that was resolved: the same submit is a new job', async () => {
      await crashAfter(first, await stepsToSend(), () => first.guard.submit(request));
      assert.deepEqual(await second.guard.submit(request), { jobId: 'job1' });
      await tidy(1);
      const later = machine.openWindow();
      later.known.add('job1');
      assert.deepEqual(await later.guard.submit(request), { jobId: 'job3' });
    });
  });
});
