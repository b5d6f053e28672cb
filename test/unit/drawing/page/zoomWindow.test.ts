import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import type { PlotWindow } from '../../../../src/columns/viewSpec';
import {
  FIXED_AXIS,
  isInside,
  paddedWindow,
  pannedWindow,
  zoomedWindow,
} from '../../../../src/drawing/page/plotZoom';

const whole: PlotWindow = { x: [0, 100], y: [-10, 10] };

describe('the window of a plot', () => {
  it('keeps the point under the pointer in place', () => {
    deepEqual(zoomedWindow(whole, whole, 0.5, [25, 0]), { x: [12.5, 62.5], y: [-5, 5] });
  });

  it('is null once it is as large as all', () => {
    equal(zoomedWindow({ x: [10, 90], y: [-9, 9] }, whole, 2, [50, 0]), null);
  });

  it('stays within all, however it is zoomed and panned', () => {
    const step = fc.record({
      factor: fc.double({ min: 0.01, max: 3, noNaN: true }),
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
      pan: fc.double({ min: -2, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), steps => {
        let window: PlotWindow | null = null;
        for (const { factor, x, y, pan } of steps) {
          const shown: PlotWindow = window ?? whole;
          const at = ([low, high]: [number, number], share: number) => low + (high - low) * share;
          window = zoomedWindow(shown, whole, factor, [at(shown.x, x), at(shown.y, y)]);
          if (window) window = pannedWindow(window, whole, pan, -pan);
          if (!window) continue;
          ok(isInside(window, whole));
          ok(window.x[1] > window.x[0] && window.y[1] > window.y[0]);
        }
      }),
    );
  });

  it('leaves alone an axis that has no numbers to zoom', () => {
    const bins: PlotWindow = { x: [0, 100], y: FIXED_AXIS };
    const half = zoomedWindow(bins, bins, 0.5, [50, 0]);
    deepEqual(half, { x: [25, 75], y: FIXED_AXIS });
    deepEqual(half && pannedWindow(half, bins, 0.1, 0.1), { x: [30, 80], y: FIXED_AXIS });
    equal(half && zoomedWindow(half, bins, 2, [50, 0]), null);
    deepEqual(paddedWindow({ x: [50, 60], y: FIXED_AXIS }, bins), { x: [49.6, 60.4], y: FIXED_AXIS });
  });

  it('has room around what it fits, and around a single value', () => {
    deepEqual(paddedWindow({ x: [50, 60], y: [0, 0] }, whole), { x: [49.6, 60.4], y: [-0.4, 0.4] });
  });
});
