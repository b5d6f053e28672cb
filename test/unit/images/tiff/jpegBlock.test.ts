import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { decodeRaster } from '../../../../src/images/decodeRaster';
import { decodeJpegBlock } from '../../../../src/images/tiff/tiffCompressions';
import { portableCodecs } from '../../../../src/images/tiff/tiffBlock';
import { readJpegHeader } from '../../../../src/images/jpegStream';
import { reasonText } from '../../words/reasonText';

const golden = async (name: string) => Uint8Array.from(await readFile(`test/golden/images/${name}.tif`));

/** Where the first JPEG stream with a frame begins; its tables are in their own stream. */
function frameOf(file: Uint8Array): number {
  for (let at = 0; at + 3 < file.length; at++) {
    const isStart = file[at] === 0xff && file[at + 1] === 0xd8 && file[at + 2] === 0xff;
    const header = isStart ? readJpegHeader(file.subarray(at)) : undefined;
    if (header) return at + header.frameAt;
  }
  return assert.fail('no frame');
}

describe('JPEG blocks of a TIFF file', () => {
  // By tifffile 2026.3.3 with imagecodecs: means inside a disc, and the SHA-256 of all samples.
  for (const [name, means, digest] of [
    [
      'rgb8-jpeg-420',
      [202.125273, 199.669337, 242.887109],
      'ab18d2adf3f0ccaf20866784f4cde958b4ceca312a03209795f75c28e453e3e6',
    ],
    [
      'rgb8-jpeg-422',
      [195.549891, 198.949017, 241.395484],
      '42327a7862ded41855878a335681c7b6647269d8a95349428867452057292281',
    ],
    [
      'rgb8-jpeg-ycbcr',
      [79.986577, 114.973154, 86.040268],
      '92e61aeb59ad4d7fda8d7ae218e45df28a7e5361995f876250d9a4cad35d0a41',
    ],
    ['rgb8-jpeg-rgb', [80, 115, 86], '0f684a0ff298fbc191fc7ad3ce1871fdaf583f039a67c4465e6a552a91b96d42'],
  ] as const) {
    it(`have the samples that tifffile reads: ${name}`, async () => {
      const { width, height, samples } = await decodeRaster(await golden(name), 'cells');
      const sums = [0, 0, 0];
      let count = 0;
      const [centerX, centerY] = [Math.floor(width / 3), Math.floor(height / 2)];
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          if (Math.hypot(x - centerX, y - centerY) > Math.floor(height / 6)) continue;
          count++;
          for (const c of sums.keys()) sums[c] = (sums[c] ?? 0) + (samples[(y * width + x) * 3 + c] ?? NaN);
        }
      }
      for (const [c, mean] of means.entries())
        assert.ok(Math.abs((sums[c] ?? NaN) / count - mean) < 1e-6, `${sums.map(sum => sum / count).join()}`);
      assert.equal(createHash('sha256').update(samples).digest('hex'), digest);
    });
  }

  it('of four channels, one subsampled, are refused by name: no decoder here is exact for them', async () => {
    const component = (id: number, sampling: number) => [id, sampling, 0];
    const stream = [0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, 8, 0, 8, 4]
      .concat(component(1, 0x22), component(2, 0x11), component(3, 0x11), component(4, 0x22))
      .concat(0xff, 0xd9);
    const image = {
      bits: 8,
      photometric: 5,
      kind: 'unsigned',
      planar: false,
      blockWidth: 8,
      blockHeight: 8,
    } as const;
    await assert.rejects(
      decodeJpegBlock(image, Uint8Array.from(stream), { width: 8, height: 8, channels: 4 }, portableCodecs()),
      /Subsampled JPEG with 4 channels isn't supported/,
    );
  });

  it('of four channels have the colors that LibTIFF reads, within 2 levels, and are refused if they are cut off', async () => {
    // Written for this test; colors of some pixels by Pillow 9.4.0 (LibTIFF 4.5.0).
    const file = Buffer.from(
      'SUkqAPIBAAD/2P/AABQIABgAIARDEQBNEQBZEQBLEQD/2gAOBEMATQBZAEsAAD8A/PT4bf8ALL8K/P7/AIVb/wBMf0r4H8I+EfufJ+lfljb2/m19V/Db/ll+FH/Crf8Apj+le1+EfCP3Pk/StO30Xzf4a+q/ht/yy/Cj/hVv/TH9K9q8I+EfufJ+laVv4T83+D9K+qvht/yy/Cj/AIVb/wBMf0r2vwj4R+58n6Vp2/gHzf8Aln+lfz//AA2/5ZfhX2B/wq3/AKY/pXxV4R8I/c+T9K5rRbfzdtfVfw2/5ZfhR/wq3/pj+le1eEfCP3Pk/Su90XRfN2/LX1X8Nv8All+FH/Crf+mP6V7X4R8I/c+T9K73RfCfm7fk/Svqr4bf8svwo/4Vb/0x/Sva/CPhH7nyfpXfaL4B83b+7/Sv5/8A4bf8svwr7A/4Vb/0x/Svinwj4R+58n6V8s+E7fzdlfVfw2/5ZfhR/wAKt/6Y/pXtfhHwj9z5P0r2jwnovm7Plr6r+G3/ACy/Cj/hVv8A0x/Sva/CPhH7nyfpXtHhPwn5uz5P0r6q+G3/ACy/Cj/hVv8A0x/Suq+I/wAR/B/7Ofw4vvGvjW++w6Va4jihiAa4vZyCUt4EJG+VtpwMgABmYqisw9p8J+AfN2fu/wBK/9kACwAAAQMAAQAAACAAAAABAQMAAQAAABgAAAACAQMABAAAAHwCAAADAQMAAQAAAAcAAAAGAQMAAQAAAAUAAAARAQQAAQAAAAgAAAAVAQMAAQAAAAQAAAAWAQMAAQAAABgAAAAXAQQAAQAAAOkBAAAcAQMAAQAAAAEAAABbAQcAIQEAAIQCAAAAAAAACAAIAAgACAD/2P/bAEMAAwICAwICAwMDAwQDAwQFCAUFBAQFCgcHBggMCgwMCwoLCw0OEhANDhEOCwsQFhARExQVFRUMDxcYFhQYEhQVFP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/Z',
      'base64',
    );
    const { width, samples } = await decodeRaster(file, 'cells');
    for (const [x, y, ...color] of [
      [0, 0, 255, 255, 255],
      [5, 3, 212, 225, 213],
      [17, 11, 97, 128, 95],
      [31, 23, 2, 15, 74],
    ] as const)
      for (const [c, value] of color.entries()) {
        const difference = (samples[(y * width + x) * 3 + c] ?? NaN) - value;
        assert.ok(Math.abs(difference) <= 2, `pixel ${x}, ${y}, channel ${c} is off by ${difference}`);
      }
    // The directory, with the tag 279 (length of the strip) as a LONG.
    const entry = file.indexOf(Buffer.of(0x17, 1, 4, 0, 1, 0, 0, 0));
    file.writeUInt32LE(file.readUInt32LE(entry + 8) >> 1, entry + 8);
    await assert.rejects(decodeRaster(file, 'cells'), error =>
      /^The JPEG data is damaged/.test(reasonText(error)),
    );
  });

  it('that are damaged are told so in our words', async () => {
    const file = await golden('rgb8-jpeg-420');
    const frame = frameOf(file);
    file.fill(0x7f, frame + 120, frame + 400);
    await assert.rejects(decodeRaster(file, 'cells'), error =>
      /^The JPEG data is damaged/.test(reasonText(error)),
    );
  });
});
