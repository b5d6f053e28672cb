import { deepEqual, equal } from 'node:assert/strict';
import { contradictionsOf, doubtOf, resolveTexts } from '../../../src/archives/imageIdentity';
import { finish } from '../../../src/base/steps';

const ALL = ['item', 'hash', 'path', 'name', 'areas', 'positions'] as const;

describe('Two images that evidence says are the same', () => {
  const [small, large] = [
    { width: 10, height: 20 },
    { width: 20, height: 10 },
  ];

  it('are so for certain where nothing speaks against it', () => {
    const nothing = contradictionsOf({ size: small, sha256: '1' }, { size: { ...small }, sha256: '1' });
    deepEqual(
      ALL.map(by => doubtOf(by, nothing)),
      ALL.map(() => undefined),
    );
    deepEqual(contradictionsOf({ size: small, sha256: '1' }, {}), { isOtherSize: false, isOtherFile: false });
  });

  it('are left to a person where their sizes differ, and are as that person says', () => {
    const sizes = contradictionsOf({ size: small }, { size: large });
    deepEqual(
      ALL.map(by => doubtOf(by, sizes)),
      ALL.map(() => 'size'),
    );
    equal(doubtOf('hand', sizes), undefined);
  });

  it('are left to a person where only names say it, and other files were analyzed', () => {
    const files = contradictionsOf({ sha256: '1' }, { sha256: '2' });
    equal(doubtOf('path', files), 'hash');
    equal(doubtOf('item', files), undefined);
  });

  it('are a suggestion by a name without a folder where the right one may be in no list', () => {
    equal(doubtOf('name', { mayBeElsewhere: true }), 'name');
    equal(doubtOf('path', { mayBeElsewhere: true }), undefined);
  });
});

describe('The texts of an image column', () => {
  const images = ['a', 'b', 'c'].map(name => ({
    id: name,
    filename: `x/${name}.tif`,
    width: 10,
    height: 20,
  }));
  const texts = ['x/a.tif', 'x/b.tif', 'c'];
  const other = { width: 20, height: 20 };

  it('mean no image of another size than their rows say, by name or by ID', () => {
    const sizes = [{ width: 10, height: 20 }, other, other];
    const { images: found, by, ofOtherSizes } = finish(resolveTexts(texts, images, { sizes }));
    deepEqual(found, [0, 'ambiguous', 'ambiguous']);
    deepEqual(by, ['path', undefined, undefined]);
    deepEqual(ofOtherSizes, [
      { text: 1, image: 1 },
      { text: 2, image: 2 },
    ]);
  });

  it('mean what a person says, of whatever size it is', () => {
    const byHand = [{ image: 'b', path: 'x/b.tif' }];
    const known = finish(resolveTexts(texts, images, { sizes: [undefined, other], byHand }));
    deepEqual([known.images, known.ofOtherSizes], [[0, 1, 2], []]);
  });
});
