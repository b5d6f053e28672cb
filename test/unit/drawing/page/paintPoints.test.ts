import { deepEqual, equal, ok } from 'node:assert/strict';
import { rasterize } from '../../../../src/drawing/page/paintPoints';
import type { PointLayer } from '../../../../src/drawing/page/paintPoints';

const box = { left: 10, top: 10, width: 20, height: 20 };

function painted(layers: readonly PointLayer[], scale = 1) {
  const [width, height] = [40 * scale, 40 * scale];
  const raster = { width, height, data: new Uint8ClampedArray(width * height * 4) };
  rasterize(raster, layers, box, scale);
  return {
    at: (x: number, y: number) => [...raster.data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)],
    count: raster.data.filter((value, at) => at % 4 === 3 && value > 0).length,
  };
}

const dots = (x: number[], y: number[], more: object = {}): PointLayer => ({
  kind: 'dots',
  opacity: 1,
  radius: 2,
  x: Float32Array.from(x),
  y: Float32Array.from(y),
  palette: ['#ff0000', '#0000ff'],
  ...more,
});

describe('dots of a plot', () => {
  it('are round, in their color, at their place in the box', () => {
    const { at, count } = painted([dots([5.5], [5.5])]);
    deepEqual(at(15, 15), [255, 0, 0, 255]);
    equal(at(18, 15)[3], 0);
    ok(count > 8 && count < 25);
  });

  it('take their color from the palette, the later over the earlier', () => {
    const { at } = painted([dots([5.5, 5.5], [5.5, 5.5], { colors: Uint8Array.of(0, 1) })]);
    deepEqual(at(15, 15), [0, 0, 255, 255]);
  });

  it('add up where they overlap', () => {
    const half = { opacity: 0.5 };
    equal(painted([dots([5.5], [5.5], half)]).at(15, 15)[3], 128);
    equal(painted([dots([5.5, 5.5], [5.5, 5.5], half)]).at(15, 15)[3], 192);
  });

  it('are clipped at the box, and left out where a coordinate is NaN', () => {
    equal(painted([dots([-9, NaN, 40], [5, 5, 5])]).count, 0);
    ok(painted([dots([0, 20], [0, 20])]).count > 20);
  });

  it('keep their place on a screen of more pixels', () => {
    deepEqual(painted([dots([5.5], [5.5])], 2).at(31, 31), [255, 0, 0, 255]);
  });
});

describe('cells of a density', () => {
  it('fill whole pixels without a seam, and are never thinner', () => {
    const edges = Float32Array.of(0, 0, 2.5, 2, 2.5, 0, 5, 2, 8, 8, 8.2, 8.2);
    const { at, count } = painted([{ kind: 'cells', color: '#00ff00', opacity: 1, edges }]);
    equal(count, 11);
    deepEqual([at(10, 10), at(14, 11), at(18, 18)], Array(3).fill([0, 255, 0, 255]));
  });
});
