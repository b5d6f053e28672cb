import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mock } from 'node:test';
import { LaterScript } from '../../../../src/pages/page/laterScript';

/** A script whose attempts end as the test says, with what was logged. */
function script() {
  const attempts: { resolve: (parts: string) => void; reject: (error: Error) => void }[] = [];
  const logged: string[] = [];
  const later = new LaterScript<string>({
    request: attempt => {
      equal(attempt, attempts.length);
      return new Promise((resolve, reject) => attempts.push({ resolve, reject }));
    },
    onFailure: error => logged.push(String(error)),
  });
  return { later, attempts, logged };
}

describe('A script that comes later', () => {
  it('is requested once, however many wait for it', async () => {
    const { later, attempts, logged } = script();
    later.begin();
    const both = Promise.all([later.load(), later.load()]);
    equal(later.parts.value, undefined);
    attempts[0]?.resolve('parts');
    deepEqual(await both, ['parts', 'parts']);
    equal(later.parts.value, 'parts');
    equal(await later.load(), 'parts');
    deepEqual([attempts.length, logged.length, later.hasFailed.value], [1, 0, false]);
  });

  it('is requested anew after it has failed, and then no longer counts as failed', async () => {
    const { later, attempts, logged } = script();
    const first = later.load();
    attempts[0]?.reject(new Error('cut off'));
    await rejects(first, /cut off/);
    deepEqual([later.hasFailed.value, logged], [true, ['Error: cut off']]);
    const second = later.load();
    equal(later.hasFailed.value, false);
    attempts[1]?.resolve('parts');
    equal(await second, 'parts');
    equal(later.parts.value, 'parts');
  });

  it('has failed where it never comes', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { later, attempts } = script();
      const first = later.load();
      mock.timers.tick(60_000);
      await rejects(first, /not come/);
      equal(later.hasFailed.value, true);
      later.begin();
      equal(attempts.length, 2);
    } finally {
      mock.timers.reset();
    }
  });
});
