import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { decodeLercBlock } from '../../../../src/images/tiff/tiffCompressions';
import { decodeRaster } from '../../../../src/images/decodeRaster';

describe('LERC data of a TIFF file', () => {
  const golden = 'test/golden/images/float32-lerc.tif';
  const reason = (pattern: RegExp) => (error: unknown) =>
    error instanceof Error && pattern.test(error.message);

  it('that claim to be larger than their block are not decoded', async () => {
    const file = Uint8Array.from(await readFile(golden));
    const blob = Buffer.from(file.buffer).indexOf('Lerc2 ');
    const view = new DataView(file.buffer, blob);
    assert.equal(view.getInt32(18, true), 61);
    view.setInt32(14, 60_000, true);
    view.setInt32(18, 60_000, true);
    await assert.rejects(decodeRaster(file, 'cells'), reason(/The LERC data has a different size/));
  });

  it('that claim to have more samples a pixel than their block are not decoded', async () => {
    const file = Uint8Array.from(await readFile(golden));
    const view = new DataView(file.buffer, Buffer.from(file.buffer).indexOf('Lerc2 '));
    assert.equal(view.getInt32(22, true), 1);
    view.setInt32(22, 100_000, true);
    await assert.rejects(decodeRaster(file, 'cells'), reason(/The LERC data has a different size/));
  });

  it('are decoded without what follows them in their block', async () => {
    const file = await readFile(golden);
    const blob = file.indexOf('Lerc2 ');
    const length = file.readInt32LE(blob + 34);
    const one = Uint8Array.from(file.subarray(blob, blob + length));
    const image = { bits: 32, kind: 'float', photometric: 1, planar: false, blockWidth: 61 } as const;
    const shape = { width: 61, height: file.readInt32LE(blob + 14), channels: 1 };
    const followed = Uint8Array.from([...one, ...Buffer.from('CntZImage '), ...new Uint8Array(100)]);
    const decode = (bytes: Uint8Array) =>
      decodeLercBlock({ ...image, blockHeight: shape.height }, bytes, shape);
    assert.deepEqual(await decode(followed), await decode(one));
  });

  it('that are damaged are reported with our own reason', async () => {
    const file = Uint8Array.from(await readFile(golden));
    file.fill(0x55, Buffer.from(file.buffer).indexOf('Lerc2 ') + 100, -4000);
    await assert.rejects(decodeRaster(file, 'cells'), reason(/The LERC data is damaged/));
  });
});
