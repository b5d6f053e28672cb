import { TILE_SIZE } from '../../../protocol/tiles';
import { ByteBoundCache } from '../tiles/byteBoundCache';
import type { Neighbor, Neighbors } from './labelTile';
import { TileLoader } from '../tiles/tileLoader';
import {
  type FrameView,
  TILE_BYTES,
  affordableTiles,
  levelFor,
  tileKey,
  tileSpan,
  topLevel,
  type Tile,
} from '../tiles/tileMath';
import type { Extent } from '../stage/viewTransform';

const CACHE_BYTES = 96 * 2 ** 20;
const MAX_TILES = 160;

/** What was left out when labels were made: a number for each set of hidden objects, 0 for none. */
export type HiddenStamp = number;

/** One response of the panel. */
export interface FetchedLabels {
  labels: ArrayBuffer;
  /** False when no pixel of the tile is covered by two objects: then hiding one uncovers nothing. */
  overlaps?: boolean | undefined;
}

export interface LoadedLabelTile {
  readonly labels: Uint32Array<ArrayBuffer>;
  readonly overlaps: boolean;
  readonly hidden: HiddenStamp;
}

export interface LabelTilesOptions {
  /** `hidden` has a bit for each object that is to be left out, so that what lies beneath shows. */
  fetch: (tile: Tile, hidden: ArrayBuffer | undefined, signal: AbortSignal) => Promise<FetchedLabels>;
  onChange: () => void;
  onFailure: (error: unknown) => void;
}

/** The labels of one image, tile by tile: fetches what is in view and keeps what was seen, within a number of bytes. */
export class LabelTiles {
  private readonly tiles = new ByteBoundCache<LoadedLabelTile>(CACHE_BYTES);
  private readonly loader: TileLoader<LoadedLabelTile>;
  private hidden: { bits: ArrayBuffer | undefined; stamp: HiddenStamp } = { bits: undefined, stamp: 0 };
  private stamps = 0;

  constructor(
    readonly image: Extent,
    private readonly options: LabelTilesOptions,
  ) {
    this.loader = new TileLoader({
      parallel: 6,
      fetch: async (tile, signal) => {
        const { bits, stamp } = this.hidden;
        const { labels, overlaps = true } = await options.fetch(tile, bits, signal);
        return { labels: new Uint32Array(labels), overlaps, hidden: stamp };
      },
      onTile: (tile, labels) => {
        this.tiles.set(tileKey(tile), labels, TILE_BYTES);
        options.onChange();
      },
      onFailure: (_, error) => {
        options.onFailure(error);
        options.onChange();
      },
    });
  }

  /** Other objects are hidden now: tiles where something may lie beneath them are fetched again once they are in view. */
  setHidden(bits: ArrayBuffer | undefined): void {
    if (sameBits(bits, this.hidden.bits)) return;
    this.hidden = { bits, stamp: bits ? ++this.stamps : 0 };
  }

  /** Requests the tiles that are missing or out of date. Whether any is missing and on its way. */
  want(tiles: readonly Tile[]): { missing: boolean } {
    const lacking = tiles.filter(tile => !this.isCurrent(this.tiles.get(tileKey(tile))));
    // The one tile that shows the whole image stands in for all others while they load.
    const overview = this.overview;
    const first = this.tiles.get(tileKey(overview)) ? [] : [overview];
    this.loader.want([...first, ...lacking]);
    return { missing: lacking.length > 0 && !this.loader.idle };
  }

  /** More of the loaded labels remain to be painted. */
  changed(): void {
    this.options.onChange();
  }

  /** Tiles that a frame needs. */
  inView({ view, panel }: FrameView): Tile[] {
    return affordableTiles(view, panel, this.image, levelFor(view.scale, 'sharp', this.image), MAX_TILES);
  }

  get overview(): Tile {
    return { level: topLevel(this.image), x: 0, y: 0 };
  }

  /** A tile's labels, if they are loaded; perhaps from before something was hidden. */
  at(tile: Tile): LoadedLabelTile | undefined {
    return this.tiles.peek(tileKey(tile));
  }

  /** The object at a pixel (−1 for none); undefined while the labels at full size are not loaded there. */
  objectAt(x: number, y: number): number | undefined {
    const tile = { level: 0, x: Math.floor(x / TILE_SIZE), y: Math.floor(y / TILE_SIZE) };
    const found = this.at(tile);
    if (!this.isCurrent(found)) return undefined;
    return (found?.labels[(y - tile.y * TILE_SIZE) * TILE_SIZE + (x - tile.x * TILE_SIZE)] ?? 0) - 1;
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

  private isCurrent(tile: LoadedLabelTile | undefined): boolean {
    if (!tile) return false;
    return tile.hidden === this.hidden.stamp || (tile.hidden === 0 && !tile.overlaps);
  }
}

function sameBits(a: ArrayBuffer | undefined, b: ArrayBuffer | undefined): boolean {
  if (!a || !b) return a === b;
  const [left, right] = [new Uint8Array(a), new Uint8Array(b)];
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}
