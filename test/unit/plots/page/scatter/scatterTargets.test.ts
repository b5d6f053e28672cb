import { deepEqual, equal } from 'node:assert/strict';
import { scaleLinear } from 'd3-scale';
import type { PlotColors } from '../../../../../src/drawing/page/plotColors';
import type { AxisScales } from '../../../../../src/columns/axisScale';
import { pixelPoints, type ScatterPoints } from '../../../../../src/plots/page/scatterPoints';
import { pointColors } from '../../../../../src/plots/page/plotLegend';
import { ScatterTargets } from '../../../../../src/plots/page/scatterTargets';

const box = { left: 50, top: 10, width: 100, height: 100 };
const colors = { background: '#ffffff', faint: '#888888' } as PlotColors;
const words = {
  label: '',
  x: 'Area',
  y: 'Length',
  axes: ['Area', 'Length'] as const,
  rows: 'Rows',
  none: '(missing)',
  number: String,
  short: String,
  between: (low: number, high: number) => `${low} to ${high}`,
};

const points = (...all: [row: number, x: number, y: number][]): ScatterPoints => ({
  x: Float64Array.from(all, ([, x]) => x),
  y: Float64Array.from(all, ([, , y]) => y),
  rows: Uint32Array.from(all, ([row]) => row),
});

/** Targets of a plot with axes from 0 to 10. */
function targetsOf(shown: ScatterPoints, filteredOut?: ScatterPoints, color?: Float64Array): ScatterTargets {
  const [x, y] = [scaleLinear([0, 10], [0, 100]), scaleLinear([0, 10], [100, 0])];
  const scales: AxisScales = ['linear', 'linear'];
  const axes = { x, y, scales };
  const meaning = { name: 'Class', classes: ['a', 'b'] };
  return new ScatterTargets({
    data: {
      shown,
      ...(filteredOut && { filteredOut }),
      ...(color && { color, meaning }),
      ranges: { x: [0, 10], y: [0, 10] },
      scales,
    },
    words,
    colors,
    box,
    toPixels: (valueX, valueY) => [x(valueX), y(valueY)],
    shown: pixelPoints(shown, axes),
    filteredOut: filteredOut && pixelPoints(filteredOut, axes),
    pointColors: color && pointColors(color, meaning, colors),
  });
}

describe('what can be pointed at in a scatter plot', () => {
  const targets = targetsOf(
    points([3, 1, 1], [7, 9, 9]),
    points([4, 5, 5], [8, 20, 5]),
    Float64Array.of(1, NaN),
  );

  it('is the nearest point, also of rows that are filtered out, and its row', () => {
    deepEqual([targets.targetAt(61, 99), targets.targetAt(140, 20), targets.targetAt(101, 60)], [0, 1, 2]);
    deepEqual([targets.targetAt(75, 20), targets.targetAt(20, 60)], [undefined, undefined]);
    deepEqual([0, 1, 2].map(targets.rowOf), [3, 7, 4]);
    deepEqual(targets.action(2), { kind: 'select', row: 4 });
  });

  it('is found by its row, unless it is outside of the plot', () => {
    deepEqual([3, 7, 4, 8, 5].map(targets.targetOfRow), [0, 1, 2, undefined, undefined]);
  });

  it('tells its numbers, and its class where rows match the filters', () => {
    const tip = (target: number) => targets.tip(target).map(({ label, value }) => `${label} ${value}`);
    deepEqual(tip(0), ['Area 1', 'Length 1', 'Class b']);
    deepEqual(tip(1), ['Area 9', 'Length 9', 'Class (missing)']);
    deepEqual(tip(2), ['Area 5', 'Length 5']);
    equal(targets.tip(1).at(-1)?.color, colors.faint);
  });

  it('is moved among by keys, from the one nearest to the center', () => {
    equal(targets.next(undefined, 'ArrowLeft'), 2);
    deepEqual([targets.next(2, 'ArrowLeft'), targets.next(2, 'ArrowUp')], [0, 1]);
    deepEqual([targets.next(1, 'ArrowUp'), targets.next(1, 'Home'), targets.next(0, 'End')], [1, 0, 1]);
  });

  it('are cells where points are counted, after points that are filtered out', () => {
    const grid: ScatterPoints['grid'] = {
      bins: 2,
      counts: Uint32Array.of(0, 2, 5, 0),
      window: { x: [0, 10], y: [0, 10] },
    };
    const dense = targetsOf({ ...points(), grid }, points([4, 9, 9]));
    deepEqual([dense.targetAt(140, 20), dense.targetAt(120, 90), dense.targetAt(60, 90)], [0, 2, undefined]);
    deepEqual(
      dense.tip(2).map(({ value }) => value),
      ['2', '5 to 10', '0 to 5'],
    );
    deepEqual([dense.rowOf(2), dense.action(2), dense.next(undefined, 'ArrowUp')], [undefined, undefined, 3]);
    deepEqual(dense.anchor(2), { x: 125, y: 85 });
  });

  it('is in another drawing what is nearest in the same part of the plot', () => {
    const grid: ScatterPoints['grid'] = {
      bins: 2,
      counts: Uint32Array.of(0, 2, 5, 0),
      window: { x: [0, 10], y: [0, 10] },
    };
    const dense = targetsOf({ ...points(), grid });
    deepEqual(dense.areaOf(1), { x: [5, 10], y: [0, 5] });
    const single = targetsOf(points([3, 6, 1], [7, 7, 2], [8, 4, 6]));
    equal(single.targetIn(dense.areaOf(1)), 1);
    equal(single.targetIn({ x: [8, 10], y: [8, 10] }), undefined);
    deepEqual(
      [0, 1, 2].map(point => dense.targetIn(single.areaOf(point))),
      [1, 1, 2],
    );
    // Outside of the plot, as after panning.
    equal(dense.targetIn({ x: [11, 12], y: [1, 2] }), undefined);
  });
});
