import { CodedError } from '../../base/errors';
import { runInSlices } from '../../base/node/slices';
import type { BackgroundImageLook, ChannelLook, ImageSize } from '../backgroundImageInfo';
import type { Samples } from '../raster';
import type { PixelWindow } from '../tiff/tiffBlock';
import type { BackgroundImageSource, PlanePosition } from './backgroundImageSource';
import { type ChannelRange, firstLook, percentileRange, type SampleSpread, spreadOf } from './firstLook';
import { type OnProgress, Overviews, shrink, shrinking } from './overviews';

/*
 * A tile is averaged from the coarsest level of the file that is still fine enough, so that it costs about as many samples
 * at any zoom. Where the file has no such level, coarse tiles come from an overview (see overviews.ts), and so do those
 * that would need too many samples.
 */

/** Edge of a tile, in pixels. */
const TILE = 256;
/** Samples that may be decoded for one tile; beyond that the overview is used, coarser than requested. */
const MAX_DECODED = 64e6;
/** How much coarser than requested a level may be: sizes of levels are rounded. */
const TOLERANCE = 1.01;

/** An open background image: paints tiles and reads samples. Its contrast is measured once, when it is opened. */
export class BackgroundImage {
  private readonly overviews: Overviews;

  private constructor(
    readonly source: BackgroundImageSource,
    /** The level of the file that is shown at full size. */
    readonly level: number,
    readonly look: BackgroundImageLook,
    /** Measured range of each channel; undefined for unsigned RGB of up to 8 bits, which is shown as stored. */
    readonly contrast: ChannelRange[] | undefined,
    overviews: Overviews,
  ) {
    this.overviews = overviews;
  }

  /** Measures the contrast from an overview, with progress. Throws `bad-request` with the reason, `cancelled`. */
  static async open(
    source: BackgroundImageSource,
    level = 0,
    signal?: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<BackgroundImage> {
    const { facts } = source;
    if (!facts.levels[level]) throw new CodedError('bad-request', `There is no level ${level}`);
    const overviews = new Overviews(source, onProgress);
    const first: PlanePosition = { page: 0, z: 0, t: 0 };
    // Without a pyramid coarse tiles need the overview in any case: make it now, with progress.
    if (overviews.plan(source.interleavedWith(0).length).factor > 1) await overviews.get(first, 0, signal);
    // What is shown as stored needs no contrast.
    if (facts.rgb && facts.bitsPerSample <= 8 && facts.kind === 'unsigned') {
      const asStored = facts.channels.map(() => ({ low: 0, high: 2 ** facts.bitsPerSample - 1 }));
      return new BackgroundImage(source, level, firstLook(facts, asStored), undefined, overviews);
    }
    const ranges: ChannelRange[] = [];
    const samples: Samples[] = [];
    for (const channel of facts.channels.keys()) {
      const overview = await overviews.get(first, channel, signal);
      if (facts.rgb) samples.push(overview.samples);
      else ranges.push(percentileRange([overview.samples]));
    }
    const contrast = facts.rgb ? samples.map(() => percentileRange(samples)) : ranges;
    return new BackgroundImage(source, level, firstLook(facts, contrast), contrast, overviews);
  }

  get size(): ImageSize {
    return this.source.facts.levels[this.level] ?? { width: 0, height: 0 };
  }

  /** RGBA of a tile of 256 × 256, row-major; alpha is 255 inside the image and 0 outside. */
  async tile(
    level: number,
    tileX: number,
    tileY: number,
    look: BackgroundImageLook = this.look,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const scale = 2 ** level;
    const columns = Math.min(TILE, Math.ceil(this.size.width / scale) - tileX * TILE);
    const rows = Math.min(TILE, Math.ceil(this.size.height / scale) - tileY * TILE);
    const pixels = new Uint8Array(TILE * TILE * 4);
    if (columns <= 0 || rows <= 0) return pixels;
    const window = { x: tileX * TILE, y: tileY * TILE, width: columns, height: rows };
    const position = this.position(look);
    const sums = new Float32Array(columns * rows * 3);
    for (const channel of this.source.facts.channels.keys()) {
      const painted = look.channels[channel] ?? this.look.channels[channel];
      if (!painted?.shown) continue;
      const samples = await this.samplesAt(scale, position, channel, window, signal);
      const inverted = await this.source.isInverted?.(position, channel, signal);
      add(samples, inverted ? { ...painted, low: painted.high, high: painted.low } : painted, sums);
    }
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const from = (y * columns + x) * 3;
        const to = (y * TILE + x) * 4;
        for (let c = 0; c < 3; c++) pixels[to + c] = Math.min(255, Math.round(sums[from + c] as number));
        pixels[to + 3] = 255;
      }
    }
    return pixels;
  }

  /** Raw samples of all channels at a pixel; none outside the image. */
  async values(
    x: number,
    y: number,
    look: BackgroundImageLook = this.look,
    signal?: AbortSignal,
  ): Promise<number[]> {
    const { width, height } = this.size;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (!(column >= 0 && row >= 0 && column < width && row < height)) return [];
    const window = { x: column, y: row, width: 1, height: 1 };
    const values: number[] = [];
    for (const channel of this.source.facts.channels.keys()) {
      const [value = NaN] = await this.source.read(this.position(look), channel, this.level, window, signal);
      values.push(value);
    }
    return values;
  }

  /** Percentile range and histogram of each channel in the plane that the look names. */
  async spread(look: BackgroundImageLook = this.look, signal?: AbortSignal): Promise<SampleSpread[]> {
    const spreads: SampleSpread[] = [];
    for (const channel of this.source.facts.channels.keys()) {
      const { samples } = await this.overviews.get(this.position(look), channel, signal);
      spreads.push(spreadOf(samples));
    }
    return spreads;
  }

  /** The position that a look names, limited to the axes. */
  position({ page, z, t }: BackgroundImageLook): PlanePosition {
    const { axes } = this.source.facts;
    const inside = (at: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(at) || 0));
    return { page: inside(page, axes.page), z: inside(z, axes.z), t: inside(t, axes.t) };
  }

  /** Samples of a window of the image at 1 / scale of its size; see above for the level they are averaged from. */
  private async samplesAt(
    scale: number,
    position: PlanePosition,
    channel: number,
    wanted: PixelWindow,
    signal: AbortSignal | undefined,
  ): Promise<Samples> {
    const { levels } = this.source.facts;
    const full = this.size;
    let best = this.level;
    for (let at = this.level + 1; at < levels.length; at++)
      if (full.width / (levels[at]?.width ?? 1) <= scale * TOLERANCE) best = at;
    const plan = this.overviews.plan(this.source.interleavedWith(channel).length);
    const planned = levels[plan.level] ?? full;
    const coarseness = (full.width / planned.width) * plan.factor;
    const level = levels[best] ?? full;
    const inLevel = windowIn(level, full, scale, wanted);
    const useOverview =
      plan.factor > 1 &&
      (coarseness <= scale * TOLERANCE || this.source.decodedSamples(best, inLevel) > MAX_DECODED);
    if (useOverview) {
      const { width, height, samples } = await this.overviews.get(position, channel, signal);
      const all = { x: 0, y: 0, width, height };
      return this.averaged(samples, all, { width, height }, scale, wanted, signal);
    }
    const samples = await this.source.read(position, channel, best, inLevel, signal);
    if (level.width === full.width && scale === 1) return samples;
    return this.averaged(samples, inLevel, level, scale, wanted, signal);
  }

  private averaged(
    samples: Samples,
    window: PixelWindow,
    level: ImageSize,
    scale: number,
    wanted: PixelWindow,
    signal: AbortSignal | undefined,
  ): Promise<Samples> {
    const [fx, fy] = factors(level, this.size, scale);
    const across = shrinking(wanted.x, wanted.width, fx, level.width, window.x);
    const down = shrinking(wanted.y, wanted.height, fy, level.height, window.y);
    return runInSlices(shrink(samples, window.width, across, down, this.source.facts.bitsPerSample), signal);
  }
}

/** Pixels of a level for each pixel of the image at 1 / scale of its size. */
function factors(level: ImageSize, full: ImageSize, scale: number): [x: number, y: number] {
  const factor = (part: number, whole: number) => {
    const exact = (part * scale) / whole;
    // Sizes of levels are rounded to whole pixels: a factor that is nearly whole is meant to be.
    const near = Math.round(exact);
    return near > 0 && Math.abs(exact - near) * Math.ceil(whole / scale) < 1 + near ? near : exact;
  };
  return [factor(level.width, full.width), factor(level.height, full.height)];
}

/** The window of a level that a window of the image at 1 / scale of its size is averaged from. */
function windowIn(
  level: ImageSize,
  full: ImageSize,
  scale: number,
  { x, y, width, height }: PixelWindow,
): PixelWindow {
  const [fx, fy] = factors(level, full, scale);
  const across = shrinking(x, width, fx, level.width, 0);
  const down = shrinking(y, height, fy, level.height, 0);
  const left = across.starts[0] ?? 0;
  const top = down.starts[0] ?? 0;
  return { x: left, y: top, width: (across.ends.at(-1) ?? 0) - left, height: (down.ends.at(-1) ?? 0) - top };
}

/** Adds one channel to red, green and blue; NaN adds nothing. */
function add(samples: Samples, { color, low, high }: ChannelLook, sums: Float32Array): void {
  const [red, green, blue] = color;
  const span = high - low;
  for (let i = 0; i < samples.length; i++) {
    const share = ((samples[i] as number) - low) / span;
    if (!(share > 0)) continue;
    const strength = share < 1 ? share : 1;
    sums[i * 3] = (sums[i * 3] as number) + red * strength;
    sums[i * 3 + 1] = (sums[i * 3 + 1] as number) + green * strength;
    sums[i * 3 + 2] = (sums[i * 3 + 2] as number) + blue * strength;
  }
}
