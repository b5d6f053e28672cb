import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeRaster } from '../../../../src/images/decodeRaster';
import { BackgroundImages } from '../../../../src/images/engine/backgroundImages';
import { reasonText, sentences } from '../../words/reasonText';
import { tiff, type TiffPage } from '../tiffFixture';

const read = async (page: TiffPage) => decodeRaster(tiff([page]), 'cells');

const refused = (pattern: RegExp) => (error: unknown) => pattern.test(reasonText(error));

/** One row of pixels of three channels. */
function row(pixels: readonly number[], page: Partial<TiffPage>): TiffPage {
  return { width: pixels.length / 3, height: 1, channels: 3, samples: Uint8Array.from(pixels), ...page };
}

function assertNear(samples: ArrayLike<number>, expected: readonly number[], most: number): void {
  assert.equal(samples.length, expected.length);
  for (const [at, value] of expected.entries())
    assert.ok(Math.abs((samples[at] ?? NaN) - value) <= most, `${Array.from(samples).join()} at ${at}`);
}

describe('What the samples of a TIFF file mean', () => {
  const ycbcr = [16, 128, 128, 235, 128, 128, 126, 90, 200, 81, 90, 240, 145, 54, 34, 41, 240, 110];
  const plain: TiffPage['tags'] = [[530, 3, [1, 1]]];
  const video: TiffPage['tags'] = [...plain, [532, 3, [16, 235, 128, 240, 128, 240]]];
  const luma: TiffPage['tags'] = [[529, 5, [2126, 10000, 7152, 10000, 722, 10000]]];

  // By LibTIFF 4.7.1 (TIFFReadRGBAImage), which rounds tables: within 2.
  for (const [name, tags, expected] of [
    [
      'as JPEG has it',
      plain,
      [16, 16, 16, 235, 235, 235, 227, 88, 59, 238, 14, 14, 13, 238, 14, 16, 15, 239],
    ],
    [
      'with ReferenceBlackWhite',
      video,
      [0, 0, 0, 255, 255, 255, 242, 85, 52, 253, 0, 0, 1, 254, 3, 1, 0, 254],
    ],
    [
      'with YCbCrCoefficients too',
      [...video, ...luma],
      [0, 0, 0, 255, 255, 255, 255, 98, 48, 255, 24, 0, 0, 215, 0, 0, 15, 255],
    ],
  ] as const) {
    it(`is RGB by YCbCr, ${name}`, async () => {
      const raster = await read(row(ycbcr, { photometric: 6, tags: [...tags] }));
      assertNear(raster.samples, expected, 2);
      assert.deepEqual(raster.notes, []);
    });
  }

  it('is as in the file for RGB with ReferenceBlackWhite, and a note says so', async () => {
    const tags: TiffPage['tags'] = [[532, 3, [16, 235, 16, 235, 16, 235]]];
    const raster = await read(row([16, 100, 235], { photometric: 2, tags }));
    assert.deepEqual([...raster.samples], [16, 100, 235]);
    assert.match(sentences(raster.notes), /ReferenceBlackWhite/);
    const usual: TiffPage['tags'] = [[532, 3, [0, 255, 0, 255, 0, 255]]];
    assert.deepEqual((await read(row([1, 2, 3], { photometric: 2, tags: usual }))).notes, []);
  });

  it('is RGB by CIE L*a*b* under D50', async () => {
    const lab = [255, 0, 0, 128, 0, 0, 150, 20, 236, 100, 226, 30, 200, 10, 60, 60, 40, 200];
    const { samples } = await read(row(lab, { photometric: 8 }));
    // By Little CMS 2.18, relative colorimetric, computed for each pixel instead of looked up in
    // its tables.
    const expected = [255, 255, 255, 119, 119, 119, 164, 130, 177, 48, 104, 39, 234, 186, 77, 72, 29, 143];
    assertNear(samples, expected, 0);
  });

  it('is a color of a palette of 8 bits, where no color has more', async () => {
    const colors = Array.from({ length: 256 }, (_, i) => i);
    const colorMap = [
      ...colors.map(i => (i * 7) % 256),
      ...colors.map(i => (i * 5) % 256),
      ...colors.map(i => 255 - i),
    ];
    const page = {
      width: 4,
      height: 1,
      samples: Uint8Array.from([0, 10, 100, 255]),
      photometric: 3,
      colorMap,
    };
    // By LibTIFF 4.7.1.
    assert.deepEqual([...(await read(page)).samples], [0, 0, 255, 70, 50, 245, 188, 244, 155, 249, 251, 0]);
  });

  it('is not that of a volume, which is refused: its other planes would be left out', async () => {
    for (const tag of [32997, 32998]) {
      const page = { width: 2, height: 1, samples: Uint8Array.from([1, 2, 3, 4]) };
      await assert.rejects(read({ ...page, tags: [[tag, 4, [2]]] }), refused(/TIFF volumes/));
      assert.equal((await read({ ...page, tags: [[tag, 4, [1]]] })).width, 2);
    }
  });

  it('is not that of LZW from before TIFF 6.0, which is refused by name', async () => {
    const samples = Uint8Array.from([0x00, 0x01, 0x02, 0x10]);
    await assert.rejects(
      read({ width: 2, height: 1, samples, compression: 5 }),
      refused(/LZW compression from before/),
    );
  });

  it('is that of each page alone, if a page counts from white and another from black', async () => {
    const page = (photometric: number) => ({
      width: 2,
      height: 1,
      samples: Uint8Array.from([0, 200]),
      photometric,
    });
    const folder = await mkdtemp(join(tmpdir(), 'pages-'));
    const images = new BackgroundImages();
    try {
      const path = join(folder, 'cells.tif');
      await writeFile(path, tiff([page(0), page(1)]));
      const { image } = await images.open(path);
      for (const [at, shown] of [
        [0, [255, 0]],
        [1, [0, 255]],
      ] as const) {
        const look = { ...image.look, page: at };
        assert.deepEqual([await image.values(0, 0, look), await image.values(1, 0, look)], [[0], [200]]);
        const tile = await image.tile(0, 0, 0, look);
        assert.deepEqual([tile[0], tile[4]], shown, `page ${at}`);
      }
    } finally {
      await images.release();
      await rm(folder, { recursive: true });
    }
  });
});

describe('LERC data by Esri’s own encoder', () => {
  // LERC 4.0.0 (imagecodecs), 4 × 3 pixels of 3 · i.
  const lerc = (data: string, bits: number, format: number): TiffPage => ({
    width: 4,
    height: 3,
    samples: Uint8Array.from(Buffer.from(data, 'base64')),
    compression: 34887,
    bits,
    tags: [[339, 3, [format]]],
  });
  const ramp = Array.from({ length: 12 }, (_, i) => 3 * i);
  const withMask32 =
    'TGVyYzIgBAAAAHl8We0DAAAABAAAAAEAAAALAAAACAAAAIEAAAAGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgEBABgAAAAIA/f8AgAAAAAAAAARCAQAAAAAAAEBAAADAQAAAEEEAAEBBAABwQQAAqEEAAMBBAADYQQAA8EEAAARC';

  it('has samples of 32 bits without a sign', async () => {
    const data =
      'TGVyYzIgBAAAAG41L1oDAAAABAAAAAEAAAAMAAAACAAAAFwAAAAFAAAAAAAAAAAA4D8AAAAAAAAAAAAAAAAAgEBAAAAAAAAAAAAhAAAAAIEAhgzAYCTMI1XY5oU=';
    assert.deepEqual((await read(lerc(data, 32, 1))).samples, Uint32Array.from(ramp));
  });

  it('has NaN where a pixel is invalid, which means leave out', async () => {
    const { samples } = await read(lerc(withMask32, 32, 3));
    assert.deepEqual(
      samples,
      Float32Array.from(ramp, (value, i) => (i === 6 ? NaN : value)),
    );
  });

  it('is refused where integers have invalid pixels, or the file says another type', async () => {
    const data =
      'TGVyYzIgBAAAAB12AlYDAAAABAAAAAEAAAALAAAACAAAAF4AAAADAAAAAAAAAAAA4D8AAAAAAAAAAAAAAAAAgEBABgAAAAIA/f8AgAAAIQAAQQCGC8BgJMxTYZsXAg==';
    await assert.rejects(read(lerc(data, 16, 1)), refused(/LERC with invalid pixels/));
    await assert.rejects(read(lerc(withMask32, 32, 1)), refused(/LERC with this sample type/));
  });
});
