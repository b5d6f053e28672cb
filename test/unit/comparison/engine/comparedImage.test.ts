import assert from 'node:assert/strict';
import type { ImageObjects } from '../../../../src/archives/engine/imageObjects';
import { Outcome } from '../../../../src/comparison/comparison';
import {
  ComparedImage,
  type ImageMatching,
  objectsInPolygon,
} from '../../../../src/comparison/engine/comparedImage';
import { objectsOfRectangles } from './objects';

const SIZE = [40, 60] as const;

async function matched(
  a: ImageObjects,
  b: ImageObjects,
  more: { crowds?: ImageObjects; region?: readonly number[]; partners?: Int32Array } = {},
): Promise<ImageMatching> {
  const { crowds, region, partners } = more;
  const inRegion = region && {
    a: await objectsInPolygon(a, region),
    b: await objectsInPolygon(b, region),
  };
  const image = await ComparedImage.of({ a, b, crowds, inRegion });
  return await image.match(10, partners);
}

describe('ComparedImage', () => {
  it('gives the lowest IDs partners first, wherever they stand', async () => {
    const same = [0, 0, 4, 4] as const;
    const a = objectsOfRectangles([same, same], SIZE, [9, 2]);
    const b = objectsOfRectangles([same, same, same], SIZE, [8, 7, 2n ** 60n]);
    const { partnersOfA } = await matched(a, b);
    // 2 has 7, 9 has 8.
    assert.deepEqual([...partnersOfA], [0, 1]);
  });

  it('tells long IDs apart that a double rounds', async () => {
    const same = [0, 0, 4, 4] as const;
    const a = objectsOfRectangles([same], SIZE);
    const b = objectsOfRectangles([same, same], SIZE, [2n ** 60n + 1n, 2n ** 60n]);
    assert.deepEqual([...(await matched(a, b)).partnersOfA], [1]);
  });

  it('matches objects beside each other at the edges of columns', async () => {
    // Whole columns, and the one after that: runs that go on in the next column.
    const a = objectsOfRectangles(
      [
        [3, 0, 4, 40],
        [0, 39, 3, 1],
      ],
      SIZE,
    );
    const b = objectsOfRectangles(
      [
        [2, 0, 5, 40],
        [0, 38, 2, 2],
      ],
      SIZE,
    );
    const image = await ComparedImage.of({ a, b });
    const pairs = [...image.pairs.shared].map((shared, n) => [image.pairs.a[n], image.pairs.b[n], shared]);
    assert.deepEqual(pairs, [
      [0, 0, 160],
      [1, 0, 1],
      [1, 1, 2],
    ]);
  });

  it('does not count an unmatched object of B that lies in a crowd', async () => {
    const a = objectsOfRectangles([[0, 0, 10, 10]], SIZE);
    // Matched within the crowd; in the crowd by half; by less than half.
    const b = objectsOfRectangles(
      [
        [0, 0, 10, 10],
        [28, 0, 4, 4],
        [29, 10, 4, 4],
      ],
      SIZE,
    );
    const crowds = objectsOfRectangles([[0, 0, 30, 40]], SIZE);
    const { outcomesOfB, counts } = await matched(a, b, { crowds });
    assert.deepEqual([...outcomesOfB], [Outcome.Matched, Outcome.Ignored, 0]);
    assert.deepEqual([counts.objectsOfB, counts.ignored, counts.extra.get(0)], [2, 1, 1]);
  });

  it('matches within classes, whichever classes of B those of A are', async () => {
    const rectangles = [
      [0, 0, 10, 10],
      [20, 0, 10, 10],
    ] as const;
    const a = objectsOfRectangles(rectangles, SIZE, undefined, [0, 1]);
    const b = objectsOfRectangles(rectangles, SIZE, undefined, [1, 1]);
    assert.deepEqual([...(await matched(a, b)).partnersOfA], [0, 1]);
    assert.deepEqual([...(await matched(a, b, { partners: Int32Array.of(0, 1) })).partnersOfA], [-1, 1]);
    assert.deepEqual([...(await matched(a, b, { partners: Int32Array.of(1, -1) })).partnersOfA], [0, -1]);
    const { counts } = await matched(a, b);
    assert.deepEqual(
      counts.matched.map(each => [each.a, each.b, each.count]),
      [
        [0, 1, 1],
        [1, 1, 1],
      ],
    );
  });

  it('judges what has half of its area in the region; a pair by its object of A', async () => {
    const region = [0, 0, 20, 0, 20, 40, 0, 40];
    const a = objectsOfRectangles(
      [
        [15, 0, 10, 10],
        [16, 20, 10, 10],
        [40, 0, 5, 5],
      ],
      SIZE,
    );
    const b = objectsOfRectangles(
      [
        [17, 0, 10, 10],
        [14, 20, 10, 10],
        [2, 2, 3, 3],
        [40, 30, 3, 3],
      ],
      SIZE,
    );
    const { partnersOfA, outcomesOfA, outcomesOfB, counts } = await matched(a, b, { region });
    assert.deepEqual([...partnersOfA], [0, 1, -1]);
    assert.deepEqual([...outcomesOfA], [Outcome.Matched, Outcome.Matched | Outcome.Outside, Outcome.Outside]);
    assert.deepEqual(
      [...outcomesOfB],
      [Outcome.Matched, Outcome.Matched | Outcome.Outside, 0, Outcome.Outside],
    );
    assert.deepEqual([counts.objectsOfA, counts.objectsOfB], [1, 2]);
  });

  it('stops when it is canceled', async () => {
    const many = Array.from({ length: 400 }, (_, at) => [at % 40, at % 20, 15, 15] as const);
    const objects = objectsOfRectangles(many, SIZE);
    const controller = new AbortController();
    const image = await ComparedImage.of({ a: objects, b: objects });
    controller.abort();
    await assert.rejects(image.match(10, undefined, controller.signal), { code: 'cancelled' });
  });
});
