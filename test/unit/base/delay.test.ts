import * as assert from 'node:assert/strict';
import { delay } from '../../../src/base/waiting';
import { isCoded } from '../../../src/base/errors';

describe('A delay', () => {
  it('ends at once when it is canceled', async () => {
    const controller = new AbortController();
    const waiting = delay(1_000_000, controller.signal);
    controller.abort();
    await assert.rejects(waiting, error => isCoded(error, 'cancelled'));
  });

  it('does not begin when it is canceled before', async () => {
    await assert.rejects(delay(1_000_000, AbortSignal.abort()), error => isCoded(error, 'cancelled'));
  });
});
