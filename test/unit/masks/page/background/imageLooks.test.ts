import { deepEqual, equal } from 'node:assert/strict';
import type { BackgroundImageLook } from '../../../../../src/images/backgroundImageInfo';
import { ImageLooks, type SavedImageLooks } from '../../../../../src/masks/page/state/imageLooks';

const lookOf = (low: number, high: number, z = 0): BackgroundImageLook => ({
  page: 0,
  z,
  t: 0,
  channels: [{ shown: true, color: [255, 255, 255], low, high }],
});

/** An open image with one channel of 16 bits and three slices. */
const image = (
  low: number,
  high: number,
  change: { name?: string; bitsPerSample?: number; z?: number } = {},
) => ({
  name: change.name ?? 'a.tif',
  channels: 1,
  bitsPerSample: change.bitsPerSample ?? 16,
  sampleKind: 'unsigned' as const,
  axes: { page: 1, z: change.z ?? 3, t: 1 },
  look: lookOf(low, high),
});

const rangeOf = ({ channels: [channel] }: BackgroundImageLook) => [channel?.low, channel?.high];

describe('The looks of background images', () => {
  let saved: Partial<SavedImageLooks>;
  let looks: ImageLooks;
  beforeEach(() => {
    saved = {};
    looks = new ImageLooks({}, changed => (saved = changed));
  });
  /** The page is loaded again. */
  const again = () => new ImageLooks(JSON.parse(JSON.stringify(saved)) as SavedImageLooks, () => undefined);

  it('are as the user left them, also when the page is loaded again', () => {
    looks.set('1', image(0, 10), lookOf(2, 7, 1));
    deepEqual(looks.lookOf('1', image(0, 10)), lookOf(2, 7, 1));
    deepEqual(again().lookOf('1', image(0, 10)), lookOf(2, 7, 1));
    deepEqual(looks.lookOf('2', image(0, 20)), lookOf(0, 20));
  });

  it('are those of the file itself where it is another one, or has fewer slices', () => {
    looks.set('1', image(0, 10), lookOf(2, 7, 1));
    deepEqual(looks.lookOf('1', image(0, 20, { name: 'b.tif' })), lookOf(0, 20));
    deepEqual(looks.lookOf('1', image(0, 20, { z: 1 })), lookOf(0, 20));
  });

  it('are kept of the images that were changed last', () => {
    for (let id = 0; id < 21; id++) looks.set(String(id), image(0, 10), lookOf(2, 7));
    deepEqual(rangeOf(looks.lookOf('0', image(0, 10))), [0, 10]);
    deepEqual(rangeOf(looks.lookOf('1', image(0, 10))), [2, 7]);
    equal(saved.imageLooks?.length, 20);
  });

  it('share their contrast where the user says so, also those of images that were open before', () => {
    looks.set('1', image(0, 10), lookOf(2, 7, 1));
    looks.share(image(0, 20), lookOf(0, 20));
    deepEqual(looks.lookOf('1', image(0, 10)), lookOf(0, 20, 1));
    looks.set('2', image(0, 20), lookOf(3, 9));
    deepEqual(rangeOf(looks.lookOf('1', image(0, 10))), [3, 9]);
    deepEqual([again().isShared, rangeOf(again().lookOf('3', image(0, 5)))], [true, [3, 9]]);
    looks.unshare();
    deepEqual([looks.isShared, rangeOf(looks.lookOf('1', image(0, 10)))], [false, [2, 7]]);
    equal(again().isShared, false);
  });

  it('share nothing with images of another kind', () => {
    looks.share(image(0, 4000), lookOf(5, 3000));
    deepEqual(rangeOf(looks.lookOf('2', image(0, 255, { bitsPerSample: 8 }))), [0, 255]);
    // White is zero.
    deepEqual(rangeOf(looks.lookOf('3', image(4000, 0))), [4000, 0]);
    looks.set('2', image(0, 255, { bitsPerSample: 8 }), lookOf(9, 99));
    deepEqual(rangeOf(looks.lookOf('4', image(0, 200, { bitsPerSample: 8 }))), [9, 99]);
    deepEqual(rangeOf(looks.lookOf('5', image(0, 200))), [5, 3000]);
  });
});
