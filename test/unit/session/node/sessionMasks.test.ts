import assert from 'node:assert/strict';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { sameImages } from '../../../../src/session/node/masksOpening';
import { isCoded } from '../../../../src/base/errors';
import { receivedLabels } from '../../../../src/archives/labelRuns';
import type { ArchiveSummary } from '../../../../src/archives/masksSummary';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import type { InProcessEngine } from './inProcessEngine';
import { FilesOnDisk, openSession, writeTwoObjects } from './sessionFixture';

describe('The masks of a session', () => {
  const signal = new AbortController().signal;
  let files: Awaited<ReturnType<typeof writeTwoObjects>>;
  let engines: InProcessEngine[];
  let session: ResultSession;

  before(async () => (files = await writeTwoObjects()));
  after(() => files.remove());
  afterEach(() => session.dispose());

  function open(engine: ConstructorParameters<typeof InProcessEngine>[0]): void {
    ({ session, engines } = openSession(new FilesOnDisk({ masks: files.masks }), { engine }));
  }

  it('are shown while they are read where there are many, and are whole for all else', async () => {
    open({ largeArchive: { minBytes: 0, minImages: 0 } });
    const { summary: shown, isWhole } = await session.masks.show(signal);
    assert.deepEqual([isWhole, shown.images[0]?.isPartial], [false, true]);
    const params = { image: 0, from: 0 };
    const { isLast, count } = await session.masks.requestShown('objectClasses', params, signal);
    assert.deepEqual([isLast, count], [true, 2]);
    const read = await session.masks.open(signal);
    assert.deepEqual(await session.masks.show(signal), { summary: read, isWhole: true });
    assert.deepEqual([read.images[0]?.objectCount, read.images[0]?.isPartial], [2, undefined]);
    assert.ok(sameImages(shown, read));
    assert.ok(!sameImages(shown, { ...read, classes: [] }));
    assert.ok(!sameImages({ ...shown, images: [...shown.images, ...shown.images] }, read));
  });

  it('are not shown when they began to be read after that was canceled', async () => {
    let started: ArchiveSummary | undefined;
    const cancel = new AbortController();
    const onMasksStarted = (summary: ArchiveSummary) => {
      started = summary;
      cancel.abort();
    };
    open({ largeArchive: { minBytes: 0, minImages: 0 }, onMasksStarted });
    await assert.rejects(session.masks.show(cancel.signal), error => isCoded(error, 'cancelled'));
    assert.ok(started);
    engines[0]?.sendMasksStarted(started);
    const tile = await session.masks.requestShown('labelTile', { image: 0, level: 0, x: 0, y: 0 }, signal);
    assert.equal(receivedLabels(tile, TILE_SIZE ** 2)[0], 1);
  });
});
