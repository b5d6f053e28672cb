import { CodedError } from '../../base/errors';
import type { ChannelLook, PictureLook } from '../../formats/pictureLook';
import type { Samples } from '../../formats/raster';
import { runInSlices } from '../slices';
import { percentileRange, spreadOf, type ChannelRange, type SampleSpread } from './contrast';
import { firstLook } from './firstLook';
import { Overviews, type Progress } from './overviews';
import type { PictureSource, PlanePosition, Size } from './pictureSource';
import { shrink, shrinking } from './shrink';

const TILE = 256;
/** Samples that may be decoded for one tile; past it the overview is shown, coarser than asked for. */
const MOST_DECODED = 64e6;
/** How much coarser than asked for a level may be, for the rounding of its size. */
const SLACK = 1.01;

/** An open picture: painted tile by tile, with a contrast that is chosen once, and asked for its samples. */
export class Picture {
  private readonly overviews: Overviews;

  private constructor(
    readonly source: PictureSource,
    /** Level of the file that is taken for the whole picture. */
    readonly level: number,
    readonly look: PictureLook,
    /** Undefined when samples are shown as they are. */
    readonly contrast: ChannelRange[] | undefined,
    overviews: Overviews,
  ) {
    this.overviews = overviews;
  }

  /** Chooses the contrast: reads an overview, with progress. Throws `bad-request` with the reason, `cancelled`. */
  static async open(
    source: PictureSource,
    level = 0,
    signal?: AbortSignal,
    onProgress?: Progress,
  ): Promise<Picture> {
    const { facts } = source;
    if (!facts.levels[level]) throw new CodedError('bad-request', `There is no level ${level}`);
    const overviews = new Overviews(source, onProgress);
    const first: PlanePosition = { page: 0, z: 0, t: 0 };
    // Coarse views of a picture without a pyramid need it in any case: better now, with progress.
    if (overviews.plan(source.together(0).length).factor > 1) await overviews.get(first, 0, signal);
    // What is shown as it is need not be looked at.
    if (facts.rgb && facts.bitsPerSample === 8) {
      const asStored = facts.channels.map(() => ({ low: 0, high: 255 }));
      return new Picture(source, level, firstLook(facts, asStored), undefined, overviews);
    }
    const ranges: ChannelRange[] = [];
    const samples: Samples[] = [];
    for (const channel of facts.channels.keys()) {
      const overview = await overviews.get(first, channel, signal);
      if (facts.rgb) samples.push(overview.samples);
      else ranges.push(percentileRange([overview.samples]));
    }
    const chosen = facts.rgb ? samples.map(() => percentileRange(samples)) : ranges;
    return new Picture(source, level, firstLook(facts, chosen), chosen, overviews);
  }

  get size(): Size {
    return this.source.facts.levels[this.level] ?? { width: 0, height: 0 };
  }

  /** RGBA of a tile of 256 × 256, row-major; alpha is 0 outside the picture and 255 in it. */
  async tile(
    level: number,
    tileX: number,
    tileY: number,
    look: PictureLook = this.look,
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
      add(await this.samplesAt(scale, position, channel, window, signal), painted, sums);
    }
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const from = (y * columns + x) * 3;
        const to = (y * TILE + x) * 4;
        for (let c = 0; c < 3; c++) pixels[to + c] = Math.min(255, Math.round(sums[from + c] ?? 0));
        pixels[to + 3] = 255;
      }
    }
    return pixels;
  }

  /** Raw samples of all channels at a pixel; none outside the picture. */
  async values(x: number, y: number, look: PictureLook = this.look, signal?: AbortSignal): Promise<number[]> {
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

  /** Percentile range and spread of each channel in the plane that the look names. */
  async spread(look: PictureLook = this.look, signal?: AbortSignal): Promise<SampleSpread[]> {
    const spreads: SampleSpread[] = [];
    for (const channel of this.source.facts.channels.keys()) {
      const { samples } = await this.overviews.get(this.position(look), channel, signal);
      spreads.push(spreadOf(samples));
    }
    return spreads;
  }

  /** The place on the axes that a look names, kept inside them. */
  position({ page, z, t }: PictureLook): PlanePosition {
    const { axes } = this.source.facts;
    const inside = (at: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(at) || 0));
    return { page: inside(page, axes.page), z: inside(z, axes.z), t: inside(t, axes.t) };
  }

  /** Samples of a window of the picture at 1 / scale of its size, averaged from the best level that can be afforded. */
  private async samplesAt(
    scale: number,
    position: PlanePosition,
    channel: number,
    wanted: { x: number; y: number; width: number; height: number },
    signal: AbortSignal | undefined,
  ): Promise<Samples> {
    const { levels } = this.source.facts;
    const full = this.size;
    let best = this.level;
    for (let at = this.level + 1; at < levels.length; at++)
      if (full.width / (levels[at]?.width ?? 1) <= scale * SLACK) best = at;
    const plan = this.overviews.plan(this.source.together(channel).length);
    const planned = levels[plan.level] ?? full;
    const coarseness = (full.width / planned.width) * plan.factor;
    const level = levels[best] ?? full;
    const inLevel = windowIn(level, full, scale, wanted);
    const useOverview =
      plan.factor > 1 && (coarseness <= scale * SLACK || this.source.cost(best, inLevel) > MOST_DECODED);
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
    window: { x: number; y: number; width: number },
    level: Size,
    scale: number,
    wanted: { x: number; y: number; width: number; height: number },
    signal: AbortSignal | undefined,
  ): Promise<Samples> {
    const [fx, fy] = factors(level, this.size, scale);
    const across = shrinking(wanted.x, wanted.width, fx, level.width, window.x);
    const down = shrinking(wanted.y, wanted.height, fy, level.height, window.y);
    return runInSlices(shrink(samples, window.width, across, down), signal);
  }
}

/** Pixels of a level for each pixel of the picture at 1 / scale of its size. */
function factors(level: Size, full: Size, scale: number): [x: number, y: number] {
  const factor = (part: number, whole: number) => {
    const exact = (part * scale) / whole;
    // Levels are rounded to whole pixels: what is nearly a whole factor is one.
    const near = Math.round(exact);
    return near > 0 && Math.abs(exact - near) * Math.ceil(whole / scale) < 1 + near ? near : exact;
  };
  return [factor(level.width, full.width), factor(level.height, full.height)];
}

function windowIn(
  level: Size,
  full: Size,
  scale: number,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const [fx, fy] = factors(level, full, scale);
  const across = shrinking(x, width, fx, level.width, 0);
  const down = shrinking(y, height, fy, level.height, 0);
  const left = across.starts[0] ?? 0;
  const top = down.starts[0] ?? 0;
  return { x: left, y: top, width: (across.ends.at(-1) ?? 0) - left, height: (down.ends.at(-1) ?? 0) - top };
}

/** Adds one channel to red, green and blue; what is not a number adds nothing. */
function add(samples: Samples, { colour, low, high }: ChannelLook, sums: Float32Array): void {
  const [red, green, blue] = colour;
  const span = high - low;
  for (let i = 0; i < samples.length; i++) {
    const share = ((samples[i] ?? NaN) - low) / span;
    if (!(share > 0)) continue;
    const strength = share < 1 ? share : 1;
    sums[i * 3] = (sums[i * 3] ?? 0) + red * strength;
    sums[i * 3 + 1] = (sums[i * 3 + 1] ?? 0) + green * strength;
    sums[i * 3 + 2] = (sums[i * 3 + 2] ?? 0) + blue * strength;
  }
}
