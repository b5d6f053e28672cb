import { SharedValues } from '../../base/node/sharedWork';
import { Pacer, runInSlices } from '../../base/node/slices';
import type { Samples } from '../raster';
import { alike } from '../tiff/tiffBlock';
import type { BackgroundImageSource, PlanePosition } from './backgroundImageSource';

/*
 * A slide without a pyramid has no level that fits in memory, yet coarse tiles and the contrast need all of it. So the
 * coarsest level is read once, chunk by chunk, averaged by a power of two, and the small result is cached. Channels that
 * are stored interleaved are made in one pass.
 */

/** A whole plane, small enough for memory: row-major, width × height. */
interface Overview {
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

/** The samples of a row or column that are averaged into sample `i` of a smaller one: from `starts[i]` to before `ends[i]`. */
interface Shrinking {
  starts: Int32Array;
  ends: Int32Array;
}

/**
 * Which samples of a row are averaged into `count` samples, from number `first` on, of the row at 1 / `factor` of its size.
 * The row has `length` samples; positions count from `origin`. A factor below 1 repeats samples.
 */
export function shrinking(
  first: number,
  count: number,
  factor: number,
  length: number,
  origin: number,
): Shrinking {
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    // Sizes are rounded level by level: a factor of 3.9998 is 4.
    const start = Math.min(length - 1, Math.floor((first + i) * factor + 1e-3));
    const end = Math.min(length, Math.floor((first + i + 1) * factor + 1e-3));
    starts[i] = start - origin;
    ends[i] = Math.max(start + 1, end) - origin;
  }
  return { starts, ends };
}

/**
 * Averages a window of samples, `width` to a row, into rows of smaller ones; what is not a number is left out. Whole
 * numbers are rounded, unless they have fewer than 8 bits: their means become floats. Yields between rows.
 */
export function* shrink(
  samples: Samples,
  width: number,
  across: Shrinking,
  down: Shrinking,
  bits: number,
): Generator<void, Samples> {
  const [columns, rows] = [across.starts.length, down.starts.length];
  // Rounded, half of 0s and 1s would be all black or all white.
  const small = bits < 8 ? new Float32Array(columns * rows) : alike(samples, columns * rows);
  const round = !(small instanceof Float32Array || small instanceof Float64Array);
  for (let y = 0; y < rows; y++) {
    yield;
    const [top, bottom] = [down.starts[y] ?? 0, down.ends[y] ?? 0];
    for (let x = 0; x < columns; x++) {
      const [left, right] = [across.starts[x] ?? 0, across.ends[x] ?? 0];
      let sum = 0;
      let count = 0;
      for (let row = top; row < bottom; row++) {
        for (let at = row * width + left, end = row * width + right; at < end; at++) {
          const value = samples[at] ?? NaN;
          if (value !== value) continue;
          sum += value;
          count++;
        }
      }
      const mean = count === 0 ? NaN : sum / count;
      small[y * columns + x] = round ? Math.floor(mean + 0.5) : mean;
    }
  }
  return small;
}

/** A cache limited in bytes: the least recently used values are removed first; the newest always stays. */
export class ByteCache<T> {
  private readonly values = new Map<string, { value: T; bytes: number }>();
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.total;
  }

  get(key: string): T | undefined {
    const entry = this.values.get(key);
    if (!entry) return undefined;
    this.values.delete(key);
    this.values.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.remove(key);
    this.values.set(key, { value, bytes });
    this.total += bytes;
    for (const oldest of this.values.keys()) {
      if (this.total <= this.maxBytes || oldest === key) break;
      this.remove(oldest);
    }
  }

  /** Removes all values whose key begins with `prefix`. */
  removeAll(prefix: string): void {
    for (const key of [...this.values.keys()]) if (key.startsWith(prefix)) this.remove(key);
  }

  private remove(key: string): void {
    this.total -= this.values.get(key)?.bytes ?? 0;
    this.values.delete(key);
  }
}
