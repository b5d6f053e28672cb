import { reason } from '../../../../src/base/reasons';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeRaster } from '../../../../src/images/decodeRaster';
import { BackgroundImages } from '../../../../src/images/engine/backgroundImages';
import { reasonText } from '../../words/reasonText';
import { jpeg } from '../jpegFixture';
import { tiff, type TiffPage } from '../tiffFixture';

type BackgroundImagePart = NonNullable<Parameters<BackgroundImages['open']>[1]>;

const read = async (page: TiffPage) => decodeRaster(tiff([page]), 'cells');

const refused = (pattern: RegExp) => (error: unknown) => pattern.test(reasonText(error));

/** One row of pixels. */
function row(channels: number, samples: readonly number[], page: Partial<TiffPage>): TiffPage {
  return {
    width: samples.length / channels,
    height: 1,
    channels,
    samples: Uint8Array.from(samples),
    ...page,
  };
}

describe('Colors of a TIFF file', () => {
  const signed: NonNullable<TiffPage['tags']> = [[339, 3, [2]]];

  it('are those of a palette also where the file calls its places signed', async () => {
    const colorMap = Array.from({ length: 768 }, (_, i) => (i % 256) * 257);
    const page = row(1, [3, 127, 128, 255], { photometric: 3, colorMap });
    const { samples } = await read(page);
    assert.deepEqual([...samples], [3, 3, 3, 127, 127, 127, 128, 128, 128, 255, 255, 255]);
    assert.deepEqual((await read({ ...page, tags: signed })).samples, samples);
  });

  it('are not those of a palette where its places are floating-point numbers', async () => {
    const colorMap = new Array<number>(3 * 65_536).fill(0);
    const page = { width: 1, height: 1, samples: Uint16Array.of(0), photometric: 3, colorMap };
    await assert.rejects(read({ ...page, tags: [[339, 3, [3]]] }), refused(/16-bit samples in format 3/));
  });

  it('are those of inks and of CIE L*a*b* also where the file calls them signed', async () => {
    const inks = row(4, [0, 100, 200, 0, 255, 128, 127, 40], { photometric: 5 });
    const { samples } = await read(inks);
    assert.deepEqual([...samples], [255, 155, 55, 0, 107, 108]);
    assert.deepEqual((await read({ ...inks, tags: signed })).samples, samples);
    const lab = row(3, [200, 10, 250, 90, 128, 4], { photometric: 8 });
    assert.deepEqual((await read({ ...lab, tags: signed })).samples, (await read(lab)).samples);
  });

  it('are refused for other inks than those of CMYK', async () => {
    const other = refused(/^Inks other than cyan, magenta, yellow and black aren't supported$/);
    const four = row(4, [1, 2, 3, 4, 5, 6, 7, 8], { photometric: 5 });
    await assert.rejects(read({ ...four, tags: [[332, 3, [2]]] }), other);
    await assert.rejects(read({ ...four, tags: [[334, 3, [3]]] }), other);
    const cmyk = await read({
      ...four,
      tags: [
        [332, 3, [1]],
        [334, 3, [4]],
      ],
    });
    assert.equal(cmyk.channels, 3);
  });

  it('are refused where a pixel has too few samples for them, which would be those of the next', async () => {
    for (const [photometric, channels, name] of [
      [5, 3, 'CMYK'],
      [8, 1, 'CIE L*a*b*'],
      [8, 2, 'CIE L*a*b*'],
      [6, 1, 'YCbCr'],
    ] as const) {
      const page = row(channels, [1, 2, 3, 4, 5, 6], { photometric, tags: [[530, 3, [1, 1]]] });
      await assert.rejects(read(page), error =>
        reasonText(error).startsWith(`${name} colors with ${channels} channel`),
      );
    }
    // The fourth is no ink.
    const withAlpha = row(4, [1, 2, 3, 4], { photometric: 5, extraSamples: 2 });
    await assert.rejects(read(withAlpha), refused(/CMYK colors with 3 channels/));
  });

  it('are those of ICC L*a*b*, whose a* and b* have no sign, and are refused for other such spaces', async () => {
    const cie = await read(row(3, [200, 10, 250, 90, 128, 4], { photometric: 8 }));
    const icc = await read(row(3, [200, 138, 122, 90, 0, 132], { photometric: 9 }));
    assert.deepEqual([icc.samples, icc.photometric], [cie.samples, 'rgb']);
    assert.deepEqual(icc.notes, [reason('{0} colors were converted to RGB', 'ICC L*a*b*')]);
    for (const [photometric, name] of [
      [10, 'ITU L*a*b*'],
      [32844, 'LogL'],
      [32845, 'LogLuv'],
    ] as const) {
      const page = row(3, [1, 2, 3], { photometric });
      await assert.rejects(read(page), error => reasonText(error) === `${name} colors aren't supported`);
    }
  });

  it('are refused for YCbCr of one channel in JPEG', async () => {
    const samples = await jpeg(new Uint8ClampedArray(16 * 16 * 4).fill(90), 16, 16, { gray: true });
    const page = { width: 16, height: 16, samples, photometric: 6, compression: 7 };
    await assert.rejects(read(page), refused(/YCbCr colors with 1 channel/));
  });
});

describe('Blocks of a TIFF file', () => {
  /** 40 × 20 pixels in tiles of 16 × 16, one after the other. */
  const sample = (x: number, y: number) => (x * 5 + y * 11) % 256;
  const tiles = Array.from({ length: 6 }, (_, tile) =>
    Array.from({ length: 256 }, (_each, i) =>
      sample((tile % 3) * 16 + (i % 16), Math.floor(tile / 3) * 16 + Math.floor(i / 16)),
    ),
  );
  const expected = Array.from({ length: 40 * 20 }, (_, i) => sample(i % 40, Math.floor(i / 40)));
  /** The file's samples begin at byte 8. */
  const listed = (blocks: readonly number[][], tags: NonNullable<TiffPage['tags']>) => ({
    samples: Uint8Array.from(blocks.flat()),
    tags: [
      ...tags,
      [273, 4, blocks.map((_, at) => 8 + blocks.slice(0, at).flat().length)],
      [279, 4, blocks.map(({ length }) => length)],
    ] as TiffPage['tags'],
  });
  const inTiles: NonNullable<TiffPage['tags']> = [
    [322, 4, [16]],
    [323, 4, [16]],
  ];

  it('are tiles also where they are listed as strips', async () => {
    const plain = { width: 40, height: 20, ...listed(tiles, inTiles) };
    assert.deepEqual([...(await read(plain)).samples], expected);
    // PackBits: 128 bytes as they are, twice.
    const packed = tiles.map(tile => [127, ...tile.slice(0, 128), 127, ...tile.slice(128)]);
    const page = { width: 40, height: 20, ...listed(packed, inTiles), compression: 32773 };
    assert.deepEqual([...(await read(page)).samples], expected);
  });

  it('are strips where only strips are listed, whatever the size of a tile', async () => {
    const page = { width: 4, height: 1, samples: Uint8Array.of(1, 2, 3, 4) };
    const tags: TiffPage['tags'] = [
      [322, 4, [2]],
      [323, 4, [16]],
    ];
    assert.deepEqual([...(await read({ ...page, tags })).samples], [1, 2, 3, 4]);
  });

  const rows = [
    [10, 11],
    [12, 13],
    [20, 21],
    [22, 23],
    [30, 31],
    [32, 33],
  ];
  const planar = (rowsPerStrip: number, strips = rows): TiffPage => ({
    width: 2,
    height: 2,
    channels: 3,
    photometric: 2,
    ...listed(strips, [
      [284, 3, [2]],
      [278, 4, [rowsPerStrip]],
    ]),
  });

  it('of separate channels are refused where their number is not that of the image', async () => {
    const { samples } = await read(planar(1));
    assert.deepEqual([...samples], [10, 20, 30, 11, 21, 31, 12, 22, 32, 13, 23, 33]);
    const whole = [0, 2, 4].map(at => [...(rows[at] ?? []), ...(rows[at + 1] ?? [])]);
    assert.deepEqual((await read(planar(2 ** 31 + 1, whole))).samples, samples);
    await assert.rejects(
      read(planar(2 ** 31 + 1)),
      refused(/^The file lists 6 tiles or strips, but an image of its size has 3$/),
    );
    await assert.rejects(read(planar(1, whole)), refused(/lists 3 tiles or strips, .* has 6$/));
  });

  it('are refused where there are more, and the first is shorter than the image', async () => {
    const page = (strips: number[][]) => ({
      width: 2,
      height: 2,
      ...listed(strips, [[278, 4, [2 ** 31 + 1]]]),
    });
    await assert.rejects(read(page([[1, 2], [9], [3, 4]])), refused(/lists 3 tiles or strips, .* has 1$/));
    assert.deepEqual([...(await read(page([[1, 2, 3, 4], [9]]))).samples], [1, 2, 3, 4]);
  });
});

describe('Uncompressed blocks of a TIFF file', () => {
  /** Strips of two rows of two pixels, the last of one row, in sequence from byte 8 on. */
  const strips = (changed: { rowsPerStrip?: number; counts?: number[]; offsets?: number[] }): TiffPage => ({
    width: 2,
    height: 5,
    samples: Uint8Array.from({ length: 10 }, (_, at) => at),
    tags: [
      [278, 4, [changed.rowsPerStrip ?? 2]],
      [273, 4, changed.offsets ?? [8, 12, 16]],
      [279, 4, changed.counts ?? [4, 4, 2]],
    ],
  });
  const short = (block: number) =>
    refused(new RegExp(`^Block ${block} of the image is shorter than its rows$`));

  it('are refused where they are shorter than their rows, which would be those of the next block', async () => {
    const { samples } = await read(strips({}));
    assert.deepEqual([...samples], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // As many strips as of two rows, but the first has four bytes and not six.
    const four = { ...strips({ rowsPerStrip: 3, offsets: [8, 12], counts: [4, 4] }) };
    await assert.rejects(read(four), short(0));
    // The last one has nothing behind it that would show where it ends.
    await assert.rejects(read(strips({ counts: [4, 4, 1] })), short(2));
    await assert.rejects(read(strips({ offsets: [8, 11, 16], counts: [3, 4, 2] })), short(0));
  });

  it('are read where the list is wrong about their sizes, but not about where they begin', async () => {
    const { samples } = await read(strips({}));
    for (const counts of [
      [2, 1, 2],
      [0, 0, 0],
      [9, 9, 9],
    ])
      assert.deepEqual((await read(strips({ counts }))).samples, samples, counts.join());
    const alone = {
      width: 2,
      height: 5,
      samples: Uint8Array.from(samples),
      tags: [[279, 4, [3]]] satisfies TiffPage['tags'],
    };
    assert.deepEqual((await read(alone)).samples, samples);
  });

  it('are read where the last tiles have no rows below the image', async () => {
    const tiles = Uint8Array.from({ length: 16 * 16 + 16 * 4 }, (_, at) => at % 251);
    const page = { width: 16, height: 20, samples: tiles };
    const tags: TiffPage['tags'] = [
      [322, 4, [16]],
      [323, 4, [16]],
      [324, 4, [8, 8 + 256]],
      [325, 4, [256, 64]],
    ];
    // The rest of the file follows: 12 rows of something else.
    assert.deepEqual((await read({ ...page, tags, description: 'x'.repeat(300) })).samples, tiles);
  });
});

describe('Pages of a TIFF file', () => {
  const page = (samples: TiffPage['samples'], channels = 1, more: Partial<TiffPage> = {}): TiffPage => ({
    width: 2,
    height: 1,
    samples,
    channels,
    ...more,
  });

  async function opened<T>(
    pages: TiffPage[],
    use: (open: (part?: BackgroundImagePart) => ReturnType<BackgroundImages['open']>) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'pages-'));
    const images = new BackgroundImages();
    try {
      const path = join(folder, 'cells.tif');
      await writeFile(path, tiff(pages));
      return await use(part => images.open(path, part));
    } finally {
      await images.release();
      await rm(folder, { recursive: true });
    }
  }

  it('of one size are an axis for each number of channels and type, and all can be reached', async () => {
    const pages = [
      page(Uint8Array.of(1, 2)),
      page(Uint8Array.of(1, 2, 3, 4, 5, 6), 3, { photometric: 2 }),
      page(Uint8Array.of(7, 8)),
      page(Uint16Array.of(900, 901)),
      page(Int16Array.of(-9, 9)),
      page(Uint8Array.of(1, 2, 3, 4), 2),
      page(Uint8Array.of(1, 2, 3, 4), 2, { extraSamples: 2 }),
    ];
    await opened(pages, async open => {
      const { image } = await open();
      assert.deepEqual(
        image.source.facts.pages.map(({ page: at }) => at),
        [0, 1, 3, 4, 5, 6],
      );
      assert.equal(image.source.facts.axes.page, 2);
      assert.deepEqual(await image.values(1, 0, { ...image.look, page: 1 }), [8]);
      for (const [at, values] of [
        [1, [4, 5, 6]],
        [3, [901]],
        [4, [9]],
        [5, [3, 4]],
        [6, [3]],
      ] as const)
        assert.deepEqual(await (await open({ page: at })).image.values(1, 0), values, `page ${at}`);
    });
  });

  it('of signed RGB are shown in the range of their samples', async () => {
    const signed = page(Uint8Array.of(246, 0, 0, 0, 10, 10), 3, { photometric: 2, tags: [[339, 3, [2]]] });
    await opened([signed], async open => {
      const { image } = await open();
      assert.deepEqual(await image.values(0, 0), [-10, 0, 0]);
      const tile = await image.tile(0, 0, 0);
      assert.deepEqual([tile[0], (tile[1] ?? 0) > 0, (tile[4] ?? 0) > 0], [0, true, true]);
    });
  });
});
