import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { done, nextEnd, running, TrackerFixture } from './trackerFixture';

describe('The job tracker after a reload', () => {
  let fixture: TrackerFixture;

  beforeEach(() => {
    fixture = new TrackerFixture();
  });

  afterEach(() => fixture.end());

  it('knows who requested a job, even one first seen in a list', async () => {
    fixture.script.on('j', running(1));
    fixture.clock.stopped = true;
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

  it('resumes the jobs that have not ended, and forgets those that have', async () => {
    fixture.script.on('a', running(1)).on('b', done);
    fixture.clock.stopped = true;
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('b', { what: 'analysis', by: 'person' });
    await end;
    await tracker.track('a', { name: 'plate', what: 'analysis', by: 'person' });
    while (fixture.pending().length !== 1) await nextTurn();
    assert.deepEqual(fixture.pending(), [
      { jobId: 'a', what: 'analysis', name: 'plate', startedAt: 1_000_000, by: 'person' },
    ]);
    tracker.dispose();

    fixture.clock.stopped = false;
    fixture.script.on('a', done);
    const later = fixture.start();
    const news = nextEnd(later.tracker);
    await later.tracker.resume();
    assert.deepEqual([(await news).name, (await news).startedAt], ['plate', 1_000_000]);
    while (fixture.pending().length > 0) await nextTurn();
  });

  it('keeps what another window tracks in the state', async () => {
    fixture.script.on('mine', done).on('theirs', running(1));
    fixture.clock.stopped = true;
    const there = fixture.start();
    await there.tracker.track('theirs', { what: 'analysis', by: 'program' });
    await fixture.start().tracker.waitFor('mine');
    const here = fixture.start();
    fixture.script.on('mine', running(1), done);
    fixture.clock.stopped = false;
    await here.tracker.waitFor('mine');
    while (fixture.pending().length !== 1) await nextTurn();
    assert.deepEqual(
      fixture.pending().map(({ jobId }) => jobId),
      ['theirs'],
    );
  });

  it('ignores what is damaged', async () => {
    const texts = ['', '[1, 2', 'null', '7', '{"jobId":1}', '{"jobId":"x","what":"other","startedAt":1}'];
    texts.forEach((text, index) => fixture.files.texts.set(`${index}.json`, text));
    fixture.state.values.set('jobs', JSON.stringify([null, 7, { jobId: 1 }]));
    const { tracker } = fixture.start();
    await tracker.resume();
    assert.deepEqual(tracker.jobs, []);
  });

  it('moves the list of older versions once, without jobs that were not requested from here', async () => {
    const listed = { jobId: 'listed', what: 'analysis', startedAt: 1 };
    const requested = { jobId: 'requested', what: 'analysis', startedAt: 1, by: 'person' };
    fixture.state.values.set('jobs', JSON.stringify([listed, requested]));
    fixture.script.on('requested', running(1)).on('new', running(1));
    fixture.clock.stopped = true;
    const { tracker } = fixture.start();
    await tracker.resume();
    assert.deepEqual(
      tracker.jobs.map(({ jobId }) => jobId),
      ['requested'],
    );
    await tracker.track('new', { what: 'analysis', by: 'person' });
    assert.deepEqual(
      fixture.pending().map(({ jobId }) => jobId),
      ['requested', 'new'],
    );
    await fixture.start().tracker.resume();
    assert.deepEqual([fixture.state.values.get('jobs'), fixture.state.writes], ['[]', 1]);
  });

  it('has all jobs that two windows add and remove at the same moment', async () => {
    const [one, two] = [fixture.start().tracker, fixture.start().tracker];
    fixture.clock.stopped = true;
    const ids = Array.from({ length: 20 }, (_, index) => `job ${index}`);
    for (const id of ids) fixture.script.on(id, running(1));
    await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? one : two).track(id, { what: 'analysis', by: 'person' })),
    );
    assert.deepEqual(new Set(fixture.pending().map(({ jobId }) => jobId)), new Set(ids));
  });

  it('stores no jobs that were not requested from here', async () => {
    fixture.script.on('j', running(1));
    fixture.clock.stopped = true;
    const { tracker } = fixture.start();
    await tracker.track('j', { what: 'analysis' });
    assert.deepEqual(fixture.pending(), []);
  });

  it("tracks a job even when it can't be stored", async () => {
    fixture.script.on('j', running(1), done);
    fixture.files.failing = true;
    assert.equal((await fixture.start().tracker.waitFor('j')).phase, 'succeeded');
  });
});
