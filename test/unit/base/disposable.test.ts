import * as assert from 'node:assert/strict';
import { DisposableStore, toDisposable } from '../../../src/base/disposable';

describe('A store of disposables', () => {
  it('disposes in the reverse order of adding, once', () => {
    const released: string[] = [];
    const store = new DisposableStore();
    for (const name of ['first', 'second']) store.add(toDisposable(() => released.push(name)));
    store.dispose();
    store.dispose();
    assert.deepEqual(released, ['second', 'first']);
  });

  it('disposes at once what is added after its end', () => {
    const store = new DisposableStore();
    store.dispose();
    let released = false;
    store.add(toDisposable(() => (released = true)));
    assert.equal(released, true);
  });
});
