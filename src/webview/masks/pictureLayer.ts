import type { PictureInfo } from '../../protocol/pictureEngine';
import { ByteBoundCache } from './byteBoundCache';
import { TileLoader } from './tileLoader';
import { affordableTiles, levelFor, tileKey, topLevel, type Tile } from './tileMath';
import { drawInstead, drawTile, makeSurface, SURFACE_BYTES, type Frame, type Surface } from './tileSurface';
import type { Size } from './viewTransform';

const CACHE_BYTES = 96 * 2 ** 20;
const MOST_TILES = 320;

export interface PictureLayerOptions {
  fetch: (tile: Tile, signal: AbortSignal) => Promise<ArrayBuffer>;
  onChange: () => void;
  onFailure: (error: unknown) => void;
}

/** The picture under the masks: fetches the tiles in view and paints them, each pixel a sharp square above 1:1. */
export class PictureLayer {
  /** Whether the picture is stretched over the masks when its size differs; only when the user asked for it. */
  stretched = false;
  private readonly tiles = new ByteBoundCache<Surface>(CACHE_BYTES);
  private readonly loader: TileLoader<ArrayBuffer>;

  constructor(
    readonly info: PictureInfo,
    options: PictureLayerOptions,
  ) {
    this.loader = new TileLoader({
      parallel: 4,
      fetch: (tile, signal) => options.fetch(tile, signal),
      onTile: (tile, buffer) => {
        this.tiles.set(tileKey(tile), makeSurface(new Uint8ClampedArray(buffer)), SURFACE_BYTES);
        options.onChange();
      },
      onFailure: (_, error) => options.onFailure(error),
    });
  }

  /** Size the picture takes in the masks' pixels. */
  size(image: Size): Size {
    return this.stretched ? image : this.info;
  }

  draw(frame: Frame): void {
    const { context } = frame;
    const own = this.ownFrame(frame);
    const level = levelFor(own.view.scale, 'sharp', this.info);
    const wanted = affordableTiles(own.view, own.panel, this.info, level, MOST_TILES);
    const missing = wanted.filter(tile => !this.tiles.get(tileKey(tile)));
    const overview: Tile = { level: topLevel(this.info), x: 0, y: 0 };
    this.loader.want(this.tiles.get(tileKey(overview)) ? missing : [overview, ...missing]);
    context.save();
    context.imageSmoothingEnabled = own.view.scale * 2 ** (wanted[0]?.level ?? 0) < 1;
    context.scale(frame.panel.width / own.panel.width, 1);
    const surfaceOf = (tile: Tile) => this.tiles.peek(tileKey(tile));
    for (const tile of wanted) {
      const surface = surfaceOf(tile);
      if (surface) drawTile(own, tile, surface);
      else drawInstead(own, tile, topLevel(this.info), surfaceOf);
    }
    context.restore();
  }

  dispose(): void {
    this.loader.dispose();
    this.tiles.clear();
  }

  /**
   * The frame in the picture's own pixels. A stretched picture of another shape is drawn true in height and then pulled in
   * width, from a panel that is as much narrower.
   */
  private ownFrame(frame: Frame): Frame {
    if (!this.stretched) return { ...frame, image: this.info };
    const { view, panel, image } = frame;
    const [sx, sy] = [image.width / this.info.width, image.height / this.info.height];
    return {
      ...frame,
      image: this.info,
      view: { x: view.x / sx, y: view.y / sy, scale: view.scale * sy },
      panel: { width: (panel.width * sy) / sx, height: panel.height },
    };
  }
}
