import { reason } from '../../../../src/base/reasons';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { listAll } from '../../../../src/service/node/listAll';

describe('A list for a program', () => {
  const entries = Array.from({ length: 250 }, (_, index) => ({ id: String(index) }));
  let limits: (number | undefined)[];
  const list = ({ startingAfter, limit }: { startingAfter?: string; limit?: number }) => {
    limits.push(limit);
    const start = startingAfter === undefined ? 0 : Number(startingAfter) + 1;
    return Promise.resolve({ results: entries.slice(start, start + (limit ?? 0)), skipped: 0 });
  };

  beforeEach(() => {
    limits = [];
  });

  it('contains all pages', async () => {
    deepEqual((await listAll(undefined, list)).results, entries);
    deepEqual(new Set(limits), new Set([100]));
  });

  it('has as many entries as the program requests, from pages no larger than that', async () => {
    equal((await listAll(120, list)).results.length, 120);
    equal((await listAll(7, list)).results.length, 7);
    equal(limits.at(-1), 7);
  });

  it('sends no request where the program requests no entries', async () => {
    deepEqual(await listAll(0, list), { results: [] });
    deepEqual(limits, []);
  });

  it('fails where it never ends', async () => {
    let last = 0;
    const endless = () => Promise.resolve({ results: [{ id: String((last += 1)) }], skipped: 0 });
    await rejects(listAll(undefined, endless), {
      code: 'unexpected-response',
      details: { reason: reason('The list has more than {0} entries', 2000) },
    });
    equal((await listAll(5, endless)).results.length, 5);
  });
});
