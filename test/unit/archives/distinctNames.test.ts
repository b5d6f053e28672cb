import assert from 'node:assert/strict';
import { distinctNames } from '../../../src/archives/masksSummary';

describe('names that tell paths apart', () => {
  it('have no folder where names differ', () =>
    assert.deepEqual(distinctNames(['run/a.tif', 'run\\b.tif', 'c.tif']), ['a.tif', 'b.tif', 'c.tif']));

  it('have as many folders as it takes, each its own number', () =>
    assert.deepEqual(
      distinctNames(['x/1/control/a.png', 'x/2/control/a.png', 'x/1/treated/a.png', 'x/1/treated/b.png']),
      ['1/control/a.png', '2/control/a.png', 'treated/a.png', 'b.png'],
    ));

  it('are the whole path where it is the end of another', () =>
    assert.deepEqual(distinctNames(['a.png', 'x/a.png', 'y/x/a.png']), ['a.png', 'x/a.png', 'y/x/a.png']));

  it('are the same for the same path, and never empty', () => {
    assert.deepEqual(distinctNames(['x/a.png', 'x/a.png', '']), ['x/a.png', 'x/a.png', '']);
    assert.deepEqual(distinctNames(['/']), ['/']);
  });

  it('are found for a thousand folders of one name', () => {
    const paths = Array.from({ length: 1000 }, (_, at) => `plate/f${at}/img.tif`);
    assert.deepEqual(
      distinctNames(paths),
      paths.map(path => path.slice(6)),
    );
  });
});
