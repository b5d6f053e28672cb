import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import type { ResultPart } from '../../../../src/service/resultParts';
import type { LinkReport } from '../../../../src/linking/rowLinks';
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { receivedLabels } from '../../../../src/archives/labelRuns';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import type { InProcessEngine } from './inProcessEngine';
import { FilesOnDisk, openSession, writeTwoObjects } from './sessionFixture';

describe('A result session', () => {
  const signal = new AbortController().signal;
  let folder: string;
  let masks: string;
  let objects: string;
  let remove: () => Promise<void>;
  let engines: InProcessEngine[];
  let session: ResultSession;

  before(async () => {
    ({ folder, masks, objects, remove } = await writeTwoObjects());
  });
  after(() => remove());
  afterEach(() => session.dispose());

  function open(paths: Partial<Record<ResultPart, string>>): FilesOnDisk {
    const source = new FilesOnDisk(paths);
    ({ session, engines } = openSession(source));
    return source;
  }

  const linked = () => new Promise<LinkReport>(resolve => session.get(sessionLinks).onDidLink(resolve));

  it('opens each part once, however many requests there are', async () => {
    const source = open({ objects });
    const [one, other] = await Promise.all([
      session.tables.open('objects', signal),
      session.tables.open('objects', signal),
    ]);
    assert.equal(one, other);
    assert.deepEqual(source.requested, ['objects']);
    assert.deepEqual(engines[0]?.requests, ['openTable']);
  });

  describe('of a job', () => {
    /** A job's parts in a cache: what is there first, and what a download brings. */
    class CachedFiles implements ResultSource {
      readonly key = 'job';
      readonly title = 'Job';
      readonly accountId = 'me';
      readonly restore = {};
      readonly calls: string[] = [];

      constructor(
        private readonly file: string,
        private readonly downloads: Buffer[],
      ) {}

      async path(what: ResultPart): Promise<string> {
        this.calls.push(`path ${what}`);
        const next = this.downloads.shift();
        if (next) await writeFile(this.file, next);
        return this.file;
      }

      discard(what: ResultPart): Promise<boolean> {
        this.calls.push(`discard ${what}`);
        return Promise.resolve(this.downloads.length > 0);
      }
    }

    const start = (source: ResultSource) => {
      ({ session } = openSession(source));
    };

    it('fetches a damaged archive once more', async () => {
      const archive = await readFile(masks);
      const source = new CachedFiles(join(folder, 'cached.zip'), [archive.subarray(0, 100), archive]);
      start(source);
      assert.equal((await session.masks.open(signal)).images.length, 1);
      assert.deepEqual(source.calls.slice(0, 3), ['path masks', 'discard masks', 'path masks']);
    });

    it('fetches a damaged table once more', async () => {
      const table = await readFile(objects);
      const source = new CachedFiles(join(folder, 'cached.csv'), [Buffer.alloc(4096), table]);
      start(source);
      assert.equal((await session.tables.open('objects', signal)).columns.length, 2);
      assert.deepEqual(source.calls, ['path objects', 'discard objects', 'path objects']);
    });

    it('fetches a table once more that proves damaged after its first rows were shown', async () => {
      const rows = 'a.tif,2\n'.repeat(600_000);
      const whole = Buffer.from(`Image origin,Object ID\n${rows}`);
      const damaged = Buffer.from(`Image origin,Object ID\n${rows.slice(0, -8)}"a.tif,2\n`);
      const source = new CachedFiles(join(folder, 'cached.csv'), [damaged, whole]);
      start(source);
      const replaced = new Promise(resolve => session.tables.onDidReplace(resolve));
      const read = new Promise<void>(resolve => session.tables.onDidGrow(({ done }) => done && resolve()));
      assert.equal((await session.tables.open('objects', signal)).reading, true);
      assert.equal(await replaced, 'objects');
      assert.deepEqual(source.calls, ['path objects', 'discard objects', 'path objects']);
      await read;
      const { rowCount, failure } = await session.tables.open('objects', signal);
      assert.deepEqual([rowCount, failure], [600_000, undefined]);
    });

    it('fetches it once only, and lets nothing damaged stay in the cache', async () => {
      const damaged = Buffer.alloc(4096);
      const source = new CachedFiles(join(folder, 'cached.csv'), [damaged, damaged, damaged]);
      start(source);
      await assert.rejects(session.tables.open('objects', signal), error => isCoded(error, 'damaged-table'));
      const once = ['path objects', 'discard objects'];
      assert.deepEqual(source.calls, [...once, ...once]);
    });

    it('does not fetch again what was just downloaded', async () => {
      const source = new CachedFiles(join(folder, 'cached.csv'), [Buffer.alloc(4096)]);
      start(source);
      await assert.rejects(session.tables.open('objects', signal), error => isCoded(error, 'damaged-table'));
      assert.deepEqual(source.calls, ['path objects', 'discard objects']);
    });

    it('has no objects where its files are empty', async () => {
      start(new CachedFiles(join(folder, 'empty'), [Buffer.alloc(0)]));
      const report = linked();
      assert.deepEqual((await session.masks.open(signal)).images, []);
      const { columns, rowCount } = await session.tables.open('objects', signal);
      assert.deepEqual([columns.length, rowCount], [0, 0]);
      assert.equal((await report).matched, 0);
    });
  });

  it('never fetches masks for a table alone', async () => {
    const source = open({ objects, masks });
    await session.tables.open('objects', signal);
    await session.get(sessionLinks).settled();
    assert.deepEqual(source.requested, ['objects']);
    assert.equal(session.get(sessionLinks).report, undefined);
  });

  it('shows masks even where there is no table', async () => {
    open({ masks });
    assert.equal((await session.masks.open(signal)).images.length, 1);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report, undefined);
  });

  it('opens parts again after its engine crashed', async () => {
    open({ objects, masks });
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    engines[0]?.crash(new Error('out of luck'));
    assert.equal(session.get(sessionLinks).report, undefined);
    const tile = await session.masks.request('labelTile', { image: 0, level: 0, x: 0, y: 0 }, signal);
    assert.equal(receivedLabels(tile, TILE_SIZE ** 2)[0], 1);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report?.matched, 2);
    assert.equal(engines.length, 2);
  });

  it('opens a failed part again on the next request', async () => {
    const paths: Partial<Record<ResultPart, string>> = {};
    open(paths);
    await assert.rejects(session.tables.open('objects', signal), error => isCoded(error, 'not-found'));
    paths.objects = objects;
    assert.equal((await session.tables.open('objects', signal)).rowCount, 3);
  });

  it('rejects requests that are pending when it is disposed', async () => {
    open({ objects });
    const opening = session.tables.open('objects', signal);
    session.dispose();
    await assert.rejects(opening, error => isCoded(error, 'cancelled'));
  });
});
