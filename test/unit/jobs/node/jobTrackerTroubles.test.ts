import * as assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { reason } from '../../../../src/base/reasons';
import { done, nextEnd, running, TrackerFixture } from './trackerFixture';

describe('The job tracker, when requests fail,', () => {
  let fixture: TrackerFixture;

  beforeEach(() => {
    fixture = new TrackerFixture();
  });

  afterEach(() => fixture.end());

  for (const error of [
    new CodedError('network', 'gone'),
    new CodedError('timeout', 'late'),
    new CodedError('service-error', 'down'),
    new CodedError('unexpected-response', 'riddle'),
    new Error('a bug'),
  ]) {
    it(`does not end a job after "${error.message}"`, async () => {
      fixture.script.on('j', running(10), error, error, error, error, error, running(10), done);
      const { tracker, changes } = fixture.start();
      const end = nextEnd(tracker);
      await tracker.track('j', { what: 'analysis' });
      assert.equal((await end).phase, 'succeeded');
      assert.deepEqual(
        changes.map(({ unreachable }) => unreachable),
        [undefined, true, undefined, undefined],
      );
    });
  }

  it('waits as long as Retry-After says', async () => {
    fixture.script.on('j', running(1), new CodedError('rate-limited', 'slow down', { retryAfter: 90 }), done);
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    await end;
    assert.deepEqual(fixture.clock.waits, [2000, 90_000]);
  });

  it("fails a job that the service repeatedly can't find", async () => {
    const gone = new CodedError('not-found', 'no such job');
    fixture.script.on('j', running(1), gone, gone, gone, done);
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    const job = await end;
    assert.equal(job.phase, 'failed');
    assert.deepEqual(job.reason, reason("The service doesn't know this job"));
  });

  it('fails a job that the service repeatedly refuses, with the status', async () => {
    const refused = new CodedError('bad-request', 'no', { status: 403 });
    fixture.script.on('j', refused);
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    assert.deepEqual((await end).reason, reason('The service returned status {0}', 403));
  });

  it('does not fail a job that was missing for a moment', async () => {
    const gone = new CodedError('not-found', 'no such job');
    fixture.script.on('j', gone, gone, running(1), gone, gone, done);
    const { tracker } = fixture.start();
    const end = nextEnd(tracker);
    await tracker.track('j', { what: 'analysis' });
    assert.equal((await end).phase, 'succeeded');
  });

  it('pauses when the key is rejected, reports it once, and resumes on request', async () => {
    const refused = new CodedError('invalid-key', 'no');
    fixture.script.on('a', running(1), refused, done).on('b', running(1), refused, done);
    const { tracker, ends } = fixture.start();
    const pauses: CodedError[] = [];
    const paused = new Promise<void>(resolve => tracker.onDidPause(error => (pauses.push(error), resolve())));
    await tracker.track('a', { what: 'analysis', by: 'person' });
    await tracker.track('b', { what: 'analysis', by: 'program' });
    await paused;
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    const polled = fixture.script.polled.length;
    assert.deepEqual(
      pauses.map(({ code }) => code),
      ['invalid-key'],
    );
    assert.deepEqual([ends.length, tracker.jobs.length, fixture.pending().length], [0, 2, 2]);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(fixture.script.polled.length, polled);

    await tracker.resume();
    while (ends.length < 2) await nextTurn();
    assert.equal(pauses.length, 1);
  });

  it('rejects the wait for a job when the key is rejected', async () => {
    fixture.script.on('j', running(1), new CodedError('invalid-key', 'no'));
    await assert.rejects(fixture.start().tracker.waitFor('j'), error => isCoded(error, 'invalid-key'));
  });
});
