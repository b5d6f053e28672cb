import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnalysisJob, MasksJob } from '../../../src/api/wire';
import { CodedError, cancelledError, isCoded } from '../../../src/base/errors';
import { silentLog } from '../../../src/base/log';
import { JobTracker, type TrackedJob } from '../../../src/jobs/jobTracker';
import { MemoryState } from './memoryState';

type Step = Partial<AnalysisJob & MasksJob> | Error | Promise<never>;

const links = { objectsDataCSVUrl: 'https://x.test/o', aggregateDataCSVUrl: 'https://x.test/a' };
const done: Step = { status: 'SUCCEEDED', percentageCompleted: 100, ...links };
const running = (percentageCompleted: number): Step => ({ status: 'RUNNING', percentageCompleted });

/** Time that passes only while the tracker waits. */
class Clock {
  time = 1_000_000;
  readonly waits: number[] = [];
  /** Set to hold the tracker's next waits until they are cancelled. */
  held = false;

  readonly now = () => this.time;

  readonly delay = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    this.waits.push(milliseconds);
    if (signal?.aborted) return Promise.reject(cancelledError());
    if (this.held) {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(cancelledError())));
    }
    this.time += milliseconds;
    return Promise.resolve();
  };
}

/** A service whose answers about a job follow a script; the last one is repeated. */
class Script {
  readonly asked: string[] = [];
  private readonly steps = new Map<string, Step[]>();

  on(jobId: string, ...steps: Step[]): this {
    this.steps.set(jobId, steps);
    return this;
  }

  readonly client = {
    analysisJob: (id: string, signal?: AbortSignal) => this.next<AnalysisJob>(id, signal),
    masksJob: (id: string, signal?: AbortSignal) => this.next<MasksJob>(`${id}/masks`, signal),
  };

  private async next<T>(id: string, signal?: AbortSignal): Promise<T> {
    this.asked.push(id);
    await nextTurn();
    if (signal?.aborted) throw cancelledError();
    const steps = this.steps.get(id) ?? [];
    const step = steps.length > 1 ? steps.shift() : steps[0];
    if (step === undefined) throw new CodedError('not-found', 'no such job');
    if (step instanceof Error) throw step;
    return { id, status: 'PENDING', percentageCompleted: 0, ...(await step) } as T;
  }
}

describe('the job tracker', () => {
  let clock: Clock;
  let script: Script;
  let state: MemoryState;
  const trackers: JobTracker[] = [];

  function start(intervalSeconds = 2) {
    const tracker = new JobTracker({
      client: script.client,
      state,
      log: silentLog,
      intervalSeconds: () => intervalSeconds,
      delay: clock.delay,
      now: clock.now,
    });
    trackers.push(tracker);
    const changes: TrackedJob[] = [];
    const ends: TrackedJob[] = [];
    tracker.onDidChange(job => changes.push(job));
    tracker.onDidEnd(job => ends.push(job));
    return { tracker, changes, ends };
  }

  function nextEnd(tracker: JobTracker): Promise<TrackedJob> {
    return new Promise(resolve => tracker.onDidEnd(resolve));
  }

  const pending = () => JSON.parse(state.values.get('jobs') ?? '[]') as { jobId: string }[];

  beforeEach(() => {
    clock = new Clock();
    script = new Script();
    state = new MemoryState();
  });

  afterEach(() => {
    for (const tracker of trackers.splice(0)) tracker.dispose();
  });

  it('follows a job from its submit to its success', async () => {
    script.on('j', running(0), running(40), running(90), done);
    const { tracker, changes, ends } = start();
    const end = nextEnd(tracker);
    await tracker.track('j', { name: 'plate 7', what: 'analysis' });
    assert.deepEqual(await end, {
      jobId: 'j',
      what: 'analysis',
      name: 'plate 7',
      startedAt: 1_000_000,
      phase: 'succeeded',
      status: 'SUCCEEDED',
      percentageCompleted: 100,
    });
    assert.deepEqual(
      changes.map(({ percentageCompleted }) => percentageCompleted),
      [0, 40, 90, 100],
    );
    assert.equal(ends.length, 1);
    assert.deepEqual(tracker.jobs, []);
  });

  it('keeps no link of a result', async () => {
    script.on('j', { status: 'RUNNING', ...links }, done);
    const { tracker, changes } = start();
    await tracker.waitFor('j');
    assert.ok(!JSON.stringify([changes, [...state.values]]).includes('x.test'));
  });

  it('asks seldom about a job that has not moved for half an hour, and often again once it does', async () => {
    script.on('j', ...Array.from({ length: 75 }, () => running(10)), running(20), done);
    const { tracker } = start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.ok(clock.waits.includes(30_000));
    assert.equal(Math.max(...clock.waits), 300_000);
    assert.deepEqual(clock.waits.slice(-2), [300_000, 2000]);
    assert.equal(script.asked.length, 77);
  });

  it('knows over a reload who asked for a job, also one that was only seen in a list before', async () => {
    script.on('j', running(1));
    clock.held = true;
    const { tracker } = start();
    await tracker.track('j', { what: 'analysis' });
    await tracker.track('j', { what: 'analysis', by: 'person' });
    await tracker.track('j', { what: 'analysis' });
    tracker.dispose();
    script.on('j', done);
    const later = start();
    const end = nextEnd(later.tracker);
    await later.tracker.resume();
    assert.equal((await end).by, 'person');
  });

  it('asks less and less often while nothing moves, and often again when it does', async () => {
    const still = Array.from({ length: 10 }, () => running(10));
    script.on('j', ...still, running(20), running(20), done);
    const { tracker } = start(2);
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.deepEqual(
      clock.waits,
      [2000, 3000, 4500, 6750, 10125, 15187.5, 22781.25, 30000, 30000, 30000, 2000, 3000],
    );
  });

  it('never asks more often than the setting says', async () => {
    script.on('j', running(1), running(1), running(1), done);
    const { tracker } = start(60);
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.deepEqual(clock.waits, [60_000, 60_000, 60_000]);
  });

  it('has no timer while nothing is pending', async () => {
    script.on('j', done);
    const { tracker } = start();
    await tracker.resume();
    assert.deepEqual([clock.waits, script.asked], [[], []]);
    await tracker.waitFor('j');
    await nextTurn();
    assert.deepEqual(clock.waits, []);
    assert.deepEqual(script.asked, ['j']);
  });

  it('has one timer for many jobs', async () => {
    for (let index = 0; index < 10; index++) script.on(`j${index}`, running(1));
    clock.held = true;
    const { tracker } = start();
    for (let index = 0; index < 10; index++) await tracker.track(`j${index}`, { what: 'analysis' });
    while (script.asked.length < 10) await nextTurn();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(script.asked.length, 10);
    assert.equal(clock.waits.length, 1);
    assert.equal(tracker.jobs.length, 10);
  });

  it('asks at once about a job that comes while it waits for another', async () => {
    script.on('slow', running(1)).on('quick', done);
    clock.held = true;
    const { tracker } = start();
    await tracker.track('slow', { what: 'analysis' });
    while (clock.waits.length < 1) await nextTurn();
    const end = nextEnd(tracker);
    await tracker.track('quick', { what: 'analysis' });
    assert.equal((await end).jobId, 'quick');
    assert.deepEqual(script.asked, ['slow', 'quick']);
  });

  it('follows an analysis and its masks apart', async () => {
    script.on('j', running(50)).on('j/masks', { status: 'SUCCEEDED', masksZipUrl: 'https://x.test/m' });
    clock.held = true;
    const { tracker } = start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await tracker.track('j', { what: 'masks' });
    assert.equal((await end).what, 'masks');
    assert.deepEqual(
      tracker.jobs.map(({ what }) => what),
      ['analysis'],
    );
  });

  it('tells why a job failed', async () => {
    script.on('j', { status: 'FAILED', percentageCompleted: 30, reason: 'a.tif is unreadable' });
    const { tracker } = start();
    const job = await tracker.waitFor('j');
    assert.deepEqual([job.phase, job.reason, job.percentageCompleted], ['failed', 'a.tif is unreadable', 30]);
  });

  it('takes the name of the service where we gave none', async () => {
    script.on('j', { ...(done as object), name: 'theirs' });
    assert.equal((await start().tracker.waitFor('j')).name, 'theirs');
  });

  it('waits for the links of a job that has succeeded', async () => {
    const finishing: Step = { status: 'SUCCEEDED', percentageCompleted: 100 };
    script.on('j', finishing, finishing, done);
    const { tracker, changes } = start();
    await tracker.track('j', { what: 'analysis' });
    const job = await tracker.waitFor('j');
    assert.equal(job.phase, 'succeeded');
    assert.deepEqual(
      changes.map(({ phase }) => phase),
      ['finishing', 'succeeded'],
    );
  });

  it('does not wait for ever for links', async () => {
    script.on('j', { status: 'SUCCEEDED', percentageCompleted: 100 });
    const { tracker } = start();
    const job = await tracker.waitFor('j');
    assert.deepEqual([job.phase, job.status], ['failed', 'SUCCEEDED']);
    assert.match(job.reason ?? '', /results did not appear/);
    assert.ok(clock.time - 1_000_000 >= 300_000);
  });

  it('is content with one of two links in the end', async () => {
    script.on('j', { status: 'SUCCEEDED', objectsDataCSVUrl: links.objectsDataCSVUrl });
    assert.equal((await start().tracker.waitFor('j')).phase, 'succeeded');
  });

  for (const error of [
    new CodedError('network', 'gone'),
    new CodedError('timeout', 'late'),
    new CodedError('service-error', 'down'),
    new CodedError('unexpected-response', 'riddle'),
    new Error('a bug'),
  ]) {
    it(`does not end a job for "${error.message}"`, async () => {
      script.on('j', running(10), error, error, error, error, error, running(10), done);
      const { tracker, changes } = start();
      const end = nextEnd(tracker);
      await tracker.track('j', { what: 'analysis' });
      assert.equal((await end).phase, 'succeeded');
      assert.deepEqual(
        changes.map(({ unreachable }) => unreachable),
        [undefined, true, undefined, undefined],
      );
    });
  }

  it('waits as long as the service asks', async () => {
    script.on('j', running(1), new CodedError('rate-limited', 'slow down', { retryAfter: 90 }), done);
    const { tracker } = start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.deepEqual(clock.waits, [2000, 90_000]);
  });

  it('gives a job up that the service repeatedly does not know', async () => {
    const gone = new CodedError('not-found', 'no such job');
    script.on('j', running(1), gone, gone, gone, done);
    const { tracker } = start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    const job = await end;
    assert.equal(job.phase, 'failed');
    assert.match(job.reason ?? '', /does not know/);
  });

  it('does not give a job up that was missing for a moment', async () => {
    const gone = new CodedError('not-found', 'no such job');
    script.on('j', gone, gone, running(1), gone, gone, done);
    const { tracker } = start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    assert.equal((await end).phase, 'succeeded');
  });

  it('pauses when the key is refused, tells so once, and goes on when asked', async () => {
    const refused = new CodedError('invalid-key', 'no');
    script.on('a', running(1), refused, done).on('b', running(1), refused, done);
    const { tracker, ends } = start();
    const pauses: CodedError[] = [];
    const paused = new Promise<void>(resolve => tracker.onDidPause(error => (pauses.push(error), resolve())));
    await tracker.track('a', { what: 'analysis' });
    await tracker.track('b', { what: 'analysis' });
    await paused;
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    const asked = script.asked.length;
    assert.deepEqual(
      pauses.map(({ code }) => code),
      ['invalid-key'],
    );
    assert.deepEqual([ends.length, tracker.jobs.length, pending().length], [0, 2, 2]);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(script.asked.length, asked);

    await tracker.resume();
    while (ends.length < 2) await nextTurn();
    assert.equal(pauses.length, 1);
  });

  it('does not leave who waits alone with a refused key', async () => {
    script.on('j', running(1), new CodedError('invalid-key', 'no'));
    await assert.rejects(start().tracker.waitFor('j'), error => isCoded(error, 'invalid-key'));
  });

  describe('over a reload', () => {
    it('keeps the jobs that have not ended, and forgets those that have', async () => {
      script.on('a', running(1)).on('b', done);
      clock.held = true;
      const { tracker } = start();
      await tracker.track('a', { name: 'plate', what: 'analysis' });
      const end = nextEnd(tracker);
      await tracker.track('b', { what: 'analysis' });
      await end;
      while (pending().length !== 1) await nextTurn();
      assert.deepEqual(pending(), [{ jobId: 'a', what: 'analysis', name: 'plate', startedAt: 1_000_000 }]);
      tracker.dispose();

      clock.held = false;
      script.on('a', done);
      const later = start();
      const news = nextEnd(later.tracker);
      await later.tracker.resume();
      assert.deepEqual([(await news).name, (await news).startedAt], ['plate', 1_000_000]);
      while (pending().length > 0) await nextTurn();
    });

    it('leaves what another window tracks in the state', async () => {
      script.on('mine', done).on('theirs', running(1));
      clock.held = true;
      const there = start();
      await there.tracker.track('theirs', { what: 'analysis' });
      await start().tracker.waitFor('mine');
      const here = start();
      script.on('mine', running(1), done);
      clock.held = false;
      await here.tracker.waitFor('mine');
      while (pending().length !== 1) await nextTurn();
      assert.deepEqual(
        pending().map(({ jobId }) => jobId),
        ['theirs'],
      );
    });

    it('passes over what is damaged in the state', async () => {
      state.values.set(
        'jobs',
        JSON.stringify([null, 7, { jobId: 1 }, { jobId: 'x', what: 'other', startedAt: 1 }]),
      );
      const { tracker } = start();
      await tracker.resume();
      assert.deepEqual(tracker.jobs, []);
    });

    it('follows a job although it cannot be written down', async () => {
      script.on('j', running(1), done);
      state.failing = true;
      assert.equal((await start().tracker.waitFor('j')).phase, 'succeeded');
    });
  });

  describe('when somebody waits for a job', () => {
    it('asks once about one that ended long ago, and does not follow it', async () => {
      script.on('j', done);
      const { tracker, changes, ends } = start();
      assert.equal((await tracker.waitFor('j')).phase, 'succeeded');
      assert.deepEqual([changes, ends, script.asked, state.writes], [[], [], ['j'], 0]);
    });

    it('follows one that runs', async () => {
      script.on('j/masks', running(1), running(2), { status: 'SUCCEEDED', masksZipUrl: 'https://x.test/m' });
      const { tracker, ends } = start();
      assert.equal((await tracker.waitFor('j', { masks: true })).what, 'masks');
      assert.equal(ends.length, 1);
    });

    it('says that there is no such job', async () => {
      await assert.rejects(start().tracker.waitFor('nobody'), error => isCoded(error, 'not-found'));
    });

    it('lets go when it is cancelled, while the job goes on', async () => {
      script.on('j', running(1));
      clock.held = true;
      const { tracker } = start();
      await tracker.track('j', { what: 'analysis' });
      const controller = new AbortController();
      const waiting = tracker.waitFor('j', {}, controller.signal);
      controller.abort();
      await assert.rejects(waiting, error => isCoded(error, 'cancelled'));
      assert.equal(tracker.jobs.length, 1);
      await assert.rejects(tracker.waitFor('j', {}, controller.signal), error => isCoded(error, 'cancelled'));
    });

    it('tells all who wait', async () => {
      script.on('j', running(1), running(2), running(3), done);
      const { tracker } = start();
      const [one, other] = await Promise.all([tracker.waitFor('j'), tracker.waitFor('j')]);
      assert.deepEqual([one.phase, other.phase], ['succeeded', 'succeeded']);
    });

    it('tells them when the job is no longer followed, or the tracker ends', async () => {
      script.on('a', running(1)).on('b', running(1));
      clock.held = true;
      const { tracker } = start();
      for (const id of ['a', 'b']) await tracker.track(id, { what: 'analysis' });
      const waiting = ['a', 'b'].map(id => tracker.waitFor(id).catch((error: unknown) => error));
      await tracker.stopTracking('a');
      assert.deepEqual(
        pending().map(({ jobId }) => jobId),
        ['b'],
      );
      tracker.dispose();
      for (const error of await Promise.all(waiting)) assert.ok(isCoded(error, 'cancelled'));
      // What is pending stays written down for the next session.
      assert.deepEqual(
        pending().map(({ jobId }) => jobId),
        ['b'],
      );
    });
  });

  it('ignores an answer that comes after the end', async () => {
    script.on('j', done);
    const { tracker, ends } = start();
    await tracker.track('j', { what: 'analysis' });
    tracker.dispose();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.deepEqual(ends, []);
  });

  it('is not disturbed by a listener that throws', async () => {
    script.on('j', running(1), done);
    const { tracker } = start();
    tracker.onDidChange(() => {
      throw new Error('a bug elsewhere');
    });
    assert.equal((await tracker.waitFor('j')).phase, 'succeeded');
  });
});
