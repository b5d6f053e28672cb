import assert from 'node:assert/strict';
import golden from '../../../../golden/polygons.json';
import { isCoded } from '../../../../../src/base/errors';
import { maskOfCocoPolygons, maskOfRings } from '../../../../../src/matching/engine/truth/polygonMasks';
import { fullFrameRuns, type ObjectMask } from '../../../../../src/masks/objectMask';
import { pixelsOf } from '../objects';
import { area, decodeCounts } from '../../../../../src/masks/runLengthEncoding';

function reasonOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (isCoded(error)) return error.details.reason?.kind;
    throw error;
  }
  return undefined;
}

/** Rows of a mask, # inside. */
function drawing(mask: ObjectMask, width: number, height: number): string[] {
  const pixels = new Set(pixelsOf(mask, width));
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_column, x) => (pixels.has(y * width + x) ? '#' : '.')).join(''),
  );
}

describe('maskOfCocoPolygons', () => {
  for (const { name, height, width, polygons, counts, area: pixels } of golden.polygons) {
    it(`covers the pixels that pycocotools says: ${name}`, () => {
      const mask = maskOfCocoPolygons(polygons, height, width);
      assert.equal(area(mask.runs), pixels);
      const expected = decodeCounts(counts, height, width);
      assert.deepEqual(
        fullFrameRuns(mask, width, height).filter((run, at) => run > 0 || at === 0),
        expected.filter((run, at) => run > 0 || at === 0),
      );
    });
  }

  it('refuses what is no polygon', () => {
    const reasons = [
      [],
      [[1, 2, 3, 4]],
      [[1, 2, 3, 4, 5]],
      [['1', 2, 3, 4, 5, 6]],
      [[0, 0, 1e300, 0, 1, 1]],
    ].map(polygons => reasonOf(() => maskOfCocoPolygons(polygons, 10, 10)));
    assert.deepEqual(reasons, ['polygon-missing', ...new Array<string>(4).fill('polygon-invalid')]);
  });
});

describe('maskOfRings', () => {
  it('covers a polygon along pixel edges exactly, but for its hole', () => {
    const mask = maskOfRings([
      [1, 1, 6, 1, 6, 5, 1, 5],
      [2, 2, 4, 2, 4, 4, 2, 4],
    ]);
    assert.deepEqual(drawing(mask, 7, 6), ['.......', '.#####.', '.#..##.', '.#..##.', '.#####.', '.......']);
  });

  it('covers the pixels whose centers are inside', () => {
    assert.deepEqual(drawing(maskOfRings([[0, 0, 5, 0, 0, 5]]), 6, 6), [
      '####..',
      '###...',
      '##....',
      '#.....',
      '......',
      '......',
    ]);
  });

  it('leaves out what is left of and above the image', () => {
    assert.deepEqual(drawing(maskOfRings([[-3, -2, 2, -2, 2, 2, -3, 2]]), 4, 4), [
      '##..',
      '##..',
      '....',
      '....',
    ]);
  });

  it('has no pixels for a line', () => {
    assert.equal(maskOfRings([[1, 1, 5, 5, 1, 1]]).width, 0);
  });
});
