import assert from 'node:assert/strict';
import { memorySource } from '../../../../src/images/byteSource';
import { reason } from '../../../../src/base/reasons';
import { readDirectories } from '../../../../src/images/tiff/tiffDirectory';
import { gatherPlanes } from '../../../../src/images/tiff/tiffPlanes';
import { tiff } from '../tiffFixture';

const page = (width = 1) => ({ width, height: width, samples: new Uint8Array(width * width) });

/** Where the link of the n-th directory is: after its count and its entries. */
function linkOf(file: Uint8Array, n: number): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = view.getUint32(4, true);
  for (let i = 0; ; i++) {
    const link = at + 2 + view.getUint16(at, true) * 12;
    if (i === n) return link;
    at = view.getUint32(link, true);
  }
}

describe('the directories of a TIFF file', () => {
  it('are all read', async () => {
    const read = await readDirectories(memorySource(tiff([page(), page(2), page(3)])));
    assert.deepEqual(read.notes, []);
    assert.deepEqual(await Promise.all(read.directories.map(one => one.number(256))), [1, 2, 3]);
    assert.deepEqual(await read.directories[0]?.numbers(258), [8]);
    assert.deepEqual(await read.directories[0]?.numbers(9999), []);
    assert.equal(await read.directories[0]?.element(256, 1), undefined);
  });

  it('that form a cycle or lead nowhere end with those before', async () => {
    for (const next of [
      (file: Uint8Array) => new DataView(file.buffer).getUint32(4, true),
      () => 0x7fffffff,
    ]) {
      const file = tiff([page(), page(2)]);
      new DataView(file.buffer).setUint32(linkOf(file, 1), next(file), true);
      const { directories, notes } = await readDirectories(memorySource(file));
      assert.deepEqual(
        [directories.length, notes],
        [2, [reason('The list of pages is damaged; only pages before the damage are read')]],
      );
    }
  });

  it('are none where the file is cut off in the first, or is not a TIFF', async () => {
    const file = tiff([page()]);
    await assert.rejects(readDirectories(memorySource(file.subarray(0, linkOf(file, 0)))), RangeError);
    await assert.rejects(
      readDirectories(memorySource(Uint8Array.of(0x49, 0x49, 42, 0, 0, 0, 0, 0))),
      /The file contains no image/,
    );
    await assert.rejects(
      readDirectories(memorySource(Buffer.from('GIF89a..'))),
      /The file isn't a PNG, JPEG, WebP or TIFF file/,
    );
  });

  it('of smaller images are pages, not levels, unless marked as levels or tiled', async () => {
    const { directories } = await readDirectories(memorySource(tiff([page(8), page(4), page(2)])));
    const { planes } = await gatherPlanes(directories, { scanner: false, stack: false });
    assert.deepEqual(
      planes.map(plane => plane.length),
      [1, 1, 1],
    );
  });
});
