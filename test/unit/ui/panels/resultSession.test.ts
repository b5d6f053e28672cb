import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import type { LinkReport } from '../../../../src/protocol/linkEngine';
import type { ObjectRef } from '../../../../src/protocol/masksEngine';
import { ResultSession } from '../../../../src/ui/panels/resultSession';
import type { ResultSource, ResultWhat } from '../../../../src/ui/panels/resultSource';
import { image, index, rectangle, writeArchive } from '../../results/masks/archives';
import { InProcessEngine } from './inProcessEngine';

class FilesOnDisk implements ResultSource {
  readonly key = 'test';
  readonly title = 'Test';
  readonly restore = {};
  readonly asked: ResultWhat[] = [];

  constructor(private readonly paths: Partial<Record<ResultWhat, string>>) {}

  path(what: ResultWhat): Promise<string> {
    this.asked.push(what);
    const path = this.paths[what];
    return path === undefined
      ? Promise.reject(new CodedError('not-found', 'Not there'))
      : Promise.resolve(path);
  }
}

describe('a result session', () => {
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

  function open(paths: Partial<Record<ResultWhat, string>>): FilesOnDisk {
    engines = [];
    const source = new FilesOnDisk(paths);
    const start = () => {
      const engine = new InProcessEngine();
      engines.push(engine);
      return engine;
    };
    session = new ResultSession(source, start, silentLog);
    return source;
  }

  const linked = () => new Promise<LinkReport>(resolve => session.onDidLink(resolve));

  it('opens each part once, however many ask', async () => {
    const source = open({ objects });
    const [one, other] = await Promise.all([
      session.openTable('objects', signal),
      session.openTable('objects', signal),
    ]);
    assert.equal(one, other);
    assert.deepEqual(source.asked, ['objects']);
    assert.deepEqual(engines[0]?.requests, ['openTable']);
  });

  it('never fetches masks for the sake of a table', async () => {
    const source = open({ objects, masks });
    await session.openTable('objects', signal);
    await session.linkSettled();
    assert.deepEqual(source.asked, ['objects']);
    assert.equal(session.link, undefined);
  });

  it('links rows once masks are open, fetching the table quietly', async () => {
    open({ objects, masks });
    const report = linked();
    await session.openMasks(signal);
    assert.equal((await report).matched, 2);
    await session.linkSettled();
    assert.equal(session.link?.rowsWithoutObject, 1);
  });

  it('shows masks without a table all the same', async () => {
    open({ masks });
    assert.equal((await session.openMasks(signal)).images.length, 1);
    await session.linkSettled();
    assert.equal(session.link, undefined);
  });

  it('carries marks from rows to objects and back', async () => {
    open({ objects, masks });
    await session.openMasks(signal);
    await session.linkSettled();
    const heard: (ObjectRef | number | null)[] = [];
    session.hovered.onDidChangeObject(object => heard.push(object));
    session.hovered.onDidChangeRow(row => heard.push(row));
    await session.hovered.setRow(0);
    await session.hovered.setRow(2);
    await session.hovered.setObject({ image: 0, object: 0 });
    await session.hovered.setObject(null);
    assert.deepEqual(heard, [{ image: 0, object: 1 }, null, 1, null]);
  });

  it('lets the latest of several marks win', async () => {
    open({ objects, masks });
    await session.openMasks(signal);
    await session.linkSettled();
    const heard: (ObjectRef | null)[] = [];
    session.hovered.onDidChangeObject(object => heard.push(object));
    await Promise.all([session.hovered.setRow(0), session.hovered.setRow(1)]);
    assert.deepEqual(heard, [{ image: 0, object: 0 }]);
  });

  it('lets the masks follow a row that was selected before they were open', async () => {
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
    const { labels } = await session.askMasks('labelTile', { image: 0, level: 0, x: 0, y: 0 }, signal);
    assert.equal(new Uint32Array(labels)[0], 1);
    await session.linkSettled();
    assert.equal((session.link as LinkReport | undefined)?.matched, 2);
    assert.equal(engines.length, 2);
  });

  it('does not start engines without end when they crash again and again, until the user tries again', async () => {
    open({ objects });
    for (let crash = 0; crash < 3; crash++) {
      await session.openTable('objects', signal);
      engines.at(-1)?.crash(new Error('out of luck'));
    }
    await assert.rejects(session.openTable('objects', signal), /out of luck/);
    session.forgive();
    assert.equal((await session.openTable('objects', signal)).rowCount, 3);
  });

  it('tries a failed part again when it is asked for again', async () => {
    const paths: Partial<Record<ResultWhat, string>> = {};
    open(paths);
    await assert.rejects(session.openTable('objects', signal), error => isCoded(error, 'not-found'));
    paths.objects = objects;
    assert.equal((await session.openTable('objects', signal)).rowCount, 3);
  });

  it('that is over answers nothing more', async () => {
    open({ objects });
    const opening = session.openTable('objects', signal);
    session.dispose();
    await assert.rejects(opening, error => isCoded(error, 'cancelled'));
  });
});
