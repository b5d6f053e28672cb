import * as assert from 'node:assert/strict';
import { DisposableStore, toDisposable } from '../../../src/base/disposable';

describe('A store of disposables', () => {
  it('releases in the reverse order of arrival, once', () => {
    const released: string[] = [];
    const store = new DisposableStore();
    for (const name of ['first', 'second']) store.add(toDisposable(() => released.push(name)));
    store.dispose();
    store.dispose();
    assert.deepEqual(released, ['second', 'first']);
  });

  it('releases what arrives after its end at once', () => {
    const store = new DisposableStore();
    store.dispose();
    let released = false;
    store.add(toDisposable(() => (released = true)));
    assert.equal(released, true);
  });
});
