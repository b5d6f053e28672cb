import assert from 'node:assert/strict';
import { reasonText } from '../words/reasonText';
import fc from 'fast-check';
import golden from '../../golden/masks.json';
import { isCoded } from '../../../src/base/errors';
import {
  area,
  decodeCounts,
  encodeCounts,
  readPlainRuns,
  runsFromMask,
} from '../../../src/archives/runLengthEncoding';

function damagedBecause(reason: RegExp): (error: unknown) => boolean {
  return error => isCoded(error, 'damaged-archive') && reason.test(reasonText(error));
}

describe('run-length encoding', () => {
  it('reads an example worked out by hand', () => {
    // 2 zeros, 3 ones, 1 zero, then 3 + 0 ones, 1 + 2 zeros: codes 48 + group.
    assert.deepEqual([...decodeCounts('23102', 3, 4)], [2, 3, 1, 3, 3]);
    // 37 = 5 + 1 · 32: group 5 with "more" (0x20), then 1.
    assert.deepEqual([...decodeCounts('U1', 37, 1)], [37]);
    // 16 needs a second group, else 0x10 would say "negative".
    assert.deepEqual([...decodeCounts('`0', 16, 1)], [16]);
    // 9, 9, 9, then 9 − 8 = 1: −8 is 11000 with the sign bit 0x10.
    assert.deepEqual([...decodeCounts('999H', 4, 7)], [9, 9, 9, 1]);
  });

  it('writes the example worked out by hand', () => {
    assert.equal(encodeCounts([2, 3, 1, 3, 3]), '23102');
    assert.equal(encodeCounts([37]), 'U1');
    assert.equal(encodeCounts([16]), '`0');
    assert.equal(encodeCounts([9, 9, 9, 1]), '999H');
    assert.equal(encodeCounts([]), '');
  });

  it('reads bytes as it reads text', () => {
    assert.deepEqual(decodeCounts(Uint8Array.from([50, 51, 49, 48, 50]), 3, 4), decodeCounts('23102', 3, 4));
  });

  it('keeps runs beyond 31 bits', () => {
    const runs = Uint32Array.from([3_000_000_000, 5, 1, 1_000_000_000]);
    assert.deepEqual(decodeCounts(encodeCounts(runs), 4_000_000_006, 1), runs);
  });

  describe('agrees with pycocotools', () => {
    for (const mask of golden.masks) {
      it(`on "${mask.name}"`, () => {
        const [height = 0, width = 0] = mask.size;
        const runs = decodeCounts(mask.counts, height, width);
        assert.deepEqual([...runs], mask.runs);
        assert.equal(encodeCounts(runs), mask.counts);
        assert.equal(area(runs), mask.area);
        if (!mask.cropped) return;
        const [cropHeight = 0, cropWidth = 0] = mask.cropped.size;
        const cropped = decodeCounts(mask.cropped.counts, cropHeight, cropWidth);
        assert.equal(area(cropped), mask.area);
        assert.equal(encodeCounts(cropped), mask.cropped.counts);
      });
    }
  });

  describe('rejects with the reason', () => {
    it('a continuation that is cut off', () => {
      assert.throws(() => decodeCounts('o', 4, 4), damagedBecause(/cut off/));
      assert.throws(() => decodeCounts('5o', 4, 4), damagedBecause(/cut off/));
    });
    it('runs that sum past the mask', () => {
      assert.throws(() => decodeCounts('4d3', 2, 2), damagedBecause(/exceed the mask's 4 pixels/));
    });
    it('a negative run', () => {
      assert.throws(() => decodeCounts('N1', 4, 4), damagedBecause(/negative/));
    });
    it('a difference that leads below zero', () => {
      assert.throws(() => decodeCounts('000N', 4, 4), damagedBecause(/negative/));
    });
    it('a number that never ends', () => {
      assert.throws(() => decodeCounts('ooooooooooooo0', 4, 4), damagedBecause(/too long to be valid/));
    });
    it('runs that sum to less than the mask', () => {
      assert.throws(() => decodeCounts('5', 3, 4), damagedBecause(/cover 5 of 12/));
      assert.throws(() => decodeCounts('', 3, 4), damagedBecause(/cover 0 of 12/));
    });
    it('a size of zero, below zero, broken or huge', () => {
      for (const [height, width] of [
        [0, 4],
        [4, 0],
        [-4, -4],
        [NaN, 4],
        [1.5, 4],
        [Infinity, 4],
      ] as const) {
        assert.throws(() => decodeCounts('4', height, width), damagedBecause(/mask size is/));
      }
      assert.throws(() => decodeCounts('4', 100_000, 100_000), damagedBecause(/too large/));
      assert.throws(() => decodeCounts('4', 2 ** 52, 2 ** 52), damagedBecause(/too large/));
    });
    it('characters outside the encoding', () => {
      for (const counts of ['4/', '4p', '4 ', '4é', '4😀', '\u0134']) {
        assert.throws(() => decodeCounts(counts, 4, 4), damagedBecause(/of the runs isn't valid/));
      }
    });
    it('plain runs that are not whole numbers or do not sum up', () => {
      assert.throws(() => readPlainRuns([1, '3'], 2, 2), damagedBecause(/whole number/));
      assert.throws(() => readPlainRuns([1, 2.5, 0.5], 2, 2), damagedBecause(/whole number/));
      assert.throws(() => readPlainRuns([1, -1, 4], 2, 2), damagedBecause(/negative/));
      assert.throws(() => readPlainRuns([1, 2], 2, 2), damagedBecause(/cover 3 of 4/));
      assert.throws(() => readPlainRuns([1, 2, 2], 2, 2), damagedBecause(/exceed/));
      assert.deepEqual([...readPlainRuns([1, 2, 1], 2, 2)], [1, 2, 1]);
    });
  });

  it('reads any bytes or says what is damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(20), fc.nat(20), (bytes, height, width) => {
        try {
          const runs = decodeCounts(bytes, height, width);
          assert.equal(
            runs.reduce((sum, run) => sum + run, 0),
            height * width,
          );
        } catch (error) {
          assert.ok(isCoded(error, 'damaged-archive'));
        }
      }),
    );
  });

  it('decodes any runs it encoded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50_000_000 }), { minLength: 1, maxLength: 60 }),
        runs => {
          const pixels = runs.reduce((sum, run) => sum + run, 0);
          fc.pre(pixels > 0);
          assert.deepEqual([...decodeCounts(encodeCounts(runs), pixels, 1)], runs);
        },
      ),
    );
  });

  it('reads a bitmap column by column', () => {
    assert.deepEqual([...runsFromMask([0, 1, 1, 1, 0, 0], 3, 2)], [1, 2, 1, 1, 1]);
    assert.deepEqual([...runsFromMask([255, 0, 255, 0], 2, 2)], [0, 2, 2]);
    assert.deepEqual([...runsFromMask(new Uint8Array(6), 3, 2)], [6]);
  });

  it('counts the pixels of any bitmap', () => {
    const bitmaps = fc.integer({ min: 1, max: 30 }).chain(width =>
      fc.record({
        width: fc.constant(width),
        rows: fc.array(fc.array(fc.constantFrom(0, 1), { minLength: width, maxLength: width }), {
          minLength: 1,
          maxLength: 30,
        }),
      }),
    );
    fc.assert(
      fc.property(bitmaps, ({ width, rows }) => {
        const bits = rows.flat();
        const runs = runsFromMask(bits, width, rows.length);
        assert.equal(
          area(runs),
          bits.reduce<number>((sum, bit) => sum + bit, 0),
        );
        assert.deepEqual(decodeCounts(encodeCounts(runs), rows.length, width), runs);
      }),
    );
  });
});
