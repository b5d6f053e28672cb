import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { done, links, nextEnd, running, TrackerFixture, type Step } from './trackerFixture';

describe('the job tracker', () => {
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
    });
    assert.deepEqual(
      changes.map(({ percentageCompleted }) => percentageCompleted),
      [0, 40, 90, 100],
    );
    assert.equal(ends.length, 1);
    assert.deepEqual(tracker.jobs, []);
  });

  it('keeps no link of a result', async () => {
    fixture.script.on('j', { status: 'RUNNING', ...links }, done);
    const { tracker, changes } = fixture.start();
    await tracker.waitFor('j');
    assert.ok(!JSON.stringify([changes, [...fixture.state.values]]).includes('x.test'));
  });

  it('asks seldom about a job that has not moved for half an hour, and often again once it does', async () => {
    fixture.script.on('j', ...Array.from({ length: 75 }, () => running(10)), running(20), done);
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.ok(fixture.clock.waits.includes(30_000));
    assert.equal(Math.max(...fixture.clock.waits), 300_000);
    assert.deepEqual(fixture.clock.waits.slice(-2), [300_000, 2000]);
    assert.equal(fixture.script.asked.length, 77);
  });

  it('asks less and less often while nothing moves, and often again when it does', async () => {
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

  it('never asks more often than the setting says', async () => {
    fixture.script.on('j', running(1), running(1), running(1), done);
    const { tracker } = fixture.start(60);
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.deepEqual(fixture.clock.waits, [60_000, 60_000, 60_000]);
  });

  it('has no timer while nothing is pending', async () => {
    fixture.script.on('j', done);
    const { tracker } = fixture.start();
    await tracker.resume();
    assert.deepEqual([fixture.clock.waits, fixture.script.asked], [[], []]);
    await tracker.waitFor('j');
    await nextTurn();
    assert.deepEqual(fixture.clock.waits, []);
    assert.deepEqual(fixture.script.asked, ['j']);
  });

  it('has one timer for many jobs', async () => {
    for (let index = 0; index < 10; index++) fixture.script.on(`j${index}`, running(1));
    fixture.clock.held = true;
    const { tracker } = fixture.start();
    for (let index = 0; index < 10; index++) await tracker.track(`j${index}`, { what: 'analysis' });
    while (fixture.script.asked.length < 10) await nextTurn();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(fixture.script.asked.length, 10);
    assert.equal(fixture.clock.waits.length, 1);
    assert.equal(tracker.jobs.length, 10);
  });

  it('asks at once about a job that comes while it waits for another', async () => {
    fixture.script.on('slow', running(1)).on('quick', done);
    fixture.clock.held = true;
    const { tracker } = fixture.start();
    await tracker.track('slow', { what: 'analysis' });
    while (fixture.clock.waits.length < 1) await nextTurn();
    const end = nextEnd(tracker);
    await tracker.track('quick', { what: 'analysis' });
    assert.equal((await end).jobId, 'quick');
    assert.deepEqual(fixture.script.asked, ['slow', 'quick']);
  });

  it('follows an analysis and its masks apart', async () => {
    fixture.script
      .on('j', running(50))
      .on('j/masks', { status: 'SUCCEEDED', masksZipUrl: 'https://x.test/m' });
    fixture.clock.held = true;
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

  it('tells why a job failed', async () => {
    fixture.script.on('j', { status: 'FAILED', percentageCompleted: 30, reason: 'a.tif is unreadable' });
    const { tracker } = fixture.start();
    const job = await tracker.waitFor('j');
    assert.deepEqual([job.phase, job.reason, job.percentageCompleted], ['failed', 'a.tif is unreadable', 30]);
  });

  it('takes the name of the service where we gave none', async () => {
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

  it('does not wait for ever for links', async () => {
    fixture.script.on('j', { status: 'SUCCEEDED', percentageCompleted: 100 });
    const { tracker } = fixture.start();
    const job = await tracker.waitFor('j');
    assert.deepEqual([job.phase, job.status], ['failed', 'SUCCEEDED']);
    assert.match(job.reason ?? '', /results did not appear/);
    assert.ok(fixture.clock.time - 1_000_000 >= 300_000);
  });

  it('is content with one of two links in the end', async () => {
    fixture.script.on('j', { status: 'SUCCEEDED', objectsDataCSVUrl: links.objectsDataCSVUrl });
    assert.equal((await fixture.start().tracker.waitFor('j')).phase, 'succeeded');
  });

  it('ignores an answer that comes after the end', async () => {
    fixture.script.on('j', done);
    const { tracker, ends } = fixture.start();
    await tracker.track('j', { what: 'analysis' });
    tracker.dispose();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.deepEqual(ends, []);
  });

  it('is not disturbed by a listener that throws', async () => {
    fixture.script.on('j', running(1), done);
    const { tracker } = fixture.start();
    tracker.onDidChange(() => {
      throw new Error('a bug elsewhere');
    });
    assert.equal((await tracker.waitFor('j')).phase, 'succeeded');
  });
});
