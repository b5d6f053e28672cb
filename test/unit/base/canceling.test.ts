import * as assert from 'node:assert/strict';
import { Canceling } from '../../../src/base/canceling';
import { canceledError } from '../../../src/base/errors';
import { untilCanceled } from '../../../src/base/waiting';

describe('Canceling one of many tasks', () => {
  it('tells everybody who listens, once', () => {
    const canceling = new Canceling();
    const events: string[] = [];
    canceling.addEventListener('abort', () => events.push('first'));
    canceling.addEventListener('abort', () => events.push('second'));
    assert.equal(canceling.aborted, false);
    canceling.abort();
    canceling.abort();
    assert.deepEqual([canceling.aborted, events], [true, ['first', 'second']]);
  });

  it('tells nobody who has stopped listening, also while others are told', () => {
    const canceling = new Canceling();
    const events: string[] = [];
    const last = () => events.push('last');
    canceling.addEventListener('abort', () => {
      events.push('first');
      canceling.removeEventListener('abort', last);
    });
    canceling.addEventListener('abort', last);
    canceling.abort();
    assert.deepEqual(events, ['first']);
  });

  it('ends a wait as an AbortSignal does', async () => {
    const canceling = new Canceling();
    const waiting = untilCanceled(new Promise(() => undefined), canceling);
    canceling.abort();
    await assert.rejects(waiting, canceledError());
  });
});
