import assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { type ByteSource, memorySource } from '../../../../src/images/byteSource';
import { BlockCache } from '../../../../src/images/engine/blockCache';
import { formatOf } from '../../../../src/images/imageFormats';
import type { BackgroundImageSource } from '../../../../src/images/imageSource';
import { DecodingError } from '../../../../src/images/raster';
import { randomNumbers } from '../../randomNumbers';
import { ndpi } from './ndpiFixture';
import { goldenSlide } from './openSlide';
import { level, tissue } from './slideImages';

/** Changed headers per format. Each starts decoders; a damaged one isn't used again. */
const CHANGED = process.env['IA_FULL'] ? 20_000 : 200;
/** Bytes that may be in use beyond those at the start. */
const MAX_MEMORY = 512 * 1024 ** 2;
/** Maximum reads of a whole file: two windows of four levels in one-pixel tiles make 9,600. */
const MAX_READ = 10_000;

/** Wider than a JPEG frame, and without restart markers: it is walked through. */
const walked = () =>
  ndpi([
    level(
      { width: 66_048, height: 16, sampling: [2, 1], stated: { width: 0, height: 16 }, isFlat: true },
      { lens: 20, starts: 'none' },
      (x, y) => tissue()(x >> 6, y),
    ),
  ]).bytes;

const SLIDES: Record<string, () => Uint8Array> = {
  'walked.ndpi': walked,
  ...Object.fromEntries(
    ['half-rows-422.ndpi', 'without-table.ndpi', 'two-areas.scn', 'overlaps.bif', 'rgb-33005.svs'].map(
      name => [name, () => goldenSlide(name)],
    ),
  ),
};

/** Places of a file's numbers besides pixels, in directories and texts: those in no tile. */
function headerPlaces(bytes: Uint8Array): number[] {
  const places: number[] = [];
  // Behind a start of a stream come its data up to an end marker; headers of streams are changed as
  // well.
  let dataUntil = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at < dataUntil) continue;
    const isScan = bytes[at] === 0xff && bytes[at + 1] === 0xda && bytes[at + 2] === 0;
    const isPacket = bytes[at] === 0xff && bytes[at + 1] === 0x93;
    if (isScan || isPacket) {
      let end = at + 12;
      while (end < bytes.length && !(bytes[end] === 0xff && bytes[end + 1] === 0xd9)) end++;
      dataUntil = end;
    }
    places.push(at);
  }
  return places;
}

/** Values that break what counts on small numbers. */
const VALUES = [0, 1, 2, 7, 8, 16, 64, 127, 128, 255];

describe('A slide with a changed header', () => {
  for (const [name, make] of Object.entries(SLIDES))
    it(`is shown or refused, and takes no more memory: ${name}`, async function () {
      this.timeout(600_000);
      const whole = make();
      const places = headerPlaces(whole);
      assert.ok(places.length > 400);
      const random = randomNumbers(46);
      const whole32 = (bound: number) => Math.floor(random() * bound);
      const before = process.memoryUsage().rss;
      let refused = 0;
      let shown = 0;
      for (let nth = 0; nth < CHANGED; nth++) {
        const bytes = whole.slice();
        for (let change = whole32(3); change >= 0; change--) {
          const at = places[whole32(places.length)] ?? 0;
          const length = [1, 1, 2, 4, 8][whole32(5)] ?? 1;
          for (let i = 0; i < length; i++)
            bytes[at + i] = random() < 0.5 ? (VALUES[whole32(VALUES.length)] ?? 0) : whole32(256);
        }
        let read = 0;
        const memory = memorySource(bytes);
        const file: ByteSource = {
          size: memory.size,
          read: (at, size) => {
            read += size;
            return memory.read(at, size);
          },
        };
        try {
          await look(file, name);
          shown++;
        } catch (error) {
          const isReason =
            isCoded(error, 'bad-request') || error instanceof DecodingError || error instanceof RangeError;
          assert.ok(isReason, `change ${nth}: ${String(error instanceof Error ? error.stack : error)}`);
          refused++;
        }
        assert.ok(read < MAX_READ * whole.length, `change ${nth} read ${read} bytes`);
        if (nth % 500 === 0) {
          const used = process.memoryUsage().rss - before;
          assert.ok(used < MAX_MEMORY, `${used} bytes after ${nth} changes`);
        }
      }
      assert.ok(refused > CHANGED / 50 && shown > CHANGED / 50, `${refused} refused, ${shown} shown`);
    });
});

/** Opens a slide and reads some of each of its levels. */
async function look(file: ByteSource, fileName: string): Promise<void> {
  const format = await formatOf(file, fileName);
  if (!format) return;
  const open = (page?: number) =>
    format.open({
      file,
      fileName,
      blocks: new BlockCache(16e6),
      key: 'a',
      ...(page !== undefined && { page }),
    });
  const first = await open();
  await lookAt(first);
  // Images beside the slide.
  const last = first.facts.pages.at(-1);
  if (last) await lookAt(await open(last.page));
}

async function lookAt(source: BackgroundImageSource): Promise<void> {
  try {
    const { levels, channels, axes } = source.facts;
    for (const [level, { width, height }] of levels.entries()) {
      const size = { width: Math.min(40, width), height: Math.min(30, height) };
      for (const [x, y] of [
        [0, 0],
        [width - size.width, height - size.height],
      ] as const) {
        const position = { page: 0, z: axes.z - 1, t: 0 };
        const samples = await source.read(position, Math.max(0, channels.length - 1), level, {
          x,
          y,
          ...size,
        });
        assert.equal(samples.length, size.width * size.height);
      }
    }
  } finally {
    await source.release();
  }
}
