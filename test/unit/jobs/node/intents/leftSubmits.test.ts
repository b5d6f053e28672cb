import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { DescribedSubmit } from '../../../../../src/jobs/node/submitState';
import { crashAfter, request, stepsToSend, until } from './crashes';
import { FakeMachine, type FakeWindow } from './fakeWindows';

describe('The submits of windows that are gone', () => {
  const described: DescribedSubmit = {
    ...request,
    pipelineDescription: 'Bright objects',
    items: [{ id: 'a', name: 'a.tif' }, { id: 'b' }],
    by: 'person',
  };
  let machine: FakeMachine;
  let stored: { jobId: string; request: DescribedSubmit }[];

  beforeEach(() => {
    machine = new FakeMachine();
    stored = [];
  });

  /** As the application submits. */
  const submitAndStore = async ({ guard }: FakeWindow, submitted = described) => {
    const { jobId } = await guard.submit(submitted);
    await guard.stored(submitted, jobId);
  };

  const pickUp = async (window = machine.openWindow()) => {
    const unresolved = await window.guard.pickUp((jobId, left) => {
      stored.push({ jobId, request: left });
      return Promise.resolve();
    });
    return unresolved.map(({ candidates }) => candidates);
  };

  it('are stored or asked about once, wherever their window crashed', async () => {
    const seen = new Set<string>();
    for (let steps = 1; ; steps++) {
      machine = new FakeMachine();
      stored = [];
      const crashing = machine.openWindow();
      await crashAfter(crashing, steps, () => submitAndStore(crashing));
      const states = machine.states();
      const sent = machine.service.posts;
      const questions = (await Promise.all([pickUp(), pickUp()])).flat();
      if (!crashing.isOver) {
        deepEqual([questions, stored], [[], []], 'nothing is left to be done');
        break;
      }
      const isUnknown = sent === 0 && states[0] === 'sending';
      deepEqual(questions, isUnknown ? [[]] : []);
      deepEqual(stored, sent === 1 ? [{ jobId: 'job1', request: described }] : [], `after step ${steps}`);
      deepEqual(await pickUp(), [], 'asked once');
      ok(stored.length <= 1 && machine.service.posts === sent, 'nothing is sent or stored again');
      seen.add(states[0] ?? 'nothing');
    }
    deepEqual([...seen].sort(), ['nothing', 'preparing', 'sending', 'submitted']);
  });

  /** A window that crashes once its job is known, and before that is stored. */
  const leaveUnstored = async (submitted = described) => {
    const crashing = machine.openWindow();
    await crashing.guard.submit(submitted);
    crashing.crash();
  };

  it('give their job to the first identical call of a person in a window that was open', async () => {
    const open = machine.openWindow();
    await leaveUnstored();
    deepEqual(await open.guard.submit(described), { jobId: 'job1' });
    await open.guard.stored(described, 'job1');
    deepEqual(await open.guard.submit(described), { jobId: 'job2' }, 'a new one');
  });

  it('are stored though one with another name came after them', async () => {
    const open = machine.openWindow();
    await leaveUnstored();
    await submitAndStore(open, { ...described, name: 'plate 8' });
    deepEqual((await Promise.all([pickUp(), pickUp()])).flat(), []);
    deepEqual(stored, [{ jobId: 'job1', request: described }]);
    deepEqual([await pickUp(), stored.length], [[], 1]);
  });

  it('are stored though they are older than a day when another one is submitted', async () => {
    await leaveUnstored();
    machine.passDay();
    const open = machine.openWindow();
    await submitAndStore(open, { ...described, pipelineId: 'q' });
    await open.guard.settle(described);
    await pickUp();
    deepEqual(stored, [{ jobId: 'job1', request: described }]);
  });

  it('are stored where a window that waited for them took their job and was closed as well', async () => {
    const first = machine.openWindow();
    const second = machine.openWindow();
    const leaving = new AbortController();
    const left = first.guard.submit(described, { signal: leaving.signal });
    const waiting = second.guard.submit(described);
    await until(() => machine.service.posts === 1);
    leaving.abort();
    await rejects(left, { code: 'cancelled' });
    deepEqual(await waiting, { jobId: 'job1' });
    second.crash();
    await pickUp();
    deepEqual(stored, [{ jobId: 'job1', request: described }]);
  });

  it('are a question where the job can not be told, and still one for the next identical submit', async () => {
    machine.service.listsNames = false;
    const crashing = machine.openWindow();
    await crashAfter(crashing, await stepsToSend(), () => submitAndStore(crashing));
    const window = machine.openWindow();
    deepEqual(await pickUp(window), [['job1']]);
    await rejects(window.guard.submit(described), { code: 'ambiguous-submit' });
    await window.guard.settle(described);
    await submitAndStore(window);
    deepEqual([machine.service.posts, stored], [2, []]);
  });

  it('are no question where a program submitted them', async () => {
    machine.service.listsNames = false;
    const crashing = machine.openWindow();
    await crashAfter(crashing, await stepsToSend(), () =>
      submitAndStore(crashing, { ...described, by: 'program' }),
    );
    deepEqual([await pickUp(), stored], [[], []]);
  });

  describe('of a program', () => {
    const byProgram: DescribedSubmit = { ...described, by: 'program' };

    for (const isPickedUp of [true, false]) {
      const when = isPickedUp ? 'picked up' : 'not picked up yet';
      it(`give their job to its first identical call when ${when}, and the next one is a new job`, async () => {
        const seen = new Set<string>();
        for (let steps = 1; ; steps++) {
          machine = new FakeMachine();
          const crashing = machine.openWindow();
          await crashAfter(crashing, steps, () => submitAndStore(crashing, byProgram));
          if (!crashing.isOver) break;
          const { posts: sent } = machine.service;
          const [state = 'nothing'] = machine.states();
          const window = machine.openWindow();
          if (isPickedUp) await pickUp(window);
          const isUnknown = sent === 0 && state === 'sending';
          seen.add(state);
          // Nobody knows whether it was sent: told once, as ever.
          if (isUnknown) await rejects(submitAndStore(window, byProgram), { code: 'ambiguous-submit' });
          if (isUnknown) continue;
          deepEqual(await window.guard.submit(byProgram), { jobId: 'job1' }, `after step ${steps}, ${state}`);
          await window.guard.stored(byProgram, 'job1');
          equal(machine.service.posts, 1);
          const next = machine.openWindow();
          for (const each of [window, next]) each.known.add('job1');
          deepEqual(await next.guard.submit(byProgram), { jobId: 'job2' }, `after step ${steps}, ${state}`);
        }
        deepEqual([...seen].sort(), ['nothing', 'preparing', 'sending', 'submitted']);
      });
    }

    it('are no answer to a call with another name, to a person, nor to who was told', async () => {
      const crashing = machine.openWindow();
      await crashAfter(crashing, (await stepsToSend()) + 1, () => submitAndStore(crashing, byProgram));
      const window = machine.openWindow();
      await pickUp(window);
      window.known.add('job1');
      deepEqual(await window.guard.submit(described), { jobId: 'job2' });
      const reported = machine.openWindow();
      await submitAndStore(reported, { ...byProgram, pipelineId: 'q' });
      reported.crash();
      deepEqual(await machine.openWindow().guard.submit({ ...byProgram, pipelineId: 'q' }), {
        jobId: 'job4',
      });
    });
  });

  it('are stored where they were left by Esc after they had been sent', async () => {
    const window = machine.openWindow();
    const leaving = new AbortController();
    const left = window.guard.submit(described, { signal: leaving.signal });
    await until(() => machine.service.posts === 1);
    leaving.abort();
    await rejects(left, { code: 'cancelled' });
    await until(() => machine.states().includes('unclaimed'));
    deepEqual([await pickUp(), stored], [[], []], 'not while the window is open');
    window.crash();
    await pickUp();
    deepEqual(
      stored.map(({ jobId }) => jobId),
      ['job1'],
    );
  });

  it('are left for the next time where the service can not be reached', async () => {
    const crashing = machine.openWindow();
    await crashAfter(crashing, await stepsToSend(), () => submitAndStore(crashing));
    machine.service.isUnreachable = true;
    deepEqual([await pickUp(), stored], [[], []]);
    machine.service.isUnreachable = false;
    await pickUp();
    equal(stored[0]?.jobId, 'job1');
  });

  it('are not asked about again a day after they were resolved', async () => {
    const crashing = machine.openWindow();
    await crashAfter(crashing, await stepsToSend(), () => submitAndStore(crashing));
    await pickUp();
    machine.passDay();
    const other = { ...described, pipelineId: 'q' };
    await submitAndStore(machine.openWindow(), other);
    await until(() => machine.files.size === 1);
    const next = machine.openWindow();
    next.known.add('job1');
    deepEqual([await pickUp(next), stored.length], [[], 1]);
  });

  it('are those of windows that are open no more, on this machine', async () => {
    const hanging = machine.openWindow();
    void submitAndStore(hanging);
    await until(() => machine.service.posts === 1);
    hanging.stop();
    const elsewhere = machine.openWindow({ host: 'elsewhere' });
    const other = { ...described, pipelineId: 'q' };
    await crashAfter(elsewhere, await stepsToSend(), () => submitAndStore(elsewhere, other));
    deepEqual([await pickUp(), stored], [[], []]);
    hanging.resume();
  });
});
