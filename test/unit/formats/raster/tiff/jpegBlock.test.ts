import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { decodeRaster } from '../../../../../src/formats/raster/decodeRaster';
import { decodeJpegBlock } from '../../../../../src/formats/raster/tiff/jpegBlock';
import { portableCodecs } from '../../../../../src/formats/raster/tiff/tiffBlock';
import { readJpegHeader } from '../../../../../src/formats/raster/jpegHeader';
import { reasonText } from '../../../words/reasonText';

const golden = async (name: string) => Uint8Array.from(await readFile(`test/golden/images/${name}.tif`));

/** Where the only or first JPEG stream with a frame begins; its tables are in a stream of their own. */
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
      /subsampled-jpeg: 4/,
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
