import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { done, nextEnd, running, TrackerFixture } from './trackerFixture';

describe('the job tracker over a reload', () => {
  let fixture: TrackerFixture;

  beforeEach(() => {
    fixture = new TrackerFixture();
  });

  afterEach(() => fixture.end());

  it('knows over a reload who asked for a job, also one that was only seen in a list before', async () => {
    fixture.script.on('j', running(1));
    fixture.clock.held = true;
    const { tracker } = fixture.start();
    await tracker.track('j', { what: 'analysis' });
    await tracker.track('j', { what: 'analysis', by: 'person' });
    await tracker.track('j', { what: 'analysis' });
    tracker.dispose();
    fixture.script.on('j', done);
    const later = fixture.start();
    const end = nextEnd(later.tracker);
    await later.tracker.resume();
    assert.equal((await end).by, 'person');
  });

  it('keeps the jobs that have not ended, and forgets those that have', async () => {
    fixture.script.on('a', running(1)).on('b', done);
    fixture.clock.held = true;
    const { tracker } = fixture.start();
    await tracker.track('a', { name: 'plate', what: 'analysis' });
    const end = nextEnd(tracker);
    await tracker.track('b', { what: 'analysis' });
    await end;
    while (fixture.pending().length !== 1) await nextTurn();
    assert.deepEqual(fixture.pending(), [
      { jobId: 'a', what: 'analysis', name: 'plate', startedAt: 1_000_000 },
    ]);
    tracker.dispose();

    fixture.clock.held = false;
    fixture.script.on('a', done);
    const later = fixture.start();
    const news = nextEnd(later.tracker);
    await later.tracker.resume();
    assert.deepEqual([(await news).name, (await news).startedAt], ['plate', 1_000_000]);
    while (fixture.pending().length > 0) await nextTurn();
  });

  it('leaves what another window tracks in the state', async () => {
    fixture.script.on('mine', done).on('theirs', running(1));
    fixture.clock.held = true;
    const there = fixture.start();
    await there.tracker.track('theirs', { what: 'analysis' });
    await fixture.start().tracker.waitFor('mine');
    const here = fixture.start();
    fixture.script.on('mine', running(1), done);
    fixture.clock.held = false;
    await here.tracker.waitFor('mine');
    while (fixture.pending().length !== 1) await nextTurn();
    assert.deepEqual(
      fixture.pending().map(({ jobId }) => jobId),
      ['theirs'],
    );
  });

  it('passes over what is damaged in the state', async () => {
    fixture.state.values.set(
      'jobs',
      JSON.stringify([null, 7, { jobId: 1 }, { jobId: 'x', what: 'other', startedAt: 1 }]),
    );
    const { tracker } = fixture.start();
    await tracker.resume();
    assert.deepEqual(tracker.jobs, []);
  });

  it('follows a job although it cannot be written down', async () => {
    fixture.script.on('j', running(1), done);
    fixture.state.failing = true;
    assert.equal((await fixture.start().tracker.waitFor('j')).phase, 'succeeded');
  });
});
