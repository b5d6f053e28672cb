import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { reason, quoted } from '../../../../src/base/reasons';
import { withMachineClock } from '../../machineClock';
import { done, links, nextEnd, running, TrackerFixture, type Step } from './trackerFixture';

describe('The job tracker', () => {
  let fixture: TrackerFixture;

  beforeEach(() => {
    fixture = new TrackerFixture();
  });

  afterEach(() => fixture.end());

  it('follows a job from its submit to its success', async () => {
    fixture.script.on('j', running(0), running(40), running(90), done);
    const { tracker, changes, ends } = fixture.start();
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
      results: { objects: true, aggregate: true },
    });
    assert.deepEqual(
      changes.map(({ percentageCompleted }) => percentageCompleted),
      [0, 40, 90, 100],
    );
    assert.equal(ends.length, 1);
    assert.deepEqual(tracker.jobs, []);
  });

  it('stores and reports no result link', async () => {
    fixture.script.on('j', { status: 'RUNNING', ...links }, done);
    const { tracker, changes } = fixture.start();
    await tracker.waitFor('j');
    assert.ok(!JSON.stringify([changes, [...fixture.state.values]]).includes('x.test'));
  });

  it('polls rarely once a job had no progress for half an hour, and often again after progress', async () => {
    fixture.script.on('j', ...Array.from({ length: 75 }, () => running(10)), running(20), done);
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.ok(fixture.clock.waits.includes(30_000));
    assert.equal(Math.max(...fixture.clock.waits), 300_000);
    assert.deepEqual(fixture.clock.waits.slice(-2), [300_000, 2000]);
    assert.equal(fixture.script.polled.length, 77);
  });

  it('polls at growing intervals while nothing changes, and often again after a change', async () => {
    const still = Array.from({ length: 10 }, () => running(10));
    fixture.script.on('j', ...still, running(20), running(20), done);
    const { tracker } = fixture.start(2);
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.deepEqual(
      fixture.clock.waits,
      [2000, 3000, 4500, 6750, 10125, 15187.5, 22781.25, 30000, 30000, 30000, 2000, 3000],
    );
  });

  it('never polls more often than the setting allows', async () => {
    fixture.script.on('j', running(1), running(1), running(1), done);
    const { tracker } = fixture.start(60);
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.deepEqual(fixture.clock.waits, [60_000, 60_000, 60_000]);
  });

  it('polls as often as before when the clock of the machine is set back', async () => {
    fixture.script.on('j', running(10));
    fixture.clock.stopped = true;
    await withMachineClock(async setBack => {
      const { tracker } = fixture.start(2, { ofMachine: true });
      const polled = new Promise(resolve => tracker.onDidChange(resolve));
      await tracker.track('j', { what: 'analysis' });
      await polled;
      setBack(3_600_000);
      tracker.setAttention('focused');
      await nextTurn();
    });
    assert.ok(fixture.clock.waits.length > 0);
    assert.ok(Math.max(...fixture.clock.waits) <= 3000, `${fixture.clock.waits.join(', ')} ms`);
  });

  it('has no timer while nothing is pending', async () => {
    fixture.script.on('j', done);
    const { tracker } = fixture.start();
    await tracker.resume();
    assert.deepEqual([fixture.clock.waits, fixture.script.polled], [[], []]);
    await tracker.waitFor('j');
    await nextTurn();
    assert.deepEqual(fixture.clock.waits, []);
    assert.deepEqual(fixture.script.polled, ['j']);
  });

  it('polls a job that is tracked at the moment when another ends', async () => {
    // The number of microtasks decides which state the loop is in.
    for (let microtasks = 0; microtasks < 10; microtasks++) {
      const first = `first ${microtasks}`;
      const second = `second ${microtasks}`;
      fixture.script.on(first, done).on(second, done);
      const { tracker, ends } = fixture.start();
      tracker.onDidEnd(async ({ jobId }) => {
        if (jobId !== first) return;
        for (let count = 0; count < microtasks; count++) await Promise.resolve();
        await tracker.track(second, { what: 'analysis' });
      });
      await tracker.track(first, { what: 'analysis' });
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      assert.deepEqual(
        ends.map(({ jobId }) => jobId),
        [first, second],
        `${microtasks} microtasks after the end`,
      );
    }
  });

  it('tracks an analysis and its masks separately', async () => {
    fixture.script
      .on('j', running(50))
      .on('j/masks', { status: 'SUCCEEDED', masksZipUrl: 'https://x.test/m' });
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await tracker.track('j', { what: 'masks' });
    assert.equal((await end).what, 'masks');
    assert.deepEqual(
      tracker.jobs.map(({ what }) => what),
      ['analysis'],
    );
  });

  it('reports why a job failed', async () => {
    fixture.script.on('j', { status: 'FAILED', percentageCompleted: 30, reason: 'a.tif is unreadable' });
    const { tracker } = fixture.start();
    const job = await tracker.waitFor('j');
    assert.deepEqual(
      [job.phase, job.reason, job.percentageCompleted],
      ['failed', quoted('a.tif is unreadable'), 30],
    );
  });

  it('cuts what the service says at great length, which windows tell each other', async () => {
    const long = '\u{1f52c}'.repeat(40_000);
    fixture.script.on('j', { status: `FAILED ${long}`, reason: long, name: long });
    const { tracker } = fixture.start();
    const job = await tracker.waitFor('j');
    for (const text of [job.name, job.status, job.reason?.args[0]]) {
      assert.match(String(text), /\u{1f52c}…$/u);
      assert.ok(String(text).length <= 10_000);
    }
    await tracker.track('k', { what: 'analysis', name: long });
    assert.equal(tracker.find({ jobId: 'k', what: 'analysis' })?.name?.length, 9_999);
    assert.ok(JSON.stringify(job).length < 100_000);
  });

  it("uses the service's name where none is given", async () => {
    fixture.script.on('j', { ...done, name: 'theirs' });
    assert.equal((await fixture.start().tracker.waitFor('j')).name, 'theirs');
  });

  it('waits for the links of a job that has succeeded', async () => {
    const finishing: Step = { status: 'SUCCEEDED', percentageCompleted: 100 };
    fixture.script.on('j', finishing, finishing, done);
    const { tracker, changes } = fixture.start();
    await tracker.track('j', { what: 'analysis' });
    const job = await tracker.waitFor('j');
    assert.equal(job.phase, 'succeeded');
    assert.deepEqual(
      changes.map(({ phase }) => phase),
      ['finishing', 'succeeded'],
    );
  });

  it('fails a job whose links never come', async () => {
    fixture.script.on('j', { status: 'SUCCEEDED', percentageCompleted: 100 });
    const { tracker } = fixture.start();
    const job = await tracker.waitFor('j');
    assert.deepEqual([job.phase, job.status], ['failed', 'SUCCEEDED']);
    assert.deepEqual(job.reason, reason("The job succeeded, but its results didn't appear"));
    assert.ok(fixture.clock.time - 1_000_000 >= 300_000);
  });

  it('accepts one of two links in the end', async () => {
    fixture.script.on('j', { status: 'SUCCEEDED', objectsDataCSVUrl: links.objectsDataCSVUrl });
    assert.equal((await fixture.start().tracker.waitFor('j')).phase, 'succeeded');
  });

  it('ignores a response that comes after it was disposed', async () => {
    const release = fixture.script.on('j', done).delayResponses('j');
    const { tracker, changes, ends } = fixture.start();
    await tracker.track('j', { what: 'analysis', by: 'person' });
    while (fixture.script.polled.length < 1) await nextTurn();
    tracker.dispose();
    release();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.deepEqual([changes, ends], [[], []]);
    // The next session reports its end.
    assert.deepEqual(
      fixture.pending().map(({ jobId }) => jobId),
      ['j'],
    );
  });

  it('continues when a listener throws', async () => {
    fixture.script.on('j', running(1), done);
    const { tracker } = fixture.start();
    tracker.onDidChange(() => {
      throw new Error('a bug elsewhere');
    });
    assert.equal((await tracker.waitFor('j')).phase, 'succeeded');
  });
});
