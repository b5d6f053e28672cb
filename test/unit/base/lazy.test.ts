import * as assert from 'node:assert/strict';
import { Lazy } from '../../../src/base/disposable';

/** Counts how often it was disposed. */
class Counter {
  disposals = 0;
  dispose(): void {
    this.disposals++;
  }
}

describe('A lazy disposable', () => {
  it('is created once, on first use', async () => {
    let count = 0;
    const lazy = new Lazy(() => {
      count++;
      return Promise.resolve(new Counter());
    });
    assert.equal(lazy.value, undefined);
    const [first, second] = await Promise.all([lazy.get(), lazy.get()]);
    assert.equal(first, second);
    assert.equal(lazy.value, first);
    assert.equal(count, 1);
  });

  it('is created again after a failure', async () => {
    const attempts = [() => Promise.reject(new Error('no')), () => Promise.resolve(new Counter())];
    const lazy = new Lazy<Counter>(() => attempts.shift()?.() ?? Promise.reject(new Error('none left')));
    await assert.rejects(lazy.get(), /no/);
    assert.ok(await lazy.get());
  });

  it('is disposed by its owner, also if it is created later', async () => {
    const lazy = new Lazy(() => Promise.resolve(new Counter()));
    const created = lazy.get();
    lazy.dispose();
    assert.equal((await created).disposals, 1);
    const other = new Lazy(() => Promise.resolve(new Counter()));
    const early = await other.get();
    other.dispose();
    assert.equal(early.disposals, 1);
  });
});
