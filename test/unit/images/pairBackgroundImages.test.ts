import assert from 'node:assert/strict';
import { matchBackgroundImage } from '../../../src/archives/imageCatalog';

describe('The background image of an image', () => {
  const image = { filename: 'a.tif', origin: 'plate 1/well B2/a.tif' };

  it('is the file that matches its whole path', () => {
    const paths = ['/data/plate 1/well A1/a.tif', '/data/plate 1/well B2/a.tif', '/data/a.tif'];
    assert.deepEqual(matchBackgroundImage(image, paths), { by: 'path', index: 1 });
    assert.deepEqual(matchBackgroundImage(image, ['well B2/a.tif']), { by: 'path', index: 0 });
  });

  it('is only a suggestion when a folder differs: it may be of another plate', () => {
    assert.deepEqual(matchBackgroundImage(image, ['/data/plate 2/well B2/a.tif']), { by: 'name', index: 0 });
    assert.deepEqual(matchBackgroundImage(image, ['/data/plate 2/well B2/a.tif', '/data/a.tif']), {
      by: 'name',
      index: 0,
    });
  });

  it('is the file whose path matches farthest', () => {
    const paths = ['/x/plate 2/well B2/a.tif', '/x/plate 1/well B2/a.tif'];
    assert.deepEqual(matchBackgroundImage(image, paths), { by: 'path', index: 1 });
  });

  it('is only a suggestion when only the name matches', () => {
    assert.deepEqual(matchBackgroundImage(image, ['/data/a.tif']), { by: 'name', index: 0 });
    assert.deepEqual(matchBackgroundImage({ filename: 'a.tif' }, ['C:\\data\\a.tif']), {
      by: 'name',
      index: 0,
    });
  });

  it('is ambiguous when several files match equally', () => {
    assert.deepEqual(matchBackgroundImage(image, ['/1/well B2/a.tif', '/2/well B2/a.tif']), {
      by: 'ambiguous',
      count: 2,
    });
    assert.deepEqual(matchBackgroundImage({ filename: 'a.tif' }, ['/1/a.tif', '/2/a.tif']), {
      by: 'ambiguous',
      count: 2,
    });
  });

  it('is not found among files of other names', () => {
    assert.deepEqual(matchBackgroundImage(image, ['/well B2/b.tif', '/x/aa.tif']), { by: 'none' });
    assert.deepEqual(matchBackgroundImage(image, []), { by: 'none' });
  });
});
