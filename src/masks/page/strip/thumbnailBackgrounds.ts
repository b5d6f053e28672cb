import type { MaskImage } from '../../masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { ByteBoundCache } from '../tiles/byteBoundCache';
import { TileLoader } from '../tiles/tileLoader';
import { TILE_BYTES, tileSpan, topLevel } from '../tiles/tileMath';
import { makeSurface, type Surface } from '../tiles/tileSurface';

const CACHE_BYTES = 32 * 2 ** 20;
/** Larger images are not opened for their thumbnail: without a pyramid that is to read the whole file. */
const MAX_PIXELS = 16e6;
/** Images that are scrolled past are not opened either. */
const REST_MILLISECONDS = 300;

/** A background image in small: the part of the surface that it takes, in pixels. */
export interface SmallBackground {
  surface: Surface;
  width: number;
  height: number;
}

/**
 * The background images of listed images in small, where they are found. One after the other, and only once the list has
 * come to rest: the image that is shown comes first.
 */
export class ThumbnailBackgrounds {
  private readonly known = new ByteBoundCache<SmallBackground | 'none'>(CACHE_BYTES);
  private readonly loader: TileLoader<SmallBackground | 'none'>;
  private readonly opened = new Set<number>();
  private resting: ReturnType<typeof setTimeout> | undefined;

  /** `onLoaded` is called with the image whose background image has arrived. */
  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    onLoaded: (image: number) => void,
  ) {
    this.loader = new TileLoader({
      parallel: 1,
      // An image is a tile of a row of images.
      fetch: ({ x }, signal) => this.fetch(x, signal),
      onTile: ({ x }, found) => {
        this.known.set(String(x), found, found === 'none' ? 64 : TILE_BYTES);
        if (found !== 'none') onLoaded(x);
      },
      // A thumbnail of the masks alone says no less; the page says of the image shown what went wrong.
      onFailure: () => undefined,
    });
  }

  /** These are in view. */
  want(images: readonly MaskImage[]): void {
    clearTimeout(this.resting);
    const lacking = images.filter(
      ({ index, width, height }) =>
        (width * height <= MAX_PIXELS || this.opened.has(index)) && !this.known.get(String(index)),
    );
    const load = () => this.loader.want(lacking.map(({ index }) => ({ level: 0, x: index, y: 0 })));
    if (lacking.length === 0) load();
    else this.resting = setTimeout(load, REST_MILLISECONDS);
  }

  /** The background image of an image is open now, perhaps another one than before. */
  setOpened(image: number): void {
    this.opened.add(image);
    this.known.delete(String(image));
  }

  of(image: number): SmallBackground | undefined {
    const found = this.known.peek(String(image));
    return found === 'none' ? undefined : found;
  }

  private async fetch(image: number, signal: AbortSignal): Promise<SmallBackground | 'none'> {
    const { backgroundImage: info } = await this.panel.request('backgroundImage', { image }, signal);
    if (!info) return 'none';
    const { backgroundImage, look } = info;
    const level = topLevel(info);
    const { pixels } = await this.panel.request(
      'backgroundImageTile',
      { backgroundImage, level, x: 0, y: 0, look },
      signal,
    );
    const perPixel = tileSpan(level) / tileSpan(0);
    const surface = makeSurface(new Uint8ClampedArray(pixels));
    return { surface, width: info.width / perPixel, height: info.height / perPixel };
  }
}
