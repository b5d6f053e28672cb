import { deepEqual, equal, ok } from 'node:assert/strict';
import { TILE_SIZE } from '../../../../../src/protocol/tiles';
import {
  PADDED_SIZE,
  padLabels,
  paintFill,
  paintOutline,
} from '../../../../../src/masks/page/labels/paddedLabels';
import { LabelImage } from './labelImage';

const [RED, BLUE, HALO, BLUE_HALO] = [0xff0000ff, 0xffff0000, 0x80000000, 0x80ffffff];

describe('painting labels', () => {
  const image = new LabelImage(600, 300)
    .box(1, 10, 10, 20, 20)
    .box(2, 20, 10, 30, 20)
    .box(3, 250, 50, 270, 60);
  /** Label → color of its class; objects 1 and 3 are of the first, object 2 of the second. */
  const palette = ([first = 0, second = 0]: number[]) => new Uint32Array([0, first, second, first]);
  const out = () => new Uint32Array(TILE_SIZE * TILE_SIZE);
  const at = (pixels: Uint32Array, x: number, y: number) => pixels[y * TILE_SIZE + x];
  const outlined = (tileX: number, colors: number[]) => {
    const pixels = out();
    const padded = new Uint32Array(PADDED_SIZE * PADDED_SIZE);
    padLabels(image.tile(tileX, 0), image.neighbors(tileX, 0), padded);
    paintOutline(padded, palette(colors), color => (color === BLUE ? BLUE_HALO : HALO), pixels);
    return pixels;
  };

  it('fills objects in their colors and leaves the rest clear', () => {
    const pixels = out();
    paintFill(image.tile(0, 0), palette([RED, BLUE]), pixels);
    deepEqual([at(pixels, 19, 12), at(pixels, 20, 12), at(pixels, 9, 12)], [RED, BLUE, 0]);
  });

  it('leaves hidden objects clear', () => {
    const pixels = out();
    paintFill(image.tile(0, 0), palette([0, BLUE]), pixels);
    deepEqual([at(pixels, 12, 12), at(pixels, 22, 12)], [0, BLUE]);
  });

  it('overwrites whatever was painted before', () => {
    const pixels = out().fill(123);
    paintFill(image.tile(0, 0), palette([RED, BLUE]), pixels);
    ok(!pixels.includes(123));
  });

  it('outlines objects on their inside and sets the halo of their color around them', () => {
    const pixels = outlined(0, [RED, BLUE]);
    deepEqual(
      [at(pixels, 10, 15), at(pixels, 11, 15), at(pixels, 9, 15), at(pixels, 8, 15)],
      [RED, 0, HALO, 0],
    );
  });

  it('puts no halo between objects that touch', () => {
    const pixels = outlined(0, [RED, BLUE]);
    deepEqual([at(pixels, 19, 15), at(pixels, 20, 15)], [RED, BLUE]);
  });

  it('draws a halo, not an outline, where a hidden object touches a shown one', () => {
    const pixels = outlined(0, [0, BLUE]);
    deepEqual([at(pixels, 18, 15), at(pixels, 19, 15), at(pixels, 20, 15)], [0, BLUE_HALO, BLUE]);
  });

  it('outlines an object that crosses a tile border without a line along the border', () => {
    equal(at(outlined(0, [RED, BLUE]), TILE_SIZE - 1, 55), 0);
    equal(at(outlined(1, [RED, BLUE]), 0, 55), 0);
    equal(at(outlined(1, [RED, BLUE]), 0, 50), RED);
  });
});
