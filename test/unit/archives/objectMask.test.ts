import assert from 'node:assert/strict';
import { reasonText } from '../words/reasonText';
import fc from 'fast-check';
import golden from '../../golden/masks.json';
import { isCoded } from '../../../src/base/errors';
import {
  areaOfTrimmed,
  forEachColumnSpan,
  fullFrameRuns,
  maskFromRuns,
  type ObjectMask,
  trimRuns,
} from '../../../src/archives/objectMask';
import { readObjectMask } from '../../../src/archives/readObjectMask';
import { area, encodeCounts, runsFromMask } from '../../../src/archives/runLengthEncoding';

/** Paints a mask into a row-major bitmap of its image. */
function paint(mask: ObjectMask, width: number, height: number): Uint8Array {
  const bitmap = new Uint8Array(width * height);
  forEachColumnSpan(mask, (x, y0, y1) => {
    assert.ok(y1 > y0, 'a span has rows');
    for (let y = y0; y < y1; y++) {
      assert.ok(x >= 0 && x < width && y >= 0 && y < height, 'a span lies in the image');
      bitmap[y * width + x] = (bitmap[y * width + x] ?? 0) + 1;
    }
  });
  return bitmap;
}

function unreadableBecause(reason: RegExp): (error: unknown) => boolean {
  return error => isCoded(error, 'damaged-archive') && reason.test(reasonText(error));
}

describe('object mask', () => {
  describe('reads both shapes of the archive alike', () => {
    for (const expected of golden.masks) {
      const { cropped, bbox } = expected;
      if (!cropped || !bbox) continue;
      it(`for "${expected.name}"`, () => {
        const [height = 0, width = 0] = expected.size;
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = bbox;
        const fullFrame = readObjectMask(
          { rle: { size: expected.size, counts: btoa(expected.counts) } },
          width,
          height,
        );
        const crop = readObjectMask(
          { bbox, rle: { size: cropped.size, counts: btoa(cropped.counts) } },
          width,
          height,
        );
        assert.deepEqual(crop, fullFrame);
        assert.deepEqual([crop.x, crop.y, crop.width, crop.height], [x1, y1, x2 - x1, y2 - y1]);
        assert.equal(area(crop.runs), expected.area);
        assert.deepEqual([...fullFrameRuns(crop, width, height)], expected.runs);
      });
    }
  });

  it('has neither pixels nor extent when its runs are all zeros', () => {
    const empty = readObjectMask({ rle: { size: [7, 5], counts: btoa('S1') } }, 5, 7);
    assert.deepEqual({ ...empty, runs: [...empty.runs] }, { x: 0, y: 0, width: 0, height: 0, runs: [] });
    forEachColumnSpan(empty, () => assert.fail('nothing to visit'));
    assert.deepEqual([...fullFrameRuns(empty, 5, 7)], [35]);
  });

  it('trims a bounding box that is wider than its pixels', () => {
    const runs = runsFromMask([0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], 4, 3);
    const mask = readObjectMask(
      { bbox: [10, 20, 14, 23], rle: { size: [3, 4], counts: [...runs] } },
      100,
      100,
    );
    assert.deepEqual({ ...mask, runs: [...mask.runs] }, { x: 11, y: 21, width: 2, height: 1, runs: [0, 2] });
  });

  describe('reads counts', () => {
    const box = { bbox: [1, 1, 5, 4] };
    const read = (counts: unknown) => [
      ...readObjectMask({ ...box, rle: { size: [3, 4], counts } }, 10, 10).runs,
    ];

    it('as base64, as the encoding itself and as plain runs', () => {
      const runs = [2, 1, 2, 2, 1, 3, 1];
      const trimmed = read(runs);
      assert.deepEqual(read(btoa(encodeCounts(runs))), trimmed);
      assert.deepEqual(read(encodeCounts(runs)), trimmed);
      assert.notDeepEqual(trimmed, []);
    });
    it('as base64 without padding and with line breaks', () => {
      const base64 = btoa(encodeCounts([2, 1, 2, 2, 1, 3, 1]));
      assert.deepEqual(read(base64.replace(/=+$/, '')), read(base64));
      assert.deepEqual(read(`${base64.slice(0, 4)}\n${base64.slice(4)}\n`), read(base64));
    });
    it('as the encoding itself where it happens to be base64 of other bytes', () => {
      // The four characters are also base64 of the bytes 219, 205, 72, not all within 48…111.
      assert.equal(encodeCounts([2, 8, 1, 1]), '281I');
      assert.deepEqual(read('281I'), read([2, 8, 1, 1]));
    });
    it('with the reason for the documented form when neither form is valid', () => {
      // Also base64, of the ASCII text "050": runs of 0, 5 and 0 pixels.
      const wide = { bbox: [0, 0, 1, 1029], rle: { size: [1029, 1], counts: '' } };
      assert.throws(
        () => readObjectMask({ ...wide, rle: { ...wide.rle, counts: 'MDUw' } }, 10, 2000),
        unreadableBecause(/cover 5 of 1029/),
      );
    });
  });

  describe('is rejected with its reason', () => {
    const rle = { size: [3, 4], counts: '<' };
    const image = [10, 10] as const;
    for (const [name, record, reason] of [
      ['no record', null, /isn't an object record/],
      ['an array', [], /isn't an object record/],
      ['no encoding', { bbox: [0, 0, 4, 3] }, /no run-length encoding/],
      ['no size', { bbox: [0, 0, 4, 3], rle: { counts: '<' } }, /isn't two whole numbers/],
      [
        'a size in words',
        { bbox: [0, 0, 4, 3], rle: { size: ['3', '4'], counts: '<' } },
        /isn't two whole numbers/,
      ],
      ['a size of zero', { bbox: [0, 0, 4, 0], rle: { size: [0, 4], counts: '' } }, /mask size is 0/],
      ['a huge size', { bbox: [0, 0, 1, 1], rle: { size: [1e9, 1e9], counts: '<' } }, /too large/],
      ['no bounding box for a crop', { rle }, /no bounding box/],
      ['a size that fits neither', { bbox: [0, 0, 5, 3], rle }, /matches neither/],
      ['a transposed size', { bbox: [0, 0, 3, 4], rle }, /matches neither/],
      ['a box outside the image', { bbox: [8, 0, 12, 3], rle }, /beyond the image/],
      ['no counts', { bbox: [0, 0, 4, 3], rle: { size: [3, 4] } }, /no runs/],
      [
        'counts of another size',
        { bbox: [0, 0, 4, 3], rle: { size: [3, 4], counts: btoa('5') } },
        /cover 5 of/,
      ],
    ] as const) {
      it(name, () => {
        assert.throws(() => readObjectMask(record, ...image), unreadableBecause(reason));
      });
    }
  });

  it('keeps a full frame of a large slide compact', () => {
    const side = 65_535;
    const runs = [side * 40_000 + 17, 5, side - 5, 5, side * (side - 40_001) - 17 - 5];
    const mask = readObjectMask(
      { rle: { size: [side, side], counts: btoa(encodeCounts(runs)) } },
      side,
      side,
    );
    assert.deepEqual(
      { ...mask, runs: [...mask.runs] },
      { x: 40_000, y: 17, width: 2, height: 5, runs: [0, 10] },
    );
  });

  it('covers exactly the pixels of any bitmap, also when moved and cut', () => {
    const bitmaps = fc
      .record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) })
      .chain(({ width, height }) =>
        fc.record({
          width: fc.constant(width),
          height: fc.constant(height),
          bits: fc.array(fc.constantFrom(0, 0, 1), { minLength: width * height, maxLength: width * height }),
        }),
      );
    fc.assert(
      fc.property(bitmaps, ({ width, height, bits }) => {
        const runs = runsFromMask(bits, width, height);
        const mask = maskFromRuns(runs, height);
        assert.deepEqual([...paint(mask, width, height)], bits);
        assert.deepEqual(fullFrameRuns(mask, width, height), runs);
        const moved = maskFromRuns(runs, height, 3, 2);
        const image = paint(moved, width + 3, height + 2);
        bits.forEach((bit, i) => {
          assert.equal(image[(Math.floor(i / width) + 2) * (width + 3) + (i % width) + 3], bit);
        });
      }),
    );
  });

  it('needs no trimming exactly when trimming changes nothing', () => {
    const trimmed = { x1: 0, y1: 0, x2: 0, y2: 0, area: 0 };
    let untouched = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 8 }),
        (height, lengths) => {
          // The last run ends a column.
          const sum = lengths.reduce((total, length) => total + length, 0);
          const runs = [
            ...lengths.slice(0, -1),
            (lengths.at(-1) ?? 0) + ((height - (sum % height)) % height),
          ];
          const width = Math.ceil(sum / height);
          const cut = Uint32Array.of(9, ...runs, 0);
          const end = trimRuns(cut, 1, runs.length + 1, height, trimmed);
          const isSame =
            trimmed.area > 0 &&
            [trimmed.x1, trimmed.y1, trimmed.x2, trimmed.y2].join() === [0, 0, width, height].join() &&
            cut.subarray(1, end).join() === runs.join();
          const whole = areaOfTrimmed(Uint32Array.of(9, ...runs, 8), 1, runs.length + 1, height);
          assert.equal(whole, isSame ? trimmed.area : -1, `${height}: ${runs.join()}`);
          if (isSame) untouched++;
        },
      ),
      { numRuns: 3000 },
    );
    assert.ok(untouched > 50, `${untouched} of them`);
  });

  it('accepts empty runs', () => {
    const mask = maskFromRuns(Uint32Array.from([1, 0, 1, 2, 0, 1, 0, 0, 4]), 3);
    assert.deepEqual([...paint(mask, 3, 3)], [0, 1, 0, 0, 1, 0, 1, 0, 0]);
  });
});
