import { orientationNote } from '../../../src/images/exifOrientation';
import { deepEqual, equal } from 'node:assert/strict';
import { codedReason } from '../../../src/base/reasons';
import type { OpenedBackgroundImage } from '../../../src/images/backgroundImageInfo';
import { imagePairing, imageSummary } from '../../../src/masks/masksPage';
import { plainEnglish } from '../../../src/words/translate';

const opened: OpenedBackgroundImage = {
  backgroundImage: 1,
  width: 400,
  height: 300,
  channels: 1,
  bitsPerSample: 8,
  sampleKind: 'unsigned',
  name: '1-slide.tif',
  fileSize: 4_211_734,
  look: { page: 0, z: 0, t: 0, channels: [] },
  channelNames: [],
  axes: { page: 1, z: 1, t: 1 },
  levels: [{ width: 400, height: 300 }],
  level: 0,
  pages: [],
  firstPage: 0,
  notes: [],
};

describe('An image file in words', () => {
  it('is one image of its name and size, without objects', () => {
    const { images, classes } = imageSummary(plainEnglish, 'slide.tif', opened);
    deepEqual(
      images.map(({ id, filename, width, height, objectCount }) => [
        id,
        filename,
        width,
        height,
        objectCount,
      ]),
      [['0', 'slide.tif', 400, 300, 0]],
    );
    deepEqual(classes, []);
  });

  it('is an image for each size of its pages, numbered as people count', () => {
    const pages = [
      { page: 0, width: 400, height: 300 },
      { page: 3, width: 40, height: 30 },
    ];
    const { images } = imageSummary(plainEnglish, 'slide.tif', { ...opened, pages });
    deepEqual(
      images.map(({ index, id, filename, width }) => [index, id, filename, width]),
      [
        [0, '0', 'slide.tif, page 1', 400],
        [1, '3', 'slide.tif, page 4', 40],
      ],
    );
  });

  it('tells the size of the file and its notes, but not that other images are left out', () => {
    const notes = [
      codedReason('one-image-shown', 'The file has {0} images; one of them is shown', 2),
      ...orientationNote(6),
    ];
    const pairing = imagePairing({ t: plainEnglish, locale: 'en' }, { ...opened, notes });
    equal(pairing.fileSize, '4.21 MB');
    equal(pairing.notes?.length, 1);
    equal(pairing.backgroundImage?.backgroundImage, 1);
  });
});
