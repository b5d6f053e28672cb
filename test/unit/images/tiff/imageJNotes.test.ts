import { deepEqual, equal } from 'node:assert/strict';
import { reason } from '../../../../src/base/reasons';
import { memorySource } from '../../../../src/images/byteSource';
import { readTiffLayout } from '../../../../src/images/tiff/tiffLayout';
import { tiff } from '../tiffFixture';

/** The layout of a file of so many pages whose first says how many images ImageJ wrote. */
function layoutOf(pages: number, said: string) {
  const samples = new Uint8Array(16);
  const file = tiff(
    Array.from({ length: pages }, (_, at) => ({
      width: 4,
      height: 4,
      samples,
      // As if compressed: images behind the first one's samples can't be located then.
      ...(pages === 1 && { compression: 5 }),
      ...(at === 0 && { description: `ImageJ=1.54f\n${said}\n` }),
    })),
  );
  return readTiffLayout(memorySource(file), 'split.tif');
}

describe('The note on an ImageJ file', () => {
  it('says how many images are missing where some of its pages are there', async () => {
    const { planes, series, notes } = await layoutOf(40, 'images=100\nchannels=2\nframes=50');
    equal(planes.length, 40);
    equal(series[0]?.axes.page, 40);
    deepEqual(notes, [
      reason(
        "Planes in the metadata that this file doesn't have: {0}. Sets of several files aren't read",
        60,
      ),
    ]);
  });

  it('says that only the first image can be located where the file has one page', async () => {
    deepEqual((await layoutOf(1, 'images=100')).notes, [
      reason('The file lists {0} images; only the first of them can be located', 100),
    ]);
  });

  it('is missing where all images are there', async () => {
    deepEqual((await layoutOf(40, 'images=40\nslices=40')).notes, []);
  });
});
