import { deepEqual } from 'node:assert/strict';
import { imagesLike, type MaskImage } from '../../../src/archives/masksSummary';

describe('the images that are like one', () => {
  const image = (index: number, filename: string, width = 320, height = 240): MaskImage => ({
    ...{ index, id: `${index}`, filename, width, height },
    ...{ objectCount: 0, classCounts: [], unreadableCount: 0 },
  });
  const images = [
    image(0, 'control/a.png'),
    image(1, 'treated/a.PNG'),
    image(2, 'control/b.tif'),
    image(3, 'control/c.png', 240, 320),
    image(4, 'without.type/d'),
    image(5, 'e'),
  ];
  const like = (at: number) => imagesLike(images, images[at] ?? image(9, '')).map(({ index }) => index);

  it('have its size and come from files of its type, in any folder', () => {
    deepEqual(like(0), [0, 1]);
    deepEqual(like(1), [0, 1]);
    deepEqual(like(2), [2]);
    deepEqual(like(3), [3]);
    deepEqual(like(4), [4, 5]);
  });
});
