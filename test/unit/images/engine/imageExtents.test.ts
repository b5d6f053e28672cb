import * as assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageExtents } from '../../../../src/images/engine/imageExtents';
import { tiff, type TiffPage } from '../tiffFixture';

/** 0.5 × 0.25 µm. */
const TAGS: TiffPage['tags'] = [
  [282, 5, [20_000, 1]],
  [283, 5, [40_000, 1]],
  [296, 3, [3]],
];

describe('The extents of images by the headers of their files', () => {
  let folder: string;

  before(async () => (folder = await mkdtemp(join(tmpdir(), 'extents-'))));
  after(() => rm(folder, { recursive: true }));

  const page = (width: number, tags: TiffPage['tags'] = TAGS): TiffPage => ({
    width,
    height: 2,
    samples: new Uint8Array(width * 2),
    tags,
  });

  async function extentsOf(files: readonly (Uint8Array | undefined)[]) {
    const paths = files.map((_, at) => join(folder, `${at}.tif`));
    for (const [at, bytes] of files.entries()) if (bytes) await writeFile(paths[at] ?? '', bytes);
    return imageExtents(paths);
  }

  it('are pixels and area of the image, or of each page of a stack', async () => {
    const expected = { pixels: 8, area: 8 * 0.125, isOblong: true };
    assert.deepEqual(await extentsOf([tiff([page(4)]), tiff([page(4), page(4)])]), [expected, expected]);
  });

  it('are unknown of pages that differ, without a size of pixels, and of files that are none', async () => {
    const whole = tiff([page(4)]);
    const files = [
      tiff([page(4), page(6)]),
      tiff([page(4, [])]),
      Buffer.from('\u0089PNG\r\n'),
      Buffer.alloc(0),
      whole.subarray(0, 12),
    ];
    assert.deepEqual(await extentsOf(files), [null, null, null, null, null]);
    assert.deepEqual(await imageExtents([join(folder, 'gone.tif'), folder]), [null, null]);
  });

  it('are those of each of many files, the same ones too', async () => {
    const [known] = await extentsOf([tiff([page(4)])]);
    const path = join(folder, '0.tif');
    assert.deepEqual(await imageExtents(new Array<string>(50).fill(path)), new Array(50).fill(known));
  });

  it('are not looked for any more once that is canceled', async () => {
    await extentsOf([tiff([page(4)])]);
    await assert.rejects(imageExtents([join(folder, '0.tif')], AbortSignal.abort()), { code: 'cancelled' });
  });
});
