import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { decodeRaster } from '../../../src/images/decodeRaster';
import { jpegFrames } from '../../../src/images/jpegStream';
import { jpeg } from './jpegFixture';

/** A frame header of 65,535 × 65,535 pixels in one component. */
const HUGE_FRAME = [0xff, 0xc0, 0, 11, 8, 255, 255, 255, 255, 1, 1, 0x11, 0];

describe('the frames of a JPEG stream', () => {
  const image = (progressive: boolean) => {
    const rgba = Uint8ClampedArray.from({ length: 40 * 30 * 4 }, (_, at) => (at * 7919) >> 3);
    return jpeg(rgba, 40, 30, { progressive });
  };
  const insert = (bytes: Uint8Array, at: number, more: readonly number[]) =>
    Uint8Array.from([...bytes.subarray(0, at), ...more, ...bytes.subarray(at)]);

  it('are one, baseline or progressive', async () => {
    for (const progressive of [false, true]) assert.equal(jpegFrames(await image(progressive)), 1);
  });

  it('are counted before and after the scans', async () => {
    const bytes = await image(false);
    assert.equal(jpegFrames(insert(bytes, 2, HUGE_FRAME)), 2);
    assert.equal(jpegFrames(insert(bytes, bytes.length - 2, HUGE_FRAME)), 2);
  });

  it('are unknown where a segment declares another length than decoders read', async () => {
    const bytes = await image(false);
    // A restart interval of 2 bytes: decoders read no more, whatever its length.
    const hidden = [0xff, 0xdd, 0, 4 + HUGE_FRAME.length, 0, 0, ...HUGE_FRAME];
    assert.equal(jpegFrames(insert(bytes, 2, hidden)), undefined);
    const length = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xdb) + 3;
    bytes[length] = (bytes[length] ?? 0) + 1;
    assert.equal(jpegFrames(bytes), undefined);
  });

  it('of a TIFF tile are one, or it is not decoded', async () => {
    const file = Uint8Array.from(await readFile('test/golden/images/rgb8-jpeg-rgb.tif'));
    const tables = Buffer.from(file.buffer).indexOf(Buffer.of(0xff, 0xd8, 0xff, 0xdb));
    assert.ok(tables >= 0);
    assert.equal((await decodeRaster(file, 'cells')).width, 61);
    // The tables that all tiles share begin with those of quantisation.
    file.set(HUGE_FRAME, tables + 2);
    await assert.rejects(decodeRaster(file, 'cells'), /The JPEG data is damaged or cut off/);
  });
});
