import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { decodeRaster } from '../../../../../src/formats/raster/decodeRaster';

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
    await assert.rejects(decodeRaster(file, 'cells'), reason(/block-size-differs: LERC/));
  });

  it('that are damaged are reported with our own reason', async () => {
    const file = Uint8Array.from(await readFile(golden));
    file.fill(0x55, Buffer.from(file.buffer).indexOf('Lerc2 ') + 100, -4000);
    await assert.rejects(decodeRaster(file, 'cells'), reason(/damaged-data: LERC/));
  });
});
