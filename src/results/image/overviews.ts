import type { Samples } from '../../formats/raster';
import { SharedValues } from '../sharedWork';
import { Pacer, runInSlices } from '../slices';
import { ByteCache } from './byteCache';
import type { PictureSource, PlanePosition } from './pictureSource';
import { shrink, shrinking } from './shrink';

/** A whole plane at a size that fits the memory. */
export interface Overview {
  width: number;
  height: number;
  samples: Samples;
}

export type Progress = (done: number, total: number) => void;

/** Pixels an overview has at most. */
const MOST_PIXELS = 2048 * 2048;
/** Samples of all channels that are made together. */
const MOST_SAMPLES = 4 * MOST_PIXELS;
const MEMORY = 128 * 1024 ** 2;
/** Pixels of the finest level that are read at a time, about. */
const CHUNK_COLUMNS = 4096;
const CHUNK_ROWS = 256;

/**
 * Overviews of a picture's planes, one a channel. Where the file has a level that is small enough it is that; else the
 * coarsest level is read through once, part by part, and averaged: no more than a part is in memory.
 */
export class Overviews {
  private readonly made = new ByteCache<Overview>(MEMORY);
  private readonly making = new SharedValues<string, void>();

  /** Progress is in rows of the level that is read, where it has to be averaged. */
  constructor(
    private readonly source: PictureSource,
    private readonly onProgress?: Progress,
  ) {}

  /** The overview of one channel of a plane. Throws what reading throws, `cancelled`. */
  async get(position: PlanePosition, channel: number, signal?: AbortSignal): Promise<Overview> {
    const group = this.source.together(channel);
    const plane = `${position.page}/${position.z}/${position.t}`;
    const ready = this.made.get(`${plane}/${channel}`);
    if (ready) return ready;
    const key = `${plane}/${group[0] ?? channel}`;
    let wanted: Overview | undefined;
    const keep = (one: number, overview: Overview) => {
      if (one === channel) wanted = overview;
      this.made.set(`${plane}/${one}`, overview, overview.samples.byteLength);
    };
    await this.making.get(key, shared => this.make(position, group, keep, shared), signal);
    this.making.delete(key);
    const overview = wanted ?? this.made.get(`${plane}/${channel}`);
    // Another channel of a very large group may have pushed it out.
    return overview ?? this.get(position, channel, signal);
  }

  /** Level that is read for an overview, and by what it is divided. */
  plan(channels: number): { level: number; factor: number } {
    const { levels } = this.source.facts;
    const most = Math.min(MOST_PIXELS, MOST_SAMPLES / channels);
    const fits = levels.findIndex(({ width, height }) => width * height <= most);
    if (fits >= 0) return { level: fits, factor: 1 };
    const level = levels.length - 1;
    const { width, height } = levels[level] ?? { width: 1, height: 1 };
    let factor = 2;
    while (Math.ceil(width / factor) * Math.ceil(height / factor) > most) factor *= 2;
    return { level, factor };
  }

  private async make(
    position: PlanePosition,
    channels: readonly number[],
    keep: (channel: number, overview: Overview) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { level, factor } = this.plan(channels.length);
    const { width: fullWidth, height: fullHeight } = this.source.facts.levels[level] ?? {
      width: 0,
      height: 0,
    };
    const width = Math.ceil(fullWidth / factor);
    const height = Math.ceil(fullHeight / factor);
    const overviews: (Overview | undefined)[] = channels.map(() => undefined);
    // Parts hold whole places of the overview.
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
          const part = await this.source.read(position, channel, level, window, signal);
          const small =
            factor === 1 ? part : await runInSlices(shrink(part, window.width, across, down), signal);
          const overview = (overviews[at] ??= { width, height, samples: like(small, width * height) });
          place(small, across.starts.length, overview, x / factor, y / factor);
          await pacer.pause();
        }
      }
      if (factor > 1) this.onProgress?.(Math.min(fullHeight, y + stepY), fullHeight);
    }
    for (const [at, overview] of overviews.entries()) if (overview) keep(channels[at] ?? 0, overview);
  }
}

function like(samples: Samples, length: number): Samples {
  const Type = samples.constructor as new (length: number) => Samples;
  return new Type(length);
}

function place(part: Samples, columns: number, { width, samples }: Overview, x: number, y: number): void {
  for (let row = 0; row * columns < part.length; row++)
    samples.set(part.subarray(row * columns, (row + 1) * columns), (y + row) * width + x);
}
