import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  areaInMicrons,
  isSquare,
  micronDecimals,
  perimeterInMicrons,
  stretchedSize,
} from '../../../../../src/masks/page/state/objectMeasurements';

describe('measurements in µm', () => {
  it('count a pixel as its width times its height', () => {
    equal(areaInMicrons(200, { x: 0.325, y: 0.65 }), 42.25);
    equal(areaInMicrons(200, { x: 0.5, y: 0.5 }), 50);
  });

  it('have no perimeter where pixels are not square, since it does not say which way it runs', () => {
    equal(perimeterInMicrons(100, { x: 0.325, y: 0.65 }), undefined);
    equal(perimeterInMicrons(100, { x: 0.5, y: 0.5 }), 50);
  });

  it('have the decimals that tell neighboring pixels apart', () => {
    deepEqual([3, 1, 0.5, 0.325, 0.1, 0.065, 0.001].map(micronDecimals), [0, 0, 1, 1, 1, 2, 3]);
  });

  it('treat sides that differ by rounding as a square', () => {
    ok(isSquare({ x: 0.3249, y: 0.325 }));
    ok(!isSquare({ x: 0.32, y: 0.325 }));
  });

  it('follow a background image that is stretched in both directions, each for itself', () => {
    const size = stretchedSize({ x: 0.5, y: 0.5 }, { width: 200, height: 100 }, { width: 100, height: 100 });
    equal(size.x, 1);
    equal(size.y, 0.5);
  });
});
