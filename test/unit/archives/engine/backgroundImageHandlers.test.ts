import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { BackgroundImageHandlers } from '../../../../src/archives/engine/backgroundImageHandlers';
import { throttledProgress } from '../../../../src/protocol/engineProgress';
import type { ImageObjects } from '../../../../src/archives/engine/imageObjects';

const signal = new AbortController().signal;
const golden = (name: string) => join('test/golden/images', name);

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

describe('handlers of background image requests', () => {
  let requests: BackgroundImageHandlers;
  beforeEach(() => {
    requests = new BackgroundImageHandlers(
      throttledProgress(() => undefined),
      () => Promise.resolve(objects),
    );
  });
  afterEach(() => requests.dispose());

  it('describe a background image', async () => {
    const info = await requests.handlers.openBackgroundImage(
      { path: golden('channels-focus-time.ome.tif') },
      signal,
    );
    const { look, contrast, ...facts } = info;
    assert.deepEqual(facts, {
      backgroundImage: 1,
      width: 61,
      height: 47,
      channels: 2,
      bitsPerSample: 16,
      sampleKind: 'unsigned',
      name: 'channels-focus-time.ome.tif',
      fileSize: statSync(golden('channels-focus-time.ome.tif')).size,
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

  it('scale the pixel size with the level that is used', async () => {
    const info = await requests.handlers.openBackgroundImage({ path: golden('slide.svs'), level: 1 }, signal);
    assert.deepEqual([info.width, info.height, info.level, info.rgb], [61, 47, 1, true]);
    assert.deepEqual(info.pixelSize, { x: 0.499 * 4, y: 0.499 * 4, from: 'aperio' });
  });

  it('return raw samples and means inside masks, with null for NaN', async () => {
    const path = golden('float32-deflate-float-differences.tif');
    const { backgroundImage } = await requests.handlers.openBackgroundImage({ path }, signal);
    const { values } = await requests.handlers.pixelValues({ backgroundImage, x: 4.5, y: 3.5 }, signal);
    assert.deepEqual(values, [null]);
    const { means, pixels } = await requests.handlers.objectIntensity(
      { backgroundImage, image: 0, object: 0 },
      signal,
    );
    const sample = (y: number) => Math.fround((257 + y * 1031 + 5) / 7 - 4000);
    assert.deepEqual([means, pixels], [[(sample(0) + sample(1)) / 2], 2]);
    await assert.rejects(
      async () => requests.handlers.objectIntensity({ backgroundImage, image: 0, object: 1 }, signal),
      error => isCoded(error, 'bad-request'),
    );
  });

  it('say of their progress whose background image it is', async () => {
    const sent: unknown[] = [];
    const startProgress = throttledProgress(progress => sent.push(progress));
    const started: ReturnType<typeof startProgress>[] = [];
    const named = new BackgroundImageHandlers(
      (...of) => {
        const report = startProgress(...of);
        started.push(report);
        return report;
      },
      () => Promise.resolve(objects),
    );
    await named.handlers.openBackgroundImage({ path: golden('rgb8.webp'), image: 3 }, signal);
    named.dispose();
    // A small one is read at once.
    started[0]?.(4, 8);
    assert.deepEqual(sent.at(-1), {
      what: 'backgroundImage',
      name: 'backgroundImage',
      image: 3,
      done: 4,
      total: 8,
    });
  });

  it('refuse a background image that was closed', async () => {
    const { backgroundImage } = await requests.handlers.openBackgroundImage(
      { path: golden('rgb8.webp') },
      signal,
    );
    await requests.handlers.closeBackgroundImage({ backgroundImage }, signal);
    await assert.rejects(
      async () => requests.handlers.backgroundImageTile({ backgroundImage, level: 0, x: 0, y: 0 }, signal),
      error => isCoded(error, 'bad-request'),
    );
  });
});
