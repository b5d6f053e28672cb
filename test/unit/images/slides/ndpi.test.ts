import assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { memorySource } from '../../../../src/images/byteSource';
import { decodeRaster } from '../../../../src/images/decodeRaster';
import { BackgroundImage } from '../../../../src/images/engine/backgroundImage';
import { BlockCache } from '../../../../src/images/engine/blockCache';
import type { BackgroundImageSource, OnDamaged } from '../../../../src/images/imageSource';
import { reasonText, sentences } from '../../words/reasonText';
import { encodeJpeg, type JpegShape } from './encodeJpeg';
import { ndpi } from './ndpiFixture';
import { goldenSlide, largestDifference, openSlide, recorded, samplesOf } from './openSlide';
import { level, smallNdpi, tissue } from './slideImages';

const GOLDEN = ['half-rows-422.ndpi', 'half-rows-444.ndpi', 'without-table.ndpi', 'wide.ndpi'];

/** What a whole-file decoder makes of one stream. */
async function decoded(jpeg: Uint8Array) {
  const { samples, channels } = await decodeRaster(jpeg, 'level.jpg');
  return { samples, channels };
}

function differenceOf(one: ArrayLike<number>, other: ArrayLike<number>): number {
  assert.equal(one.length, other.length);
  let largest = 0;
  for (let at = 0; at < one.length; at++)
    largest = Math.max(largest, Math.abs((one[at] ?? NaN) - (other[at] ?? NaN)));
  return largest;
}

/** A slide that is read channel by channel. */
function readByChannel(slide: BackgroundImageSource): BackgroundImageSource {
  return {
    facts: slide.facts,
    bytes: 0,
    read: (...parameters) => slide.read(...parameters),
    decodedSamples: (...parameters) => slide.decodedSamples(...parameters),
    interleavedWith: channel => slide.interleavedWith(channel),
    release: () => slide.release(),
  };
}

describe("A slide of Hamamatsu's scanners", () => {
  for (const name of GOLDEN)
    it(`has the pixels that OpenSlide reads: ${name}`, async () => {
      const known = recorded(name);
      const source = await openSlide(memorySource(goldenSlide(name)), name);
      const { levels, pixelSize, magnification } = source.facts;
      assert.equal(magnification, Number(known.power));
      assert.ok(pixelSize && Math.abs(pixelSize.x - Number(known.mpp[0])) < 1e-9);
      for (const [at, size] of levels.entries()) {
        // OpenSlide makes further levels by itself.
        const other = known.levels.find(({ width }) => width === size.width) ?? assert.fail();
        assert.equal(size.height, other.height);
        assert.ok(largestDifference(await samplesOf(source, at), other) <= 1, `level ${at}`);
      }
    });

  it('lists its macro image and its map as what they are, and never as levels', async () => {
    const name = 'half-rows-422.ndpi';
    const file = memorySource(goldenSlide(name));
    const { facts } = await openSlide(file, name);
    assert.deepEqual(facts.pages, [
      { width: 256, height: 192, page: 0, role: { kind: 'slide' } },
      { width: 96, height: 32, page: 1, role: { kind: 'macro' } },
      { width: 48, height: 16, page: 2, role: { kind: 'map' } },
    ]);
    assert.equal(facts.levels.length, 3);
    const macro = await openSlide(file, name, { page: 1 });
    assert.deepEqual(macro.facts.levels, [{ width: 96, height: 32 }]);
    const known = recorded(name).associated['macro'] ?? assert.fail();
    assert.ok(largestDifference(await samplesOf(macro), known) <= 1);
    await assert.rejects(openSlide(file, name, { page: 3 }), error => isCoded(error, 'bad-request'));
  });

  it('whose colors are stored for two rows is smooth between intervals, as one stream is', async () => {
    const shape: JpegShape = { width: 128, height: 1600, sampling: [2, 2], restart: 8 };
    const jpeg = encodeJpeg(shape, tissue());
    const { source } = ndpi([{ ...shape, lens: 20, jpeg }]);
    const slide = await openSlide(source, 'a.ndpi');
    const whole = await decoded(jpeg.bytes);
    assert.ok(differenceOf((await samplesOf(slide)).samples, whole.samples) <= 1);
  });

  it('has focal planes as planes, from the lowest up, and shows the one at 0 first', async () => {
    const shape: JpegShape = { width: 64, height: 48, sampling: [2, 1], restart: 4 };
    const planes = [0, 3000, -3000].map((focus, at) => level(shape, { lens: 20, focus }, tissue(1, at)));
    const { source } = ndpi(planes);
    const slide = await openSlide(source, 'focus.ndpi');
    assert.deepEqual([slide.facts.axes, slide.facts.firstZ], [{ page: 1, z: 3, t: 1 }, 1]);
    const image = await BackgroundImage.open(slide);
    assert.equal(image.look.z, 1);
    for (const [z, plane] of [planes[2], planes[0], planes[1]].entries()) {
      const own = await samplesOf(slide, 0, { page: 0, z, t: 0 });
      const whole = await decoded(plane?.jpeg.bytes ?? assert.fail());
      assert.ok(differenceOf(own.samples, whole.samples) <= 1, `plane ${z}`);
    }
  });

  it('may lie beyond 4 GB', async () => {
    const { source } = ndpi(
      [level({ width: 64, height: 48, sampling: [2, 1], restart: 4 }, { lens: 20 }, tissue())],
      5 * 2 ** 32,
    );
    const slide = await openSlide(source, 'large.ndpi');
    const near = ndpi([
      level({ width: 64, height: 48, sampling: [2, 1], restart: 4 }, { lens: 20 }, tissue()),
    ]);
    const other = await openSlide(near.source, 'small.ndpi');
    assert.deepEqual((await samplesOf(slide)).samples, (await samplesOf(other)).samples);
  });

  it('with intervals that do not divide its rows is read all the same, with progress', async () => {
    for (const restart of [7, 0]) {
      const shape: JpegShape = { width: 2064, height: 4000, sampling: [2, 1], restart, isFlat: true };
      const jpeg = encodeJpeg(shape, tissue());
      const { source } = ndpi([{ ...shape, lens: 20, jpeg, starts: 'none' }]);
      const done: number[] = [];
      const slide = await openSlide(source, 'a.ndpi', { onProgress: rows => done.push(rows) });
      const whole = await decoded(jpeg.bytes);
      const difference = differenceOf((await samplesOf(slide)).samples, whole.samples);
      assert.ok(difference <= 1, `${difference} with ${restart}`);
      assert.equal(done.at(-1), 500);
      // Whoever began to walk through it may cancel: others still get their part.
      const lazy = await openSlide(source, 'b.ndpi');
      const stop = new AbortController();
      const position = { page: 0, z: 0, t: 0 };
      const first = lazy.read(position, 0, 0, { x: 0, y: 0, width: 9, height: 9 }, stop.signal);
      const other = lazy.read(position, 0, 0, { x: 0, y: 3990, width: 9, height: 9 });
      stop.abort();
      await assert.rejects(first, error => isCoded(error, 'cancelled'));
      assert.ok(
        differenceOf(
          await other,
          [...Array(81).keys()].map(at => {
            const [x, y] = [at % 9, 3990 + Math.floor(at / 9)];
            return whole.samples[(y * 2064 + x) * 3] ?? NaN;
          }),
        ) <= 1,
      );
    }
  });

  it('whose table of MCU starts is wrong is read by its markers', async () => {
    const shape: JpegShape = { width: 256, height: 64, sampling: [2, 1], restart: 8 };
    const right = ndpi([level(shape, { lens: 20 }, tissue())]);
    const wrong = ndpi([level(shape, { lens: 20, starts: 3 }, tissue())]);
    const [one, other] = [await openSlide(right.source, 'a.ndpi'), await openSlide(wrong.source, 'b.ndpi')];
    assert.deepEqual((await samplesOf(other)).samples, (await samplesOf(one)).samples);
  });

  it('whose table skips eight intervals, so that its markers have the right numbers, is right as well', async () => {
    const shape: JpegShape = { width: 256, height: 128, sampling: [2, 1], restart: 8 };
    const jpeg = encodeJpeg(shape, tissue());
    const skipping = jpeg.starts.map((start, at) => (at === 5 ? (jpeg.starts[13] ?? 0) : start));
    const right = await openSlide(ndpi([{ ...shape, lens: 20, jpeg }]).source, 'a.ndpi');
    const wrong = ndpi([{ ...shape, lens: 20, jpeg: { bytes: jpeg.bytes, starts: skipping } }]);
    const other = await openSlide(wrong.source, 'b.ndpi');
    assert.deepEqual((await samplesOf(other)).samples, (await samplesOf(right)).samples);
  });

  it('with a damaged interval reports that part, draws it hatched, and is right elsewhere', async () => {
    const shape: JpegShape = { width: 256, height: 8 * 600, sampling: [2, 1], restart: 8, isFlat: true };
    const jpeg = encodeJpeg(shape, tissue());
    const start = jpeg.starts[1] ?? assert.fail();
    // A marker is gone: all that follow would be taken for others.
    jpeg.bytes.fill(0, start - 2, start + 6);
    const { source } = ndpi([{ ...shape, lens: 20, jpeg }]);
    const slide = await openSlide(source, 'damaged.ndpi');
    await assert.rejects(samplesOf(slide), error => /JPEG data is damaged/.test(reasonText(error)));
    const parts: Parameters<OnDamaged>[0][] = [];
    const all = { x: 0, y: 0, width: shape.width, height: shape.height };
    const read = await slide.read({ page: 0, z: 0, t: 0 }, 0, 0, all, undefined, part => parts.push(part));
    const intact = await openSlide(ndpi([level(shape, { lens: 20 }, tissue())]).source, 'intact.ndpi');
    const expected = await intact.read({ page: 0, z: 0, t: 0 }, 0, 0, all);
    const isIn = (x: number, y: number) =>
      parts.some(part => x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height);
    let checked = 0;
    for (let y = 0; y < shape.height; y++)
      for (let x = 0; x < shape.width; x++)
        if (!isIn(x, y)) {
          assert.equal(read[y * shape.width + x], expected[y * shape.width + x], `${x}, ${y}`);
          checked++;
        }
    assert.ok(checked > 0.95 * read.length && checked < read.length, `${checked}`);
    const image = await BackgroundImage.open(slide);
    const errors: unknown[] = [];
    const tile = await image.tile(0, 0, 0, image.look, undefined, error => errors.push(error));
    assert.ok(errors.length > 0);
    const colors = new Set(Array.from({ length: 64 }, (_, x) => tile[x * 4]));
    assert.deepEqual([...colors].sort(), [160, 96]);
  });

  it('is decoded once where it is panned over', async () => {
    const { source, bytes } = smallNdpi();
    let read = 0;
    const counted = {
      size: source.size,
      read: (at: number, length: number) => ((read += length), source.read(at, length)),
    };
    const slide = await openSlide(counted, 'a.ndpi', { blocks: new BlockCache(1e8) });
    await samplesOf(slide);
    const before = read;
    for (let x = 0; x < 200; x += 10)
      await slide.read({ page: 0, z: 0, t: 0 }, 1, 0, { x, y: x / 2, width: 50, height: 50 });
    assert.equal(read, before);
    assert.ok(read < 3 * bytes.length);
  });

  it('between its levels has the means of all pixels, as those of each channel alone', async () => {
    const { source } = smallNdpi();
    const slide = await openSlide(source, 'a.ndpi');
    const image = await BackgroundImage.open(slide);
    const channelByChannel = await BackgroundImage.open(readByChannel(slide));
    for (const level of [0, 1, 3, 9])
      assert.deepEqual(await image.tile(level, 0, 0), await channelByChannel.tile(level, 0, 0));
  });

  it('of one interval in a row is read with few requests to the disk', async () => {
    const shape: JpegShape = { width: 128, height: 512, sampling: [2, 1], restart: 8 };
    const { source } = ndpi([level(shape, { lens: 20 }, tissue())]);
    let reads = 0;
    const counted = {
      size: source.size,
      read: (at: number, length: number) => (reads++, source.read(at, length)),
    };
    const slide = await openSlide(counted, 'a.ndpi');
    const opened = reads;
    assert.ok(opened < 20, `${opened} to open it`);
    const { samples } = await samplesOf(slide);
    // Of 64 intervals in two blocks.
    assert.ok(reads - opened < 12, `${reads - opened} for its samples`);
    const whole = await decoded(encodeJpeg(shape, tissue()).bytes);
    assert.ok(differenceOf(samples, whole.samples) <= 1);
  });

  it('says that it is turned', async () => {
    const shape: JpegShape = { width: 64, height: 48, sampling: [2, 1], restart: 4 };
    const { source } = ndpi([level(shape, { lens: 20, orientation: 6 }, tissue())]);
    assert.match(sentences((await openSlide(source, 'a.ndpi')).facts.notes), /rotated by 90°/);
  });
});
