import type { BackgroundImageInfo, BackgroundImageLook } from '../../../images/backgroundImageInfo';
import { SpacedTask } from '../../../pages/page/widgets/timing';
import { ByteBoundCache, TileLoader } from '../tiles/tileLoader';
import {
  affordableTiles,
  type CanvasFrame,
  drawSubstitutes,
  drawTile,
  levelFor,
  makeSurface,
  type Surface,
  type Tile,
  TILE_BYTES,
  tileKey,
  topLevel,
} from '../tiles/tiles';
import type { Extent } from '../tiles/viewTransform';

const CACHE_BYTES = 96 * 2 ** 20;
const MAX_TILES = 320;
/** Tiles requested at a time: a message to the thread and back takes longer than most tiles. */
const PARALLEL = 12;
/** Time between frames while tiles arrive: without a GPU, a frame takes longer than a tile. */
const REPAINT_MILLISECONDS = 60;

/** A painted tile. `lookNumber`: of the look it was painted in. */
interface BackgroundImageTile {
  surface: Surface;
  lookNumber: number;
}

interface BackgroundImageLayerOptions {
  fetch: (
    tile: Tile,
    look: BackgroundImageLook,
    signal: AbortSignal,
  ) => Promise<{ pixels: ArrayBuffer; isDamaged?: true }>;
  onChange: () => void;
  /** A tile has hatched parts, as they can't be decoded. */
  onDamaged: () => void;
  onFailure: (error: unknown) => void;
}

/**
 * The background image below the masks. Fetches visible tiles and paints them. Pixels are sharp
 * squares above 1:1.
 */
export class BackgroundImageLayer {
  /**
   * Whether the background image is stretched over the masks; the user decides if sizes differ.
   */
  stretched = false;
  private readonly tiles = new ByteBoundCache<BackgroundImageTile>(CACHE_BYTES);
  private loader: TileLoader<BackgroundImageTile>;
  private look: BackgroundImageLook;
  private lookNumber = 0;
  private readonly repainting = new SpacedTask(() => this.options.onChange(), REPAINT_MILLISECONDS);

  constructor(
    readonly info: BackgroundImageInfo,
    private readonly options: BackgroundImageLayerOptions,
  ) {
    this.look = info.look;
    this.loader = this.makeLoader();
  }

  /** Changes channels, planes or contrast. Old tiles stay until new ones arrive. */
  setLook(look: BackgroundImageLook): void {
    if (look === this.look) return;
    this.look = look;
    this.lookNumber++;
    this.loader.dispose();
    this.loader = this.makeLoader();
  }

  /** The size of the background image in pixels of the masks. */
  size(image: Extent): Extent {
    return this.stretched ? image : this.info;
  }

  /** Paints the visible part and requests missing tiles. Returns whether none was missing. */
  draw(frame: CanvasFrame): boolean {
    const { context } = frame;
    const imageFrame = this.frameOfImage(frame);
    const level = levelFor(imageFrame.view.scale, 'sharp', this.info);
    const tilesInView = affordableTiles(imageFrame.view, imageFrame.panel, this.info, level, MAX_TILES);
    const missing = tilesInView.filter(tile => this.tiles.get(tileKey(tile))?.lookNumber !== this.lookNumber);
    const overview: Tile = { level: topLevel(this.info), x: 0, y: 0 };
    this.loader.want(this.tiles.get(tileKey(overview)) ? missing : [overview, ...missing]);
    context.save();
    context.imageSmoothingEnabled = imageFrame.view.scale * 2 ** (tilesInView[0]?.level ?? 0) < 1;
    context.scale(frame.panel.width / imageFrame.panel.width, 1);
    const surfaceOf = (tile: Tile) => this.tiles.peek(tileKey(tile))?.surface;
    for (const tile of tilesInView) {
      const surface = surfaceOf(tile);
      if (surface) drawTile(imageFrame, tile, surface);
      else drawSubstitutes(imageFrame, tile, topLevel(this.info), surfaceOf);
    }
    context.restore();
    return missing.length === 0;
  }

  /** Paints the background image from its overview tile, if loaded; requests nothing. */
  drawOverview(frame: CanvasFrame): void {
    const tile = { level: topLevel(this.info), x: 0, y: 0 };
    const surface = this.tiles.peek(tileKey(tile))?.surface;
    if (!surface) return;
    const imageFrame = this.frameOfImage(frame);
    frame.context.save();
    frame.context.scale(frame.panel.width / imageFrame.panel.width, 1);
    drawTile(imageFrame, tile, surface);
    frame.context.restore();
  }

  dispose(): void {
    this.repainting.cancel();
    this.loader.dispose();
    this.tiles.clear();
  }

  private makeLoader(): TileLoader<BackgroundImageTile> {
    const { lookNumber, look, options } = this;
    return new TileLoader({
      parallel: PARALLEL,
      fetch: async (tile, signal) => {
        const { pixels, isDamaged } = await options.fetch(tile, look, signal);
        if (isDamaged) options.onDamaged();
        return { surface: makeSurface(new Uint8ClampedArray(pixels)), lookNumber };
      },
      onTile: (tile, painted) => {
        this.tiles.set(tileKey(tile), painted, TILE_BYTES);
        if (this.loader.isLast) this.repainting.runNow();
        else this.repainting.schedule();
      },
      onFailure: (_, error) => options.onFailure(error),
    });
  }

  /**
   * The frame in pixels of the background image. A stretched image of another shape is drawn at
   * true height, in a panel of another width, and then scaled in width.
   */
  private frameOfImage(frame: CanvasFrame): CanvasFrame {
    if (!this.stretched) return { ...frame, image: this.info };
    const { view, panel, image } = frame;
    const [scaleX, scaleY] = [image.width / this.info.width, image.height / this.info.height];
    return {
      ...frame,
      image: this.info,
      view: { x: view.x / scaleX, y: view.y / scaleY, scale: view.scale * scaleY },
      panel: { width: (panel.width * scaleY) / scaleX, height: panel.height },
    };
  }
}
