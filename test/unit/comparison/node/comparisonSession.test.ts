import { sessionRows } from '../../../../src/linking/node/sessionRows';
import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import {
  type ComparisonSession,
  ComparisonSessions,
  PairsResult,
} from '../../../../src/comparison/node/comparisonSession';
import { MasksComparer } from '../../../../src/comparison/node/masksComparer';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import type { ObjectOfSide } from '../../../../src/comparison/comparisonPage';
import type { PairingAction } from '../../../../src/comparison/node/storedPairs';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { InProcessEngine } from '../../session/node/inProcessEngine';
import { openSession } from '../../session/node/sessionFixture';

const { signal } = new AbortController();

describe('The table of pairs of a comparison', () => {
  let engines: InProcessEngine[];
  let sessions: ComparisonSessions;
  let kept: PairingAction[];
  /** Nothing can be kept. */
  let isFull: boolean;
  const archives: { remove: () => Promise<void> }[] = [];
  const tables: ResultSession[] = [];

  beforeEach(() => {
    engines = [];
    kept = [];
    isFull = false;
    const startEngine = () => {
      const engine = new InProcessEngine();
      engines.push(engine);
      return engine;
    };
    sessions = new ComparisonSessions((a, b) => ({
      a,
      b,
      comparer: new MasksComparer({ startEngine, log: silentLog }),
      pairStore: {
        read: () => Promise.resolve(kept),
        change: edit => {
          if (isFull) return Promise.reject(new CodedError('no-space', 'The disk is full'));
          kept = [...edit(kept)];
          return Promise.resolve(kept);
        },
      },
      log: silentLog,
    }));
  });

  afterEach(async () => {
    for (const table of tables.splice(0)) table.dispose();
    sessions.dispose();
    for (const { remove } of archives.splice(0)) await remove();
  });

  async function masks(key: string, entries: Record<string, unknown>): Promise<ResultSource> {
    const made = await writeArchive({ 'index.json': index('Cell', 'Nucleus'), ...entries });
    archives.push(made);
    return { key, title: key, restore: { key }, path: () => Promise.resolve(made.path) };
  }

  /** Two images; in the first, one object of A has a partner and one of each side has none. */
  const both = async (): Promise<[ResultSource, ResultSource]> => [
    await masks('truth', {
      'a_objects.json': image('a', 20, 20, [rectangle(1, 0, 0, 4, 4), rectangle(2, 10, 10, 14, 14)]),
      'b_objects.json': image('b', 20, 20, [rectangle(1, 0, 0, 4, 4)]),
    }),
    await masks('found', {
      '0_objects.json': image('0', 9, 9, []),
      'a_objects.json': image('a', 20, 20, [rectangle(7, 0, 0, 4, 5), rectangle(8, 0, 12, 4, 16)]),
      'b_objects.json': image('b', 20, 20, [rectangle(1, 0, 0, 4, 4)]),
    }),
  ];

  /** Opens it as a panel does. */
  async function open(a: ResultSource, b: ResultSource, how = {}) {
    const source = new PairsResult({
      a,
      b,
      title: 'truth vs. found',
      sessions,
      settings: how,
      showOther: () => Promise.resolve(),
    });
    const { session: table } = openSession(source);
    tables.push(table);
    source.began(table);
    return { source, table };
  }

  const rowsOf = async (table: ResultSession): Promise<string[]> => {
    const { rowCount } = await table.tables.open('objects', signal);
    const params = { sort: [], start: 0, end: rowCount };
    const { rows } = await table.tables.request('objects', 'tableRows', params, signal);
    return rows.map(cells => cells.slice(0, 4).join());
  };

  const opened = async (a: ResultSource, b: ResultSource) => {
    const comparison = sessions.use(a, b);
    await comparison.opened();
    const { source, table } = await open(a, b);
    await table.tables.open('objects', signal);
    await table.get(sessionLinks).settled();
    return { comparison, source, table };
  };

  /** The next row that is selected by the comparison. */
  const nextRow = (table: ResultSession): Promise<number | null> =>
    new Promise(resolve => {
      const listener = table.get(sessionLinks).selected.onDidChangeRow(row => {
        listener.dispose();
        resolve(row);
      });
    });

  it('has a row for each pair and each object without one, in the thread of the comparison', async () => {
    const { table } = await opened(...(await both()));
    assert.deepEqual(await rowsOf(table), [
      'a.tif,matched,1,7',
      'a.tif,only A,2,',
      'a.tif,only B,,8',
      'b.tif,matched,1,1',
    ]);
    assert.equal(engines.length, 1);
    assert.deepEqual(table.get(sessionLinks).report, {
      matched: 4,
      rowsWithoutObject: 0,
      objectsWithoutRow: 0,
      ambiguous: 0,
    });
  });

  it('marks the row of what is selected in the comparison, of either side', async () => {
    const { comparison, table } = await opened(...(await both()));
    // The image of B is the second there.
    const images = { a: 0, b: 1 };
    const rows: (number | null)[] = [];
    for (const selected of [{ a: 0, b: 0 }, { b: 1 }, { a: 1 }]) {
      const row = nextRow(table);
      comparison.select({ images, ...selected });
      rows.push(await row);
    }
    assert.deepEqual(rows, [0, 2, 1]);
  });

  it('has the comparison show what is selected in it', async () => {
    const { comparison, table } = await opened(...(await both()));
    const found: (ObjectOfSide | null)[] = [];
    comparison.onDidSelect(object => found.push(object));
    for (const row of [0, 2, 3]) await table.get(sessionLinks).selected.setRow(row);
    assert.deepEqual(found, [
      { side: 'a', image: 0, object: 0 },
      { side: 'b', image: 1, object: 1 },
      { side: 'a', image: 1, object: 0 },
    ]);
    assert.deepEqual(comparison.selected, found[2]);
  });

  it('tells which objects its filters let through', async () => {
    const { comparison, table } = await opened(...(await both()));
    assert.equal(await comparison.shownObjects('a', 0, signal), null);
    let told: unknown;
    comparison.onDidFilter(filtered => (told = filtered));
    const filters = [{ column: 1, kind: 'values' as const, values: ['only B'] }];
    await table.get(sessionRows).setShown({ view: { sort: [], filters }, rowCount: 1, total: 4 });
    assert.deepEqual(told, { rowCount: 1, total: 4 });
    const shown = async (side: 'a' | 'b', at: number) => [
      ...new Uint8Array((await comparison.shownObjects(side, at, signal)) ?? new ArrayBuffer()),
    ];
    assert.deepEqual(
      [await shown('a', 0), await shown('b', 1)],
      [
        [0, 0],
        [0, 1],
      ],
    );
  });

  it('follows the threshold and how masks are compared, once these rest', async () => {
    const { comparison, table } = await opened(...(await both()));
    const replaced = () =>
      new Promise<void>(resolve => {
        const listener = table.tables.onDidReplace(() => {
          listener.dispose();
          resolve();
        });
      });
    let next = replaced();
    comparison.setThreshold(0.75);
    comparison.setThreshold(0.95);
    await next;
    assert.deepEqual(await rowsOf(table), [
      'a.tif,only A,1,',
      'a.tif,only A,2,',
      'a.tif,only B,,7',
      'a.tif,only B,,8',
      'b.tif,matched,1,1',
    ]);
    await table.get(sessionLinks).settled();
    const row = nextRow(table);
    comparison.select({ images: { a: 0, b: 1 }, b: 0 });
    assert.equal(await row, 2);
    next = replaced();
    await comparison.compareAgain({ classes: 'all', region: [0, 0, 9, 0, 9, 9, 0, 9] }, signal);
    await next;
    assert.deepEqual(await rowsOf(table), ['a.tif,only A,1,', 'a.tif,only B,,7', 'b.tif,matched,1,1']);
  });

  it('is as before where a pair of images can not be kept, and keeps none whose comparison was canceled', async () => {
    const { comparison } = await opened(...(await both()));
    const { pairs } = (await comparison.opened()).pairs;
    isFull = true;
    await assert.rejects(comparison.pairImages({ a: 0, b: 0 }, signal), (error: unknown) =>
      isCoded(error, 'no-space'),
    );
    assert.deepEqual((await comparison.opened()).pairs.pairs, pairs);
    isFull = false;
    await assert.rejects(comparison.pairImages({ a: 0, b: 0 }, AbortSignal.abort()));
    assert.deepEqual([(await comparison.opened()).pairs.pairs, kept], [pairs, []]);
    await comparison.pairImages({ a: 0, b: 0 }, signal);
    assert.deepEqual(kept, [[{ a: 'a\na.tif', b: '0\n0.tif' }]]);
  });

  it('takes back the last pair by hand that is seen, and keeps those whose images are gone', async () => {
    const [seen, gone] = [
      { a: 'a\na.tif', b: '0\n0.tif' },
      { a: 'gone\ngone.tif', b: 'b\nb.tif' },
    ];
    kept = [[seen], [gone]];
    const { comparison } = await opened(...(await both()));
    const ofA = async () => (await comparison.opened()).pairs.pairs.find(({ a }) => a === 0);
    assert.deepEqual(await ofA(), { a: 0, b: 0, by: 'hand' });
    assert.deepEqual((await comparison.opened()).pairs.byHand, [0]);
    const { pairs } = await comparison.undoPairing(signal);
    assert.deepEqual([await ofA(), pairs.byHand, kept], [{ a: 0, b: 1, by: 'item' }, [], [[gone]]]);
    await comparison.undoPairing(signal);
    assert.deepEqual(kept, [[gone]]);
  });

  it('takes back the last action as a whole after a reload, and brings back what it replaced', async () => {
    const [a, b] = await both();
    const said = async () => {
      const { pairs } = (await sessions.use(a, b).opened()).pairs;
      return pairs.filter(({ by }) => by === 'hand').map(pair => [pair.a, pair.b]);
    };
    const first = sessions.use(a, b);
    await first.pairImages({ a: 0, b: 0 }, signal);
    await first.pairImages({ a: 0, b: 1 }, signal);
    const together = (await first.opened()).keysOf([
      { a: 0, b: 2 },
      { a: 1, b: 1 },
    ]);
    sessions.dispose();
    kept.push(together);
    assert.deepEqual(await said(), [
      [0, 2],
      [1, 1],
    ]);
    const again = sessions.use(a, b);
    await again.undoPairing(signal);
    assert.deepEqual(await said(), [[0, 1]]);
    await again.undoPairing(signal);
    assert.deepEqual(await said(), [[0, 0]]);
    // What another window has done meanwhile stays.
    const elsewhere = [{ a: 'gone', b: 'other' }];
    kept.push(elsewhere);
    await again.undoPairing(signal);
    assert.deepEqual([await said(), kept], [[], [elsewhere]]);
  });

  it('is linked also where a side has no object, and where nothing was compared', async () => {
    const [a, b] = await both();
    const none = await masks('none', {
      'a_objects.json': image('a', 20, 20, []),
      'b_objects.json': image('b', 20, 20, []),
    });
    const { comparison, table } = await opened(none, b);
    const row = nextRow(table);
    comparison.select({ images: { a: 0, b: 1 }, b: 1 });
    assert.equal(await row, 1);
    const other = await masks('other', { 'c_objects.json': image('c', 20, 20, [rectangle(1, 0, 0, 4, 4)]) });
    const { table: empty } = await opened(a, other);
    assert.deepEqual(await rowsOf(empty), []);
    assert.equal(empty.get(sessionLinks).report?.objectsWithoutRow, 4);
  });

  it('opens without its comparison after a reload, as it was left', async () => {
    const [a, b] = await both();
    const { source } = await open(a, b);
    assert.deepEqual(source.restore, {
      kind: 'pairs',
      a: { key: 'truth' },
      b: { key: 'found' },
      choice: undefined,
      threshold: 0.5,
    });
    const later = await open(b, a, { threshold: 0.95 });
    assert.equal((await rowsOf(later.table)).length, 5);
    assert.equal((later.source.restore as { threshold: number }).threshold, 0.95);
  });

  for (const when of ['before', 'after'] as const)
    it(`compares as its panel was left, also where that comes ${when} what was stored with it is open`, async () => {
      const [a, b] = await both();
      const region = [0, 0, 9, 0, 9, 9, 0, 9];
      const { table } = await open(a, b, { choice: { classes: 'all' } });
      const opening = table.tables.open('objects', signal);
      if (when === 'after') await opening;
      const how = { choice: { classes: 'all' as const, classPairs: [], region } };
      const comparison = sessions.use(a, b, how);
      comparison.restore(how);
      await comparison.opened();
      await opening;
      assert.deepEqual(comparison.choice.region, region);
      const inRegion = ['a.tif,matched,1,7', 'b.tif,matched,1,1'];
      for (let looks = 0; looks < 500; looks++) {
        if (String(await rowsOf(table)) === String(inRegion)) break;
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      assert.deepEqual(await rowsOf(table), inRegion);
    });

  it('opens again after a crash of the thread', async () => {
    const { comparison, table } = await opened(...(await both()));
    let crashes = 0;
    comparison.onDidCrash(() => crashes++);
    engines[0]?.crash(new Error('Out of memory'));
    assert.equal((await rowsOf(table)).length, 4);
    assert.deepEqual([crashes, engines.length], [1, 2]);
  });

  it('goes on when the comparison is closed, and takes its file along when both are', async () => {
    const [a, b] = await both();
    const { comparison, source, table } = await opened(a, b);
    const file = await source.path('objects', undefined, signal);
    sessions.release(comparison);
    assert.equal((await rowsOf(table)).length, 4);
    table.dispose();
    source.ended();
    while (existsSync(dirname(file))) await new Promise(setImmediate);
    await assert.rejects(source.path('objects', undefined, signal), { code: 'not-found' });
    const again: ComparisonSession = sessions.use(a, b);
    assert.notEqual(again, comparison);
  });
});
