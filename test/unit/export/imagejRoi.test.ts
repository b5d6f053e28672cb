import * as assert from 'node:assert/strict';
import { encodeImagejRoi } from '../../../src/export/engine/imagejRois';
import type { ObjectMask } from '../../../src/archives/objectMask';

/** A filled rectangle. */
function block(x: number, y: number, width: number, height: number): ObjectMask {
  return { x, y, width, height, runs: Uint32Array.of(0, width * height) };
}

function read(mask: ObjectMask) {
  const bytes = encodeImagejRoi(mask, 'Zelle 7', [1, 2, 3]);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** ImageJ 1.52i's own decoder has read each of these positions as they are here. */
describe('A ROI of ImageJ', () => {
  it('is a traced polygon where 16 bits reach', () => {
    const { bytes, view } = read(block(40_000, 41_000, 10, 5));
    assert.equal(String.fromCharCode(...bytes.subarray(0, 4)), 'Iout');
    assert.equal(view.getUint8(6), 8);
    assert.deepEqual(
      [8, 10, 12, 14].map(at => view.getUint16(at)),
      [41_000, 40_000, 41_005, 40_010],
    );
    assert.equal(view.getUint16(16), 4);
    const corners = [0, 1, 2, 3].map(at => `${view.getInt16(64 + at * 2)} ${view.getInt16(72 + at * 2)}`);
    assert.deepEqual(corners.sort(), ['0 0', '0 5', '10 0', '10 5']);
  });

  it('is a composite of floats beyond', () => {
    for (const mask of [block(59_991, 3, 10, 2), block(3, 59_999, 1, 2), block(0, 0, 32_768, 4)]) {
      const { view } = read(mask);
      assert.equal(view.getUint8(6), 1);
      const floats = Array.from({ length: view.getInt32(36) }, (_, at) => view.getFloat32(64 + at * 4));
      assert.deepEqual([floats[0], floats[3], floats[6], floats[9], floats[12]], [0, 1, 1, 1, 4]);
      const xs = [floats[1], floats[4], floats[7], floats[10]];
      assert.deepEqual(
        [...new Set(xs)].sort((a = 0, b = 0) => a - b),
        [mask.x, mask.x + mask.width],
      );
    }
  });

  it('carries its name and its color', () => {
    const { view } = read(block(1, 1, 2, 2));
    assert.equal(view.getUint32(40), 0xff010203);
    const header = view.getInt32(60);
    const name = view.getInt32(header + 16);
    const length = view.getInt32(header + 20);
    const text = Array.from({ length }, (_, at) => String.fromCharCode(view.getUint16(name + at * 2))).join(
      '',
    );
    assert.equal(text, 'Zelle 7');
  });
});
