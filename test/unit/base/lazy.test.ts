import * as assert from 'node:assert/strict';
import { Lazy } from '../../../src/base/lazy';

/** Something that counts how often it was disposed. */
class Made {
  disposals = 0;
  dispose(): void {
    this.disposals++;
  }
}

describe('Something that is made when it is needed', () => {
  it('is made once, and is known from then on', async () => {
    let makings = 0;
    const lazy = new Lazy(() => {
      makings++;
      return Promise.resolve(new Made());
    });
    assert.equal(lazy.value, undefined);
    const [first, second] = await Promise.all([lazy.get(), lazy.get()]);
    assert.equal(first, second);
    assert.equal(lazy.value, first);
    assert.equal(makings, 1);
  });

  it('is made anew where that failed', async () => {
    const attempts = [() => Promise.reject(new Error('no')), () => Promise.resolve(new Made())];
    const lazy = new Lazy<Made>(() => attempts.shift()?.() ?? Promise.reject(new Error('none left')));
    await assert.rejects(lazy.get(), /no/);
    assert.ok(await lazy.get());
  });

  it('is disposed with its owner, also where it was being made then', async () => {
    const lazy = new Lazy(() => Promise.resolve(new Made()));
    const made = lazy.get();
    lazy.dispose();
    assert.equal((await made).disposals, 1);
    const other = new Lazy(() => Promise.resolve(new Made()));
    const early = await other.get();
    other.dispose();
    assert.equal(early.disposals, 1);
  });
});
