import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { PointIndex } from '../../../../../src/plots/page/scatterTargets';

const box = { width: 100, height: 60 };
const place = fc.record({ x: fc.integer({ min: -20, max: 120 }), y: fc.integer({ min: -20, max: 80 }) });

function indexOf(points: readonly { x: number; y: number }[]): PointIndex {
  return new PointIndex(
    Float32Array.from(points, ({ x }) => x),
    Float32Array.from(points, ({ y }) => y),
    box,
  );
}

describe('points of a plot', () => {
  it('are found like by a search of all points in the box', () => {
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 60 }),
        place,
        fc.integer({ min: 0, max: 40 }),
        (points, at, reach) => {
          const near = points
            .map(({ x, y }, index) => ({ x, y, index, far: (x - at.x) ** 2 + (y - at.y) ** 2 }))
            .filter(({ x, y, far }) => x >= 0 && y >= 0 && x <= 100 && y <= 60 && far <= reach * reach)
            .sort((a, b) => a.far - b.far || a.index - b.index);
          equal(indexOf(points).nearest(at.x, at.y, reach), near[0]?.index);
        },
      ),
    );
  });

  it('follow each other in the direction of a key, also those at the same place', () => {
    const index = indexOf([
      { x: 10, y: 10 },
      { x: 50, y: 10 },
      { x: 50, y: 10 },
      { x: 30, y: 50 },
    ]);
    const right = [
      index.nextInDirection(0, 1, 0),
      index.nextInDirection(1, 1, 0),
      index.nextInDirection(2, 1, 0),
    ];
    deepEqual(right, [1, 2, undefined]);
    deepEqual([index.nextInDirection(2, -1, 0), index.nextInDirection(1, -1, 0)], [1, 0]);
    deepEqual([index.nextInDirection(0, 0, 1), index.nextInDirection(3, 0, -1)], [3, 2]);
    deepEqual([index.outermost('left'), index.outermost('right')], [0, 1]);
  });

  it('are left out outside the box, and where a coordinate is NaN', () => {
    const index = indexOf([
      { x: 101, y: 10 },
      { x: NaN, y: 10 },
    ]);
    deepEqual([index.nearest(99, 10, 20), index.outermost('left')], [undefined, undefined]);
  });
});
