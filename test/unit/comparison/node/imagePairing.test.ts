import assert from 'node:assert/strict';
import type { MasksFormat } from '../../../../src/comparison/comparison';
import type { PairableImage } from '../../../../src/archives/imageIdentity';
import { finish } from '../../../../src/base/steps';
import { imageKey, pairImages } from '../../../../src/comparison/node/imagePairing';
import { withoutHanging } from '../../hanging';

function side(format: MasksFormat, ...images: (string | Partial<PairableImage>)[]) {
  return {
    format,
    images: images.map((image, at) =>
      typeof image === 'string'
        ? { id: `${format}-${at}`, path: image }
        : { id: `${format}-${at}`, path: '', ...image },
    ),
  };
}

const pairedImages = (...sides: Parameters<typeof pairImages>) => finish(pairImages(...sides));

function paired(...sides: Parameters<typeof pairImages>): [a: number, b: number, by: string][] {
  return pairedImages(...sides).pairs.map(({ a, b, by }) => [a, b, by]);
}

describe('pairImages', () => {
  it('pairs by item before all else, then by hash, then by path', () => {
    const a = side(
      'archive',
      { path: 'a.tif', item: 'item 1', sha256: 'x' },
      { path: 'b.tif', sha256: 'y' },
      { path: 'c.tif' },
    );
    const b = side(
      'archive',
      { path: 'c.tif' },
      { path: 'renamed.tif', item: 'item 1', sha256: 'y' },
      { path: 'other.tif', sha256: 'y' },
    );
    assert.deepEqual(paired(a, b), [
      [0, 1, 'item'],
      [1, 2, 'hash'],
      [2, 0, 'path'],
    ]);
  });

  it('leaves to a person what names pair and the hashes of files contradict', () => {
    const a = side('archive', { path: 'x/a.tif', sha256: '1' }, { path: 'x/b.tif', sha256: '2' }, 'x/c.tif');
    const b = side('coco', { path: 'x/a.tif', sha256: '3' }, { path: 'x/b.tif', sha256: '2' }, 'x/c.tif');
    const { pairs, doubtful, unpairedA, unpairedB } = pairedImages(a, b);
    assert.deepEqual(pairs, [
      { a: 1, b: 1, by: 'hash' },
      { a: 2, b: 2, by: 'path' },
    ]);
    assert.deepEqual([doubtful, unpairedA, unpairedB], [[{ a: 0, b: 0, why: 'hash' }], [0], [0]]);
    const key = (format: MasksFormat) => imageKey({ id: `${format}-0`, path: 'x/a.tif' });
    const said = pairedImages(a, b, [{ a: key('archive'), b: key('coco') }]);
    assert.deepEqual([said.pairs[0], said.doubtful], [{ a: 0, b: 0, by: 'hand' }, []]);
  });

  it('leaves to a person what has another size, whatever else says that it is the same', () => {
    const [small, large] = [
      { width: 10, height: 20 },
      { width: 20, height: 10 },
    ];
    const a = side(
      'archive',
      { path: 'a.tif', item: '1', size: small },
      { path: 'b.tif', sha256: '2', size: small },
      { path: 'c.tif', size: small },
      { path: 'd.tif', size: small },
      { path: 'e.tif' },
    );
    const b = side(
      'folder',
      { path: 'a.tif', item: '1', size: large },
      { path: 'b.tif', sha256: '2', size: large },
      { path: 'c.tif', size: large },
      { path: 'd.tif', size: small },
      { path: 'e.tif', size: small },
    );
    const { pairs, doubtful } = pairedImages(a, b);
    const ofSize = [0, 1, 2].map(at => ({ a: at, b: at, why: 'size' }));
    assert.deepEqual(doubtful, ofSize);
    assert.deepEqual(
      pairs.map(pair => pair.a),
      [3, 4],
    );
    const [one, other] = [a.images[2], b.images[2]];
    const hand = one && other ? [{ a: imageKey(one), b: imageKey(other) }] : [];
    assert.equal(pairedImages(a, b, hand).pairs[0]?.by, 'hand');
  });

  it('takes the same ID and name in two archives for the same item', () => {
    const a = side('archive', { id: '7f', path: 'plate 1/a.tif' }, { id: '80', path: 'plate 2/a.tif' });
    const b = side('archive', { id: '80', path: 'a.tif' }, { id: '7f', path: 'a.tif' });
    assert.deepEqual(paired(a, b), [
      [0, 1, 'item'],
      [1, 0, 'item'],
    ]);
    // Numbers of a COCO file aren't those of the service.
    const coco = side('coco', { id: '7f', path: 'b.tif' });
    assert.deepEqual(paired(side('archive', { id: '7f', path: 'a.tif' }), coco), []);
  });

  it('pairs by a path of which one is the end of the other', () => {
    const a = side('archive', 'study/plate 1/a.tif', 'b.tif', 'study\\plate 2\\c.tif');
    const b = side('coco', 'plate 1/a.tif', 'raw/b.tif', 'plate 2/c.tif');
    assert.deepEqual(
      paired(a, b).map(([one, other]) => [one, other]),
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    );
  });

  it('leaves open what several fit', () => {
    const a = side('archive', 'plate 1/a.tif', 'plate 2/a.tif', 'b.tif');
    const { pairs, unpairedA, unpairedB } = pairedImages(a, side('coco', 'a.tif', 'b.tif'));
    // Without its folders, B may mean a b.tif of a plate that A lacks.
    assert.deepEqual([pairs, unpairedA, unpairedB], [[], [0, 1, 2], [0, 1]]);
    assert.deepEqual(paired(a, side('coco', 'plate 1/c.tif', 'b.tif')), [[2, 1, 'path']]);
    assert.deepEqual(paired(side('archive', 'a.tif', 'a.tif', 'b.tif'), side('coco', 'a.tif', 'b.tif')), [
      [2, 1, 'path'],
    ]);
  });

  it('takes a whole path before the end of one', () => {
    const a = side('archive', 'plate 1/a.tif', 'a.tif');
    const b = side('coco', 'a.tif', 'plate 1/a.tif');
    assert.deepEqual(
      paired(a, b).map(([one, other]) => [one, other]),
      [
        [0, 1],
        [1, 0],
      ],
    );
  });

  it('does not take the end of a name for the end of a path', () => {
    assert.deepEqual(paired(side('archive', 'xa.tif'), side('coco', 'a.tif')), []);
  });

  it('finds label images by the names that tools give them', () => {
    const a = side(
      'archive',
      'a.tif',
      'b.ome.tif',
      'c.png',
      'd.nd2',
      'plate 1/e.tif',
      'f_label.tif',
      'h.ome.tif',
      'i.tif',
    );
    const b = side(
      'folder',
      'a_masks.png',
      'b_label.tif',
      'c.tif',
      'd_cp_masks.png',
      'plate 1/e-labels.tif',
      'f_label.png',
      'h.ome.tif.geojson',
      'i.tif_mask.png',
      'g_masks.tif',
    );
    const { pairs, unpairedB } = pairedImages(a, b);
    assert.deepEqual(
      pairs.map(({ a: one, b: other }) => [one, other]),
      [0, 1, 2, 3, 4, 5, 6, 7].map(at => [at, at]),
    );
    assert.deepEqual(unpairedB, [8]);
  });

  it('takes what all label files end with for no part of their names', () => {
    const a = side('archive', 'a_masks.tif', 'b.tif');
    // Those of a.tif and b.tif: the image a.tif is missing, and the labels of a_masks.tif.
    assert.deepEqual(paired(a, side('folder', 'a_masks.png', 'b_masks.png')), [[1, 1, 'path']]);
    assert.deepEqual(paired(a, side('folder', 'a_masks_masks.png', 'b_masks.png')), [
      [0, 0, 'path'],
      [1, 1, 'path'],
    ]);
  });

  it('leaves exports out where files are in several folders, as other tools write them', () => {
    const b = side('folder', 'a_RoiSet.zip', 'control/a_RoiSet.zip', 'treated/b_RoiSet.zip');
    assert.deepEqual(paired(side('archive', 'a.tif', 'b.tif'), b), []);
  });

  it('counts the names of images that are paired otherwise, too', () => {
    const item = (path: string, of: string) => ({ path, item: of });
    const a = side('archive', item('x/a.tif', '1'), item('y/a.tif', '2'), 'x/b.tif');
    const b = side('coco', item('x/a.tif', '1'), item('y/a.tif', '2'), 'b.tif');
    // Without a folder it may be that of y, which isn't there.
    assert.deepEqual(paired(a, b), [
      [0, 0, 'item'],
      [1, 1, 'item'],
    ]);
  });

  it('does what a person said before all else, and keeps apart what a person took apart', () => {
    const a = side('archive', 'a.tif', 'b.tif', 'c.tif');
    const b = side('coco', 'a.tif', 'x.tif', 'c.tif');
    const keyA = (at: number) => imageKey(a.images[at] ?? { id: '', path: '' });
    const keyB = (at: number) => imageKey(b.images[at] ?? { id: '', path: '' });
    const byHand = [{ a: keyA(0) }, { a: keyA(1), b: keyB(1) }, { a: 'gone\n', b: keyB(2) }];
    const { pairs, unpairedA, unpairedB, byHand: inEffect } = pairedImages(a, b, byHand);
    assert.deepEqual(
      pairs.map(({ a: one, b: other, by }) => [one, other, by]),
      [
        [1, 1, 'hand'],
        [2, 2, 'path'],
      ],
    );
    assert.deepEqual([unpairedA, unpairedB, inEffect], [[0], [0], [0, 1]]);
  });

  it('pairs a hundred thousand images, most of one name, without comparing each with each', () => {
    const images = Array.from({ length: 100_000 }, (_, at) => `plate ${at}/image.tif`);
    const bare = images.map(() => 'image.tif');
    withoutHanging(() => {
      const reversed = side('coco', ...[...images].reverse());
      assert.equal(pairedImages(side('archive', ...images), reversed).pairs.length, 100_000);
      assert.equal(pairedImages(side('archive', ...bare), side('coco', ...images)).pairs.length, 0);
    });
  });
});
