import assert from 'node:assert/strict';
import { choosePicture, judgePicture } from '../../../../src/results/image/pairPictures';

describe('the picture of an image', () => {
  const image = { filename: 'a.tif', origin: 'plate 1/well B2/a.tif' };

  it('is the file that agrees with its whole path', () => {
    const paths = ['/data/plate 1/well A1/a.tif', '/data/plate 1/well B2/a.tif', '/data/a.tif'];
    assert.deepEqual(choosePicture(image, paths), { by: 'path', index: 1 });
    assert.deepEqual(choosePicture(image, ['well B2/a.tif']), { by: 'path', index: 0 });
  });

  it('is a mere suggestion when a folder differs: that of another plate may lie there alone', () => {
    assert.deepEqual(choosePicture(image, ['/data/plate 2/well B2/a.tif']), { by: 'name', index: 0 });
    assert.deepEqual(choosePicture(image, ['/data/plate 2/well B2/a.tif', '/data/a.tif']), {
      by: 'name',
      index: 0,
    });
  });

  it('is the one that agrees farthest', () => {
    const paths = ['/x/plate 2/well B2/a.tif', '/x/plate 1/well B2/a.tif'];
    assert.deepEqual(choosePicture(image, paths), { by: 'path', index: 1 });
  });

  it('is a mere suggestion when only the name agrees', () => {
    assert.deepEqual(choosePicture(image, ['/data/a.tif']), { by: 'name', index: 0 });
    assert.deepEqual(choosePicture({ filename: 'a.tif' }, ['C:\\data\\a.tif']), { by: 'name', index: 0 });
  });

  it('is ambiguous when several files agree equally', () => {
    assert.deepEqual(choosePicture(image, ['/1/well B2/a.tif', '/2/well B2/a.tif']), {
      by: 'ambiguous',
      count: 2,
    });
    assert.deepEqual(choosePicture({ filename: 'a.tif' }, ['/1/a.tif', '/2/a.tif']), {
      by: 'ambiguous',
      count: 2,
    });
  });

  it('is not found among files of other names', () => {
    assert.deepEqual(choosePicture(image, ['/well B2/b.tif', '/x/aa.tif']), { by: 'none' });
    assert.deepEqual(choosePicture(image, []), { by: 'none' });
  });
});

describe('a picture that was found', () => {
  const masks = { width: 10, height: 20 };

  it('is paired by its upload, by the user or by its path when the size is right', () => {
    for (const found of ['record', 'choice', 'path'] as const)
      assert.equal(judgePicture(found, { width: 10, height: 20 }, masks), 'paired');
  });

  it('is suggested by its name alone', () => assert.equal(judgePicture('name', masks, masks), 'suggested'));

  it('of another size is never painted', () => {
    for (const found of ['record', 'choice', 'path', 'name'] as const)
      assert.equal(judgePicture(found, { width: 20, height: 10 }, masks), 'other-size');
  });
});
