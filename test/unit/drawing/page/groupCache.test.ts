import { deepEqual, equal, rejects } from 'node:assert/strict';
import { GroupCache } from '../../../../src/drawing/page/plotCaches';

describe('groups of all rows', () => {
  it('are requested once for the same columns, until the table changes or a request fails', async () => {
    const requests: number[][] = [];
    let fails = false;
    const cache = new GroupCache({
      allGroups: ({ by }) => {
        requests.push(by);
        return fails ? Promise.reject(new Error('No')) : Promise.resolve({ groups: [], total: by.length });
      },
    });
    const first = cache.get({ by: [1], measures: [] });
    equal(cache.get({ by: [1], measures: [] }), first);
    await cache.get({ by: [2], measures: [] });
    deepEqual(requests, [[1], [2]]);
    cache.clear();
    fails = true;
    await rejects(cache.get({ by: [1], measures: [] }));
    fails = false;
    equal((await cache.get({ by: [1], measures: [] })).total, 1);
    deepEqual(requests, [[1], [2], [1], [1]]);
  });
});
