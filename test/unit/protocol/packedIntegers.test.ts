import { deepEqual, equal } from 'node:assert/strict';
import { packIntegers, unpackIntegers } from '../../../src/protocol/packed';

describe('packed integers', () => {
  const cases: [what: string, numbers: number[], bytes: number][] = [
    ['none', [], 0],
    ['up to 255', [0, 255], 1],
    ['up to 65,535', [0, 256, 65_535], 2],
    ['larger', [1, 65_536, 2 ** 31 - 1], 4],
    ['negative', [-1, 5, -(2 ** 31)], 4],
    ['over 32 bits', [0, 2 ** 31, 2 ** 40], 8],
    ['no integers', [1, 2.5, NaN, Infinity], 8],
  ];
  for (const [what, numbers, bytes] of cases)
    it(`are the same numbers when they are unpacked, in ${bytes} bytes each: ${what}`, () => {
      const { buffer, kind } = packIntegers(Float64Array.from(numbers));
      equal(buffer.byteLength, bytes * numbers.length);
      deepEqual([...unpackIntegers(structuredClone(buffer), kind)], numbers);
    });

  it('are a copy, so that sending them leaves the others', () => {
    const all = Int32Array.of(70_000, 80_000, 90_000);
    const { buffer, kind } = packIntegers(all.subarray(1));
    structuredClone(buffer, { transfer: [buffer] });
    deepEqual([kind, ...all], ['int32', 70_000, 80_000, 90_000]);
  });
});
