import * as assert from 'node:assert/strict';
import { loadUndici } from '../../../../../src/service/node/dispatchers';

const slots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')] as const;
const global = globalThis as unknown as Record<symbol, unknown>;

describe('Loading undici', () => {
  let dispatchers: unknown[] = [];
  before(async () => {
    // Node makes its own dispatcher once, at its first fetch: what is put back must be that one,
    // not its absence.
    await fetch('data:,');
    dispatchers = slots.map(slot => global[slot]);
  });
  after(() => slots.forEach((slot, index) => (global[slot] = dispatchers[index])));

  it('leaves the global dispatcher of other extensions in place', async () => {
    let calls = 0;
    const theirs = {
      dispatch() {
        calls += 1;
        throw new Error('their dispatcher was called');
      },
    };
    const [older, newer] = slots;
    // Nothing in the newer slot: undici takes over both when it finds that one empty.
    global[older] = theirs;
    global[newer] = undefined;

    const { Agent } = await loadUndici();

    assert.equal(typeof Agent, 'function');
    assert.equal(global[older], theirs);
    assert.equal(global[newer], undefined);
    // Node's own fetch still goes through the dispatcher that was there.
    await assert.rejects(fetch('http://127.0.0.1:54321/'));
    assert.equal(calls, 1);
  });

  it('does not replace a dispatcher that other code sets after the first load', async () => {
    const theirs = { dispatch: () => true };
    global[slots[1]] = theirs;
    await loadUndici();
    assert.equal(global[slots[1]], theirs);
  });
});
