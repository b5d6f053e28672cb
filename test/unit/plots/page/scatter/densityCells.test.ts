import { deepEqual, equal } from 'node:assert/strict';
import { DensityCells } from '../../../../../src/plots/page/scatterPoints';

/**
 * Counts of a window of 30 × 30 units in three rows from the bottom, in a body of 300 × 300 pixels.
 */
const counts = [
  [4, 0, 1],
  [0, 0, 0],
  [0, 9, 0],
];
const cells = new DensityCells(
  { bins: 3, counts: Uint32Array.from(counts.flat()), window: { x: [0, 30], y: [0, 30] } },
  x => x * 10,
  y => 300 - y * 10,
  ['linear', 'linear'],
);

describe('the cells of a density', () => {
  it('are found at a pixel where they have points', () => {
    deepEqual(
      [cells.at(50, 250), cells.at(250, 299), cells.at(150, 50), cells.at(150, 150), cells.at(301, 299)],
      [0, 2, 7, undefined, undefined],
    );
  });

  it('have the ranges and the pixels of their bin', () => {
    const { count, xRange, yRange, left, right, top, bottom, x, y } = cells.cell(7);
    deepEqual([count, xRange, yRange], [9, [10, 20], [20, 30]]);
    deepEqual([left, right, top, bottom, x, y], [100, 200, 0, 100, 150, 50]);
  });

  it('follow each other by keys, past cells without points, from the one with the most', () => {
    equal(cells.next(undefined, 'ArrowRight'), 7);
    deepEqual([cells.next(0, 'Home'), cells.next(0, 'End')], [0, 7]);
    deepEqual([cells.next(0, 'ArrowRight'), cells.next(2, 'ArrowLeft')], [2, 0]);
    // There is nothing above the first cell, nor beside the last.
    deepEqual([cells.next(0, 'ArrowUp'), cells.next(7, 'ArrowRight'), cells.next(7, 'ArrowDown')], [0, 7, 7]);
  });

  it('are found in a part of the plot, the nearest to its center first', () => {
    const nearest = (x: [number, number], y: [number, number]) => cells.nearestIn({ x, y });
    deepEqual([nearest([0, 30], [0, 30]), nearest([0, 30], [0, 10])], [7, 0]);
    deepEqual([nearest([19, 30], [0, 10]), nearest([29, 30], [0, 1])], [2, 2]);
    deepEqual([nearest([10, 20], [0, 20]), nearest([31, 40], [0, 10])], [undefined, undefined]);
    // A single value, also at the end of the plot.
    deepEqual([nearest([15, 15], [25, 25]), nearest([30, 30], [0, 0])], [7, 2]);
  });

  it('hide what is behind them, and are more opaque the more points they have', () => {
    const [behind, ...layers] = cells.layers('#ff0000', '#ffffff');
    deepEqual([behind?.opacity, layers.length], [1, 3]);
    const opacities = layers.map(({ opacity }) => opacity);
    deepEqual(
      opacities,
      [...opacities].sort((a, b) => a - b),
    );
    equal(opacities.at(-1), 1);
    deepEqual(
      layers.map(layer => layer.kind === 'cells' && [...layer.edges]),
      [
        [200, 200, 300, 300],
        [0, 200, 100, 300],
        [100, 0, 200, 100],
      ],
    );
  });
});
