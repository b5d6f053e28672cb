import assert from 'node:assert/strict';
import { join } from 'node:path';
import { maskFromRuns } from '../../../../src/archives/objectMask';
import { runsFromMask } from '../../../../src/archives/runLengthEncoding';
import type { Samples } from '../../../../src/images/raster';
import { isCoded } from '../../../../src/base/errors';
import { objectIntensity } from '../../../../src/archives/engine/objectIntensity';
import { BackgroundImages } from '../../../../src/images/engine/backgroundImages';
import type { BackgroundImage } from '../../../../src/images/engine/backgroundImage';
import { sentences } from '../../words/reasonText';

const W = 61;
const H = 47;

/** The samples that test/golden/images/make.py writes. */
const gray = (x: number, y: number, plane = 0) => (x * 257 + y * 1031 + 5 + plane * 4001) % 65536;
const rgb = (x: number, y: number) => [x * 4, y * 5, (x + y) * 2];

const pixels = Array.from({ length: W * H }, (_, at) => [at % W, Math.floor(at / W)] as const);

const opened: BackgroundImages[] = [];

async function open(name: string, choice?: { level?: number; page?: number }): Promise<BackgroundImage> {
  const images = new BackgroundImages();
  opened.push(images);
  return (await images.open(join('test/golden/images', name), choice)).image;
}

async function samples(
  image: BackgroundImage,
  { channel = 0, z = 0, t = 0, page = 0, level = 0 } = {},
): Promise<Samples> {
  const { width, height } = image.source.facts.levels[level] ?? assert.fail();
  return image.source.read({ page, z, t }, channel, level, { x: 0, y: 0, width, height });
}

describe('Images written by other programs', () => {
  afterEach(async () => {
    for (const images of opened.splice(0)) await images.release();
  });

  for (const [name, compression] of [
    ['gray16-big-endian.tif', undefined],
    ['gray16-lzw.tif', 'LZW'],
    ['gray16-lzw-differences.tif', 'LZW'],
    ['gray16-lzw-differences-big-endian-tiles.tif', 'LZW'],
    ['gray16-deflate-bigtiff-tiles.tif', 'Deflate'],
    ['gray16-zstandard.tif', 'Zstandard'],
  ] as const) {
    it(`are read sample by sample: ${name}`, async () => {
      const image = await open(name);
      const { facts } = image.source;
      assert.deepEqual(facts.levels, [{ width: W, height: H }]);
      assert.deepEqual(
        [facts.channels.length, facts.bitsPerSample, facts.kind, facts.compression],
        [1, 16, 'unsigned', compression],
      );
      assert.deepEqual(
        await samples(image),
        Uint16Array.from(pixels, ([x, y]) => gray(x, y)),
      );
      assert.deepEqual(await image.values(60, 46), [gray(60, 46)]);
    });
  }

  for (const [name, compression, most] of [
    ['rgb8-packbits.tif', 'PackBits', 0],
    ['rgb8-separate-planes.tif', 'LZW', 0],
    ['rgb8-jpeg-ycbcr.tif', 'JPEG', 12],
    ['rgb8-jpeg-rgb.tif', 'JPEG', 6],
    ['rgb8-webp.tif', 'WebP', 12],
    ['rgb8.webp', 'WebP', 0],
  ] as const) {
    it(`are read in color, within ${most}: ${name}`, async () => {
      const image = await open(name);
      const { facts } = image.source;
      assert.deepEqual([facts.rgb, facts.channels.length, facts.compression], [true, 3, compression]);
      assert.equal(image.contrast, undefined);
      for (const channel of [0, 1, 2]) {
        const read = await samples(image, { channel });
        for (const [at, [x, y]] of pixels.entries()) {
          // Lossy codecs smear the padding of the last tiles into their blocks.
          if (most > 0 && (x >= 48 || y >= 32)) continue;
          const difference = Math.abs((read[at] ?? NaN) - (rgb(x, y)[channel] ?? NaN));
          assert.ok(difference <= most, `channel ${channel} at ${x}, ${y} is off by ${difference}`);
        }
      }
      const [red, green, blue] = rgb(20, 30);
      const tile = await image.tile(0, 0, 0);
      const shown = tile.subarray((30 * 256 + 20) * 4, (30 * 256 + 20) * 4 + 3);
      [red, green, blue].forEach((value, c) => assert.ok(Math.abs((shown[c] ?? NaN) - (value ?? 0)) <= most));
    });
  }

  it('may have floats of 16, 32 and 64 bits, with NaN and infinity', async () => {
    const single = (value: number) => Math.fround(Math.fround(value));
    const floats = pixels.map(([x, y]) => single(gray(x, y) / 7 - 4000));
    floats[3 * W + 4] = NaN;
    floats[5 * W + 6] = Infinity;
    for (const name of ['float32-deflate-float-differences.tif', 'float32-lerc.tif']) {
      const image = await open(name);
      assert.equal(image.source.facts.kind, 'float');
      const read = await samples(image);
      floats.forEach((value, at) => {
        // LERC has no NaN and may round the last bit: within the error that the file allows.
        if (Number.isFinite(value)) assert.ok(Math.abs((read[at] ?? NaN) - value) < 1e-3, `${name} at ${at}`);
      });
      if (!name.includes('lerc')) assert.deepEqual(read, Float32Array.from(floats));
      assert.ok((image.contrast?.[0]?.high ?? Infinity) < 6000);
    }
    assert.deepEqual(
      await samples(await open('float64-big-endian.tif')),
      Float64Array.from(pixels, ([x, y]) => gray(x, y) / 7 - 4000),
    );
    const half = await samples(await open('float16.tif'));
    pixels.forEach(([x, y], at) => {
      const value = gray(x, y) / 64 - 100;
      assert.ok(Math.abs((half[at] ?? NaN) - value) <= Math.max(2 ** -10, Math.abs(value) / 1024));
    });
  });

  it('may have signed and unsigned integers of 16 and 32 bits', async () => {
    assert.deepEqual(
      await samples(await open('int16.tif')),
      Int16Array.from(pixels, ([x, y]) => gray(x, y) - 32768),
    );
    const int32 = await open('int32.tif');
    assert.deepEqual([int32.source.facts.kind, int32.source.facts.bitsPerSample], ['signed', 32]);
    assert.deepEqual(
      await samples(int32),
      Int32Array.from(pixels, ([x, y]) => gray(x, y) * 30000 - 900_000_000),
    );
    assert.deepEqual(
      await samples(await open('uint32.tif')),
      Uint32Array.from(pixels, ([x, y]) => gray(x, y) * 60000),
    );
  });

  // Means in a disc by scikit-image 0.26 (regionprops) of what tifffile and Pillow read.
  for (const [name, bits, mean] of [
    ['gray1.tif', 1, 0.42898134863701576],
    ['gray1.png', 1, 0.42898134863701576],
    ['gray2.tif', 2, 1.3500717360114778],
    ['gray4.tif', 4, 7.341463414634147],
  ] as const) {
    it(`have the file's samples and means, and full contrast, with few bits: ${name}`, async () => {
      const few = (x: number, y: number) => (x * 5 + y * 3 + Math.floor((x * y) / 4)) % 2 ** bits;
      const image = await open(name);
      assert.equal(image.source.facts.bitsPerSample, bits);
      assert.deepEqual(
        await samples(image),
        Uint8Array.from(pixels, ([x, y]) => few(x, y)),
      );
      const disc = pixels.map(([x, y]) => Number((x - 30) ** 2 + (y - 23) ** 2 < 15 ** 2));
      const mask = maskFromRuns(runsFromMask(disc, W, H), H);
      const [found = NaN] = await objectIntensity(image, mask, { width: W, height: H }, undefined);
      assert.ok(Math.abs(found - mean) < 1e-12, `${found}`);
      const full = await image.tile(0, 0, 0);
      const white = 2 ** bits - 1;
      pixels.forEach(([x, y]) =>
        assert.equal(full[(y * 256 + x) * 4], Math.round((few(x, y) / white) * 255)),
      );
      // At half size a pixel is the mean of four: not only black and white.
      const [a, b, c, d] = [few(0, 0), few(1, 0), few(0, 1), few(1, 1)];
      const half = await image.tile(1, 0, 0);
      assert.equal(half[0], Math.round(((a + b + c + d) / 4 / white) * 255));
    });
  }

  it('whose zero is white keep their samples and are shown inverted', async () => {
    const image = await open('white-is-zero.tif');
    assert.deepEqual(await image.values(60, 46), [gray(60, 46) >> 8]);
    const [channel] = image.look.channels;
    assert.ok(channel && channel.low > channel.high);
    const tile = await image.tile(0, 0, 0);
    const at = (x: number, y: number) => tile[(y * 256 + x) * 4] ?? NaN;
    assert.ok(at(0, 0) === 255 && at(60, 46) === 0);
  });

  it('of OME have channels with names and colors, focus, time, levels and a pixel size', async () => {
    const image = await open('channels-focus-time.ome.tif');
    const { facts } = image.source;
    assert.deepEqual(facts.axes, { page: 1, z: 3, t: 2 });
    assert.deepEqual(facts.channels, [
      { name: 'DAPI & co', color: [0, 0, 255] },
      { name: 'GFP', color: [0, 255, 0] },
    ]);
    assert.deepEqual(
      image.look.channels.map(({ color }) => color),
      [
        [0, 0, 255],
        [0, 255, 0],
      ],
    );
    assert.deepEqual(facts.levels, [
      { width: W, height: H },
      { width: 31, height: 24 },
    ]);
    assert.deepEqual(facts.pixelSize, { x: 0.325, y: 0.65, from: 'ome' });
    for (const t of [0, 1])
      for (const channel of [0, 1])
        for (const z of [0, 1, 2]) {
          const plane = (t * 2 + channel) * 3 + z;
          const read = await samples(image, { channel, z, t });
          assert.deepEqual(
            read,
            Uint16Array.from(pixels, ([x, y]) => gray(x, y, plane)),
          );
          const coarse = await samples(image, { channel, z, t, level: 1 });
          assert.equal(coarse[5 * 31 + 7], gray(14, 10, plane));
        }
    assert.deepEqual(await image.values(3, 4, { ...image.look, z: 2, t: 1 }), [
      gray(3, 4, 8),
      gray(3, 4, 11),
    ]);
  });

  it('of ImageJ have channels, slices, frames and a pixel size', async () => {
    const image = await open('imagej-stack.tif');
    const { facts } = image.source;
    assert.deepEqual([facts.axes, facts.channels.length], [{ page: 1, z: 3, t: 2 }, 2]);
    assert.deepEqual(facts.pixelSize, { x: 0.5, y: 0.5, from: 'imagej' });
    assert.deepEqual(await image.values(9, 9, { ...image.look, z: 1, t: 1 }), [gray(9, 9, 8), gray(9, 9, 9)]);
  });

  it('of a slide scanner have levels, and neither thumbnail nor label among them', async () => {
    const image = await open('slide.svs');
    const { facts } = image.source;
    assert.deepEqual(facts.levels, [
      { width: 244, height: 188 },
      { width: W, height: H },
    ]);
    assert.deepEqual(facts.pixelSize, { x: 0.499, y: 0.499, from: 'aperio' });
    assert.match(sentences(facts.notes), /labels and thumbnails: 2/);
    assert.deepEqual(await image.values(81, 122), rgb(20, 30));
    const tile = await image.tile(2, 0, 0);
    assert.deepEqual([...tile.subarray((30 * 256 + 20) * 4, (30 * 256 + 20) * 4 + 4)], [...rgb(20, 30), 255]);
    const coarse = await open('slide.svs', { level: 1 });
    assert.deepEqual(coarse.size, { width: W, height: H });
    assert.deepEqual(await coarse.values(20, 30), rgb(20, 30));
    const same = await coarse.tile(0, 0, 0);
    assert.deepEqual(same, tile);
    await assert.rejects(open('slide.svs', { level: 2 }), error => isCoded(error, 'bad-request'));
  });

  it('with several pages have an axis of those of one size, and list the others', async () => {
    const image = await open('pages-of-two-sizes.tif');
    const { facts } = image.source;
    assert.deepEqual(facts.axes, { page: 3, z: 1, t: 1 });
    assert.deepEqual(facts.pages, [
      { width: W, height: H, page: 0 },
      { width: 30, height: 20, page: 3 },
    ]);
    assert.deepEqual(await image.values(5, 6, { ...image.look, page: 2 }), [gray(5, 6, 2)]);
    const small = await open('pages-of-two-sizes.tif', { page: 3 });
    assert.deepEqual(small.size, { width: 30, height: 20 });
    assert.deepEqual(await small.values(5, 6), [gray(5, 6, 7)]);
  });

  it('have a pixel size from resolution tags only if it is plausible', async () => {
    assert.equal((await open('dots-per-inch-72.tif')).source.facts.pixelSize, undefined);
    assert.deepEqual((await open('pixels-per-centimeter.tif')).source.facts.pixelSize, {
      x: 0.5,
      y: 1,
      from: 'resolution',
    });
  });
});
