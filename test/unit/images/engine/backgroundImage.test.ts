import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { isCoded } from '../../../../src/base/errors';
import type { Raster, Samples } from '../../../../src/images/raster';
import { forEachColumnSpan, maskFromRuns } from '../../../../src/archives/objectMask';
import type { BackgroundImageLook } from '../../../../src/images/backgroundImageInfo';
import { objectIntensity } from '../../../../src/archives/engine/objectIntensity';
import { hashFile } from '../../../../src/images/engine/fileByteSource';
import { BackgroundImage } from '../../../../src/images/engine/backgroundImage';
import { spreadOf } from '../../../../src/images/engine/firstLook';
import { rasterSource } from '../../../../src/images/imageSource';
import { BackgroundImages } from '../../../../src/images/engine/backgroundImages';
import { ForeignDisk } from '../../foreignDisk';
import { tiff } from '../tiffFixture';
import { reasonText, sentences } from '../../words/reasonText';

const TILE = 256;

function raster(width: number, height: number, samples: Samples, more: Partial<Raster> = {}): Raster {
  const channels = samples.length / (width * height);
  const bitsPerSample = (samples.BYTES_PER_ELEMENT * 8) as 8 | 16 | 32;
  const photometric = channels >= 3 ? 'rgb' : 'black-is-zero';
  return { width, height, channels, bitsPerSample, samples, photometric, notes: [], ...more };
}

const open = (image: Raster) => BackgroundImage.open(rasterSource(image));

const pixel = (tile: Uint8Array, x: number, y: number) => [
  ...tile.subarray((y * TILE + x) * 4, (y * TILE + x) * 4 + 4),
];

describe('An open image', () => {
  it('shows 8-bit RGB as stored', async () => {
    const image = await open(raster(2, 1, Uint8Array.of(1, 2, 3, 250, 251, 252)));
    assert.equal(image.contrast, undefined);
    const tile = await image.tile(0, 0, 0);
    assert.deepEqual(pixel(tile, 0, 0), [1, 2, 3, 255]);
    assert.deepEqual(pixel(tile, 1, 0), [250, 251, 252, 255]);
    assert.deepEqual(pixel(tile, 2, 0), [0, 0, 0, 0]);
    assert.deepEqual(pixel(tile, 0, 1), [0, 0, 0, 0]);
  });

  it('shows 16 bits between percentiles, without outliers', async () => {
    const samples = Uint16Array.from({ length: 100 * 100 }, (_, at) => 1000 + (at % 101));
    samples[0] = 0;
    samples[1] = 65_535;
    const image = await open(raster(100, 100, samples));
    assert.deepEqual(image.contrast, [{ low: 1000, high: 1100 }]);
    const tile = await image.tile(0, 0, 0);
    assert.deepEqual(pixel(tile, 0, 0), [0, 0, 0, 255]);
    assert.deepEqual(pixel(tile, 1, 0), [255, 255, 255, 255]);
    assert.deepEqual(pixel(tile, 50, 0), [128, 128, 128, 255]);
  });

  it('inverts samples whose zero is white', async () => {
    const image = await open(raster(2, 1, Uint8Array.of(0, 200), { photometric: 'white-is-zero' }));
    const tile = await image.tile(0, 0, 0);
    assert.deepEqual([pixel(tile, 0, 0)[0], pixel(tile, 1, 0)[0]], [255, 0]);
  });

  it('ignores NaN and infinity in the contrast, and gives equal samples a range', async () => {
    const image = await open(raster(2, 2, Float32Array.of(NaN, 0.25, 0.5, Infinity)));
    assert.deepEqual(image.contrast, [{ low: 0.25, high: 0.5 }]);
    const tile = await image.tile(0, 0, 0);
    assert.deepEqual(
      [0, 1].map(x => [0, 1].map(y => pixel(tile, x, y)[0])),
      [
        [0, 255],
        [0, 255],
      ],
    );
    assert.deepEqual((await open(raster(2, 1, Uint16Array.of(7, 7)))).contrast, [{ low: 7, high: 8 }]);
  });

  it('does not paint the alpha channel', async () => {
    const gray = await open(
      raster(2, 1, Uint8Array.of(0, 0, 255, 9), { photometric: 'black-is-zero', alpha: 1 }),
    );
    assert.deepEqual(pixel(await gray.tile(0, 0, 0), 1, 0), [255, 255, 255, 255]);
  });

  it('averages areas at coarser levels, at odd edges the part inside the image', async () => {
    const samples = Uint16Array.of(10, 20, 30, 30, 40, 50, 70, 90, 200);
    const image = await open(raster(3, 3, samples));
    const look = {
      ...image.look,
      channels: image.look.channels.map(c => ({ ...c, low: 0, high: 255 })),
    };
    const half = await image.tile(1, 0, 0, look);
    assert.deepEqual(
      [0, 1].map(y => [0, 1, 2].map(x => [...pixel(half, x, y)].filter((_, at) => at % 3 === 0))),
      [
        [
          [25, 255],
          [40, 255],
          [0, 0],
        ],
        [
          [80, 255],
          [200, 255],
          [0, 0],
        ],
      ],
    );
    // 540 / 9
    assert.deepEqual(pixel(await image.tile(2, 0, 0, look), 0, 0), [60, 60, 60, 255]);
    assert.deepEqual(pixel(await image.tile(9, 0, 0, look), 0, 0), [60, 60, 60, 255]);
  });

  it('puts every tile of a level in its place', async () => {
    const [width, height] = [700, 530];
    const samples = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
      const x = Math.floor(at / 3) % width;
      const y = Math.floor(at / 3 / width);
      return at % 3 === 0 ? x >> 2 : at % 3 === 1 ? y >> 2 : 7;
    });
    const image = await open(raster(width, height, samples));
    const tile = await image.tile(1, 1, 1);
    assert.deepEqual(pixel(tile, 10, 5), [((TILE + 10) * 2) >> 2, ((TILE + 5) * 2) >> 2, 7, 255]);
    assert.deepEqual(pixel(tile, 350 - TILE, 0), [0, 0, 0, 0]);
  });
});

describe('The look of an image', () => {
  const two = () => raster(2, 1, Uint16Array.of(0, 100, 1000, 50), { photometric: 'other' });

  it('adds the visible channels, each in its color and range', async () => {
    const image = await open(two());
    const look: BackgroundImageLook = {
      ...image.look,
      channels: [
        { shown: true, color: [255, 0, 100], low: 0, high: 1000 },
        { shown: true, color: [100, 255, 0], low: 0, high: 100 },
      ],
    };
    const both = await image.tile(0, 0, 0, look);
    assert.deepEqual(
      [pixel(both, 0, 0), pixel(both, 1, 0)],
      [
        [100, 255, 0, 255],
        [255, 128, 100, 255],
      ],
    );
    const [first, second] = look.channels;
    assert.ok(first && second);
    const one = await image.tile(0, 0, 0, {
      ...look,
      channels: [{ ...first, shown: false }, second],
    });
    assert.deepEqual(
      [pixel(one, 0, 0), pixel(one, 1, 0)],
      [
        [100, 255, 0, 255],
        [50, 128, 0, 255],
      ],
    );
    const inverted = { ...first, low: 1000, high: 0 };
    const turned = await image.tile(0, 0, 0, {
      ...look,
      channels: [inverted, { ...second, shown: false }],
    });
    assert.deepEqual(
      [pixel(turned, 0, 0), pixel(turned, 1, 0)],
      [
        [255, 0, 100, 255],
        [0, 0, 0, 255],
      ],
    );
  });

  it('begins with a different color and range for each channel', async () => {
    const image = await open(two());
    assert.equal(new Set(image.look.channels.map(({ color }) => String(color))).size, 2);
    assert.deepEqual(image.contrast, [
      { low: 0, high: 1000 },
      { low: 50, high: 100 },
    ]);
  });

  it('has one range for all channels of 16-bit RGB, which preserves the color balance', async () => {
    const image = await open(raster(2, 1, Uint16Array.of(10, 500, 3, 20, 900, 40)));
    assert.deepEqual(image.contrast, Array(3).fill({ low: 3, high: 900 }));
  });

  it('can be adjusted with a histogram of the samples', async () => {
    const image = await open(raster(4, 1, Float32Array.of(NaN, -1, 0, 63)));
    const [spread] = await image.spread();
    assert.ok(spread);
    const { counts, ...range } = spread;
    assert.deepEqual(range, { low: -1, high: 63, lowest: -1, highest: 63 });
    assert.equal(counts.length, 64);
    assert.deepEqual([counts[0], counts[1], counts[63]], [1, 1, 1]);
  });

  it('has the histogram of samples of up to 16 bits, and the percentiles among them', async () => {
    const values = Array.from({ length: 1000 }, (_, at) => (at * 37) % 101);
    const signed = values.map(value => value - 50);
    for (const samples of [
      Uint8Array.from(values),
      Uint16Array.from(values),
      Int8Array.from(signed),
      Int16Array.from(signed),
    ]) {
      const { low, high, lowest, highest, counts } = spreadOf(samples);
      const sorted = [...samples].sort((a, b) => a - b);
      assert.deepEqual([low, high, lowest, highest], [sorted[3], sorted[996], sorted[0], sorted[999]]);
      const bins = new Array<number>(64).fill(0);
      for (const value of samples) {
        const bin = Math.min(63, Math.floor((value - lowest) / ((highest - lowest) / 64)));
        bins[bin] = (bins[bin] ?? 0) + 1;
      }
      assert.deepEqual(counts, bins);
    }
  });
});

describe('The mean intensity of an object', () => {
  // A ring of 3 × 3 around a hole, and a pixel apart: column-major runs in their box of 4 rows and
  // 5 columns.
  const mask = maskFromRuns(Uint32Array.of(0, 3, 1, 1, 1, 1, 1, 3, 8, 1), 4);

  it('is the mean of the raw samples inside its mask, per channel, without NaN', async () => {
    const [width, height] = [5, 4];
    const samples = Float32Array.from({ length: width * height * 2 }, (_, at) => {
      const [x, y] = [(at >> 1) % width, Math.floor((at >> 1) / width)];
      return at % 2 === 0 ? x * 10 + y : x === 4 ? NaN : 7;
    });
    const image = await open(raster(width, height, samples, { photometric: 'other' }));
    const inside: [x: number, y: number][] = [];
    forEachColumnSpan(mask, (x, y0, y1) => {
      for (let y = y0; y < y1; y++) inside.push([x, y]);
    });
    assert.deepEqual(inside, [
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 2],
      [2, 0],
      [2, 1],
      [2, 2],
      [4, 3],
    ]);
    const expected = inside.reduce((sum, [x, y]) => sum + x * 10 + y, 0) / inside.length;
    assert.deepEqual(await objectIntensity(image, mask, { width, height }, undefined), [expected, 7]);
  });

  it('reads the center of each mask pixel where the background image has another size', async () => {
    const [width, height] = [10, 8];
    const samples = Uint8Array.from(
      { length: width * height },
      (_, at) => (at % width) * 10 + Math.floor(at / width),
    );
    const image = await open(raster(width, height, samples));
    const [mean = NaN] = await objectIntensity(image, mask, { width: 5, height: 4 }, undefined);
    // Pixels (2x + 1, 2y + 1) for x, y of the mask, whose sums are 12 and 11 over 9 pixels.
    assert.ok(Math.abs(mean - ((2 * 12 + 9) * 10 + 2 * 11 + 9) / 9) < 1e-9);
  });

  it('is NaN for an empty mask', async () => {
    const empty = { x: 0, y: 0, width: 0, height: 0, runs: new Uint32Array(0) };
    const image = await open(raster(1, 1, Uint8Array.of(3)));
    assert.deepEqual(await objectIntensity(image, empty, { width: 1, height: 1 }, undefined), [NaN]);
  });
});

describe('Image files', () => {
  it('are decoded, cached, decoded again and closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'background-images-'));
    try {
      const images = new BackgroundImages();
      const opened = [];
      for (let at = 0; at < 4; at++) {
        const path = join(folder, `p${at}.png`);
        await writeFile(path, encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(at, 2, 3) }));
        opened.push(await images.open(path));
      }
      assert.deepEqual(
        opened.map(({ name }) => name),
        ['p0.png', 'p1.png', 'p2.png', 'p3.png'],
      );
      for (const [at, { number }] of opened.entries())
        assert.equal(pixel(await (await images.get(number)).tile(0, 0, 0), 0, 0)[0], at);
      await images.close(opened[0]?.number ?? 0);
      await assert.rejects(images.get(opened[0]?.number ?? 0), error => isCoded(error, 'bad-request'));
      await writeFile(join(folder, 'large.png'), Uint8Array.of(0x89, 0x50, 0x4e, 0x47));
      await truncate(join(folder, 'large.png'), 1024 ** 3 + 1);
      await assert.rejects(images.open(join(folder, 'large.png')), error => {
        return isCoded(error, 'bad-request') && /larger than 1 GB/.test(reasonText(error));
      });
      await writeFile(join(folder, 'note.txt'), 'not an image');
      await assert.rejects(images.open(join(folder, 'note.txt')), error => isCoded(error, 'bad-request'));
      await assert.rejects(images.open(join(folder, 'none.png')), error => isCoded(error, 'not-a-file'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('have NaN, not zeros, for a channel in another file of their set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'background-images-'));
    const images = new BackgroundImages();
    try {
      const path = join(folder, 'a.ome.tif');
      const planes = ['a', 'b'].map(
        (name, c) =>
          `<TiffData FirstC="${c}" IFD="0" PlaneCount="1"><UUID FileName="${name}.ome.tif">x</UUID></TiffData>`,
      );
      const pixels = `<Pixels SizeX="2" SizeY="1" SizeC="2">${planes.join('')}</Pixels>`;
      const description = `<OME><Image>${pixels}</Image></OME>`;
      await writeFile(path, tiff([{ width: 2, height: 1, samples: Uint16Array.of(7, 9), description }]));
      const { image } = await images.open(path);
      assert.deepEqual(await image.values(1, 0), [9, NaN]);
      assert.match(
        sentences(image.source.facts.notes),
        /Planes in the metadata .*: 1\. Sets of several files aren't read/,
      );
      const mask = maskFromRuns(Uint32Array.of(0, 2), 1);
      assert.deepEqual(await objectIntensity(image, mask, { width: 2, height: 1 }, undefined), [8, NaN]);
      assert.equal((await image.tile(0, 0, 0))[3], 255);
    } finally {
      await images.release();
      await rm(folder, { recursive: true });
    }
  });

  it('of ImageJ over 4 GB have one directory; their other images follow the first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'background-images-'));
    const images = new BackgroundImages();
    try {
      const path = join(folder, 'stack.tif');
      const samples = Uint16Array.from({ length: 6 * 4 }, (_, at) => at);
      const description = 'ImageJ=1.53t\nimages=4\nchannels=2\nslices=2\nhyperstack=true\n';
      await writeFile(path, tiff([{ width: 3, height: 2, samples, description }]));
      const { image } = await images.open(path);
      assert.deepEqual(image.source.facts.axes, { page: 1, z: 2, t: 1 });
      assert.deepEqual(await image.values(1, 1), [4, 10]);
      assert.deepEqual(await image.values(1, 1, { ...image.look, z: 1 }), [16, 22]);
    } finally {
      await images.release();
      await rm(folder, { recursive: true });
    }
  });

  it('that change after they were opened are not read further', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'background-images-'));
    try {
      const path = join(folder, 'a.tif');
      const page = { width: 300, height: 300, samples: new Uint16Array(90_000) };
      await writeFile(path, tiff([page]));
      const images = new BackgroundImages();
      const { number, image } = await images.open(path);
      await image.source.release();
      await writeFile(path, tiff([{ ...page, height: 200 }]));
      await assert.rejects(image.tile(0, 0, 0), error => isCoded(error, 'file-changed'));
      await images.close(number);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are hashed with SHA-256', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'background-images-'));
    try {
      await writeFile(join(folder, 'abc'), 'abc');
      using disk = new ForeignDisk(folder);
      disk.scan();
      assert.deepEqual(await hashFile(join(folder, 'abc')), {
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        size: 3,
      });
      await assert.rejects(hashFile(join(folder, 'none')), error => isCoded(error, 'not-a-file'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
