import { deepEqual } from 'node:assert/strict';
import type { MaskImage } from '../../../../../src/archives/masksSummary';
import {
  HEADING_HEIGHT,
  heightOf,
  imageOrder,
  listRows,
  ROW_HEIGHT,
  rowAt,
} from '../../../../../src/masks/page/state/listedImages';

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

  it('is in the order of the archive where that is wanted', () => {
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

  it('has the images of a folder one after the other, below its name', () => {
    const paths = ['treated/d1.png', 'control/d1.png', 'treated/d2.png', 'control/d10.png', 'control/d2.png'];
    const grouped = paths.map((path, at) => ({ ...image(path.split('/')[1] ?? '', 1, at), path }));
    const all = [...grouped, image('alone.png', 1, 5)];
    const order = imageOrder(all, 'name', '');
    deepEqual(
      order.map(at => all[at]?.path ?? 'alone.png'),
      [
        'control/d1.png',
        'control/d2.png',
        'control/d10.png',
        'treated/d1.png',
        'treated/d2.png',
        'alone.png',
      ],
    );
    const rows = listRows(all, order, 'name', () => 'not needed');
    deepEqual(
      rows.map(({ folder, isFirst, name, within }) => `${isFirst ? `${folder}: ` : ''}${within}${name}`),
      ['control: d1.png', 'd2.png', 'd10.png', 'treated: d1.png', 'd2.png', ': alone.png'],
    );
    deepEqual(
      rows.map(({ top }) => top),
      [
        0,
        HEADING_HEIGHT + ROW_HEIGHT,
        HEADING_HEIGHT + 2 * ROW_HEIGHT,
        HEADING_HEIGHT + 3 * ROW_HEIGHT,
        2 * HEADING_HEIGHT + 4 * ROW_HEIGHT,
        2 * HEADING_HEIGHT + 5 * ROW_HEIGHT,
      ],
    );
    deepEqual(heightOf(rows), 3 * HEADING_HEIGHT + 6 * ROW_HEIGHT);
  });

  it('has folders that tell names apart beside them in another order, in one folder, and in a folder for each image', () => {
    const paths = ['a/x.png', 'a/y.png', 'b/x.png', 'b/y.png'];
    const four = paths.map((path, at) => ({ ...image('x.png', 1, at), path }));
    for (const [list, sort] of [
      [four, 'mostObjects'],
      [four.slice(0, 2), 'name'],
      [four.slice(1, 3), 'name'],
    ] as const) {
      const rows = listRows(list, imageOrder(list, sort, ''), sort, ({ path = '' }) => path);
      deepEqual(
        rows.map(({ name, within, folder, isFirst }) => [`${within}/${name}`, folder, isFirst]),
        list.map(({ path }) => [path, undefined, false]),
      );
    }
  });

  it('finds the first row below any point of it', () => {
    const many = Array.from({ length: 40 }, (_, at) => image(`${(at * at) % 7}/${at}.tif`, 1, at));
    const rows = listRows(many, imageOrder(many, 'name', ''), 'name', () => '');
    for (let y = 0; y <= heightOf(rows) + 1; y++) {
      const ends = (at: number) => (rows[at + 1] ? (rows[at + 1]?.top ?? 0) : heightOf(rows));
      const found = rows.findIndex((_, at) => ends(at) > y);
      deepEqual(rowAt(rows, y), found < 0 ? rows.length : found, `${y}`);
    }
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
