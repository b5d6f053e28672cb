import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../src/base/errors';
import { PictureAnswers } from '../../../src/engine/pictureAnswers';
import { progressTo } from '../../../src/engine/progress';
import type { ImageObjects } from '../../../src/results/masks/imageObjects';
import { tiff } from '../formats/tiffFixture';

const signal = new AbortController().signal;
const golden = (name: string) => join('test/golden/pictures', name);

/** One object: the two pixels (1, 0) and (1, 1) of a 61 × 47 image. */
const objects = {
  width: 61,
  height: 47,
  count: 1,
  boxes: Int32Array.of(1, 0, 2, 2),
  areas: Float64Array.of(2),
  runs: Uint32Array.of(0, 2),
  runStarts: Uint32Array.of(0, 2),
} as ImageObjects;

describe('answers about pictures', () => {
  let answers: PictureAnswers;
  beforeEach(() => {
    answers = new PictureAnswers(
      progressTo(() => undefined),
      () => Promise.resolve(objects),
    );
  });
  afterEach(() => answers.dispose());

  it('say all that a page needs to know of a picture', async () => {
    const info = await answers.handlers.openPicture({ path: golden('channels-focus-time.ome.tif') }, signal);
    const { look, contrast, ...facts } = info;
    assert.deepEqual(facts, {
      picture: 1,
      width: 61,
      height: 47,
      channels: 2,
      bitsPerSample: 16,
      sampleKind: 'unsigned',
      name: 'channels-focus-time.ome.tif',
      notes: [],
      channelNames: ['DAPI & co', 'GFP'],
      axes: { page: 1, z: 3, t: 2 },
      levels: [
        { width: 61, height: 47 },
        { width: 31, height: 24 },
      ],
      level: 0,
      pages: [],
      firstPage: 0,
      pixelSize: { x: 0.325, y: 0.65, from: 'ome' },
      compression: 'Deflate',
    });
    assert.deepEqual(
      contrast,
      look.channels.map(({ low, high }) => ({ low, high })),
    );
    assert.deepEqual(JSON.parse(JSON.stringify(info)), info);
  });

  it('scale the pixel size with the level that is taken for the picture', async () => {
    const info = await answers.handlers.openPicture({ path: golden('slide.svs'), level: 1 }, signal);
    assert.deepEqual([info.width, info.height, info.level], [61, 47, 1]);
    assert.deepEqual(info.pixelSize, { x: 0.499 * 4, y: 0.499 * 4, from: 'aperio' });
  });

  it('give raw samples and means inside masks, where NaN is null', async () => {
    const path = golden('float32-deflate-float-differences.tif');
    const { picture } = await answers.handlers.openPicture({ path }, signal);
    const { values } = await answers.handlers.pixelValues({ picture, x: 4.5, y: 3.5 }, signal);
    assert.deepEqual(values, [null]);
    const { means, pixels } = await answers.handlers.objectIntensity(
      { picture, image: 0, object: 0 },
      signal,
    );
    const sample = (y: number) => Math.fround((257 + y * 1031 + 5) / 7 - 4000);
    assert.deepEqual([means, pixels], [[(sample(0) + sample(1)) / 2], 2]);
    await assert.rejects(
      async () => answers.handlers.objectIntensity({ picture, image: 0, object: 1 }, signal),
      error => isCoded(error, 'bad-request'),
    );
  });

  it('start pictures of the same kind in a locked contrast, until it is unlocked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
    try {
      const path = async (name: string, samples: Uint8Array | Uint16Array) => {
        await writeFile(join(folder, name), tiff([{ width: 2, height: 1, samples }]));
        return join(folder, name);
      };
      const first = await answers.handlers.openPicture(
        { path: await path('a.tif', Uint16Array.of(1, 9)) },
        signal,
      );
      await answers.handlers.lockContrast(
        { picture: first.picture, channels: [{ low: 2, high: 400 }] },
        signal,
      );
      const b = await path('b.tif', Uint16Array.of(5, 6));
      const locked = await answers.handlers.openPicture({ path: b }, signal);
      assert.deepEqual(locked.contrast, [{ low: 2, high: 400 }]);
      const { pixels } = await answers.handlers.pictureTile(
        { picture: locked.picture, level: 0, x: 0, y: 0 },
        signal,
      );
      assert.equal(new Uint8Array(pixels)[0], Math.round((255 * 3) / 398));
      const other = await answers.handlers.openPicture(
        { path: await path('c.tif', Uint8Array.of(5, 6)) },
        signal,
      );
      assert.deepEqual(other.contrast, [{ low: 5, high: 6 }]);
      await answers.handlers.lockContrast({ picture: first.picture, channels: null }, signal);
      const free = await answers.handlers.openPicture({ path: b }, signal);
      assert.deepEqual(free.contrast, [{ low: 5, high: 6 }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuse pictures that are closed', async () => {
    const { picture } = await answers.handlers.openPicture({ path: golden('rgb8.webp') }, signal);
    await answers.handlers.closePicture({ picture }, signal);
    await assert.rejects(
      async () => answers.handlers.pictureTile({ picture, level: 0, x: 0, y: 0 }, signal),
      error => isCoded(error, 'bad-request'),
    );
  });
});
