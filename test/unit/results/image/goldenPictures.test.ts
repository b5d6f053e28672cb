import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Samples } from '../../../../src/formats/raster';
import { isCoded } from '../../../../src/base/errors';
import { Pictures } from '../../../../src/results/image/pictures';
import type { Picture } from '../../../../src/results/image/picture';

const W = 61;
const H = 47;

/** The samples that make.py of the folder writes. */
const grey = (x: number, y: number, plane = 0) => (x * 257 + y * 1031 + 5 + plane * 4001) % 65536;
const rgb = (x: number, y: number) => [x * 4, y * 5, (x + y) * 2];

const pixels = Array.from({ length: W * H }, (_, at) => [at % W, Math.floor(at / W)] as const);

const opened: Pictures[] = [];

async function open(name: string, choice?: { level?: number; page?: number }): Promise<Picture> {
  const pictures = new Pictures();
  opened.push(pictures);
  return (await pictures.open(join('test/golden/pictures', name), choice)).picture;
}

async function samples(
  picture: Picture,
  { channel = 0, z = 0, t = 0, page = 0, level = 0 } = {},
): Promise<Samples> {
  const { width, height } = picture.source.facts.levels[level] ?? assert.fail();
  return picture.source.read({ page, z, t }, channel, level, { x: 0, y: 0, width, height });
}

describe('pictures that other programs wrote', () => {
  afterEach(async () => {
    for (const pictures of opened.splice(0)) await pictures.release();
  });

  for (const [name, compression] of [
    ['grey16-big-endian.tif', 'none'],
    ['grey16-lzw.tif', 'LZW'],
    ['grey16-lzw-differences.tif', 'LZW'],
    ['grey16-lzw-differences-big-endian-tiles.tif', 'LZW'],
    ['grey16-deflate-bigtiff-tiles.tif', 'Deflate'],
    ['grey16-zstandard.tif', 'Zstandard'],
  ] as const) {
    it(`are read sample by sample: ${name}`, async () => {
      const picture = await open(name);
      const { facts } = picture.source;
      assert.deepEqual(facts.levels, [{ width: W, height: H }]);
      assert.deepEqual(
        [facts.channels.length, facts.bitsPerSample, facts.kind, facts.compression],
        [1, 16, 'unsigned', compression],
      );
      assert.deepEqual(
        await samples(picture),
        Uint16Array.from(pixels, ([x, y]) => grey(x, y)),
      );
      assert.deepEqual(await picture.values(60, 46), [grey(60, 46)]);
    });
  }

  for (const [name, compression, most] of [
    ['rgb8-packbits.tif', 'PackBits', 0],
    ['rgb8-separate-planes.tif', 'LZW', 0],
    ['rgb8-jpeg-ycbcr.tif', 'JPEG', 12],
    ['rgb8-jpeg-rgb.tif', 'JPEG', 6],
    ['rgb8-webp.tif', 'WebP', 12],
    ['rgb8.webp', undefined, 0],
  ] as const) {
    it(`are read in colour, within ${most}: ${name}`, async () => {
      const picture = await open(name);
      const { facts } = picture.source;
      assert.deepEqual([facts.rgb, facts.channels.length, facts.compression], [true, 3, compression]);
      assert.equal(picture.contrast, undefined);
      for (const channel of [0, 1, 2]) {
        const read = await samples(picture, { channel });
        for (const [at, [x, y]] of pixels.entries()) {
          // Lossy codecs smear the padding of the last tiles into their blocks.
          if (most > 0 && (x >= 48 || y >= 32)) continue;
          const difference = Math.abs((read[at] ?? NaN) - (rgb(x, y)[channel] ?? NaN));
          assert.ok(difference <= most, `channel ${channel} at ${x}, ${y} is off by ${difference}`);
        }
      }
      const [red, green, blue] = rgb(20, 30);
      const tile = await picture.tile(0, 0, 0);
      const shown = tile.subarray((30 * 256 + 20) * 4, (30 * 256 + 20) * 4 + 3);
      [red, green, blue].forEach((value, c) => assert.ok(Math.abs((shown[c] ?? NaN) - (value ?? 0)) <= most));
    });
  }

  it('may hold floats of 16, 32 and 64 bits, with NaN and infinity', async () => {
    const single = (value: number) => Math.fround(Math.fround(value));
    const floats = pixels.map(([x, y]) => single(grey(x, y) / 7 - 4000));
    floats[3 * W + 4] = NaN;
    floats[5 * W + 6] = Infinity;
    for (const name of ['float32-deflate-float-differences.tif', 'float32-lerc.tif']) {
      const picture = await open(name);
      assert.equal(picture.source.facts.kind, 'float');
      const read = await samples(picture);
      floats.forEach((value, at) => {
        // LERC keeps no NaN apart and may round in the last bit: within the error its file allows.
        if (Number.isFinite(value)) assert.ok(Math.abs((read[at] ?? NaN) - value) < 1e-3, `${name} at ${at}`);
      });
      if (!name.includes('lerc')) assert.deepEqual(read, Float32Array.from(floats));
      assert.ok((picture.contrast?.[0]?.high ?? Infinity) < 6000);
    }
    assert.deepEqual(
      await samples(await open('float64-big-endian.tif')),
      Float64Array.from(pixels, ([x, y]) => grey(x, y) / 7 - 4000),
    );
    const half = await samples(await open('float16.tif'));
    pixels.forEach(([x, y], at) => {
      const value = grey(x, y) / 64 - 100;
      assert.ok(Math.abs((half[at] ?? NaN) - value) <= Math.max(2 ** -10, Math.abs(value) / 1024));
    });
  });

  it('may hold whole numbers of 16 and 32 bits, with and without a sign', async () => {
    assert.deepEqual(
      await samples(await open('int16.tif')),
      Int16Array.from(pixels, ([x, y]) => grey(x, y) - 32768),
    );
    const int32 = await open('int32.tif');
    assert.deepEqual([int32.source.facts.kind, int32.source.facts.bitsPerSample], ['signed', 32]);
    assert.deepEqual(
      await samples(int32),
      Int32Array.from(pixels, ([x, y]) => grey(x, y) * 30000 - 900_000_000),
    );
    assert.deepEqual(
      await samples(await open('uint32.tif')),
      Uint32Array.from(pixels, ([x, y]) => grey(x, y) * 60000),
    );
  });

  it('whose white is zero keep their samples and are shown the other way round', async () => {
    const picture = await open('white-is-zero.tif');
    assert.deepEqual(await picture.values(60, 46), [grey(60, 46) >> 8]);
    const [channel] = picture.look.channels;
    assert.ok(channel && channel.low > channel.high);
    const tile = await picture.tile(0, 0, 0);
    const at = (x: number, y: number) => tile[(y * 256 + x) * 4] ?? NaN;
    assert.ok(at(0, 0) === 255 && at(60, 46) === 0);
  });

  it('of OME have channels with names and colours, focus, time, levels and a pixel size', async () => {
    const picture = await open('channels-focus-time.ome.tif');
    const { facts } = picture.source;
    assert.deepEqual(facts.axes, { page: 1, z: 3, t: 2 });
    assert.deepEqual(facts.channels, [
      { name: 'DAPI & co', colour: [0, 0, 255] },
      { name: 'GFP', colour: [0, 255, 0] },
    ]);
    assert.deepEqual(
      picture.look.channels.map(({ colour }) => colour),
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
          const read = await samples(picture, { channel, z, t });
          assert.deepEqual(
            read,
            Uint16Array.from(pixels, ([x, y]) => grey(x, y, plane)),
          );
          const coarse = await samples(picture, { channel, z, t, level: 1 });
          assert.equal(coarse[5 * 31 + 7], grey(14, 10, plane));
        }
    assert.deepEqual(await picture.values(3, 4, { ...picture.look, z: 2, t: 1 }), [
      grey(3, 4, 8),
      grey(3, 4, 11),
    ]);
  });

  it('of ImageJ have channels, slices, frames and a pixel size', async () => {
    const picture = await open('imagej-stack.tif');
    const { facts } = picture.source;
    assert.deepEqual([facts.axes, facts.channels.length], [{ page: 1, z: 3, t: 2 }, 2]);
    assert.deepEqual(facts.pixelSize, { x: 0.5, y: 0.5, from: 'imagej' });
    assert.deepEqual(await picture.values(9, 9, { ...picture.look, z: 1, t: 1 }), [
      grey(9, 9, 8),
      grey(9, 9, 9),
    ]);
  });

  it('of a slide scanner have levels, and neither thumbnail nor label among them', async () => {
    const picture = await open('slide.svs');
    const { facts } = picture.source;
    assert.deepEqual(facts.levels, [
      { width: 244, height: 188 },
      { width: W, height: H },
    ]);
    assert.deepEqual(facts.pixelSize, { x: 0.499, y: 0.499, from: 'aperio' });
    assert.match(facts.notes.join(), /2 further pictures/);
    assert.deepEqual(await picture.values(81, 122), rgb(20, 30));
    const tile = await picture.tile(2, 0, 0);
    assert.deepEqual([...tile.subarray((30 * 256 + 20) * 4, (30 * 256 + 20) * 4 + 4)], [...rgb(20, 30), 255]);
    const coarse = await open('slide.svs', { level: 1 });
    assert.deepEqual(coarse.size, { width: W, height: H });
    assert.deepEqual(await coarse.values(20, 30), rgb(20, 30));
    const same = await coarse.tile(0, 0, 0);
    assert.deepEqual(same, tile);
    await assert.rejects(open('slide.svs', { level: 2 }), error => isCoded(error, 'bad-request'));
  });

  it('of several pages have an axis of those of one size, and offer the others', async () => {
    const picture = await open('pages-of-two-sizes.tif');
    const { facts } = picture.source;
    assert.deepEqual(facts.axes, { page: 3, z: 1, t: 1 });
    assert.deepEqual(facts.pages, [
      { width: W, height: H, page: 0 },
      { width: 30, height: 20, page: 3 },
    ]);
    assert.deepEqual(await picture.values(5, 6, { ...picture.look, page: 2 }), [grey(5, 6, 2)]);
    const small = await open('pages-of-two-sizes.tif', { page: 3 });
    assert.deepEqual(small.size, { width: 30, height: 20 });
    assert.deepEqual(await small.values(5, 6), [grey(5, 6, 7)]);
  });

  it('tell their pixel size by resolution tags only when that is believable', async () => {
    assert.equal((await open('dots-per-inch-72.tif')).source.facts.pixelSize, undefined);
    assert.deepEqual((await open('pixels-per-centimetre.tif')).source.facts.pixelSize, {
      x: 0.5,
      y: 1,
      from: 'resolution',
    });
  });
});
