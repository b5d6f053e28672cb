import { deepEqual } from 'node:assert/strict';
import type { ImageObjects } from '../../../../../src/archives/engine/imageObjects';
import { ObjectIndex } from '../../../../../src/archives/engine/objectIndex';

const SIDE = 1000;
const COUNT = 10_000;

/** Squares of 10 pixels, 20 pixels apart, four of them over each other. */
function squares(): ImageObjects {
  const boxes = Int32Array.from({ length: 4 * COUNT }, (_, at) => {
    const place = Math.floor(at / 4) % 2500;
    const start = (at % 2 === 0 ? place % 50 : Math.floor(place / 50)) * 20;
    return at % 4 < 2 ? start : start + 10;
  });
  return {
    width: SIDE,
    height: SIDE,
    count: COUNT,
    boxes,
    runs: Uint32Array.from({ length: 2 * COUNT }, (_, at) => (at % 2) * 100),
    runStarts: Uint32Array.from({ length: COUNT + 1 }, (_, at) => 2 * at),
    areas: new Float64Array(COUNT).fill(100),
  } as unknown as ImageObjects;
}

describe('objects by their place in an image of many', () => {
  it('are the same in the first search and after a tree was made for later ones', () => {
    const objects = squares();
    const places = Array.from({ length: 120 }, (_, at) => [(at * 37) % SIDE, (at * 91) % SIDE] as const);
    const one = new ObjectIndex(objects);
    for (const [x, y] of places) {
      const isCovered = x % 20 < 10 && y % 20 < 10;
      const first = Math.floor(x / 20) + Math.floor(y / 20) * 50;
      deepEqual(
        one.objectsAt(x, y),
        isCovered ? [0, 2500, 5000, 7500].map(each => each + first) : [],
        `at ${x}, ${y}`,
      );
    }
  });
});
