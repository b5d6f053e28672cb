import { deepEqual, equal } from 'node:assert/strict';
import { RegionDrawing } from '../../../../../src/masks/page/stage/canvasView';

describe('a region drawn on the background image', () => {
  it('is the rectangle between where a drag began and where it is', () => {
    const drawing = new RegionDrawing('rectangle', { x: 10, y: 20 });
    drawing.extend({ x: 12, y: 50 }, 1);
    drawing.extend({ x: 30, y: 40 }, 1);
    deepEqual(drawing.polygon, [10, 20, 30, 20, 30, 40, 10, 40]);
  });

  it('is nothing while it has no inside', () => {
    const rectangle = new RegionDrawing('rectangle', { x: 10, y: 20 });
    rectangle.extend({ x: 10, y: 40 }, 1);
    equal(rectangle.polygon, undefined);
    const lasso = new RegionDrawing('lasso', { x: 0, y: 0 });
    lasso.extend({ x: 9, y: 0 }, 1);
    equal(lasso.polygon, undefined);
  });

  it('adds corners to a lasso, but not one for every pixel on the screen', () => {
    const lasso = new RegionDrawing('lasso', { x: 0, y: 0 });
    for (const [x, y] of [
      [0.5, 0],
      [10, 0],
      [10, 10],
      [10.5, 10],
    ] as const)
      lasso.extend({ x, y }, 1);
    deepEqual(lasso.polygon, [0, 0, 10, 0, 10, 10]);
  });

  it('adds finer corners to a lasso where the background image is larger on the screen', () => {
    const lasso = new RegionDrawing('lasso', { x: 0, y: 0 });
    lasso.extend({ x: 0.5, y: 0 }, 8);
    lasso.extend({ x: 0.5, y: 0.5 }, 8);
    deepEqual(lasso.polygon, [0, 0, 0.5, 0, 0.5, 0.5]);
  });
});
