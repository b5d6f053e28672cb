import type { Rgb } from '../../../base/colors';
import { TILE_SIZE } from '../../../protocol/tiles';
import { labelsThatShow, receivedLabels, type SentLabels } from '../../../archives/labelRuns';
import { ByteBoundCache, TileLoader } from '../tiles/tileLoader';
import {
  affordableTiles,
  type CanvasFrame,
  type FrameView,
  levelFor,
  type Tile,
  TILE_BYTES,
  tileKey,
  tileSpan,
  topLevel,
} from '../tiles/tiles';
import type { Box, Extent } from '../tiles/viewTransform';
import type { Neighbor, Neighbors } from './paddedLabels';

const CACHE_BYTES = 96 * 2 ** 20;
const MAX_TILES = 160;
/** Tiles are requested again and again while objects are being read: fewer and coarser ones. */
const MAX_GROWING_TILES = 4;
/** At this many levels below the overview tile, a tile shows at most a 64th of the image. */
const SMALL_PART_LEVELS = 3;

const NOTHING_HIDDEN = { bits: undefined, stamp: 0 };

/** Pixels of an image that is read before a coarse tile of it would be painted. */
const MAX_QUICKLY_READ = 4096 ** 2;

/**
 * How many objects of an image are painted; undefined for all. 'known': all that are read so far.
 */
export type PaintedCount = number | 'known' | undefined;

/** Number of the set of hidden objects that labels were made with; 0 for none. */
type HiddenStamp = number;

/** A response of the panel. */
interface FetchedLabels extends SentLabels {
  /** False if no objects overlap in the tile: hiding one then uncovers nothing. */
  overlaps?: boolean | undefined;
  /**
   * Labels of covered objects, see src/archives/labelRuns.ts; absent if there are none or too many.
   */
  beneath?: ArrayBuffer | undefined;
  /** Number of painted objects, if 'known' was requested and there will be more. */
  count?: number | undefined;
}

export interface LoadedLabelTile {
  /** Number of painted objects; undefined for all objects of the image. */
  readonly count: number | undefined;
  readonly labels: Uint32Array<ArrayBuffer>;
  readonly overlaps: boolean;
  readonly hidden: HiddenStamp;
  /**
   * The labels with nothing hidden, and those of covered objects. With both, hiding an object needs
   * no request.
   */
  readonly all?: { readonly top: Uint32Array<ArrayBuffer>; readonly beneath: Uint32Array } | undefined;
}

export interface LabelTilesOptions {
  /**
   * `hidden`: a bit for each object to leave out, so that objects below it show. Only given for
   * tiles with too many covered objects to send their labels. With `count`, only the first objects
   * are painted; see PaintedCount.
   */
  fetch: (
    tile: Tile,
    hidden: ArrayBuffer | undefined,
    signal: AbortSignal,
    count: PaintedCount,
  ) => Promise<FetchedLabels>;
  onChange: () => void;
  onFailure: (error: unknown) => void;
}

/**
 * The labels of one image in tiles. Fetches visible tiles and caches earlier ones, limited in
 * bytes.
 */
export class LabelTiles {
  private readonly tiles = new ByteBoundCache<LoadedLabelTile>(CACHE_BYTES);
  private readonly loader: TileLoader<LoadedLabelTile>;
  private hidden: { bits: Uint8Array<ArrayBuffer> | undefined; stamp: HiddenStamp } = {
    bits: undefined,
    stamp: 0,
  };
  private lastStamp = 0;
  private count: PaintedCount;

  constructor(
    readonly image: Extent,
    private readonly options: LabelTilesOptions,
  ) {
    this.loader = new TileLoader<LoadedLabelTile>({
      parallel: 6,
      fetch: async (tile, signal) => {
        const cached = this.tiles.peek(tileKey(tile));
        const { bits, stamp } = cached?.overlaps && !cached.all ? this.hidden : NOTHING_HIDDEN;
        const { count } = this;
        const fetched = await options.fetch(tile, bits?.buffer, signal, count);
        const { overlaps = true, beneath } = fetched;
        const labels = receivedLabels(fetched, TILE_SIZE * TILE_SIZE);
        const all = beneath && { top: labels, beneath: new Uint32Array(beneath) };
        return { labels, overlaps, hidden: stamp, all, count: count === 'known' ? fetched.count : count };
      },
      onTile: (tile, labels) => {
        this.tiles.set(tileKey(tile), labels, bytesOf(labels));
        options.onChange();
      },
      onFailure: (_, error) => {
        options.onFailure(error);
        options.onChange();
      },
    });
  }

  /**
   * Sets the hidden objects. Tiles that have labels of covered objects need no request; others with
   * overlaps are fetched again once in view.
   */
  setHidden(bits: ArrayBuffer | undefined): void {
    const hidden = bits && new Uint8Array(bits);
    if (sameBits(hidden, this.hidden.bits)) return;
    this.hidden = hidden ? { bits: hidden, stamp: ++this.lastStamp } : NOTHING_HIDDEN;
  }

  /**
   * Sets how many objects of the image are read. Tiles with fewer objects stay until they are
   * fetched again.
   */
  setCount(count: PaintedCount): void {
    this.count = count;
  }

  /** Requests tiles that are missing or out of date. `missing`: whether any is still loading. */
  want(tiles: readonly Tile[]): { missing: boolean } {
    const outdated = tiles.filter(tile => !this.isCurrent(this.tiles.get(tileKey(tile))));
    const overview = this.overview;
    const overviewTile = this.tiles.get(tileKey(overview));
    const isOverviewOutdated = !overviewTile || !this.hasCount(overviewTile);
    // The overview tile is painted in place of others while they load. It is loaded last where only
    // a small part of the image is in view.
    const isSmallPart = tiles.every(({ level }) => overview.level - level >= SMALL_PART_LEVELS);
    const tilesToLoad = isSmallPart ? [...outdated, overview] : [overview, ...outdated];
    this.loader.want(isOverviewOutdated ? tilesToLoad : outdated);
    return { missing: outdated.length > 0 && !this.loader.idle };
  }

  /** Requests another frame: part of the loaded labels isn't painted yet. */
  repaint(): void {
    this.options.onChange();
  }

  /** Tiles that a frame needs. */
  inView({ view, panel }: FrameView): Tile[] {
    const { count, image } = this;
    const isGrowing = count === 'known' ? image.width * image.height > MAX_QUICKLY_READ : count !== undefined;
    const maxTiles = isGrowing ? MAX_GROWING_TILES : MAX_TILES;
    return affordableTiles(view, panel, this.image, levelFor(view.scale, 'sharp', this.image), maxTiles);
  }

  get overview(): Tile {
    return { level: topLevel(this.image), x: 0, y: 0 };
  }

  /** A tile's labels, if loaded. They may be from before the latest change of hidden objects. */
  at(tile: Tile): LoadedLabelTile | undefined {
    const key = tileKey(tile);
    const cached = this.tiles.peek(key);
    const { bits, stamp } = this.hidden;
    if (!cached?.all || cached.hidden === stamp) return cached;
    const labels = bits
      ? labelsThatShow(cached.labels, cached.all, label => isHidden(bits, label))
      : cached.all.top;
    const updated = { ...cached, labels, hidden: stamp };
    this.tiles.replace(key, updated, bytesOf(updated));
    return updated;
  }

  /**
   * The object shown at a pixel, −1 for none; undefined while the labels there aren't loaded at
   * full size.
   */
  objectAt(x: number, y: number): number | undefined {
    const tile = { level: 0, x: Math.floor(x / TILE_SIZE), y: Math.floor(y / TILE_SIZE) };
    const tileLabels = this.at(tile);
    if (!this.isCurrent(tileLabels)) return undefined;
    const label = tileLabels?.labels[(y - tile.y * TILE_SIZE) * TILE_SIZE + (x - tile.x * TILE_SIZE)] ?? 0;
    const { bits } = this.hidden;
    return bits && isHidden(bits, label) ? -1 : label - 1;
  }

  neighbors({ level, x, y }: Tile): Neighbors {
    const span = tileSpan(level);
    const labelsAt = (tileX: number, tileY: number): Neighbor => {
      const isInside =
        tileX >= 0 && tileY >= 0 && tileX * span < this.image.width && tileY * span < this.image.height;
      return isInside ? this.at({ level, x: tileX, y: tileY })?.labels : 'outside';
    };
    return {
      left: labelsAt(x - 1, y),
      right: labelsAt(x + 1, y),
      above: labelsAt(x, y - 1),
      below: labelsAt(x, y + 1),
    };
  }

  dispose(): void {
    this.loader.dispose();
    this.tiles.clear();
  }

  private hasCount(tile: LoadedLabelTile): boolean {
    return this.count === 'known' || tile.count === this.count;
  }

  private isCurrent(tile: LoadedLabelTile | undefined): boolean {
    if (!tile || !this.hasCount(tile)) return false;
    if (tile.all) return true;
    return tile.hidden === this.hidden.stamp || (tile.hidden === 0 && !tile.overlaps);
  }
}

/** Whether the object of a label is hidden; the background never is. */
function isHidden(bits: Uint8Array, label: number): boolean {
  const object = label - 1;
  return (((bits[object >> 3] ?? 0) >> (object & 7)) & 1) === 1;
}

function sameBits(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (!a || !b) return a === b;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function bytesOf({ labels, all }: LoadedLabelTile): number {
  const allBytes = all ? all.beneath.byteLength + (all.top === labels ? 0 : TILE_BYTES) : 0;
  return TILE_BYTES + allBytes;
}

/** An object marked by a colored line on a dark or light halo. Widths are in CSS pixels. */
export interface Mark {
  object: number;
  box: Box;
  line: Rgb;
  width: number;
  haloWidth: number;
}

/** How labels are painted. */
export interface LabelLook {
  /** Label → packed RGBA, 0 for hidden labels. A new array for each change of colors. */
  palette: Uint32Array;
  /** Whether the palette has colors of selected objects and of dimmed ones, see `asSelected`. */
  hasSelected: boolean;
  fill: boolean;
  opacity: number;
  marks: readonly Mark[];
}

/** Paints the labels of the tiles in view. */
export interface LabelRenderer {
  /** Returns whether everything was painted; else the next frames continue. */
  paint(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[], look: LabelLook): boolean;
  dispose(): void;
}

/** Lines are a little more opaque than the fill. */
export function lineOpacity(opacity: number): number {
  return Math.min(1, opacity + 0.4);
}

/** The alpha that marks selected objects in a palette; it looks opaque. */
export const SELECTED_ALPHA = 254;

/** Marks an object's palette color as selected: it gets a thin white outline if there is room. */
export function asSelected(pixel: number): number {
  return withAlpha(pixel, SELECTED_ALPHA);
}

/** The alpha of objects that aren't selected while others are. */
const DIMMED_ALPHA = 0x40;

export function asDimmed(pixel: number): number {
  return withAlpha(pixel, DIMMED_ALPHA);
}

/** How opaque an object is painted, 0…1, by its palette color. */
export function opacityOf(pixel: number): number {
  const alpha = pixel >>> 24;
  return alpha >= SELECTED_ALPHA ? 1 : alpha / 255;
}

/**
 * Whether selected objects get an outline. Not around tiny objects: it would cover the colors that
 * distinguish them from dimmed objects. Without colors, always.
 */
export function outlinesSelected({ hasSelected, opacity }: LabelLook, { view }: FrameView): boolean {
  return hasSelected && (opacity === 0 || view.scale >= devicePixelRatio / 2);
}

function withAlpha(pixel: number, alpha: number): number {
  return ((pixel & 0xffffff) | (alpha << 24)) >>> 0;
}

export function isSelected(pixel: number): boolean {
  return pixel >>> 24 === SELECTED_ALPHA;
}

const DARK_HALO: Rgb = [0, 0, 0];
const LIGHT_HALO: Rgb = [255, 255, 255];
export const HALO_ALPHA = 0.55;

/**
 * Weights of red, green and blue in luminance (about WCAG's), and the luminance below which halos
 * are light.
 */
export const LUMINANCE = { weights: [0.2126, 0.7152, 0.0722], gamma: 2.2, dark: 0.12 } as const;

/**
 * The color of a halo, to set a line off from the image: dark around light colors and vice versa.
 */
export function haloOf(color: Rgb): Rgb {
  const { weights, gamma, dark } = LUMINANCE;
  const luminance = color.reduce(
    (sum, value, channel) => sum + (value / 255) ** gamma * (weights[channel] ?? 0),
    0,
  );
  return luminance < dark ? LIGHT_HALO : DARK_HALO;
}
