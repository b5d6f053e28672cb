import assert from 'node:assert/strict';
import {
  findRowColumns,
  matchImages,
  matchRows,
  type ImageOfText,
  type RowLinks,
} from '../../../src/formats/rowMatching';

const images = (...names: string[]) => names.map((filename, at) => ({ id: `id${at}`, filename }));

function link(
  rows: { images?: number[]; ids: number[]; areas?: number[] },
  objects: { ids: number[]; areas?: number[] }[],
  imageOfText: ImageOfText[] = objects.map((_, at) => at),
): RowLinks {
  const steps = matchRows(
    {
      ...(rows.images && { imageCodes: Uint32Array.from(rows.images) }),
      imageOfText,
      ids: Float64Array.from(rows.ids),
      ...(rows.areas && { areas: Float64Array.from(rows.areas) }),
    },
    objects.map(({ ids, areas }) => ({
      ids: Float64Array.from(ids),
      areas: Float64Array.from(areas ?? ids.map(() => 1)),
    })),
  );
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe('the columns that name an object', () => {
  const cases: [names: string[], expected: ReturnType<typeof findRowColumns>][] = [
    [['Image origin', 'Object ID', 'Class', 'Area'], { image: 0, id: 1, area: 2 + 1 }],
    [['id', 'object_id', 'image_name', 'Area (µm²)'], { image: 2, id: 1, area: 3 }],
    [['label', 'filename', 'area'], { image: 1, id: 0, area: 2 }],
    [['ImageID', 'ObjectNumber', 'Area of hull', 'Area'], { image: 0, id: 1, area: 3 }],
    [['Perimeter', 'Class'], {}],
  ];
  for (const [names, expected] of cases) {
    it(`are found in ${names.join(', ')}`, () => assert.deepEqual(findRowColumns(names), expected));
  }
});

describe('the image that a text means', () => {
  it('has it as its id', () =>
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
    assert.deepEqual(matchImages(['x/a.tif', 'y/a.tif'], images('run/x/a.tif', 'a.tif')), [0, 1]);
  });

  it('does not end with a part of a name', () => {
    assert.deepEqual(matchImages(['1a.tif', ''], images('a.tif')), ['none', 'none']);
  });
});

describe('rows and objects', () => {
  it('are matched by image and id', () => {
    const links = link({ images: [0, 0, 1], ids: [2, 1, 1] }, [{ ids: [1, 2] }, { ids: [1] }]);
    assert.deepEqual([...links.objectOfRow], [1, 0, 2]);
    assert.deepEqual([...links.rowOfObject], [1, 0, 2]);
    assert.deepEqual([...links.imageStarts], [0, 2, 3]);
    assert.deepEqual(links.counts, { matched: 3, rowsWithoutObject: 0, objectsWithoutRow: 0, ambiguous: 0 });
  });

  it('that have no partner are counted', () => {
    const { counts } = link({ images: [0, 0, 1], ids: [5, NaN, 1] }, [{ ids: [1] }], [0, 'none']);
    assert.deepEqual(counts, { matched: 0, rowsWithoutObject: 3, objectsWithoutRow: 1, ambiguous: 0 });
  });

  it('stay unlinked where two rows or two objects have the same id', () => {
    const rowsTwice = link({ images: [0, 0, 0, 0], ids: [1, 1, 1, 2] }, [{ ids: [1, 2] }]);
    assert.deepEqual([...rowsTwice.objectOfRow], [-1, -1, -1, 1]);
    assert.deepEqual([...rowsTwice.rowOfObject], [-1, 3]);
    assert.deepEqual(rowsTwice.counts, {
      matched: 1,
      rowsWithoutObject: 0,
      objectsWithoutRow: 1,
      ambiguous: 3,
    });
    const objectsTwice = link({ images: [0], ids: [1] }, [{ ids: [1, 1] }]);
    assert.deepEqual(objectsTwice.counts, {
      matched: 0,
      rowsWithoutObject: 0,
      objectsWithoutRow: 2,
      ambiguous: 1,
    });
    const image = link({ images: [0], ids: [1] }, [{ ids: [1] }], ['ambiguous']);
    assert.equal(image.counts.ambiguous, 1);
  });

  it('need no image column when there is one image, and are not guessed when there are more', () => {
    assert.equal(link({ ids: [1] }, [{ ids: [1] }]).counts.matched, 1);
    assert.equal(link({ ids: [1] }, [{ ids: [1] }, { ids: [1] }]).counts.matched, 0);
  });

  it('whose areas differ by a constant factor say so', () => {
    const objects = [{ ids: [1, 2, 3], areas: [100, 200, 400] }];
    const scaled = link({ images: [0, 0, 0], ids: [1, 2, 3], areas: [25, 50, 100] }, objects).counts;
    assert.deepEqual([scaled.areaRatio, scaled.areaRatioConstant], [0.25, true]);
    const other = link({ images: [0, 0, 0], ids: [1, 2, 3], areas: [100, 20, 900] }, objects).counts;
    assert.deepEqual([other.areaRatio, other.areaRatioConstant], [1, false]);
    const without = link({ images: [0], ids: [1], areas: [NaN] }, objects).counts;
    assert.equal('areaRatio' in without, false);
  });
});
