import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Rounding } from '../../../src/linking/objectEvidence';
import { fitPositions, positionTolerances, type Roundings } from '../../../src/linking/positionEvidence';

const coordinate = fc.integer({ min: 0, max: 20_000 }).map(value => value / 10);
const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 30 });
const EXACT: Roundings = [new Rounding(0, 0), new Rounding(0, 0)];

function fit(given: Float64Array, pixels: Float64Array, roundings: Roundings = EXACT) {
  return fitPositions(given, positionTolerances(given, roundings), pixels);
}

describe('positions of rows and objects', () => {
  it('fit up to a ratio and offsets, within their rounding', () =>
    fc.assert(
      fc.property(
        points,
        fc.double({ min: 0.05, max: 5, noNaN: true }),
        fc.tuple(coordinate, coordinate),
        fc.integer({ min: 0, max: 4 }),
        (at, ratio, [right, down], decimals) => {
          const pixels = Float64Array.from(at.flat());
          const given = pixels.map((value, axis) =>
            Number((value * ratio + (axis % 2 ? down : right)).toFixed(decimals)),
          );
          const rounding = new Rounding(0.5 * 10 ** -decimals, 0);
          const found = fit(given, pixels, [rounding, rounding]);
          assert.ok(found);
          assert.ok(found.minRatio <= ratio && ratio <= found.maxRatio && found.count === at.length);
        },
      ),
    ));

  it('fit only where a ratio and offsets put all within their rounding and that of centers', () =>
    fc.assert(
      fc.property(points, points, (at, others) => {
        const count = Math.min(at.length, others.length, 5);
        const pixels = Float64Array.from(at.slice(0, count).flat());
        const given = Float64Array.from(others.slice(0, count).flat());
        const rounding = new Rounding(40, 0);
        const found = fit(given, pixels, [rounding, rounding]);
        const isWithin = (ratio: number) =>
          [0, 1].every(axis => {
            const rests = Array.from(
              { length: count },
              (_, object) => (given[object * 2 + axis] ?? 0) - ratio * (pixels[object * 2 + axis] ?? 0),
            );
            return Math.max(...rests) - Math.min(...rests) <= 2 * (40 + 1e-6 * 2000 + 0.01 * ratio) + 1e-6;
          });
        // Ratios by brute force: what fits is found, and what is found fits.
        const fitting = Array.from({ length: 400 }, (_, step) => (step + 1) / 100).filter(isWithin);
        for (const ratio of fitting)
          assert.ok(found && found.minRatio <= ratio + 1e-3 && ratio - 1e-3 <= found.maxRatio);
        if (found && Number.isFinite(found.maxRatio))
          assert.ok(isWithin((Math.max(0, found.minRatio) + found.maxRatio) / 2));
      }),
    ));

  it('are in pixels where they have no ratio, and half a pixel or nothing is between them', () => {
    const pixels = Float64Array.from([3, 5, 20, 7, 90, 60, 33, 21]);
    const isInPixels = (change: (value: number) => number) => fit(pixels.map(change), pixels)?.isInPixels;
    assert.equal(
      isInPixels(value => value),
      true,
    );
    assert.equal(
      isInPixels(value => value - 0.5),
      true,
    );
    assert.equal(
      isInPixels(value => value + 3),
      false,
    );
    assert.equal(
      isInPixels(value => value * 1.1),
      false,
    );
  });

  it('are compared within the rounding of each axis', () => {
    const pixels = Float64Array.from([0, 0, 10, 10, 20, 21, 31, 40]);
    const moved = pixels.map((value, at) => (at === 5 ? value + 1 : value));
    const [whole, hundredths] = [[3, 17], [3.25]].map(values => Rounding.of(Float64Array.from(values))) as [
      Rounding,
      Rounding,
    ];
    assert.equal(fit(moved, pixels, [whole, hundredths]), undefined);
    assert.ok(fit(moved, pixels, [whole, whole]));
  });

  it('do not count where one of them is missing', () => {
    const pixels = Float64Array.from([0, 0, 10, 40, NaN, 300, 35, 90]);
    const given = Float64Array.from([0, 0, NaN, 40, 5, 5, 35, 90]);
    assert.equal(fit(given, pixels)?.count, 2);
  });
});
