import { deepEqual, equal, rejects } from 'node:assert/strict';
import { unlessRunning } from '../../../src/base/unlessRunning';

describe('Work that is done once at a time', () => {
  it('is not begun a second time while it is being done, and again after it', async () => {
    const ends: ((made: string) => void)[] = [];
    const create = unlessRunning(() => new Promise<string>(resolve => ends.push(resolve)));
    const first = create();
    equal(await create(), undefined);
    ends[0]?.('image');
    equal(await first, 'image');
    const second = create();
    ends[1]?.('again');
    deepEqual([await second, ends.length], ['again', 2]);
  });

  it('can be begun again after it failed', async () => {
    let calls = 0;
    const fail = unlessRunning(() => Promise.reject(new Error(`failure ${++calls}`)));
    await rejects(fail(), /failure 1/);
    await rejects(fail(), /failure 2/);
  });
});
