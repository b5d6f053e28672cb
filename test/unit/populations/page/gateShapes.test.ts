import { deepEqual, equal, ok } from 'node:assert/strict';
import type { AxisScale } from '../../../../src/columns/axisScale';
import type { ColumnAxis } from '../../../../src/drawing/page/plotFrame';
import type { GateOf } from '../../../../src/populations/gate';
import { numbersOf, withNumbers } from '../../../../src/populations/page/gateNumbers';
import {
  distanceFrom,
  drawnGate,
  type GateAxes,
  handlesOf,
  isWithin,
  middleGate,
  movedBy,
  outlineOf,
  type Pixel,
  type ShapeGate,
  shapesOn,
  withoutVertex,
  withPart,
} from '../../../../src/populations/page/gateShapes';

const box = { left: 50, top: 10, width: 200, height: 100 };

/** An axis over a range of its places. */
function axis(
  column: number,
  [low, high]: [number, number],
  [from, to]: [number, number],
  scale: AxisScale = 'linear',
): ColumnAxis {
  const perPlace = (to - from) / (high - low);
  return {
    column,
    scale,
    toPixel: place => from + (place - low) * perPlace,
    toPlace: pixel => low + (pixel - from) / perPlace,
  };
}

/** x of column 0 from 0 to 100, or from 1 to 10,000; y of column 1 from 0 to 50. */
function axesOf(xScale: AxisScale = 'linear'): GateAxes & { y: ColumnAxis } {
  const x = axis(0, xScale === 'log' ? [0, 4] : [0, 100], [50, 250], xScale);
  return { x, y: axis(1, [0, 50], [110, 10]), box };
}

const rounded = (pixels: readonly Pixel[]) => pixels.map(([x, y]) => [Math.round(x), Math.round(y)]);

const linear = axesOf();
const rectangle: ShapeGate = { kind: 'rectangle', x: 0, y: 1, from: [20, 10], to: [60, 30] };
const polygon: ShapeGate = {
  kind: 'polygon',
  x: 0,
  y: 1,
  points: [
    [10, 10],
    [50, 10],
    [50, 40],
  ],
};
const ellipse: ShapeGate = {
  kind: 'ellipse',
  x: 0,
  y: 1,
  center: [50, 25],
  axes: [
    [20, 0],
    [0, 10],
  ],
};
const interval: ShapeGate = { kind: 'range', column: 0, from: 20, to: 60 };

describe('Gates in a plot', () => {
  it('are drawn in the units of its columns, with as many digits as a pixel tells apart', () => {
    deepEqual(
      drawnGate('rectangle', linear, [
        [90.3, 90],
        [170.2, 50],
      ]),
      { kind: 'rectangle', x: 0, y: 1, from: [20.1, 10], to: [60.1, 30] },
    );
    deepEqual(
      drawnGate('interval', linear, [
        [170, 90],
        [90, 50],
      ]),
      interval,
    );
    deepEqual(
      drawnGate('ellipse', linear, [
        [110, 40],
        [190, 80],
      ]),
      ellipse,
    );
    const corners: Pixel[] = [
      [70, 90],
      [150, 90],
      [150, 30],
    ];
    deepEqual(drawnGate('polygon', linear, corners), polygon);
    equal(drawnGate('polygon', linear, corners.slice(1)), undefined);
    equal(drawnGate('interval', linear, [corners[0] ?? [0, 0]]), undefined);
    deepEqual(middleGate('interval', linear), { kind: 'range', column: 0, from: 33.3, to: 66.7 });
  });

  it('are on the scales of the axes where one is logarithmic', () => {
    const log = axesOf('log');
    deepEqual(
      drawnGate('interval', log, [
        [100, 50],
        [150, 50],
      ]),
      { kind: 'range', column: 0, from: 10, to: 100, scale: 'log' },
    );
    const drawn = drawnGate('ellipse', log, [
      [100, 40],
      [200, 80],
    ]);
    ok(drawn?.kind === 'ellipse');
    deepEqual(
      [drawn.scales, drawn.center, drawn.axes],
      [
        ['log', 'linear'],
        [100, 25],
        [
          [1, 0],
          [0, 10],
        ],
      ],
    );
  });

  it('have lines that are straight on their own scales, and curves on others', () => {
    const log = axesOf('log');
    deepEqual(rounded(outlineOf(polygon, linear)), [
      [70, 90],
      [150, 90],
      [150, 30],
    ]);
    const curve = outlineOf(polygon, log);
    ok(curve.length > 3);
    // Each point of the curve lies on the straight line of the gate: from (50, 40) to (10, 10).
    const between = curve.slice(2 * (curve.length / 3) + 1);
    for (const [px, py] of between) {
      const [x, y] = [10 ** log.x.toPlace(px), log.y.toPlace(py)];
      ok(Math.abs(10 + ((x - 10) * 30) / 40 - y) < 1e-6, `${x}, ${y} is off the line`);
    }
    const ofLog = { ...polygon, scales: ['log', 'linear'] as [AxisScale, AxisScale] };
    equal(outlineOf(ofLog, log).length, 3);
    ok(outlineOf(ofLog, linear).length > 3);
    // What has no place on the axis is beyond its lower end.
    const below: ShapeGate = { kind: 'rectangle', x: 0, y: 1, from: [-5, 10], to: [60, 30] };
    ok((outlineOf(below, log)[0]?.[0] ?? 0) < -1000);
  });

  it('are found on axes in either order, also inside of other gates', () => {
    const all: GateOf<number> = {
      kind: 'all',
      gates: [
        { kind: 'not', gate: rectangle },
        interval,
        { kind: 'values', column: 4, values: ['a'] },
        { kind: 'percentile', column: 1, of: 'all', percent: 90, side: 'above' },
      ],
    };
    deepEqual(
      shapesOn(all, linear).map(({ part, gate }) => [part, gate.kind]),
      [
        [0, 'rectangle'],
        [1, 'range'],
      ],
    );
    const turned = { x: { ...linear.x, column: 1 }, y: { ...linear.y, column: 0 }, box };
    equal(shapesOn(rectangle, turned).length, 1);
    // Its first column, from 20 to 60, is upright then.
    deepEqual(rounded([outlineOf(rectangle, turned)[0] ?? [0, 0]]), [[70, 70]]);
    equal(shapesOn(rectangle, { x: linear.x, box }).length, 0);
    const changed = withPart(all, 1, () => ({ ...interval, from: 1 }));
    ok(changed.kind === 'all');
    deepEqual(changed.gates[1], { ...interval, from: 1 });
    deepEqual(changed.gates[0], all.gates[0]);
  });

  it('are lines at thresholds, which moving freezes, and bands of those of images', () => {
    const percentile = { kind: 'percentile', column: 1, of: 'image', percent: 90, side: 'above' } as const;
    const all: GateOf<number> = { kind: 'any', gates: [interval, percentile, { ...percentile, frozen: 7 }] };
    const shapes = shapesOn(all, linear, [
      [20, 40],
      [8, 8],
    ]);
    deepEqual(
      shapes.map(({ part, gate, isBand }) => [part, gate.kind, isBand]),
      [
        [0, 'range', undefined],
        [1, 'range', true],
        [2, 'percentile', undefined],
      ],
    );
    const line = shapesOn(percentile, linear, [[25, 25]])[0]?.gate;
    ok(line?.kind === 'percentile');
    deepEqual(line, { ...percentile, frozen: 25 });
    deepEqual(
      rounded(outlineOf(line, linear)).map(([, y]) => y),
      [60, 60, 60, 60],
    );
    deepEqual(handlesOf(line, linear)[0]?.movedTo([0, 90]), { ...percentile, frozen: 10 });
    deepEqual(movedBy(line, linear, [30, -20]), { ...percentile, frozen: 35 });
    deepEqual(shapesOn(percentile, linear), [], 'it is unknown where it is');
    deepEqual(shapesOn(percentile, { x: linear.x, box }, [[25, 25]]), []);
    deepEqual(withNumbers(line, [3]), { gate: { ...percentile, frozen: 3 } });
  });

  it('are reshaped by their handles', () => {
    const handle = (gate: ShapeGate, at: number) => {
      const found = handlesOf(gate, linear)[at];
      if (!found) throw new Error(`There is no handle ${at}`);
      return found;
    };
    // The corner of both greatest numbers, over the other one: they change places.
    deepEqual(handle(rectangle, 4).movedTo([70, 100]), { ...rectangle, from: [10, 5], to: [20, 10] });
    // An edge leaves the other numbers.
    deepEqual(handle(rectangle, 3).movedTo([190, 0]), { ...rectangle, to: [70, 30] });
    deepEqual(handle(interval, 0).movedTo([190, 0]), { ...interval, from: 60, to: 70 });
    deepEqual(handle(polygon, 1).movedTo([130, 90]), {
      ...polygon,
      points: [
        [10, 10],
        [40, 10],
        [50, 40],
      ],
    });
    // The middle of a line becomes a corner.
    deepEqual(handle(polygon, 3).movedTo([110, 100]), {
      ...polygon,
      points: [
        [10, 10],
        [30, 5],
        [50, 10],
        [50, 40],
      ],
    });
    equal(handlesOf({ ...interval, to: null }, linear).length, 1);
    deepEqual(withoutVertex(polygon, 0), undefined);
  });

  it('of ellipses turn about their center, with axes that stay upright on each other', () => {
    const [first] = handlesOf(ellipse, linear);
    // Straight up, 40 pixels from the center: as long as before.
    const turned = first?.movedTo([150, 20]);
    ok(turned?.kind === 'ellipse');
    const [[ax, ay], [bx, by]] = turned.axes;
    deepEqual([ax, ay].map(Math.abs).map(Math.round), [0, 20]);
    deepEqual([bx, by].map(Math.abs).map(Math.round), [10, 0]);
    deepEqual(turned.center, ellipse.center);
    // It stays an ellipse.
    deepEqual(first?.movedTo([150, 60]), ellipse);
    const outline = outlineOf(turned, linear);
    equal(isWithin(outline, [150, 30]), true);
    equal(isWithin(outline, [185, 60]), false);
    ok(distanceFrom(outline, [150, 20]) < 0.5);
  });

  it('move as a whole, and what has no place stays', () => {
    deepEqual(movedBy(rectangle, linear, [20, -10]), { ...rectangle, from: [30, 15], to: [70, 35] });
    deepEqual(movedBy(ellipse, linear, [20, 0]), { ...ellipse, center: [60, 25] });
    deepEqual(movedBy({ ...interval, from: null }, linear, [20, 40]), { ...interval, from: null, to: 70 });
    const turned = { x: { ...linear.x, column: 1 }, y: { ...linear.y, column: 0 }, box };
    deepEqual(movedBy(rectangle, turned, [20, -10]), { ...rectangle, from: [25, 20], to: [65, 40] });
    deepEqual(handlesOf(rectangle, turned)[3]?.movedTo([90, 0]), { ...rectangle, to: [60, 20] });
    const log = axesOf('log');
    deepEqual(movedBy({ ...rectangle, from: [-1, 10], to: [10, 30] }, log, [50, 0]), {
      ...rectangle,
      from: [-1, 10],
      to: [100, 30],
    });
  });

  it('get the numbers that are typed, or say why not', () => {
    const columns = ['Area', 'Perimeter'].map((name, index) => ({ index, name, kind: 'number' as const }));
    for (const gate of [rectangle, polygon, ellipse, interval]) {
      const numbers = numbersOf(gate, columns).map(({ value }) => value);
      deepEqual(withNumbers(gate, numbers), { gate });
    }
    deepEqual(
      numbersOf(rectangle, columns).map(({ label }) => label),
      ['Area from', 'Area to', 'Perimeter from', 'Perimeter to'],
    );
    const problem = (gate: ShapeGate, numbers: (number | null)[]) => {
      const found = withNumbers(gate, numbers);
      return 'problem' in found ? found.problem : undefined;
    };
    equal(problem(interval, [5, 1]), 'The first number is above the second.');
    equal(problem(interval, [null, null]), 'Enter one of the two ends.');
    equal(
      problem(ellipse, [1, 1, 2, 2, 1, 1]),
      'The half-axes are on one line, so the ellipse would be empty.',
    );
    const log = { ...polygon, scales: ['log', 'linear'] as [AxisScale, AxisScale] };
    equal(problem(log, [0, 1, 2, 3, 4, 4]), 'On a logarithmic axis all numbers are above 0.');
  });
});
