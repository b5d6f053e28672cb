import assert from 'node:assert/strict';
import golden from '../../golden/masks.json';
import { axes, centroid, feretMaximum, measureShape, perimeter } from '../../../src/archives/measurements';
import { maskFromRuns, type ObjectMask } from '../../../src/archives/objectMask';
import { runsFromMask } from '../../../src/archives/runLengthEncoding';

function drawn(...rows: string[]): ObjectMask {
  const height = rows.length;
  const width = rows[0]?.length ?? 0;
  const bits = [...rows.join('')].map(character => (character === '#' ? 1 : 0));
  return maskFromRuns(runsFromMask(bits, width, height), height);
}

function assertClose(actual: number, expected: number, what: string): void {
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual} instead of ${expected}`,
  );
}

describe('measurements', () => {
  describe('agree with scikit-image', () => {
    for (const expected of golden.masks) {
      const [height = 0] = expected.size;
      const mask = maskFromRuns(Uint32Array.from(expected.runs), height);
      if (expected.area === 0) continue;
      it(`on "${expected.name}"`, () => {
        const shape = measureShape(mask);
        assert.equal(shape.area, expected.area);
        assert.deepEqual(shape.bbox, expected.bbox);
        assertClose(shape.centroid[0], expected.centroid?.[0] ?? NaN, 'centroid x');
        assertClose(shape.centroid[1], expected.centroid?.[1] ?? NaN, 'centroid y');
        assertClose(shape.perimeter, expected.perimeter ?? NaN, 'perimeter');
        assertClose(shape.majorAxis, expected.majorAxis ?? NaN, 'major axis');
        assertClose(shape.minorAxis, expected.minorAxis ?? NaN, 'minor axis');
        // The reference has no Feret diameter for the largest mask.
        if (typeof expected.feretMaximum === 'number') {
          assertClose(shape.feretMaximum, expected.feretMaximum, 'Feret maximum');
        }
      });
    }
  });

  it('give the same shape wherever the object lies', () => {
    const here = drawn('.##.', '####', '.#..');
    const there = { ...here, x: 90_000, y: 70_000 };
    const [x, y] = centroid(here);
    assert.deepEqual(centroid(there), [x + 90_000, y + 70_000]);
    assert.equal(perimeter(there), perimeter(here));
    assertClose(axes(there).majorAxis, axes(here).majorAxis, 'major axis');
    assertClose(axes(there).minorAxis, axes(here).minorAxis, 'minor axis');
    assert.equal(feretMaximum(there), feretMaximum(here));
  });

  it('count the border of a hole in the perimeter and leave the hole out of the area', () => {
    const ring = measureShape(drawn('#####', '#...#', '#...#', '#...#', '#####'));
    assert.equal(ring.area, 16);
    assert.equal(ring.perimeter, 16);
    const rows = ['#########', '#########', '#########', '###...###', '###...###', '###...###'];
    const frame = measureShape(drawn(...rows, '#########', '#########', '#########'));
    assert.equal(frame.area, 72);
    assertClose(frame.perimeter, 32 + 8 + 4 * Math.SQRT2, 'perimeter');
  });

  it('give a slanted line no minor axis', () => {
    const line = drawn('#......', '.#.....', '..#....', '...#...', '....#..', '.....#.', '......#');
    assert.equal(axes(line).minorAxis, 0);
    assertClose(axes(line).majorAxis, 4 * Math.sqrt(8), 'major axis');
  });

  it('are zero for a mask without pixels', () => {
    const { area, perimeter, majorAxis, minorAxis, feretMaximum } = measureShape(drawn('...', '...'));
    assert.deepEqual(
      { area, perimeter, majorAxis, minorAxis, feretMaximum },
      {
        area: 0,
        perimeter: 0,
        majorAxis: 0,
        minorAxis: 0,
        feretMaximum: 0,
      },
    );
  });
});
