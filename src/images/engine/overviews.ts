import type { Samples } from '../raster';
import { alike } from '../tiff/tiffWindow';
import { SharedValues } from '../../base/node/sharedWork';
import { Pacer, runInSlices } from '../../base/node/slices';
import { ByteCache } from './byteCache';
import type { BackgroundImageSource, PlanePosition } from './backgroundImageSource';
import { shrink, shrinking } from './shrink';

/*
 * A slide without a pyramid has no level that fits in memory, yet coarse tiles and the contrast need all of it. So the
 * coarsest level is read once, chunk by chunk, averaged by a power of two, and the small result is cached. Channels that
 * are stored interleaved are made in one pass.
 */

/** A whole plane, small enough for memory: row-major, width × height. */
export interface Overview {
  width: number;
  height: number;
  samples: Samples;
}

/** Called with the rows read so far and all rows. */
export type OnProgress = (done: number, total: number) => void;

/** Pixels of an overview. */
const MAX_PIXELS = 2048 * 2048;
/** Samples of all channels that are made in one pass. */
const MAX_SAMPLES = 4 * MAX_PIXELS;
/** Bytes of all overviews in the cache. */
const MAX_BYTES = 128 * 1024 ** 2;
/** Size of a chunk, about, in pixels of the level that is read. */
const CHUNK_COLUMNS = 4096;
const CHUNK_ROWS = 256;

/** Overviews of an image's planes, one for each channel: a level of the file that is small enough, or the averaged coarsest. */
export class Overviews {
  private readonly made = new ByteCache<Overview>(MAX_BYTES);
  private readonly making = new SharedValues<string, void>();

  /** `onProgress` gets rows of the level that is read, where it has to be averaged. */
  constructor(
    private readonly source: BackgroundImageSource,
    private readonly onProgress?: OnProgress,
  ) {}

  /** The overview of one channel of a plane. Throws what reading throws, `cancelled`. */
  async get(position: PlanePosition, channel: number, signal?: AbortSignal): Promise<Overview> {
    const group = this.source.interleavedWith(channel);
    const plane = `${position.page}/${position.z}/${position.t}`;
    const ready = this.made.get(`${plane}/${channel}`);
    if (ready) return ready;
    const key = `${plane}/${group[0] ?? channel}`;
    let wanted: Overview | undefined;
    const store = (one: number, overview: Overview) => {
      if (one === channel) wanted = overview;
      this.made.set(`${plane}/${one}`, overview, overview.samples.byteLength);
    };
    await this.making.get(key, shared => this.make(position, group, store, shared), signal);
    this.making.delete(key);
    const overview = wanted ?? this.made.get(`${plane}/${channel}`);
    // A very large group may have removed it from the cache again.
    return overview ?? this.get(position, channel, signal);
  }

  /** The level that is read for an overview, and the factor by which it is reduced. */
  plan(channels: number): { level: number; factor: number } {
    const { levels } = this.source.facts;
    const maxPixels = Math.min(MAX_PIXELS, MAX_SAMPLES / channels);
    const fits = levels.findIndex(({ width, height }) => width * height <= maxPixels);
    if (fits >= 0) return { level: fits, factor: 1 };
    const level = levels.length - 1;
    const { width, height } = levels[level] ?? { width: 1, height: 1 };
    let factor = 2;
    while (Math.ceil(width / factor) * Math.ceil(height / factor) > maxPixels) factor *= 2;
    return { level, factor };
  }

  private async make(
    position: PlanePosition,
    channels: readonly number[],
    store: (channel: number, overview: Overview) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { level, factor } = this.plan(channels.length);
    const { levels, bitsPerSample: bits } = this.source.facts;
    const { width: fullWidth, height: fullHeight } = levels[level] ?? { width: 0, height: 0 };
    const width = Math.ceil(fullWidth / factor);
    const height = Math.ceil(fullHeight / factor);
    const overviews: (Overview | undefined)[] = channels.map(() => undefined);
    // A chunk covers whole pixels of the overview.
    const stepX = factor * Math.max(1, Math.floor(CHUNK_COLUMNS / factor));
    const stepY = factor * Math.max(1, Math.floor(CHUNK_ROWS / factor));
    const pacer = new Pacer(signal);
    for (let y = 0; y < fullHeight; y += stepY) {
      for (let x = 0; x < fullWidth; x += stepX) {
        const window = {
          x,
          y,
          width: Math.min(stepX, fullWidth - x),
          height: Math.min(stepY, fullHeight - y),
        };
        const across = shrinking(x / factor, Math.ceil(window.width / factor), factor, fullWidth, x);
        const down = shrinking(y / factor, Math.ceil(window.height / factor), factor, fullHeight, y);
        for (const [at, channel] of channels.entries()) {
          const chunk = await this.source.read(position, channel, level, window, signal);
          const small =
            factor === 1 ? chunk : await runInSlices(shrink(chunk, window.width, across, down, bits), signal);
          const overview = (overviews[at] ??= { width, height, samples: alike(small, width * height) });
          copyInto(overview, small, across.starts.length, { x: x / factor, y: y / factor });
          await pacer.pause();
        }
      }
      if (factor > 1) this.onProgress?.(Math.min(fullHeight, y + stepY), fullHeight);
    }
    for (const [at, overview] of overviews.entries()) if (overview) store(channels[at] ?? 0, overview);
  }
}

/** Copies samples, `columns` to a row, to (x, y) of an overview. */
function copyInto(
  { width, samples }: Overview,
  part: Samples,
  columns: number,
  { x, y }: { x: number; y: number },
): void {
  for (let row = 0; row * columns < part.length; row++)
    samples.set(part.subarray(row * columns, (row + 1) * columns), (y + row) * width + x);
}
