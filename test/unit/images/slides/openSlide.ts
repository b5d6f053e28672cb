import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { ByteSource } from '../../../../src/images/byteSource';
import { BlockCache } from '../../../../src/images/engine/blockCache';
import { formatOf } from '../../../../src/images/imageFormats';
import type { BackgroundImageSource, ImageFile } from '../../../../src/images/imageSource';

/** Opens an image of a file that isn't on disk, as the engine does. */
export async function openSlide(
  file: ByteSource,
  fileName: string,
  options: Partial<Pick<ImageFile, 'page' | 'onProgress' | 'blocks'>> = {},
): Promise<BackgroundImageSource> {
  const format = (await formatOf(file, fileName)) ?? assert.fail('no format');
  return format.open({ file, fileName, blocks: new BlockCache(64 * 1024 ** 2), key: 'slide', ...options });
}

/** What another program read: RGBA, row by row. */
export interface RecordedImage {
  width: number;
  height: number;
  rgba: Uint8Array;
}

interface Recorded {
  mpp: [string | null, string | null];
  power: string | null;
  levels: RecordedImage[];
  associated: Record<string, RecordedImage>;
}

const FOLDER = 'test/golden/slides';

export function goldenSlide(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(FOLDER, name)));
}

/** What OpenSlide read of a slide of test/golden/slides; see recordSlides.py there. */
export function recorded(name: string): Recorded {
  type Packed = { width: number; height: number; rgba: string };
  const unpack = ({ rgba, ...size }: Packed): RecordedImage => ({
    ...size,
    rgba: new Uint8Array(inflateSync(Buffer.from(rgba, 'base64'))),
  });
  const { levels, associated, ...facts } = JSON.parse(
    readFileSync(join(FOLDER, `${name}.json`), 'utf8'),
  ) as Omit<Recorded, 'levels' | 'associated'> & { levels: Packed[]; associated: Record<string, Packed> };
  return {
    ...facts,
    levels: levels.map(unpack),
    associated: Object.fromEntries(Object.entries(associated).map(([key, image]) => [key, unpack(image)])),
  };
}

/** All samples of a level, interleaved. */
export async function samplesOf(
  source: BackgroundImageSource,
  level = 0,
  position = { page: 0, z: source.facts.firstZ ?? 0, t: 0 },
): Promise<{ width: number; height: number; channels: number; samples: Float64Array }> {
  const { width, height } = source.facts.levels[level] ?? assert.fail(`no level ${level}`);
  const channels = source.facts.channels.length;
  const samples = new Float64Array(width * height * channels);
  for (let channel = 0; channel < channels; channel++) {
    const read = await source.read(position, channel, level, { x: 0, y: 0, width, height });
    for (let at = 0; at < read.length; at++) samples[at * channels + channel] = read[at] ?? NaN;
  }
  return { width, height, channels, samples };
}

/** The largest difference of a sample to another program's; its transparent ones must be NaN. */
export function largestDifference(
  { channels, samples }: { channels: number; samples: ArrayLike<number> },
  { rgba }: RecordedImage,
): number {
  assert.equal(samples.length / channels, rgba.length / 4);
  let largest = 0;
  for (let pixel = 0; pixel * 4 < rgba.length; pixel++) {
    const isOutside = rgba[pixel * 4 + 3] === 0;
    for (let c = 0; c < channels; c++) {
      const sample = samples[pixel * channels + c] ?? NaN;
      const difference = isOutside
        ? Number.isNaN(sample)
          ? 0
          : Infinity
        : Math.abs(sample - (rgba[pixel * 4 + c] ?? NaN));
      if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
    }
  }
  return largest;
}
