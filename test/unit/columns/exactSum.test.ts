import assert from 'node:assert/strict';
import fc from 'fast-check';
import { statisticsOf } from '../../../src/columns/columnStatistics';
import { exactSum, extentOf, squaresAbout } from '../../../src/columns/exactSum';

/** A double in whole numbers of the least one, 2⁻¹⁰⁷⁴. */
function inLeast(value: number): bigint {
  const bits = new DataView(new Float64Array([value]).buffer).getBigUint64(0, true);
  const exponent = (bits >> 52n) & 0x7ffn;
  const digits = (bits & ((1n << 52n) - 1n)) | (exponent > 0n ? 1n << 52n : 0n);
  const whole = digits << (exponent > 0n ? exponent - 1n : 0n);
  return bits >> 63n === 1n ? -whole : whole;
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

/** Whether no double is nearer to the sum of numbers than a result. */
function isNearest(result: number, numbers: readonly number[]): boolean {
  const exact = numbers.reduce((sum, value) => sum + inLeast(value), 0n);
  const own = inLeast(result);
  const off = magnitude(exact - own);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(result));
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  const step = inLeast(view.getFloat64(0)) - inLeast(Math.abs(result));
  return 2n * off <= step;
}

const measured = fc
  .tuple(fc.integer({ min: -(10 ** 8), max: 10 ** 8 }), fc.constantFrom(1, 10, 1e3, 1e5))
  .map(([whole, factor]) => whole / factor);
const wide = fc.double({ min: -1e12, max: 1e12, noNaN: true }).filter(value => Math.abs(value) > 1e-12);

describe('A sum', () => {
  it('is the double nearest to what the numbers are together, in every order', () => {
    const many = fc.array(fc.oneof(measured, wide), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(many, numbers => {
        const sum = exactSum(Float64Array.from(numbers));
        assert.ok(isNearest(sum, numbers), String(sum));
        assert.equal(exactSum(Float64Array.from(numbers).sort()), sum);
        assert.equal(exactSum(Float64Array.from(numbers).reverse()), sum);
      }),
    );
  });

  it('is the nearest double of many measurements too', () => {
    const numbers = Array.from({ length: 50_000 }, (_, at) => ((at * 7919) % 999_983) / 1000);
    assert.ok(isNearest(exactSum(Float64Array.from(numbers)), numbers));
    const thirds = numbers.map(value => value / 3);
    assert.ok(isNearest(exactSum(Float64Array.from(thirds)), thirds));
  });

  it('loses no small number among very large ones, nor the least of all', () => {
    const cases: [numbers: number[], sum: number][] = [
      [[1e300, 1, -1e300], 1],
      [[1e300, 1e-300, -1e300], 1e-300],
      [[5e-324, 1, -1], 5e-324],
      [[5e-324, 5e-324], 1e-323],
      [[1e308, 7e307, -1e308], 7e307],
      [[0.1, 0.2, 0.3], 0.6],
      [[-0, 0], 0],
      [[], 0],
    ];
    for (const [numbers, sum] of cases) {
      assert.equal(exactSum(Float64Array.from(numbers)), sum, String(numbers));
      assert.equal(exactSum(Float64Array.from(numbers).reverse()), sum, String(numbers));
    }
  });

  it('is infinite where a number is', () => {
    assert.equal(exactSum(Float64Array.of(1, Infinity)), Infinity);
    assert.equal(exactSum(Float64Array.of(-Infinity, 1e308)), -Infinity);
  });
});

describe('The sum of squares about the mean', () => {
  it('is the same in every order, and that of exact arithmetic', () => {
    const many = fc.array(fc.oneof(measured, wide), { minLength: 2, maxLength: 400 });
    fc.assert(
      fc.property(many, numbers => {
        const squares = (of: Float64Array) => squaresAbout(exactSum(of) / of.length, of, extentOf(of));
        const found = squares(Float64Array.from(numbers));
        assert.equal(squares(Float64Array.from(numbers).sort()), found);
        assert.equal(squares(Float64Array.from(numbers).reverse()), found);
        const wholes = numbers.map(inLeast);
        const count = BigInt(numbers.length);
        const total = wholes.reduce((sum, value) => sum + value, 0n);
        const scaled = wholes.reduce((sum, value) => sum + (count * value - total) ** 2n, 0n);
        // In units of 2⁻²¹⁴⁸ times the count squared; 2²⁰⁰⁰ of them are taken out before it becomes
        // a double.
        const exact = (Number(scaled >> 2000n) / numbers.length ** 2) * 2 ** -148;
        assert.ok(
          Math.abs(found - exact) <= 1e-13 * exact + Number.MIN_VALUE,
          `${found} instead of ${exact}`,
        );
      }),
    );
  });

  it('has a deviation also where squares are beyond all doubles, or below them', () => {
    const deviation = (...numbers: number[]) =>
      statisticsOf({ present: numbers.length, missing: 0, sorted: Float64Array.from(numbers) }).sd;
    assert.equal(deviation(-1e300, 1e300), null);
    assert.equal(deviation(1e-300, 3e-300), 0);
    assert.equal(deviation(4, 4, 4), 0);
  });
});
