import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ImageCatalog,
  matchImages as matchInSteps,
  matchWrittenNames,
} from '../../../src/archives/imageCatalog';
import { finish } from '../../../src/base/steps';

const matchImages = (...of: Parameters<typeof matchInSteps>) => finish(matchInSteps(...of));
const images = (...names: string[]) => names.map((filename, at) => ({ id: `id${at}`, filename }));

describe('the image that a text means', () => {
  it('has the text as its ID', () =>
    assert.deepEqual(matchImages(['id1', 'id9'], images('a.tif', 'b.tif')), [1, 'none']));

  it('ends with the same path, on whichever side it is longer', () => {
    assert.deepEqual(matchImages(['run/1/a.tif', 'b.tif'], images('a.tif', 'run/2/b.tif')), [0, 1]);
    assert.deepEqual(matchImages(['run\\1\\a.tif'], images('1/a.tif')), [0]);
  });

  it('is the one in the same folder when names repeat', () => {
    const repeated = images('x/a.tif', 'y/a.tif');
    assert.deepEqual(matchImages(['run/x/a.tif', 'run/y/a.tif', 'run/z/a.tif'], repeated), [0, 1, 'none']);
  });

  it('is the same however its accents are spelled', () => {
    const [composed, decomposed] = ['Kern-\u00fcber.tif', 'Kern-u\u0308ber.tif'];
    assert.deepEqual(matchImages([composed], images(decomposed)), [0]);
    assert.deepEqual(matchImages([`run/${decomposed}`], images('a.tif', composed)), [1]);
  });

  it('is ambiguous when several fit', () => {
    assert.deepEqual(matchImages(['a.tif'], images('x/a.tif', 'y/a.tif')), ['ambiguous']);
    assert.deepEqual(matchImages(['run/a.tif'], images('a.tif', 'a.tif')), ['ambiguous']);
  });

  it('is ambiguous when several texts fit it equally well', () => {
    assert.deepEqual(matchImages(['x/a.tif', 'y/a.tif'], images('a.tif')), ['ambiguous', 'ambiguous']);
    assert.deepEqual(matchImages(['a.tif', 'run/x/b.tif'], images('x/b.tif', 'a.tif')), [1, 0]);
  });

  it('is open by its name alone where names occur again, as the right one may be missing', () => {
    const found = matchImages(['x/a.tif', 'y/a.tif'], images('run/x/a.tif', 'a.tif'));
    assert.deepEqual(found, [0, 'ambiguous']);
    assert.deepEqual(matchImages(['b.tif'], images('x/a.tif', 'y/a.tif', 'x/b.tif')), ['ambiguous']);
    assert.deepEqual(matchImages(['x/b.tif'], images('x/a.tif', 'y/a.tif', 'run/x/b.tif')), [2]);
  });

  it('has the text as its whole path where others that end so have texts of their own', () => {
    const alike = images('a.tif', 'x/a.tif', 'y/x/a.tif');
    assert.deepEqual(matchImages(['x/a.tif', 'a.tif', 'y/x/a.tif'], alike), [1, 0, 2]);
    // Without folders, a table names both so.
    assert.deepEqual(matchImages(['a.tif', 'x/a.tif'], alike), ['ambiguous', 'ambiguous']);
  });

  it('is found by names that people write: without extension, or in other case', () => {
    const names = ['dose_1.tif', 'Dose_1.5.tif', 'b.ome.tif', 'c.tif', 'c.png'];
    const found = matchWrittenNames(['dose_1', 'DOSE_1.5', 'dose_1.7', 'B.czi', 'c', 'c.png'], names);
    assert.deepEqual(found, [0, 1, 'none', 2, 'ambiguous', 4]);
    // What another one names better isn't meant, and what two name alike, both have.
    assert.deepEqual(matchWrittenNames(['a.tif', 'a.png'], ['a.tif', 'b.tif']), [0, 'none']);
    assert.deepEqual(matchWrittenNames(['a.czi', 'a.png', 'b'], ['a.tif', 'b.tif']), [0, 0, 1]);
    assert.deepEqual(matchWrittenNames(['x/b.tif', 'B.tif', 'd.tif'], ['c/x/b.tif', 'd.tif']), [
      0,
      'none',
      1,
    ]);
    // What stays open of a better name isn't certain by another one.
    const open = matchWrittenNames(['x/b.tif', 'y/b.tif', 'b.png'], ['b.tif', 'c.tif']);
    assert.deepEqual(open, ['ambiguous', 'ambiguous', 'ambiguous']);
  });

  it('is the same whether all ends of paths are indexed or only those of as many parts as texts have', () => {
    const part = fc.constantFrom('a', 'b', 'c.tif', 'd.tif');
    const path = fc
      .oneof(fc.array(part, { maxLength: 4 }), fc.array(part, { minLength: 23, maxLength: 26 }))
      .map(parts => parts.join('/'));
    fc.assert(
      fc.property(fc.array(path), fc.array(path), (texts, paths) => {
        const named = paths.map(filename => ({ id: '', filename }));
        const catalog = new ImageCatalog(named);
        const found = texts.map(text => catalog.candidates(text));
        assert.deepEqual(matchImages(texts, named), catalog.decide(found));
      }),
    );
  });

  it('is decided in steps of a few hundred names, of however many images', () => {
    const paths = Array.from({ length: 5000 }, (_, at) => `plate ${at % 50}/well ${at}.tif`);
    const steps = matchInSteps(paths, paths);
    let count = 0;
    while (!steps.next().done) count++;
    // Names are indexed, looked up, and decided about.
    assert.ok(count >= 4 * Math.floor(paths.length / 256), `${count} steps`);
  });

  it('does not end with a part of a name', () => {
    assert.deepEqual(matchImages(['1a.tif', ''], images('a.tif')), ['none', 'none']);
  });
});
