import assert from 'node:assert/strict';
import fc from 'fast-check';
import golden from '../../golden/masks.json';
import { CompressedRuns } from '../../../src/archives/readObjectMask';
import { encodeCounts } from '../../../src/archives/runLengthEncoding';

const decoder = new CompressedRuns();

/**
 * Runs of base64 text that stands between other bytes; undefined when it is left to the slow
 * decoder.
 */
function decode(base64: string, pixels: number): number[] | undefined {
  const bytes = Buffer.from(`ab"${base64}"=`);
  const target = new Uint32Array(bytes.length + 5).fill(7);
  const end = decoder.decode(bytes, 3, bytes.length - 2, pixels, target, 5);
  assert.deepEqual([...target.subarray(0, 5)], [7, 7, 7, 7, 7]);
  return end < 0 ? undefined : [...target.subarray(5, end)];
}

describe('compressed runs in base64', () => {
  for (const { name, size, counts, runs, cropped } of golden.masks)
    it(`are those of pycocotools for "${name}"`, () => {
      const [height = 0, width = 0] = size;
      assert.deepEqual(decode(btoa(counts), height * width), runs);
      if (!cropped) return;
      const [cropHeight = 0, cropWidth = 0] = cropped.size;
      assert.ok(decode(btoa(cropped.counts), cropHeight * cropWidth));
    });

  it('are decoded to what was encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 60 }), runs => {
        const pixels = runs.reduce((sum, run) => sum + run, 0);
        assert.deepEqual(decode(btoa(encodeCounts(runs)), pixels), runs);
        assert.equal(decode(btoa(encodeCounts(runs)), pixels + 1), undefined);
      }),
    );
  });

  for (const [name, counts, pixels] of [
    ['a continuation that is cut off', 'o', 16],
    ['a continuation that is cut off later', '5o', 16],
    ['runs that sum past the mask', '4d3', 4],
    ['a negative run', 'N1', 16],
    ['a number that never ends', 'ooooooooooooo0', 16],
    ['a sum below the mask', '5', 12],
    ['characters outside the encoding', '4/', 4],
    ['characters beyond it', '4p', 4],
    ['nothing at all', '', 0],
  ] as const)
    it(`are left to the slow decoder with ${name}`, () => {
      assert.equal(decode(btoa(counts), pixels), undefined);
    });

  it('are left to the slow decoder when the base64 is unusual', () => {
    const base64 = btoa('23102');
    assert.deepEqual(decode(base64, 12), [2, 3, 1, 3, 3]);
    for (const other of [
      base64.slice(0, -1),
      base64.replace('=', ''),
      `\\n${base64}`,
      `${base64}====`,
      '23102',
      '=',
      '====',
      'MjMx=DI=',
    ])
      assert.equal(decode(other, 12), undefined, other);
  });
});
