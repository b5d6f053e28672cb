import { deepEqual, equal } from 'node:assert/strict';
import type { MasksSummary, ShownMaskImage } from '../../../../src/archives/masksSummary';
import { ImageModel } from '../../../../src/masks/page/state/imageModel';
import { ArchiveReading, ImageNames } from '../../../../src/masks/page/state/listedImages';

function image(index: number, objectCount: number, isPartial: boolean): ShownMaskImage {
  const size = { width: 10, height: 10, classCounts: [objectCount], unreadableCount: 0, unreadable: [] };
  return {
    index,
    id: `${index}`,
    filename: `${index}.tif`,
    objectCount,
    ...size,
    ...(isPartial && { isPartial }),
  };
}

/** Three images that are being read, the first of them shown. */
function threeImages() {
  const masks: MasksSummary = {
    classes: [{ name: 'Cell', count: 0 }],
    images: [0, 1, 2].map(index => image(index, 0, true)),
    notes: [],
  };
  const model = new ImageModel(masks.images, new ImageNames(masks.images));
  model.opened(0);
  const reading = new ArchiveReading({ masks, isReading: true }, model);
  return { masks, reading, progress: () => reading.progress.value };
}

describe('masks that are shown while they are read', () => {
  it('tell how far their image is, then how many images were read, then nothing', () => {
    const { masks, reading, progress } = threeImages();
    reading.imageChanged();
    reading.partRead(0.257);
    deepEqual(progress(), { of: 'objects', count: 0, share: 0.257 });
    delete masks.images[0]?.isPartial;
    reading.imagesRead([image(1, 4, false)], 2, 3);
    deepEqual(progress(), { of: 'images', done: 2, total: 3 });
    reading.masksRead({ ...masks, classes: [{ name: 'Cell', count: 9 }], notes: ['odd'] });
    equal(progress(), undefined);
    deepEqual([masks.classes[0]?.count, reading.notes.value], [9, ['odd']]);
  });

  it('update the images in place, except for the objects of the one shown, which has its own', () => {
    const { masks, reading } = threeImages();
    const [shown, other] = masks.images;
    if (shown) shown.objectCount = 5;
    reading.imagesRead([image(0, 8, false), image(1, 4, false)], 2, 3);
    deepEqual(
      [shown, other].map(each => [each?.objectCount, each?.classCounts, each?.isPartial]),
      [
        [5, [8], true],
        [4, [4], undefined],
      ],
    );
    reading.masksRead({ ...masks, images: [image(0, 8, false), image(7, 1, false)] });
    equal(masks.images.length, 3);
  });

  it('say no longer how much of the image shown was read once it proves unreadable', () => {
    const { masks, reading, progress } = threeImages();
    const [shown] = masks.images;
    reading.partRead(0.5);
    reading.imagesRead([{ ...image(0, 0, false), failure: { message: 'damaged' } }], 1, 3);
    deepEqual([shown?.isPartial, shown?.failure?.message], [undefined, 'damaged']);
    deepEqual(progress(), { of: 'images', done: 1, total: 3 });
  });
});
