import { deepEqual } from 'node:assert/strict';
import type { MaskImage } from '../../../../../src/masks/masksSummary';
import { imageOrder } from '../../../../../src/masks/page/state/listedImages';

describe('the list of images', () => {
  const image = (filename: string, objectCount: number, index: number): MaskImage => ({
    index,
    id: `image-${index}`,
    filename,
    width: 10,
    height: 10,
    objectCount,
    classCounts: [],
    unreadableCount: 0,
  });
  const images = [
    image('B/well10.tif', 5, 0),
    image('B/well2.tif', 7, 1),
    image('A/Well1.tif', 0, 2),
    image('', 7, 3),
  ];

  it('is in the order of the archive at first', () => {
    deepEqual(imageOrder(images, 'archive', ''), [0, 1, 2, 3]);
  });

  it('is in the order of folders where images have one name', () => {
    const same = ['treated', 'control', 'washed'].map((folder, at) => ({
      ...image('img_1.png', 1, at + 1),
      ...(folder !== 'washed' && { path: `${folder}/img_1.png` }),
    }));
    deepEqual(
      imageOrder([image('b.png', 1, 0), ...same, image('a.png', 1, 4)], 'archive', ''),
      [0, 2, 3, 1, 4],
    );
  });

  it('is sorted by path with numbers in their order, and by ID where there is no path', () => {
    deepEqual(imageOrder(images, 'name', ''), [2, 1, 0, 3]);
  });

  it('is sorted by objects; images with as many stay in the order of the archive', () => {
    deepEqual(imageOrder(images, 'mostObjects', ''), [1, 3, 0, 2]);
    deepEqual(imageOrder(images, 'fewestObjects', ''), [2, 0, 1, 3]);
  });

  it('has images that could not be read last where it is sorted by objects', () => {
    const failure = { code: 'damaged-archive', message: 'damaged' } as const;
    const damaged = [
      { ...image('damaged.tif', 0, 0), failure },
      image('few.tif', 1, 1),
      image('most.tif', 9, 2),
    ];
    deepEqual(imageOrder(damaged, 'fewestObjects', ''), [1, 2, 0]);
    deepEqual(imageOrder(damaged, 'mostObjects', ''), [2, 1, 0]);
  });

  it('is filtered by parts of paths, whatever their case', () => {
    deepEqual(imageOrder(images, 'archive', ' WELL1'), [0, 2]);
    deepEqual(imageOrder(images, 'name', 'b/'), [1, 0]);
    deepEqual(imageOrder(images, 'archive', 'gone'), []);
  });
});
