import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  affordableTiles,
  ancestor,
  children,
  levelFor,
  tileKey,
  topLevel,
  visibleTiles,
} from '../../../../../src/masks/page/tiles/tiles';

const image = { width: 1000, height: 600 };

describe('levels', () => {
  it('end where one tile shows the whole image', () => {
    equal(topLevel({ width: 256, height: 10 }), 0);
    equal(topLevel({ width: 257, height: 10 }), 1);
    equal(topLevel({ width: 100_000, height: 80_000 }), 9);
  });

  it('never show a screen pixel more than one tile pixel, when sharp', () => {
    const large = { width: 100_000, height: 100_000 };
    for (const scale of [4, 1, 0.9, 0.51, 0.5, 0.26, 0.25, 0.1, 0.01]) {
      const level = levelFor(scale, 'sharp', large);
      ok(scale * 2 ** level <= 1 || level === 0, `${scale}`);
    }
    equal(levelFor(0.5, 'sharp', large), 1);
  });

  it('are the nearer of two, when near', () => {
    const large = { width: 100_000, height: 100_000 };
    equal(levelFor(0.75, 'near', large), 0);
    equal(levelFor(0.6, 'near', large), 1);
  });
});

describe('visible tiles', () => {
  it('cover the panel and nothing outside the image', () => {
    const tiles = visibleTiles({ x: 500, y: 300, scale: 1 }, { width: 2000, height: 2000 }, image, 0);
    equal(tiles.length, 4 * 3);
    ok(tiles.every(({ x, y }) => x >= 0 && x < 4 && y >= 0 && y < 3));
  });

  it('begin with the ones in the middle', () => {
    const [first] = visibleTiles({ x: 700, y: 100, scale: 1 }, { width: 900, height: 900 }, image, 0);
    deepEqual(first, { level: 0, x: 2, y: 0 });
  });

  it('are none when the panel shows only what is beside the image', () => {
    deepEqual(visibleTiles({ x: 5000, y: 300, scale: 1 }, { width: 100, height: 100 }, image, 0), []);
  });

  it('do not include a tile that only touches the panel', () => {
    const tiles = visibleTiles({ x: 128, y: 128, scale: 1 }, { width: 256, height: 256 }, image, 0);
    deepEqual(tiles, [{ level: 0, x: 0, y: 0 }]);
  });

  it('are taken from a coarser level when there would be too many', () => {
    const view = { x: 500, y: 300, scale: 1 };
    const tiles = affordableTiles(view, { width: 2000, height: 2000 }, image, 0, 6);
    equal(tiles[0]?.level, 1);
    ok(tiles.length <= 6);
    equal(affordableTiles(view, { width: 2000, height: 2000 }, image, 0, 0)[0]?.level, topLevel(image));
  });
});

describe('a tile’s relatives', () => {
  it('are the part of the coarser tile that covers it', () => {
    deepEqual(ancestor({ level: 0, x: 5, y: 2 }, 2), {
      tile: { level: 2, x: 1, y: 0 },
      x: 64,
      y: 128,
      size: 64,
    });
  });

  it('are four finer tiles whose parent it is', () => {
    const tile = { level: 3, x: 1, y: 2 };
    const keys = children(tile).map(child => tileKey(ancestor(child, 1).tile));
    deepEqual(keys, ['3/1/2', '3/1/2', '3/1/2', '3/1/2']);
    deepEqual(children({ level: 0, x: 0, y: 0 }), []);
  });
});
