import * as assert from 'node:assert/strict';
import { AnalysisClient } from '../../../../src/service/node/client';
import { Pager, collectAll } from '../../../../src/service/node/pager';
import type { Page, Pipeline } from '../../../../src/service/wire';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { sendJson, type FixtureServer } from './fixtureServer';
import { TransportFixture } from './transportFixture';

/** How a server treats a list of `total` pipelines. */
interface Manners {
  total: number;
  /** Page size when the client names none; with `caps`, also the most it gives. */
  pageSize?: number;
  caps?: boolean;
  ignoresLimit?: boolean;
  ignoresCursor?: boolean;
  count?: 'total' | 'page' | 'none' | 'nonsense';
}

describe('A list that comes in pages', () => {
  let fixture: TransportFixture;

  beforeEach(() => {
    fixture = new TransportFixture();
  });

  afterEach(() => fixture.end());

  async function listOf(
    manners: Manners,
    limit?: number,
  ): Promise<{ pager: Pager<Pipeline>; server: FixtureServer }> {
    const ids = Array.from({ length: manners.total }, (_, index) => `p${index}`);
    const server = await fixture.serve(({ query }, response) => {
      const after = query.get('startingAfter');
      const start = after === null || manners.ignoresCursor ? 0 : ids.indexOf(after) + 1;
      const wanted = Number(query.get('limit') ?? manners.pageSize ?? 20);
      const size = manners.ignoresLimit
        ? ids.length
        : manners.caps
          ? Math.min(wanted, manners.pageSize ?? 20)
          : wanted;
      const results = ids.slice(start, start + size).map(id => ({ id, description: '' }));
      const counts = { total: ids.length, page: results.length, none: undefined, nonsense: 1_000_000 };
      sendJson(response, { results, count: counts[manners.count ?? 'page'] });
    });
    const client = new AnalysisClient(fixture.connect(server.origin));
    const pager = new Pager<Pipeline>((startingAfter, signal) =>
      client.listPipelines(
        { ...(limit !== undefined && { limit }), ...(startingAfter !== undefined && { startingAfter }) },
        signal,
      ),
    );
    return { pager, server };
  }

  const kinds: [what: string, manners: Manners, limit: number | undefined][] = [
    ['a server with good manners', { total: 45, count: 'total' }, 20],
    ["a server whose count is the page's", { total: 45, count: 'page' }, 20],
    ['a server without a count', { total: 45, count: 'none' }, 20],
    ['a server whose count is nonsense', { total: 45, count: 'nonsense' }, 20],
    ['a server that caps the limit', { total: 45, pageSize: 7, caps: true }, 100],
    ['a server that ignores the limit', { total: 45, ignoresLimit: true }, 20],
    ['a server that is not told a limit', { total: 45, pageSize: 10 }, undefined],
    ['a list that ends with a full page', { total: 40, count: 'page' }, 20],
    ['an empty list', { total: 0 }, 20],
    ['a list of one', { total: 1, count: 'total' }, 20],
  ];
  for (const [what, manners, limit] of kinds) {
    it(`is read to its end, each item once: ${what}`, async () => {
      const { pager } = await listOf(manners, limit);
      const all = await collectAll(pager);
      assert.deepEqual(
        all.map(({ id }) => id),
        Array.from({ length: manners.total }, (_, index) => `p${index}`),
      );
      assert.ok(pager.done && !pager.mayHaveMore && !pager.cut);
    });

    it(`does not offer more endlessly: ${what}`, async () => {
      const { pager } = await listOf(manners, limit);
      let clicks = 0;
      while (pager.mayHaveMore && clicks < 50) {
        await pager.loadMore();
        clicks += 1;
      }
      assert.ok(!pager.mayHaveMore);
      assert.equal(pager.items.length, manners.total);
    });
  }

  it('ends where a server ignores the cursor, though that hides the rest', async () => {
    const { pager, server } = await listOf({ total: 45, ignoresCursor: true, count: 'total' }, 20);
    assert.equal((await collectAll(pager)).length, 20);
    assert.ok(pager.done);
    assert.equal(server.seen.length, 2);
  });

  it('has ended after one load where it is short', async () => {
    const { pager, server } = await listOf({ total: 3, count: 'page' }, 20);
    assert.equal((await pager.loadMore()).length, 3);
    assert.ok(!pager.mayHaveMore);
    assert.equal(server.seen.length, 2);
    assert.deepEqual(await pager.loadMore(), []);
    assert.equal(server.seen.length, 2);
  });

  it('requests another page only where the count says that there is more', async () => {
    const { pager, server } = await listOf({ total: 45, count: 'total' }, 20);
    assert.equal((await pager.loadMore()).length, 20);
    assert.ok(pager.mayHaveMore);
    assert.equal(server.seen.length, 1);
  });

  it('sends the last id of a page as the cursor, and none at first', async () => {
    const { pager, server } = await listOf({ total: 25, count: 'total' }, 10);
    await collectAll(pager);
    assert.deepEqual(
      server.seen.slice(0, 3).map(({ query }) => query.get('startingAfter')),
      [null, 'p9', 'p19'],
    );
  });

  it('returns only as many items as requested', async () => {
    const { pager, server } = await listOf({ total: 100, count: 'total' }, 10);
    assert.equal((await collectAll(pager, 15)).length, 15);
    assert.equal(server.seen.length, 2);
    assert.deepEqual(await collectAll(pager, 0), []);
  });

  it('drops items that a changing list returns twice', async () => {
    const pages: Record<string, string[]> = { '': ['a', 'b', 'c'], c: ['c', 'b', 'd'], d: ['d'] };
    const pager = new Pager(after => Promise.resolve(page(pages[after ?? ''] ?? [])));
    assert.deepEqual(
      (await collectAll(pager)).map(({ id }) => id),
      ['a', 'b', 'c', 'd'],
    );
  });

  it('stops at the page limit, and reports it, when the service never ends', async () => {
    let next = 0;
    const pager = new Pager(() => Promise.resolve(page([`n${next++}`])), { maxPages: 30 });
    assert.equal((await collectAll(pager)).length, 30);
    assert.ok(pager.done && pager.cut);
  });

  it('can load a failed page again', async () => {
    let fail = true;
    const pager = new Pager(after => {
      if (after === 'b' && fail) {
        fail = false;
        return Promise.reject(new CodedError('network', 'gone'));
      }
      return Promise.resolve(page(after === undefined ? ['a', 'b'] : after === 'b' ? ['c'] : [], 3));
    });
    assert.equal((await pager.loadMore()).length, 2);
    await assert.rejects(pager.loadMore(), error => isCoded(error, 'network'));
    assert.deepEqual(
      (await pager.loadMore()).map(({ id }) => id),
      ['c'],
    );
  });

  it('keeps the items of a page when only the check for more fails', async () => {
    const pager = new Pager(after =>
      after === undefined
        ? Promise.resolve(page(['a']))
        : Promise.reject(new CodedError('service-error', 'down')),
    );
    assert.deepEqual(
      (await pager.loadMore()).map(({ id }) => id),
      ['a'],
    );
    assert.ok(pager.mayHaveMore);
    await assert.rejects(pager.loadMore(), error => isCoded(error, 'service-error'));
  });

  it('loads one page after the other for two concurrent requests', async () => {
    const { pager, server } = await listOf({ total: 45, count: 'total' }, 20);
    const [first, second] = await Promise.all([pager.loadMore(), pager.loadMore()]);
    assert.deepEqual([first.length, second.length], [20, 20]);
    assert.deepEqual(
      server.seen.map(({ query }) => query.get('startingAfter')),
      [null, 'p19'],
    );
  });

  it('is canceled by its signal, also while another load is under way', async () => {
    const controller = new AbortController();
    const pager = new Pager<{ id: string }>(() => new Promise(() => undefined));
    void pager.loadMore();
    const waiting = pager.loadMore(controller.signal);
    controller.abort();
    await assert.rejects(waiting, error => isCoded(error, 'cancelled'));
  });
});

function page(ids: string[], count?: number): Page<{ id: string }> {
  return { results: ids.map(id => ({ id })), skipped: 0, ...(count !== undefined && { count }) };
}
