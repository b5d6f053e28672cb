import assert from 'node:assert/strict';
import { memorySource } from '../../../../src/images/byteSource';
import { imageSummary } from '../../../../src/masks/masksPage';
import type { OpenedBackgroundImage } from '../../../../src/images/backgroundImageInfo';
import { plainEnglish } from '../../../../src/words/translate';
import { bigTiff } from './bigTiffFixture';
import { encodeJpeg } from './encodeJpeg';
import {
  goldenSlide,
  largestDifference,
  openSlide,
  recorded,
  type RecordedImage,
  samplesOf,
} from './openSlide';
import { tissue } from './slideImages';

const NAME = 'two-areas.scn';

function cropped(
  { width, rgba }: RecordedImage,
  x: number,
  y: number,
  size: { width: number; height: number },
) {
  const out = new Uint8Array(size.width * size.height * 4);
  for (let row = 0; row < size.height; row++) {
    const from = ((y + row) * width + x) * 4;
    out.set(rgba.subarray(from, from + size.width * 4), row * size.width * 4);
  }
  return { ...size, rgba: out };
}

describe("A slide of Leica's scanners", () => {
  it('has areas as images at their places, with the pixels that OpenSlide reads there', async () => {
    const file = memorySource(goldenSlide(NAME));
    const known = recorded(NAME);
    const first = await openSlide(file, NAME);
    const { pages, pixelSize, magnification } = first.facts;
    assert.deepEqual(
      pages.map(({ role }) => role),
      [
        { kind: 'area', number: 1, left: 10, top: 15 },
        { kind: 'area', number: 2, left: 155, top: 32 },
        { kind: 'macro' },
      ],
    );
    assert.deepEqual([pixelSize, magnification], [{ x: 0.5, y: 0.5, from: 'leica' }, Number(known.power)]);
    for (const [at, [x, y]] of (
      [
        [20, 30],
        [310, 64],
      ] as const
    ).entries()) {
      const source = await openSlide(file, NAME, { page: pages[at]?.page ?? -1 });
      assert.deepEqual(source.facts.levels, [
        { width: 256, height: 192 },
        { width: 128, height: 96 },
      ]);
      for (const [level, factor] of [1, 2].entries()) {
        const other = known.levels[level] ?? assert.fail();
        const size = source.facts.levels[level] ?? assert.fail();
        const there = cropped(other, x / factor, y / factor, size);
        assert.ok(
          largestDifference(await samplesOf(source, level), there) <= 1,
          `area ${at}, level ${level}`,
        );
      }
    }
  });

  it('has the photo of the glass apart', async () => {
    const source = await openSlide(memorySource(goldenSlide(NAME)), NAME);
    const page = source.facts.pages.find(({ role }) => role?.kind === 'macro')?.page ?? -1;
    const macro = await openSlide(memorySource(goldenSlide(NAME)), NAME, { page });
    assert.deepEqual(macro.facts.levels, [{ width: 120, height: 60 }]);
    assert.ok(
      largestDifference(await samplesOf(macro), recorded(NAME).associated['macro'] ?? assert.fail()) <= 1,
    );
  });

  it('is listed by its areas and where they lie', async () => {
    const { facts } = await openSlide(memorySource(goldenSlide(NAME)), NAME);
    const { images } = imageSummary(plainEnglish, NAME, {
      ...facts,
      ...facts.levels[0],
    } as unknown as OpenedBackgroundImage);
    assert.deepEqual(
      images.map(({ filename }) => filename),
      [
        'two-areas.scn, area 1 at 0.0, 0.0 mm',
        'two-areas.scn, area 2 at 0.2, 0.0 mm',
        'two-areas.scn, macro image',
      ],
    );
  });

  it('has focal planes and channels as its text lists them', async () => {
    const [width, height] = [64, 48];
    const gray = (value: number) => ({
      width,
      height,
      tileWidth: 64,
      tileHeight: 48,
      samples: 1,
      photometric: 1,
      compression: 1,
      tile: () => new Uint8Array(width * height).fill(value),
    });
    const dimensions = [0, 1, 2].flatMap(z =>
      [0, 1].map(c => `<dimension sizeX="64" sizeY="48" r="0" z="${z}" c="${c}" ifd="${z * 2 + c}"/>`),
    );
    const description =
      '<scn xmlns="http://www.leica-microsystems.com/scn/2010/10/01"><collection sizeX="9" sizeY="9"><image>' +
      `<pixels>${dimensions.join('')}</pixels><view sizeX="64000" sizeY="48000" offsetX="1" offsetY="1"/>` +
      '<scanSettings><channelSettings><channel index="0" name="DAPI" rgb="#0000ff"/><channel index="1" name="Cy3"/></channelSettings></scanSettings>' +
      '</image></collection></scn>';
    const file = bigTiff(
      [0, 1, 2, 3, 4, 5].map(at => ({ ...gray(at * 10), ...(at === 0 && { description }) })),
    );
    const source = await openSlide(memorySource(file), 'planes.scn');
    assert.deepEqual(source.facts.axes, { page: 1, z: 3, t: 1 });
    assert.deepEqual(source.facts.channels, [{ name: 'DAPI', color: [0, 0, 255] }, { name: 'Cy3' }]);
    for (const z of [0, 1, 2])
      for (const c of [0, 1]) {
        const [value] = await source.read({ page: 0, z, t: 0 }, c, 0, { x: 5, y: 5, width: 1, height: 1 });
        assert.equal(value, (z * 2 + c) * 10);
      }
  });

  it('tells absent tiles, which are outside, from damaged ones, which are reported', async () => {
    const jpeg = encodeJpeg({ width: 64, height: 48, sampling: [2, 1] }, tissue()).bytes;
    const damaged = jpeg.slice(0, -40);
    const description =
      '<scn xmlns="http://www.leica-microsystems.com/scn/2010/10/01"><collection sizeX="9" sizeY="9"><image>' +
      '<pixels><dimension sizeX="192" sizeY="48" ifd="0"/></pixels><view sizeX="1" sizeY="1" offsetX="1" offsetY="1"/></image></collection></scn>';
    const tiles = [jpeg, undefined, damaged];
    const size = { width: 192, height: 48, tileWidth: 64, tileHeight: 48, description };
    const source = await openSlide(memorySource(bigTiff([{ ...size, tile: x => tiles[x] }])), 'a.scn');
    const parts: unknown[] = [];
    const all = { x: 0, y: 0, width: 192, height: 48 };
    const samples = await source.read({ page: 0, z: 0, t: 0 }, 0, 0, all, undefined, part =>
      parts.push(part),
    );
    assert.deepEqual(parts, [{ x: 128, y: 0, width: 64, height: 48 }]);
    assert.ok((samples[10] ?? NaN) > 50);
    assert.ok(Number.isNaN(samples[70]));
    await assert.rejects(
      source.read({ page: 0, z: 0, t: 0 }, 0, 0, all),
      /The JPEG data is damaged or cut off/,
    );
  });
});
