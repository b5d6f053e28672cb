import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  GivenPositions,
  PixelPositions,
  Rounding,
  samplePlaces,
  type Roundings,
} from '../../../src/linked/objectEvidence';

const EXACT: Roundings = [new Rounding(0, 0), new Rounding(0, 0)];
const coordinate = fc.integer({ min: 0, max: 20_000 }).map(value => value / 10);
const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 60 });

describe('positions of rows and objects', () => {
  it('agree up to a ratio and offsets, within their rounding, and their sums never say otherwise', () =>
    fc.assert(
      fc.property(
        points,
        fc.double({ min: 0.05, max: 5, noNaN: true }),
        fc.tuple(coordinate, coordinate),
        fc.integer({ min: 0, max: 4 }),
        (at, ratio, [right, down], decimals) => {
          const round = (value: number) => Number(value.toFixed(decimals));
          const pixels = Float64Array.from(at.flat());
          const positions = pixels.map((value, axis) => round(value * ratio + (axis % 2 ? down : right)));
          const rounding = new Rounding(0.5 * 10 ** -decimals, 0);
          const given = new GivenPositions(positions, [rounding, rounding]);
          assert.notEqual(given.compare(new PixelPositions(pixels)), 'differ');
          assert.ok(given.mayAgree(new PixelPositions(pixels)));
        },
      ),
    ));

  it('do not agree by their sums where they are mixed up', () => {
    const pixels = new PixelPositions(Float64Array.from([0, 0, 10, 40, 200, 300, 35, 90]));
    const others = Float64Array.from([200, 300, 0, 0, 10, 40, 35, 90]);
    const given = new GivenPositions(others, EXACT);
    assert.equal(given.mayAgree(pixels), false);
    assert.equal(given.compare(pixels), 'differ');
  });

  it('are compared within the rounding of each axis', () => {
    const pixels = Float64Array.from([0, 0, 10, 10, 20, 21, 31, 40]);
    const moved = pixels.map((value, at) => (at === 5 ? value + 1 : value));
    const wholeX: Roundings = [
      Rounding.of(Float64Array.from([3, 17])),
      Rounding.of(Float64Array.from([3.25])),
    ];
    const compare = (roundings: Roundings) =>
      new GivenPositions(moved, roundings).compare(new PixelPositions(pixels));
    assert.equal(compare(wholeX), 'differ');
    assert.equal(compare([wholeX[0], wholeX[0]]), 'agree');
  });

  it('are compared of at most 48 objects, from the first on', () => {
    assert.deepEqual([...samplePlaces(3)], [0, 1, 2]);
    for (const count of [0, 47, 48, 49, 1000]) {
      const places = samplePlaces(count);
      assert.ok(places.length <= 48 && places.length >= Math.min(count, 24));
      assert.ok(places.every(place => place < count));
    }
  });
});
