import assert from 'node:assert/strict';
import { EarlyOpening } from '../../../../src/session/node/contentState';

describe('content that is opened early', () => {
  it('is returned as it is when the page requests it', async () => {
    let rows = 256;
    const early = new EarlyOpening(() => Promise.resolve(rows));
    rows = 1_000_000;
    assert.equal(await early.opened(), 1_000_000);
  });

  it('is opened again only after the failure was reported', async () => {
    const attempts: string[] = [];
    const early = new EarlyOpening(() => {
      attempts.push('open');
      return attempts.length > 1 ? Promise.resolve('open') : Promise.reject(new Error('No'));
    });
    await assert.rejects(early.opened(), /No/);
    assert.equal(attempts.length, 1);
    assert.equal(await early.opened(), 'open');
  });
});
