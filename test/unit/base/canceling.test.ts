import * as assert from 'node:assert/strict';
import { Canceling } from '../../../src/base/canceling';
import { canceledError } from '../../../src/base/errors';
import { untilCanceled } from '../../../src/base/waiting';

describe('Canceling one of many tasks', () => {
  it('tells everybody who listens, once', () => {
    const canceling = new Canceling();
    const told: string[] = [];
    canceling.addEventListener('abort', () => told.push('first'));
    canceling.addEventListener('abort', () => told.push('second'));
    assert.equal(canceling.aborted, false);
    canceling.abort();
    canceling.abort();
    assert.deepEqual([canceling.aborted, told], [true, ['first', 'second']]);
  });

  it('tells nobody who has stopped listening, also while others are told', () => {
    const canceling = new Canceling();
    const told: string[] = [];
    const last = () => told.push('last');
    canceling.addEventListener('abort', () => {
      told.push('first');
      canceling.removeEventListener('abort', last);
    });
    canceling.addEventListener('abort', last);
    canceling.abort();
    assert.deepEqual(told, ['first']);
  });

  it('ends a wait as an AbortSignal does', async () => {
    const canceling = new Canceling();
    const waiting = untilCanceled(new Promise(() => undefined), canceling);
    canceling.abort();
    await assert.rejects(waiting, canceledError());
  });
});
