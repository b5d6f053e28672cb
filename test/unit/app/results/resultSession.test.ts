import type { ResultPart } from '../../../../src/model/resultParts';
import type { ObjectRef } from '../../../../src/model/objectRef';
import type { LinkReport } from '../../../../src/model/linkReport';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { receivedLabels } from '../../../../src/formats/masks/labelRuns';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import { ResultSession } from '../../../../src/app/results/resultSession';
import type { ArchiveSummary } from '../../../../src/model/masksSummary';
import { sameImages } from '../../../../src/app/results/sameImages';
import type { ResultEngineOptions } from '../../../../src/engine/resultEngine';
import type { ResultSource } from '../../../../src/app/results/sources/resultSource';
import { image, index, rectangle, writeArchive } from '../../results/masks/archives';
import { InProcessEngine } from './inProcessEngine';
import { ownTableOptions } from './ownTableFixture';

class FilesOnDisk implements ResultSource {
  readonly key = 'test';
  readonly title = 'Test';
  readonly restore = {};
  readonly asked: ResultPart[] = [];
  readonly counted: number[] = [];

  constructor(private readonly paths: Partial<Record<ResultPart, string>>) {}

  objectsCounted(objects: number): void {
    this.counted.push(objects);
  }

  path(what: ResultPart): Promise<string> {
    this.asked.push(what);
    const path = this.paths[what];
    return path === undefined
      ? Promise.reject(new CodedError('not-found', 'Not there'))
      : Promise.resolve(path);
  }
}

const refOf = ({ image, object }: ObjectRef): ObjectRef => ({ image, object });

describe('A result session', () => {
  const signal = new AbortController().signal;
  let folder: string;
  let masks: string;
  let objects: string;
  let removeMasks: () => Promise<void>;
  let engines: InProcessEngine[];
  let session: ResultSession;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'session-'));
    objects = join(folder, 'objects.csv');
    await writeFile(objects, 'Image origin,Object ID\na.tif,2\na.tif,1\na.tif,7\n');
    ({ path: masks, remove: removeMasks } = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image('a', 10, 10, [rectangle(1, 0, 0, 2, 2), rectangle(2, 4, 4, 6, 6)]),
    }));
  });
  after(async () => {
    await removeMasks();
    await rm(folder, { recursive: true });
  });
  afterEach(() => session.dispose());

  function open(paths: Partial<Record<ResultPart, string>>, options: ResultEngineOptions = {}): FilesOnDisk {
    engines = [];
    const source = new FilesOnDisk(paths);
    const startEngine = () => {
      const engine = new InProcessEngine(options);
      engines.push(engine);
      return engine;
    };
    session = new ResultSession({
      source,
      startEngine,
      log: silentLog,
      tableMemory: () => 1024,
      ...ownTableOptions(),
    });
    return source;
  }

  const linked = () => new Promise<LinkReport>(resolve => session.onDidLink(resolve));

  it('opens each part once, however many requests there are', async () => {
    const source = open({ objects });
    const [one, other] = await Promise.all([
      session.openTable('objects', signal),
      session.openTable('objects', signal),
    ]);
    assert.equal(one, other);
    assert.deepEqual(source.asked, ['objects']);
    assert.deepEqual(engines[0]?.requests, ['openTable']);
  });

  it('shows large masks while they are read, and has them as a whole for all else', async () => {
    open({ masks }, { largeArchive: { minBytes: 0, minImages: 0 } });
    const { summary: shown, isWhole } = await session.showMasks(signal);
    assert.deepEqual([isWhole, shown.images[0]?.isPartial], [false, true]);
    const params = { image: 0, from: 0 };
    const { isLast, count } = await session.requestShownMasks('objectClasses', params, signal);
    assert.deepEqual([isLast, count], [true, 2]);
    const read = await session.openMasks(signal);
    assert.deepEqual(await session.showMasks(signal), { summary: read, isWhole: true });
    assert.deepEqual([read.images[0]?.objectCount, read.images[0]?.isPartial], [2, undefined]);
    assert.ok(sameImages(shown, read));
    assert.ok(!sameImages(shown, { ...read, classes: [] }));
    assert.ok(!sameImages({ ...shown, images: [...shown.images, ...shown.images] }, read));
  });

  it('ignores that masks began to be read once that was canceled', async () => {
    let started: ArchiveSummary | undefined;
    const cancel = new AbortController();
    const onMasksStarted = (summary: ArchiveSummary) => {
      started = summary;
      cancel.abort();
    };
    open({ masks }, { largeArchive: { minBytes: 0, minImages: 0 }, onMasksStarted });
    await assert.rejects(session.showMasks(cancel.signal), error => isCoded(error, 'cancelled'));
    assert.ok(started);
    engines[0]?.sendMasksStarted(started);
    const tile = await session.requestShownMasks('labelTile', { image: 0, level: 0, x: 0, y: 0 }, signal);
    assert.equal(receivedLabels(tile, TILE_SIZE ** 2)[0], 1);
  });

  it('tells the source how many objects its table has, once all rows are read', async () => {
    const source = open({ objects });
    await session.openTable('objects', signal);
    await new Promise<void>(resolve => {
      const wait = () => (source.counted.length > 0 ? resolve() : setImmediate(wait));
      wait();
    });
    assert.deepEqual(source.counted, [3]);
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
      const startEngine = () => new InProcessEngine();
      session = new ResultSession({
        source,
        startEngine,
        log: silentLog,
        tableMemory: () => 1024,
        ...ownTableOptions(),
      });
    };

    it('fetches a damaged archive once more', async () => {
      const archive = await readFile(masks);
      const source = new CachedFiles(join(folder, 'cached.zip'), [archive.subarray(0, 100), archive]);
      start(source);
      assert.equal((await session.openMasks(signal)).images.length, 1);
      assert.deepEqual(source.calls.slice(0, 3), ['path masks', 'discard masks', 'path masks']);
    });

    it('fetches a damaged table once more', async () => {
      const table = await readFile(objects);
      const source = new CachedFiles(join(folder, 'cached.csv'), [Buffer.alloc(4096), table]);
      start(source);
      assert.equal((await session.openTable('objects', signal)).columns.length, 2);
      assert.deepEqual(source.calls, ['path objects', 'discard objects', 'path objects']);
    });

    it('fetches a table once more that proves damaged after its first rows were shown', async () => {
      const rows = 'a.tif,2\n'.repeat(600_000);
      const whole = Buffer.from(`Image origin,Object ID\n${rows}`);
      const damaged = Buffer.from(`Image origin,Object ID\n${rows.slice(0, -8)}"a.tif,2\n`);
      const source = new CachedFiles(join(folder, 'cached.csv'), [damaged, whole]);
      start(source);
      const replaced = new Promise(resolve => session.onDidReplaceTable(resolve));
      const read = new Promise<void>(resolve => session.onDidGrow(({ done }) => done && resolve()));
      assert.equal((await session.openTable('objects', signal)).reading, true);
      assert.equal(await replaced, 'objects');
      assert.deepEqual(source.calls, ['path objects', 'discard objects', 'path objects']);
      await read;
      const { rowCount, failure } = await session.openTable('objects', signal);
      assert.deepEqual([rowCount, failure], [600_000, undefined]);
    });

    it('fetches it once only, and lets nothing damaged stay in the cache', async () => {
      const damaged = Buffer.alloc(4096);
      const source = new CachedFiles(join(folder, 'cached.csv'), [damaged, damaged, damaged]);
      start(source);
      await assert.rejects(session.openTable('objects', signal), error => isCoded(error, 'damaged-table'));
      const once = ['path objects', 'discard objects'];
      assert.deepEqual(source.calls, [...once, ...once]);
    });

    it('does not fetch again what was just downloaded', async () => {
      const source = new CachedFiles(join(folder, 'cached.csv'), [Buffer.alloc(4096)]);
      start(source);
      await assert.rejects(session.openTable('objects', signal), error => isCoded(error, 'damaged-table'));
      assert.deepEqual(source.calls, ['path objects', 'discard objects']);
    });

    it('has no objects where its files are empty', async () => {
      start(new CachedFiles(join(folder, 'empty'), [Buffer.alloc(0)]));
      const report = linked();
      assert.deepEqual((await session.openMasks(signal)).images, []);
      const { columns, rowCount } = await session.openTable('objects', signal);
      assert.deepEqual([columns.length, rowCount], [0, 0]);
      assert.equal((await report).matched, 0);
    });
  });

  it('never fetches masks for a table alone', async () => {
    const source = open({ objects, masks });
    await session.openTable('objects', signal);
    await session.linkSettled();
    assert.deepEqual(source.asked, ['objects']);
    assert.equal(session.link, undefined);
  });

  it('links rows once masks are open, fetching the table by itself', async () => {
    open({ objects, masks });
    const report = linked();
    await session.openMasks(signal);
    assert.equal((await report).matched, 2);
    await session.linkSettled();
    assert.equal(session.link?.rowsWithoutObject, 1);
  });

  it('shows masks even where there is no table', async () => {
    open({ masks });
    assert.equal((await session.openMasks(signal)).images.length, 1);
    await session.linkSettled();
    assert.equal(session.link, undefined);
  });

  it('translates marks from rows to objects and back', async () => {
    open({ objects, masks });
    await session.openMasks(signal);
    await session.linkSettled();
    const heard: (ObjectRef | number | null)[] = [];
    session.hovered.onDidChangeObject(found => heard.push(found && refOf(found)));
    session.hovered.onDidChangeRow(row => heard.push(row));
    await session.hovered.setRow(0);
    await session.hovered.setRow(2);
    await session.hovered.setObject({ image: 0, object: 0 });
    await session.hovered.setObject(null);
    assert.deepEqual(heard, [{ image: 0, object: 1 }, null, 1, null]);
  });

  it('reports other rows that the table shows, not the same ones in another order', async () => {
    open({ objects, masks });
    let changes = 0;
    session.onDidChangeShown(() => changes++);
    const shown = (from: number, column?: number) => ({
      view: {
        sort: column === undefined ? [] : [{ column, descending: false }],
        filters: [{ kind: 'range' as const, column: 1, from, to: null }],
      },
      rowCount: 2,
      total: 4,
    });
    await session.setShown(shown(1));
    await session.setShown(shown(1, 2));
    assert.equal(changes, 1);
    assert.deepEqual(session.shown, shown(1, 2));
    await session.setShown(shown(3));
    await session.setShown(null);
    await session.setShown(null);
    assert.equal(changes, 3);
  });

  it('finds an object together with its details, which are not part of the mark', async () => {
    open({ objects, masks });
    await session.openMasks(signal);
    await session.linkSettled();
    const details: unknown[] = [];
    session.selected.onDidChangeObject(found => details.push(found?.details));
    await session.selected.setRow(0);
    const object = { image: 0, object: 1 };
    assert.deepEqual(details, [await session.requestMasks('objectDetails', object, signal)]);
    assert.deepEqual(session.selected.object, object);
  });

  it('uses the latest of several marks', async () => {
    open({ objects, masks });
    await session.openMasks(signal);
    await session.linkSettled();
    const heard: (ObjectRef | null)[] = [];
    session.hovered.onDidChangeObject(found => heard.push(found && refOf(found)));
    await Promise.all([session.hovered.setRow(0), session.hovered.setRow(1)]);
    assert.deepEqual(heard, [{ image: 0, object: 0 }]);
  });

  it('marks the object of a row that was selected before the masks were open', async () => {
    open({ objects, masks });
    await session.openTable('objects', signal);
    await session.selected.setRow(0);
    assert.equal(session.selected.object, null);
    await session.openMasks(signal);
    await session.linkSettled();
    assert.deepEqual(session.selected.object, { image: 0, object: 1 });
  });

  it('opens parts again after its engine crashed', async () => {
    open({ objects, masks });
    await session.openMasks(signal);
    await session.linkSettled();
    engines[0]?.crash(new Error('out of luck'));
    assert.equal(session.link, undefined);
    const tile = await session.requestMasks('labelTile', { image: 0, level: 0, x: 0, y: 0 }, signal);
    assert.equal(receivedLabels(tile, TILE_SIZE ** 2)[0], 1);
    await session.linkSettled();
    assert.equal((session.link as LinkReport | undefined)?.matched, 2);
    assert.equal(engines.length, 2);
  });

  it('stops starting engines that crash repeatedly, until the user tries again', async () => {
    open({ objects });
    for (let crash = 0; crash < 3; crash++) {
      await session.openTable('objects', signal);
      engines.at(-1)?.crash(new Error('out of luck'));
    }
    await assert.rejects(session.openTable('objects', signal), /out of luck/);
    session.resetCrashes();
    assert.equal((await session.openTable('objects', signal)).rowCount, 3);
  });

  it('opens a failed part again on the next request', async () => {
    const paths: Partial<Record<ResultPart, string>> = {};
    open(paths);
    await assert.rejects(session.openTable('objects', signal), error => isCoded(error, 'not-found'));
    paths.objects = objects;
    assert.equal((await session.openTable('objects', signal)).rowCount, 3);
  });

  it('rejects requests that are pending when it is disposed', async () => {
    open({ objects });
    const opening = session.openTable('objects', signal);
    session.dispose();
    await assert.rejects(opening, error => isCoded(error, 'cancelled'));
  });
});
