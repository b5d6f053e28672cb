import * as assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { done, running, TrackerFixture } from './trackerFixture';

describe('Waiting for a job', () => {
  let fixture: TrackerFixture;

  beforeEach(() => {
    fixture = new TrackerFixture();
  });

  afterEach(() => fixture.end());

  it('requests a job that ended long ago once, and does not track it', async () => {
    fixture.script.on('j', done);
    const { tracker, changes, ends } = fixture.start();
    assert.equal((await tracker.waitFor('j')).phase, 'succeeded');
    assert.deepEqual([changes, ends, fixture.script.polled, fixture.state.writes], [[], [], ['j'], 0]);
  });

  it('tracks a running one to its end', async () => {
    fixture.script.on('j/masks', running(1), running(2), {
      status: 'SUCCEEDED',
      masksZipUrl: 'https://x.test/m',
    });
    const { tracker, ends } = fixture.start();
    assert.equal((await tracker.waitFor('j', { masks: true })).what, 'masks');
    assert.equal(ends.length, 1);
  });

  it('fails where there is no such job', async () => {
    await assert.rejects(fixture.start().tracker.waitFor('nobody'), error => isCoded(error, 'not-found'));
  });

  it('stops when it is canceled, while the job continues to be tracked', async () => {
    fixture.script.on('j', running(1));
    fixture.clock.stopped = true;
    const { tracker } = fixture.start();
    await tracker.track('j', { what: 'analysis' });
    const controller = new AbortController();
    const waiting = tracker.waitFor('j', {}, controller.signal);
    controller.abort();
    await assert.rejects(waiting, error => isCoded(error, 'cancelled'));
    assert.equal(tracker.jobs.length, 1);
    await assert.rejects(tracker.waitFor('j', {}, controller.signal), error => isCoded(error, 'cancelled'));
  });

  it('is canceled when a person stops following the job, which is not tracked after a reload either', async () => {
    fixture.script.on('j', running(1));
    fixture.clock.stopped = true;
    const { tracker } = fixture.start();
    await tracker.track('j', { what: 'analysis', by: 'person' });
    const waiting = tracker.waitFor('j');
    tracker.stop({ jobId: 'j', what: 'analysis' });
    tracker.stop({ jobId: 'j', what: 'analysis' });
    await assert.rejects(waiting, error => isCoded(error, 'cancelled'));
    const later = fixture.start();
    await later.tracker.resume();
    assert.deepEqual([tracker.jobs, later.tracker.jobs], [[], []]);
  });

  it('ends for every caller', async () => {
    fixture.script.on('j', running(1), running(2), running(3), done);
    const { tracker } = fixture.start();
    const [one, other] = await Promise.all([tracker.waitFor('j'), tracker.waitFor('j')]);
    assert.deepEqual([one.phase, other.phase], ['succeeded', 'succeeded']);
  });

  it('is canceled when the tracker is disposed', async () => {
    fixture.script.on('j', running(1));
    fixture.clock.stopped = true;
    const { tracker } = fixture.start();
    await tracker.track('j', { what: 'analysis', by: 'person' });
    const waiting = tracker.waitFor('j').catch((error: unknown) => error);
    tracker.dispose();
    assert.ok(isCoded(await waiting, 'cancelled'));
    // The next session resumes the job.
    assert.deepEqual(
      fixture.pending().map(({ jobId }) => jobId),
      ['j'],
    );
  });
});
