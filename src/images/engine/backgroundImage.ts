import { ByteCache } from '../../base/byteCache';
import { CodedError } from '../../base/errors';
import { CachedValues } from '../../base/node/joinedWork';
import { Pacer, runInSlices } from '../../base/node/slices';
import type { BackgroundImageLook, ChannelLook, ImageSize } from '../backgroundImageInfo';
import { zerosLike, type PixelWindow, type Samples } from '../raster';
import type { BackgroundImageSource, OnDamaged, PlanePosition } from '../imageSource';
import { type ChannelRange, firstLook, percentileRange, type SampleSpread, spreadOf } from './firstLook';

/*
 * A tile is averaged from the coarsest level of the file that is fine enough, so that tiles read
 * about the same number of samples at any zoom. If the file lacks such a level, or a tile would
 * need too many samples, the tile comes from an overview (see Overviews).
 */

/** Edge of a tile, in pixels. */
const TILE = 256;
/** Maximum samples to decode for a tile; a tile that needs more uses the coarser overview. */
const MAX_DECODED = 64e6;
/** A level may be coarser than requested by this factor, because its size is rounded. */
const TOLERANCE = 1.01;

/** An open background image; paints tiles and reads samples. */
export class BackgroundImage {
  private readonly overviews: Overviews;

  private constructor(
    readonly source: BackgroundImageSource,
    /** The file's level that counts as full size. */
    readonly level: number,
    readonly look: BackgroundImageLook,
    /** Measured range per channel; undefined for unsigned RGB of up to 8 bits, shown as stored. */
    readonly contrast: ChannelRange[] | undefined,
    overviews: Overviews,
  ) {
    this.overviews = overviews;
  }

  /** Opens an image; measures its contrast on an overview. Throws `bad-request`, `cancelled`. */
  static async open(
    source: BackgroundImageSource,
    level = 0,
    signal?: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<BackgroundImage> {
    const { facts } = source;
    if (!facts.levels[level]) throw new CodedError('bad-request', `There is no level ${level}`);
    const overviews = new Overviews(source, onProgress);
    const first: PlanePosition = { page: 0, z: facts.firstZ ?? 0, t: 0 };
    // Without a pyramid, coarse tiles need the overview anyway: make it now, with progress.
    if (overviews.plan(source.interleavedWith(0).length).factor > 1) await overviews.get(first, 0, signal);
    // 8-bit RGB is shown as stored, so it needs no contrast.
    if (facts.rgb && facts.bitsPerSample <= 8 && facts.kind === 'unsigned') {
      const asStored = facts.channels.map(() => ({ low: 0, high: 2 ** facts.bitsPerSample - 1 }));
      return new BackgroundImage(source, level, firstLook(facts, asStored), undefined, overviews);
    }
    const ranges: ChannelRange[] = [];
    const samples: Samples[] = [];
    for (const channel of facts.channels.keys()) {
      const readable = readableSamples(await overviews.get(first, channel, signal));
      if (facts.rgb) samples.push(readable);
      else ranges.push(percentileRange([readable]));
    }
    const contrast = facts.rgb ? samples.map(() => percentileRange(samples)) : ranges;
    return new BackgroundImage(source, level, firstLook(facts, contrast), contrast, overviews);
  }

  get size(): ImageSize {
    return this.source.facts.levels[this.level] ?? { width: 0, height: 0 };
  }

  /** The first decoding error of any overview since the image was opened. */
  get damage(): unknown {
    return this.overviews.damage;
  }

  /**
   * RGBA of a tile, 256 × 256, row-major. Alpha is 0 outside the image and where no channel has
   * data, else 255. Parts that can't be decoded are hatched, and `onDamaged` gets the error;
   * without `onDamaged` the error is thrown.
   */
  async tile(
    level: number,
    tileX: number,
    tileY: number,
    look: BackgroundImageLook = this.look,
    signal?: AbortSignal,
    onDamaged?: (error: unknown) => void,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const scale = 2 ** level;
    const columns = Math.min(TILE, Math.ceil(this.size.width / scale) - tileX * TILE);
    const rows = Math.min(TILE, Math.ceil(this.size.height / scale) - tileY * TILE);
    let pixels = new Uint8Array(TILE * TILE * 4);
    if (columns <= 0 || rows <= 0) return pixels;
    const window = { x: tileX * TILE, y: tileY * TILE, width: columns, height: rows };
    const position = this.position(look);
    const damaged: PixelWindow[] = [];
    const report = onDamaged && damageReport(damaged, window, this.size, scale, onDamaged);
    if (this.isAsStored(look) && !(await this.source.isInverted?.(position, 0, signal))) {
      const rgba = await this.colorsAt(scale, position, window, signal, report);
      if (rgba) {
        // Most tiles are whole: their colors needn't be copied.
        if (rgba.length === pixels.length) pixels = rgba;
        else
          for (let row = 0; row < rows; row++)
            pixels.set(rgba.subarray(row * columns * 4, (row + 1) * columns * 4), row * TILE * 4);
        for (const part of damaged) hatch(pixels, part);
        return pixels;
      }
      const colors: Samples[] = [];
      for (const channel of [0, 1, 2])
        colors.push(await this.samplesAt(scale, position, channel, window, signal, report));
      if (colors.every(samples => samples instanceof Uint8Array)) {
        paintAsStored(colors, columns, pixels);
        for (const part of damaged) hatch(pixels, part);
        return pixels;
      }
    }
    damaged.length = 0;
    const sums = new Float32Array(columns * rows * 3);
    let paintedCount = 0;
    /** Per pixel, the number of painted channels without data. */
    let missingCounts: Uint16Array | undefined;
    for (const channel of this.source.facts.channels.keys()) {
      const channelLook = look.channels[channel] ?? this.look.channels[channel];
      if (!channelLook?.shown) continue;
      const samples = await this.samplesAt(scale, position, channel, window, signal, report);
      paintedCount++;
      if (samples instanceof Float32Array || samples instanceof Float64Array)
        missingCounts = countMissing(samples, missingCounts);
      const inverted = await this.source.isInverted?.(position, channel, signal);
      addChannel(samples, inverted ? invertedLook(channelLook) : channelLook, sums);
    }
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const from = (y * columns + x) * 3;
        const to = (y * TILE + x) * 4;
        for (let c = 0; c < 3; c++) pixels[to + c] = Math.min(255, Math.round(sums[from + c] as number));
        pixels[to + 3] = missingCounts && missingCounts[from / 3] === paintedCount ? 0 : 255;
      }
    }
    for (const part of damaged) hatch(pixels, part);
    return pixels;
  }

  /** Whether the look paints 8-bit RGB samples unchanged. */
  private isAsStored(look: BackgroundImageLook): boolean {
    const { rgb, bitsPerSample, kind } = this.source.facts;
    if (!rgb || bitsPerSample !== 8 || kind !== 'unsigned') return false;
    return look.channels.length === 3 && look.channels.every(isPureColor);
  }

  /** Raw samples of all channels at a pixel; empty outside the image. */
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

  /** Percentile range and histogram of each channel in the look's plane. */
  async spread(look: BackgroundImageLook = this.look, signal?: AbortSignal): Promise<SampleSpread[]> {
    const spreads: SampleSpread[] = [];
    for (const channel of this.source.facts.channels.keys()) {
      spreads.push(spreadOf(readableSamples(await this.overviews.get(this.position(look), channel, signal))));
    }
    return spreads;
  }

  /** The look's position on the axes, clamped to their ranges. */
  position({ page, z, t }: BackgroundImageLook): PlanePosition {
    const { axes } = this.source.facts;
    const clamp = (index: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(index) || 0));
    return { page: clamp(page, axes.page), z: clamp(z, axes.z), t: clamp(t, axes.t) };
  }

  /** Samples of a window of the image, reduced to 1 / scale of its size. */
  private async samplesAt(
    scale: number,
    position: PlanePosition,
    channel: number,
    imageWindow: PixelWindow,
    signal: AbortSignal | undefined,
    onDamaged?: DamageReport,
  ): Promise<Samples> {
    const { levelIndex, level, window, useOverview } = this.levelFor(scale, channel, imageWindow);
    if (useOverview) {
      const overview = await this.overviews.get(position, channel, signal);
      const { width, height, samples, damaged, levelSize } = overview;
      for (const { place, error } of damaged) onDamaged?.(place, levelSize, error);
      const wholeOverview = { x: 0, y: 0, width, height };
      return this.averaged(samples, wholeOverview, { width, height }, scale, imageWindow, signal);
    }
    const report: OnDamaged | undefined = onDamaged && ((place, error) => onDamaged(place, level, error));
    const samples = await this.source.read(position, channel, levelIndex, window, signal, report);
    if (isPixelByPixel(level, this.size, scale)) return samples;
    return this.averaged(samples, window, level, scale, imageWindow, signal);
  }

  /** RGBA of a window, reduced to 1 / scale of its size, if the level stores RGB; else undefined. */
  private async colorsAt(
    scale: number,
    position: PlanePosition,
    imageWindow: PixelWindow,
    signal: AbortSignal | undefined,
    onDamaged?: DamageReport,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { levelIndex, level, window, useOverview } = this.levelFor(scale, 0, imageWindow);
    if (useOverview) return undefined;
    const report: OnDamaged | undefined = onDamaged && ((place, error) => onDamaged(place, level, error));
    const rgba = await this.source.readColors?.(position, levelIndex, window, signal, report);
    if (!rgba || isPixelByPixel(level, this.size, scale)) return rgba;
    const [across, down] = shrinkings(window, level, this.size, scale, imageWindow);
    return runInSlices(shrinkColors(rgba, window.width, across, down), signal);
  }

  /** Chooses the level from which to average a window of the image at 1 / scale of its size. */
  private levelFor(scale: number, channel: number, imageWindow: PixelWindow) {
    const { levels } = this.source.facts;
    const full = this.size;
    let levelIndex = this.level;
    for (let next = this.level + 1; next < levels.length; next++)
      if (full.width / (levels[next]?.width ?? 1) <= scale * TOLERANCE) levelIndex = next;
    const plan = this.overviews.plan(this.source.interleavedWith(channel).length);
    const planned = levels[plan.level] ?? full;
    const coarseness = (full.width / planned.width) * plan.factor;
    const level = levels[levelIndex] ?? full;
    const window = windowIn(level, full, scale, imageWindow);
    const useOverview =
      plan.factor > 1 &&
      (coarseness <= scale * TOLERANCE || this.source.decodedSamples(levelIndex, window) > MAX_DECODED);
    return { levelIndex, level, window, useOverview };
  }

  private averaged(
    samples: Samples,
    window: PixelWindow,
    level: ImageSize,
    scale: number,
    imageWindow: PixelWindow,
    signal: AbortSignal | undefined,
  ): Promise<Samples> {
    const [across, down] = shrinkings(window, level, this.size, scale, imageWindow);
    return runInSlices(shrink(samples, window.width, across, down, this.source.facts.bitsPerSample), signal);
  }
}

/** Number of a level's pixels per pixel of the image at 1 / scale of its size. */
function factors(level: ImageSize, full: ImageSize, scale: number): [x: number, y: number] {
  const factor = (part: number, whole: number) => {
    const exact = (part * scale) / whole;
    // Level sizes are rounded to whole pixels, so a nearly whole factor stands for a whole one.
    const nearest = Math.round(exact);
    return nearest > 0 && Math.abs(exact - nearest) * Math.ceil(whole / scale) < 1 + nearest
      ? nearest
      : exact;
  };
  return [factor(level.width, full.width), factor(level.height, full.height)];
}

/** Whether a level has exactly the pixels of the image at 1 / scale of its size. */
function isPixelByPixel(level: ImageSize, full: ImageSize, scale: number): boolean {
  if (level.width === full.width && scale === 1) return true;
  const [fx, fy] = factors(level, full, scale);
  const isWhole = (side: number, ofLevel: number) => Math.ceil(side / scale) <= ofLevel;
  return fx === 1 && fy === 1 && isWhole(full.width, level.width) && isWhole(full.height, level.height);
}

/** The window of a level to average for a window of the image at 1 / scale of its size. */
function windowIn(level: ImageSize, full: ImageSize, scale: number, imageWindow: PixelWindow): PixelWindow {
  const [across, down] = shrinkings({ x: 0, y: 0 }, level, full, scale, imageWindow);
  const left = across.starts[0] ?? 0;
  const top = down.starts[0] ?? 0;
  return { x: left, y: top, width: (across.ends.at(-1) ?? 0) - left, height: (down.ends.at(-1) ?? 0) - top };
}

/** The columns and rows of a level's part, from `origin`, to average for a window. */
function shrinkings(
  origin: { x: number; y: number },
  level: ImageSize,
  full: ImageSize,
  scale: number,
  { x, y, width, height }: PixelWindow,
): [across: Shrinking, down: Shrinking] {
  const [fx, fy] = factors(level, full, scale);
  return [shrinking(x, width, fx, level.width, origin.x), shrinking(y, height, fy, level.height, origin.y)];
}

/** Called for a part of a level that can't be decoded. */
type DamageReport = (place: PixelWindow, levelSize: ImageSize, error: unknown) => void;

/** Collects damaged parts that meet a tile, in the tile's pixels. */
function damageReport(
  damaged: PixelWindow[],
  tile: PixelWindow,
  full: ImageSize,
  scale: number,
  onDamaged: (error: unknown) => void,
): DamageReport {
  return (place, level, error) => {
    const [fx, fy] = factors(level, full, scale);
    const left = Math.max(0, Math.floor(place.x / fx) - tile.x);
    const top = Math.max(0, Math.floor(place.y / fy) - tile.y);
    const right = Math.min(tile.width, Math.ceil((place.x + place.width) / fx) - tile.x);
    const bottom = Math.min(tile.height, Math.ceil((place.y + place.height) / fy) - tile.y);
    if (right <= left || bottom <= top) return;
    damaged.push({ x: left, y: top, width: right - left, height: bottom - top });
    onDamaged(error);
  };
}

/** Grays and width, in pixels, of the stripes over damaged parts; no image looks like this. */
const STRIPES = [96, 160] as const;
const STRIPE = 8;

function hatch(pixels: Uint8Array, { x: left, y: top, width, height }: PixelWindow): void {
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < left + width; x++) {
      const at = (y * TILE + x) * 4;
      pixels.fill(STRIPES[((x + y) / STRIPE) & 1] ?? 0, at, at + 3);
      pixels[at + 3] = 255;
    }
  }
}

/** Adds 1 to the count of each pixel whose sample is NaN. */
function countMissing(
  samples: Float32Array | Float64Array,
  counts: Uint16Array = new Uint16Array(samples.length),
): Uint16Array {
  for (let i = 0; i < samples.length; i++)
    if (Number.isNaN(samples[i])) counts[i] = (counts[i] as number) + 1;
  return counts;
}

/** The look of a channel with black and full color swapped. */
function invertedLook(look: ChannelLook): ChannelLook {
  return { ...look, low: look.high, high: look.low };
}

/** Whether channel 0, 1 or 2 is painted in pure red, green or blue, from 0 to 255. */
function isPureColor({ shown, color, low, high }: ChannelLook, channel: number): boolean {
  return shown && low === 0 && high === 255 && color.every((part, at) => part === (at === channel ? 255 : 0));
}

/** Copies red, green and blue, `columns` to a row, into the rows of a tile. */
function paintAsStored(colors: readonly Samples[], columns: number, pixels: Uint8Array): void {
  for (const [c, samples] of colors.entries()) {
    for (let from = 0, row = 0; from < samples.length; row++) {
      let to = row * TILE * 4 + c;
      for (const end = from + columns; from < end; from++, to += 4) pixels[to] = samples[from] as number;
    }
  }
  for (let row = 0; row * columns < (colors[0]?.length ?? 0); row++) {
    const start = row * TILE * 4 + 3;
    for (let to = start; to < start + columns * 4; to += 4) pixels[to] = 255;
  }
}

/** Adds the color of one channel to the sums of red, green and blue; NaN adds nothing. */
function addChannel(samples: Samples, { color, low, high }: ChannelLook, sums: Float32Array): void {
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

/*
 * A slide without a pyramid has no level that fits in memory, but coarse tiles and the contrast
 * need the whole image. So the coarsest level is read once in chunks, reduced by a power of two,
 * and the result is cached. Channels that are stored interleaved are reduced in one pass.
 */

/** A whole plane, small enough for memory: row-major, width × height. */
interface Overview {
  width: number;
  height: number;
  samples: Samples;
  /** Size of the level that was read, and the factor by which it was reduced. */
  levelSize: ImageSize;
  factor: number;
  /** Parts of that level that can't be decoded, enlarged to whole overview pixels. */
  damaged: readonly DamagedPart[];
}

interface DamagedPart {
  place: PixelWindow;
  error: unknown;
}

/** The samples of an overview outside its damaged parts. */
function readableSamples(overview: Overview): Samples {
  const { samples, damaged } = overview;
  if (damaged.length === 0) return samples;
  const isDamaged = damagedIn(overview);
  return samples.filter((_: number, at: number) => isDamaged[at] === 0);
}

/** A mask of an overview: 1 for each damaged pixel. */
function damagedIn({ width, height, factor, damaged }: Omit<Overview, 'samples'>): Uint8Array {
  const isDamaged = new Uint8Array(width * height);
  for (const { place } of damaged) {
    const [left, right] = [place.x / factor, Math.min(width, (place.x + place.width) / factor)];
    const bottom = Math.min(height, (place.y + place.height) / factor);
    for (let row = place.y / factor; row < bottom; row++)
      isDamaged.fill(1, row * width + left, row * width + right);
  }
  return isDamaged;
}

/** Called with the number of rows read so far, and of all rows. */
export type OnProgress = (done: number, total: number) => void;

/** Maximum pixels of an overview. */
const MAX_PIXELS = 2048 * 2048;
/** Maximum samples of all channels that are reduced in one pass. */
const MAX_SAMPLES = 4 * MAX_PIXELS;
/** Maximum bytes of all cached overviews. */
const MAX_BYTES = 128 * 1024 ** 2;
/** Maximum damaged parts of an overview; with more, the image isn't worth showing. */
const MAX_DAMAGED = 10_000;
/** Approximate size of a chunk, in pixels of the level that is read. */
const CHUNK_COLUMNS = 4096;
const CHUNK_ROWS = 256;

/** Overviews per plane and channel: a small level of the file, or its reduced coarsest level. */
class Overviews {
  private readonly overviews = new ByteCache<Overview>(MAX_BYTES);
  private readonly making = new CachedValues<string, void>();
  /** The error of the first damaged part. */
  damage: unknown;

  /** `onProgress` gets the rows read of a level that is being reduced. */
  constructor(
    private readonly source: BackgroundImageSource,
    private readonly onProgress?: OnProgress,
  ) {}

  /** The overview of one channel of a plane. Throws errors of reading, and `cancelled`. */
  async get(position: PlanePosition, channel: number, signal?: AbortSignal): Promise<Overview> {
    const group = this.source.interleavedWith(channel);
    const plane = `${position.page}/${position.z}/${position.t}`;
    const cached = this.overviews.get(`${plane}/${channel}`);
    if (cached) return cached;
    const key = `${plane}/${group[0] ?? channel}`;
    let result: Overview | undefined;
    const store = (groupChannel: number, overview: Overview) => {
      if (groupChannel === channel) result = overview;
      this.overviews.set(`${plane}/${groupChannel}`, overview, overview.samples.byteLength);
    };
    await this.making.get(key, shared => this.make(position, group, store, shared), signal);
    this.making.delete(key);
    const overview = result ?? this.overviews.get(`${plane}/${channel}`);
    // Overviews of a very large group may push each other out of the cache.
    return overview ?? this.get(position, channel, signal);
  }

  /** The level to read for an overview, and the factor by which to reduce it. */
  plan(channels: number): { level: number; factor: number } {
    const { levels } = this.source.facts;
    const maxPixels = Math.min(MAX_PIXELS, MAX_SAMPLES / channels);
    const fittingLevel = levels.findIndex(({ width, height }) => width * height <= maxPixels);
    if (fittingLevel >= 0) return { level: fittingLevel, factor: 1 };
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
    const levelSize = { width: fullWidth, height: fullHeight };
    const overviews: (Overview | undefined)[] = channels.map(() => undefined);
    // Interleaved channels have the same damaged parts: report each once.
    const damaged = new Map<string, DamagedPart>();
    const onDamaged: OnDamaged = (place, error) => {
      const part = alignedTo(factor, place, levelSize);
      damaged.set(`${part.x}/${part.y}/${part.width}/${part.height}`, { place: part, error });
      if (damaged.size > MAX_DAMAGED) throw error;
    };
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
          const chunk = await this.source.read(position, channel, level, window, signal, onDamaged);
          const reduced =
            factor === 1 ? chunk : await runInSlices(shrink(chunk, window.width, across, down, bits), signal);
          const samples = () => zerosLike(reduced, width * height);
          const overview = (overviews[at] ??= {
            ...{ width, height, levelSize, factor },
            samples: samples(),
            damaged: [],
          });
          copyInto(overview, reduced, across.starts.length, { x: x / factor, y: y / factor });
          await pacer.pause();
        }
      }
      if (factor > 1) this.onProgress?.(Math.min(fullHeight, y + stepY), fullHeight);
    }
    const parts = [...damaged.values()];
    const [first] = parts;
    if (first) {
      this.damage ??= first.error;
      // If no part can be decoded, show the reason instead of an empty view: read again, which
      // throws.
      if (damagedIn({ width, height, levelSize, factor, damaged: parts }).every(Boolean))
        await this.source.read(position, channels[0] ?? 0, level, clipped(first.place, levelSize), signal);
    }
    for (const [at, overview] of overviews.entries())
      if (overview) store(channels[at] ?? 0, { ...overview, damaged: parts });
  }
}

/** A part of a level, enlarged to multiples of `factor`. */
function alignedTo(factor: number, place: PixelWindow, level: ImageSize): PixelWindow {
  const along = (start: number, length: number, side: number) => {
    const first = Math.floor(Math.max(0, start) / factor) * factor;
    return [first, Math.max(0, Math.ceil(Math.min(side, start + length) / factor) * factor - first)] as const;
  };
  const [x, width] = along(place.x, place.width, level.width);
  const [y, height] = along(place.y, place.height, level.height);
  return { x, y, width, height };
}

function clipped({ x, y, width, height }: PixelWindow, level: ImageSize): PixelWindow {
  return { x, y, width: Math.min(width, level.width - x), height: Math.min(height, level.height - y) };
}

/** Copies rows of `columns` samples into an overview at (x, y). */
function copyInto(
  { width, samples }: Overview,
  part: Samples,
  columns: number,
  { x, y }: { x: number; y: number },
): void {
  for (let row = 0; row * columns < part.length; row++)
    samples.set(part.subarray(row * columns, (row + 1) * columns), (y + row) * width + x);
}

/** The rows or columns averaged into sample `i`: from `starts[i]` to before `ends[i]`. */
interface Shrinking {
  starts: Int32Array;
  ends: Int32Array;
}

/**
 * Finds the samples of a row to average, if the row is reduced to 1 / `factor` of its size. The
 * result is for `count` samples of the reduced row, starting at `first`. The row has `length`
 * samples; positions in the result count from `origin`. A factor below 1 repeats samples.
 */
function shrinking(first: number, count: number, factor: number, length: number, origin: number): Shrinking {
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    // Level sizes are rounded, so a factor of 3.9998 stands for 4.
    const start = Math.min(length - 1, Math.floor((first + i) * factor + 1e-3));
    const end = Math.min(length, Math.floor((first + i + 1) * factor + 1e-3));
    starts[i] = start - origin;
    ends[i] = Math.max(start + 1, end) - origin;
  }
  return { starts, ends };
}

/**
 * Averages a window of samples, with `width` per row, into a smaller one; skips NaN. Means of
 * integers are rounded; integers of fewer than 8 bits become floats. Yields between rows.
 */
function* shrink(
  samples: Samples,
  width: number,
  across: Shrinking,
  down: Shrinking,
  bits: number,
): Generator<void, Samples> {
  const [columns, rows] = [across.starts.length, down.starts.length];
  // If rounded, a mix of 0s and 1s would become all black or all white.
  const reduced = bits < 8 ? new Float32Array(columns * rows) : zerosLike(samples, columns * rows);
  const round = !(reduced instanceof Float32Array || reduced instanceof Float64Array);
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
      reduced[y * columns + x] = round ? Math.floor(mean + 0.5) : mean;
    }
  }
  return reduced;
}

/** Averages a window of RGBA, as `shrink` averages samples; alpha becomes 255. */
function* shrinkColors(
  rgba: Uint8Array,
  width: number,
  across: Shrinking,
  down: Shrinking,
): Generator<void, Uint8Array<ArrayBuffer>> {
  const [columns, rows] = [across.starts.length, down.starts.length];
  const reduced = new Uint8Array(columns * rows * 4).fill(255);
  for (let y = 0, to = 0; y < rows; y++) {
    yield;
    const [top, bottom] = [down.starts[y] ?? 0, down.ends[y] ?? 0];
    for (let x = 0; x < columns; x++, to += 4) {
      const [left, right] = [across.starts[x] ?? 0, across.ends[x] ?? 0];
      let [red, green, blue] = [0, 0, 0];
      for (let row = top; row < bottom; row++) {
        for (let at = (row * width + left) * 4, end = (row * width + right) * 4; at < end; at += 4) {
          red += rgba[at] as number;
          green += rgba[at + 1] as number;
          blue += rgba[at + 2] as number;
        }
      }
      const count = (right - left) * (bottom - top);
      reduced[to] = Math.floor(red / count + 0.5);
      reduced[to + 1] = Math.floor(green / count + 0.5);
      reduced[to + 2] = Math.floor(blue / count + 0.5);
    }
  }
  return reduced;
}
