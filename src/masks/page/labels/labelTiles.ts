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
/** While objects are being read, tiles are requested repeatedly, so these are fewer and coarser. */
const MAX_GROWING_TILES = 4;
/**
 * Number of levels below the tile that shows the whole image at which a tile shows at most a 64th
 * of it.
 */
const LEVELS_OF_PART = 3;

const NOTHING_HIDDEN = { bits: undefined, stamp: 0 };

/** Number of pixels up to which an image is read before a coarse tile of it is on the screen. */
const MAX_QUICKLY_READ = 4096 ** 2;

/**
 * How many objects of an image are painted: undefined for all, 'known' until it is known how many
 * were read.
 */
export type PaintedCount = number | 'known' | undefined;

/** The hidden objects when labels were made: a number for each set of them, 0 for none. */
type HiddenStamp = number;

/** One response of the panel. */
interface FetchedLabels extends SentLabels {
  /**
   * False when no pixel of the tile is covered by two objects: then hiding one uncovers nothing.
   */
  overlaps?: boolean | undefined;
  /**
   * Labels of covered objects, see src/archives/labelRuns.ts; absent where there are none or too
   * many.
   */
  beneath?: ArrayBuffer | undefined;
  /** How many objects are painted, if 'known' were requested and these aren't all. */
  count?: number | undefined;
}

export interface LoadedLabelTile {
  /** The number of objects that are painted; undefined for all of the image. */
  readonly count: number | undefined;
  readonly labels: Uint32Array<ArrayBuffer>;
  readonly overlaps: boolean;
  readonly hidden: HiddenStamp;
  /**
   * The labels while nothing is hidden, and those of covered objects: with both, hiding an object
   * needs no request.
   */
  readonly all?: { readonly top: Uint32Array<ArrayBuffer>; readonly beneath: Uint32Array } | undefined;
}

export interface LabelTilesOptions {
  /**
   * `hidden` has a bit for each object to leave out, so that those beneath show; it is only given
   * for tiles with too many covered objects to send with the labels. With `count` only the first
   * objects are painted, see PaintedCount.
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
 * The labels of one image, tile by tile: fetches visible tiles and caches seen ones, within a
 * number of bytes.
 */
export class LabelTiles {
  private readonly tiles = new ByteBoundCache<LoadedLabelTile>(CACHE_BYTES);
  private readonly loader: TileLoader<LoadedLabelTile>;
  private hidden: { bits: Uint8Array<ArrayBuffer> | undefined; stamp: HiddenStamp } = {
    bits: undefined,
    stamp: 0,
  };
  private stamps = 0;
  private count: PaintedCount;

  constructor(
    readonly image: Extent,
    private readonly options: LabelTilesOptions,
  ) {
    this.loader = new TileLoader<LoadedLabelTile>({
      parallel: 6,
      fetch: async (tile, signal) => {
        const known = this.tiles.peek(tileKey(tile));
        const { bits, stamp } = known?.overlaps && !known.all ? this.hidden : NOTHING_HIDDEN;
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
   * Other objects are hidden now. Tiles that came with their covered objects need no request;
   * others with overlaps are fetched again once they are in view.
   */
  setHidden(bits: ArrayBuffer | undefined): void {
    const hidden = bits && new Uint8Array(bits);
    if (sameBits(hidden, this.hidden.bits)) return;
    this.hidden = hidden ? { bits: hidden, stamp: ++this.stamps } : NOTHING_HIDDEN;
  }

  /**
   * Sets how many objects of the image have been read. Tiles of fewer objects are fetched again,
   * and painted until then.
   */
  setCount(count: PaintedCount): void {
    this.count = count;
  }

  /** Requests the tiles that are missing or out of date. Whether any is missing and on its way. */
  want(tiles: readonly Tile[]): { missing: boolean } {
    const outdated = tiles.filter(tile => !this.isCurrent(this.tiles.get(tileKey(tile))));
    const overview = this.overview;
    const whole = this.tiles.get(tileKey(overview));
    const isOverviewOutdated = !whole || !this.hasCount(whole);
    // The one tile that shows the whole image is painted in place of others while they load. It
    // comes last where only a small part of the image is in view.
    const isPart = tiles.every(({ level }) => overview.level - level >= LEVELS_OF_PART);
    const wanted = isPart ? [...outdated, overview] : [overview, ...outdated];
    this.loader.want(isOverviewOutdated ? wanted : outdated);
    return { missing: outdated.length > 0 && !this.loader.idle };
  }

  /** More of the loaded labels remain to be painted. */
  changed(): void {
    this.options.onChange();
  }

  /** Tiles that a frame needs. */
  inView({ view, panel }: FrameView): Tile[] {
    const { count, image } = this;
    const grows = count === 'known' ? image.width * image.height > MAX_QUICKLY_READ : count !== undefined;
    const most = grows ? MAX_GROWING_TILES : MAX_TILES;
    return affordableTiles(view, panel, this.image, levelFor(view.scale, 'sharp', this.image), most);
  }

  get overview(): Tile {
    return { level: topLevel(this.image), x: 0, y: 0 };
  }

  /** A tile's labels, if they are loaded; perhaps from before something was hidden. */
  at(tile: Tile): LoadedLabelTile | undefined {
    const key = tileKey(tile);
    const known = this.tiles.peek(key);
    const { bits, stamp } = this.hidden;
    if (!known?.all || known.hidden === stamp) return known;
    const labels = bits
      ? labelsThatShow(known.labels, known.all, label => isHidden(bits, label))
      : known.all.top;
    const now = { ...known, labels, hidden: stamp };
    this.tiles.replace(key, now, bytesOf(now));
    return now;
  }

  /**
   * The object that shows at a pixel (−1 for none); undefined while the labels at full size are not
   * loaded there.
   */
  objectAt(x: number, y: number): number | undefined {
    const tile = { level: 0, x: Math.floor(x / TILE_SIZE), y: Math.floor(y / TILE_SIZE) };
    const found = this.at(tile);
    if (!this.isCurrent(found)) return undefined;
    const label = found?.labels[(y - tile.y * TILE_SIZE) * TILE_SIZE + (x - tile.x * TILE_SIZE)] ?? 0;
    const { bits } = this.hidden;
    return bits && isHidden(bits, label) ? -1 : label - 1;
  }

  neighbors({ level, x, y }: Tile): Neighbors {
    const span = tileSpan(level);
    const at = (nextX: number, nextY: number): Neighbor => {
      const inside =
        nextX >= 0 && nextY >= 0 && nextX * span < this.image.width && nextY * span < this.image.height;
      return inside ? this.at({ level, x: nextX, y: nextY })?.labels : 'outside';
    };
    return { left: at(x - 1, y), right: at(x + 1, y), above: at(x, y - 1), below: at(x, y + 1) };
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

/** Whether the object of a label is hidden; background never is. */
function isHidden(bits: Uint8Array, label: number): boolean {
  const object = label - 1;
  return (((bits[object >> 3] ?? 0) >> (object & 7)) & 1) === 1;
}

function sameBits(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (!a || !b) return a === b;
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function bytesOf({ labels, all }: LoadedLabelTile): number {
  const ofAll = all ? all.beneath.byteLength + (all.top === labels ? 0 : TILE_BYTES) : 0;
  return TILE_BYTES + ofAll;
}

/**
 * An object that stands out: its border in a color of its own on a dark one. Widths in CSS pixels.
 */
export interface Mark {
  object: number;
  box: Box;
  line: Rgb;
  width: number;
  haloWidth: number;
}

/** How labels are painted. */
export interface LabelLook {
  /** Label → packed RGBA, 0 for hidden labels. A new array whenever a color changed. */
  palette: Uint32Array;
  /** Whether the palette has colors of selected objects and of dimmed ones, see `asSelected`. */
  hasSelected: boolean;
  fill: boolean;
  opacity: number;
  marks: readonly Mark[];
}

/** Paints the labels of the tiles in view. */
export interface LabelRenderer {
  /** Whether everything was painted; else more follows in the next frames. */
  paint(frame: CanvasFrame, tiles: LabelTiles, inView: readonly Tile[], look: LabelLook): boolean;
  dispose(): void;
}

/** Lines are a little fuller than the fill. */
export function lineOpacity(opacity: number): number {
  return Math.min(1, opacity + 0.4);
}

/** The alpha by which a palette marks selected objects, however many there are; it looks opaque. */
export const SELECTED_ALPHA = 254;

/**
 * A palette color that marks its object as selected: it has a thin white outline where there is
 * room for one.
 */
export function asSelected(pixel: number): number {
  return withAlpha(pixel, SELECTED_ALPHA);
}

/**
 * A palette color of an object that stays behind those that are selected: this much is left of it.
 */
const DIMMED_ALPHA = 0x40;

export function asDimmed(pixel: number): number {
  return withAlpha(pixel, DIMMED_ALPHA);
}

/** How much of an object shows, 0…1, by its palette color. */
export function shareOf(pixel: number): number {
  const alpha = pixel >>> 24;
  return alpha >= SELECTED_ALPHA ? 1 : alpha / 255;
}

/**
 * Whether selected objects are outlined: not if objects are so small that lines would cover the
 * colors that distinguish them from dimmed ones, unless there are no colors.
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

/** Contrast of a line with the image: dark around light colors, light around dark ones. */
export function haloOf(color: Rgb): Rgb {
  const { weights, gamma, dark } = LUMINANCE;
  const luminance = color.reduce((sum, part, at) => sum + (part / 255) ** gamma * (weights[at] ?? 0), 0);
  return luminance < dark ? LIGHT_HALO : DARK_HALO;
}
