import * as assert from 'node:assert/strict';
import { isCoded } from '../../../src/base/errors';
import { done, running, TrackerFixture } from './trackerFixture';

describe('the job tracker when somebody waits for a job', () => {
  let fixture: TrackerFixture;

  beforeEach(() => {
    fixture = new TrackerFixture();
  });

  afterEach(() => fixture.end());

  it('asks once about one that ended long ago, and does not follow it', async () => {
    fixture.script.on('j', done);
    const { tracker, changes, ends } = fixture.start();
    assert.equal((await tracker.waitFor('j')).phase, 'succeeded');
    assert.deepEqual([changes, ends, fixture.script.asked, fixture.state.writes], [[], [], ['j'], 0]);
  });

  it('follows one that runs', async () => {
    fixture.script.on('j/masks', running(1), running(2), {
      status: 'SUCCEEDED',
      masksZipUrl: 'https://x.test/m',
    });
    const { tracker, ends } = fixture.start();
    assert.equal((await tracker.waitFor('j', { masks: true })).what, 'masks');
    assert.equal(ends.length, 1);
  });

  it('says that there is no such job', async () => {
    await assert.rejects(fixture.start().tracker.waitFor('nobody'), error => isCoded(error, 'not-found'));
  });

  it('lets go when it is cancelled, while the job goes on', async () => {
    fixture.script.on('j', running(1));
    fixture.clock.held = true;
    const { tracker } = fixture.start();
    await tracker.track('j', { what: 'analysis' });
    const controller = new AbortController();
    const waiting = tracker.waitFor('j', {}, controller.signal);
    controller.abort();
    await assert.rejects(waiting, error => isCoded(error, 'cancelled'));
    assert.equal(tracker.jobs.length, 1);
    await assert.rejects(tracker.waitFor('j', {}, controller.signal), error => isCoded(error, 'cancelled'));
  });

  it('tells all who wait', async () => {
    fixture.script.on('j', running(1), running(2), running(3), done);
    const { tracker } = fixture.start();
    const [one, other] = await Promise.all([tracker.waitFor('j'), tracker.waitFor('j')]);
    assert.deepEqual([one.phase, other.phase], ['succeeded', 'succeeded']);
  });

  it('tells them when the job is no longer followed, or the tracker ends', async () => {
    fixture.script.on('a', running(1)).on('b', running(1));
    fixture.clock.held = true;
    const { tracker } = fixture.start();
    for (const id of ['a', 'b']) await tracker.track(id, { what: 'analysis' });
    const waiting = ['a', 'b'].map(id => tracker.waitFor(id).catch((error: unknown) => error));
    await tracker.stopTracking('a');
    assert.deepEqual(
      fixture.pending().map(({ jobId }) => jobId),
      ['b'],
    );
    tracker.dispose();
    for (const error of await Promise.all(waiting)) assert.ok(isCoded(error, 'cancelled'));
    // What is pending stays written down for the next session.
    assert.deepEqual(
      fixture.pending().map(({ jobId }) => jobId),
      ['b'],
    );
  });
});
