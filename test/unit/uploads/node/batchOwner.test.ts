import * as assert from 'node:assert/strict';
import { thisProcess } from '../../../../src/base/node/thisProcess';
import { hasOwner } from '../../../../src/uploads/node/uploadBatches';

type ClaimPhase = Parameters<typeof hasOwner>[0]['phase'];

const now = 1_000_000_000;
const here = {
  session: 'mine',
  pid: 1,
  host: 'here',
  bootedAt: now - 3_600_000,
  isRunning: (pid: number) => pid < 10,
};
const claim = (pid: number, phase: ClaimPhase = 'sending', host = 'here', session = 'other') => ({
  owner: { session, pid, host },
  phase,
});

describe('The owner of an upload', () => {
  it('is a process that runs and was heard of within a minute', () => {
    assert.equal(hasOwner(claim(2), now - 59_000, here, now), true);
    assert.equal(hasOwner(claim(2), now - 61_000, here, now), false);
    assert.equal(hasOwner(claim(20), now, here, now), false);
  });

  it('needs no heartbeat while it only shows an offer', () => {
    assert.equal(hasOwner(claim(2, 'offering'), now - 3_000_000, here, now), true);
    assert.equal(hasOwner(claim(20, 'offering'), now, here, now), false);
  });

  it('is no window once it was released', () => {
    assert.equal(hasOwner(claim(2, 'released'), now, here, now), false);
  });

  it('is no window where the machine has started since, or the process number is ours now', () => {
    assert.equal(hasOwner(claim(2, 'offering'), now - 3_700_000, here, now), false);
    assert.equal(hasOwner(claim(1, 'offering'), now, here, now), false);
    assert.equal(
      hasOwner(claim(1, 'sending', 'here', 'mine'), now - 3_700_000, here, now),
      true,
      'that is us',
    );
  });

  it('on another machine is known by its heartbeat alone', () => {
    assert.equal(hasOwner(claim(20, 'sending', 'there'), now - 59_000, here, now), true);
    assert.equal(hasOwner(claim(2, 'sending', 'there'), now - 61_000, here, now), false);
  });

  it('of a machine with the same ID that started by itself is known by its heartbeat alone', () => {
    const clone = (writtenAt: number, phase?: ClaimPhase) =>
      hasOwner({ ...claim(20, phase), owner: { ...claim(20).owner, boot: 'its own' } }, writtenAt, here, now);
    assert.equal(clone(now - 59_000), true);
    assert.equal(clone(now - 59_000, 'offering'), true);
    assert.equal(clone(now - 61_000, 'offering'), false);
    assert.equal(clone(here.bootedAt - 11_000), false, 'this machine before it started again');
  });

  it('can be this process', async () => {
    const ours = await thisProcess();
    assert.equal(ours.isRunning(process.pid), true);
    assert.equal(ours.isRunning(2 ** 30), false);
    assert.ok(ours.bootedAt < Date.now());
  });
});
