import * as assert from 'node:assert/strict';
import { RecentReads } from '../../../../src/accounts/node/accountKeys';

describe('What was read recently', () => {
  let now: number;
  let reads: number;
  let recent: RecentReads<string>;

  beforeEach(() => {
    now = 0;
    reads = 0;
    recent = new RecentReads(
      key => Promise.resolve(`${key} ${(reads += 1)}`),
      1000,
      () => now,
    );
  });

  it('is not read again until it is too old', async () => {
    assert.equal(await recent.get('a'), 'a 1');
    now = 999;
    assert.equal(await recent.get('a'), 'a 1');
    now = 1000;
    assert.equal(await recent.get('a'), 'a 2');
    assert.equal(await recent.get('b'), 'b 3');
  });

  it('is read again once it has changed', async () => {
    await recent.get('a');
    recent.clear();
    assert.equal(await recent.get('a'), 'a 2');
  });

  it('is read again where it changed while it was being read', async () => {
    const reading = recent.get('a');
    recent.clear();
    assert.equal(await reading, 'a 1');
    assert.equal(await recent.get('a'), 'a 2');
  });
});
