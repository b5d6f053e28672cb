import assert from 'node:assert/strict';
import fc from 'fast-check';
import golden from '../../../../golden/polygons.json';
import { isCoded } from '../../../../../src/base/errors';
import {
  maskOfCocoPolygons,
  maskOfPolygons,
  maskOfRings,
} from '../../../../../src/comparison/engine/truth/polygonMasks';
import { fullFrameRuns, type ObjectMask } from '../../../../../src/archives/objectMask';
import { pixelsOf } from '../objects';
import { area, decodeCounts } from '../../../../../src/archives/runLengthEncoding';

function reasonOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (isCoded(error)) return error.details.reason?.message;
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
    assert.deepEqual(reasons, [
      'The annotation has no polygon',
      ...new Array<string>(4).fill("The polygon's coordinates aren't valid"),
    ]);
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

describe('maskOfPolygons', () => {
  /**
   * How often a ring winds around a point (Sunday 2001), and whether a half-line to the left
   * crosses it an odd number of times.
   */
  function around(ring: readonly number[], x: number, y: number): { winding: number; isOdd: boolean } {
    let winding = 0;
    let crossings = 0;
    for (let at = 0; at < ring.length; at += 2) {
      const [x1 = 0, y1 = 0] = ring.slice(at, at + 2);
      const [x2 = 0, y2 = 0] = [...ring, ...ring].slice(at + 2, at + 4);
      if (x1 <= x === x2 <= x) continue;
      const below = y1 + ((x - x1) / (x2 - x1)) * (y2 - y1) > y;
      if (!below) continue;
      winding += x1 < x2 ? 1 : -1;
      crossings++;
    }
    return { winding, isOdd: crossings % 2 === 1 };
  }

  it('holds the pixels that each polygon holds by itself, however parts and rings overlap', () => {
    const size = 14;
    // No edge goes through a center, where rounding would decide: no fraction plus 1/π is a
    // fraction.
    const place = fc.integer({ min: 0, max: 2 * size });
    const corner = fc.tuple(place, place).map(([x, y]) => [x / 2 + 0.25, y / 2 + 1 / Math.PI]);
    const ring = fc.array(corner, { minLength: 3, maxLength: 6 }).map(corners => corners.flat());
    const walkedTwice = ring.map(all => [...all, ...all]);
    const polygon = fc.array(fc.oneof(ring, ring, walkedTwice), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(polygon, { minLength: 1, maxLength: 3 }), polygons => {
        const { mask, overlaps } = maskOfPolygons(polygons);
        const expected: number[] = [];
        let isPlain = true;
        for (let y = 0; y < size + 1; y++)
          for (let x = 0; x < size + 1; x++) {
            const inside = polygons.map(rings => {
              const once = rings.filter(
                (own, at) => rings.findIndex(other => other.join() === own.join()) === at,
              );
              return once.filter(each => around(each, x + 0.5, y + 0.5).winding !== 0).length % 2 === 1;
            });
            const isOdd =
              polygons.flat().filter(each => around(each, x + 0.5, y + 0.5).isOdd).length % 2 === 1;
            isPlain &&= isOdd === inside.includes(true);
            if (inside.includes(true)) expected.push(y * (size + 1) + x);
          }
        assert.deepEqual(pixelsOf(mask, size + 1), expected);
        // Where the rules differ it is said.
        if (!isPlain) assert.ok(overlaps);
      }),
      { numRuns: 100 },
    );
  });

  it('says nothing of parts with a common edge, also an oblique one', () => {
    const corners = fc.tuple(...[0, 1, 2, 3].map(() => fc.double({ min: 0, max: 30, noNaN: true })));
    fc.assert(
      fc.property(corners, ([ax = 0, ay = 0, bx = 0, by = 0]) => {
        // Two triangles on either side of one edge.
        fc.pre(Math.abs(ax - bx) > 1 || Math.abs(ay - by) > 1);
        const [dx, dy] = [by - ay, ax - bx];
        const one = [ax, ay, bx, by, ax + dx, ay + dy];
        const other = [bx, by, ax, ay, bx - dx, by - dy];
        assert.equal(maskOfPolygons([[one], [other]]).overlaps, false);
      }),
    );
  });
});
