import * as assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event';

describe('An event', () => {
  it('reaches every listener although one of them throws', () => {
    const failures: unknown[] = [];
    const emitter = new Emitter<number>(error => failures.push(error));
    const heard: number[] = [];
    emitter.event(() => {
      throw new Error('mine');
    });
    emitter.event(value => heard.push(value));
    emitter.fire(7);
    assert.deepEqual(heard, [7]);
    assert.equal(failures.length, 1);
  });

  it('treats each subscription of the same function separately', () => {
    const emitter = new Emitter<void>();
    let calls = 0;
    const listener = () => (calls += 1);
    const first = emitter.event(listener);
    emitter.event(listener);
    first.dispose();
    emitter.fire();
    assert.equal(calls, 1);
  });

  it('removes its listeners when it is disposed', () => {
    const emitter = new Emitter<void>();
    let calls = 0;
    emitter.event(() => (calls += 1));
    emitter.dispose();
    emitter.fire();
    assert.equal(calls, 0);
  });
});
