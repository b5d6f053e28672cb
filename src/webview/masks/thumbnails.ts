import type { MaskImage } from '../../protocol/masksEngine';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element } from '../element';
import { ByteBoundCache } from './byteBoundCache';
import { packed, type Rgb } from './palette';
import { TileLoader } from './tileLoader';

/** Pixels of the longer side; shown at half that on a dense screen. */
const SIZE = 96;
const CACHE_BYTES = 32 * 2 ** 20;

/** The masks of an image in small: 0, or the position of a class + 1, row-major. */
interface Thumbnail {
  width: number;
  height: number;
  classes: Uint16Array;
}

/** Small pictures of images' masks, in the colours of their classes; fetched for what is in view alone. */
export class Thumbnails {
  /** Hears that one has come, or that they look different. */
  onChange: () => void = () => undefined;
  private readonly known = new ByteBoundCache<Thumbnail>(CACHE_BYTES);
  private readonly canvases = new Map<number, HTMLCanvasElement>();
  private readonly loader: TileLoader<Thumbnail>;
  private colours: readonly Rgb[] = [];
  private hidden: ReadonlySet<number> = new Set();

  constructor(panel: RpcEndpoint<MasksPageSide, MasksPanelSide>) {
    this.loader = new TileLoader({
      parallel: 2,
      // An image is a tile of a row of images.
      fetch: async ({ x }, signal): Promise<Thumbnail> => {
        const { width, height, classes } = await panel.request('thumbnail', { image: x, size: SIZE }, signal);
        return { width, height, classes: new Uint16Array(classes) };
      },
      onTile: ({ x }, thumbnail) => {
        this.known.set(String(x), thumbnail, thumbnail.classes.byteLength + 256);
        this.canvases.delete(x);
        this.onChange();
      },
      // The list says of an image that it cannot be read; a missing thumbnail says no more.
      onFailure: () => undefined,
    });
  }

  setColours(colours: readonly Rgb[], hidden: ReadonlySet<number>): void {
    if (colours === this.colours && hidden === this.hidden) return;
    this.colours = colours;
    this.hidden = hidden;
    this.canvases.clear();
    this.onChange();
  }

  /** These are in view. */
  want(images: readonly MaskImage[]): void {
    const wanted = images.filter(
      ({ index, failure, objectCount }) => !failure && objectCount > 0 && !this.known.get(String(index)),
    );
    this.loader.want(wanted.map(({ index }) => ({ level: 0, x: index, y: 0 })));
  }

  /** The picture of an image, if it has come. */
  canvasOf({ index }: MaskImage): HTMLCanvasElement | undefined {
    const ready = this.canvases.get(index);
    if (ready) return ready;
    const thumbnail = this.known.peek(String(index));
    if (!thumbnail) return undefined;
    const canvas = this.paint(thumbnail);
    if (this.canvases.size > 300) this.canvases.clear();
    this.canvases.set(index, canvas);
    return canvas;
  }

  private paint({ width, height, classes }: Thumbnail): HTMLCanvasElement {
    const canvas = element('canvas', { width, height, 'aria-hidden': 'true' });
    const shorter = width / height;
    canvas.style.width = `${Math.round(48 * Math.min(1, shorter))}px`;
    canvas.style.height = `${Math.round(48 * Math.min(1, 1 / shorter))}px`;
    const palette = new Uint32Array(this.colours.length + 1);
    this.colours.forEach((colour, at) => (palette[at + 1] = this.hidden.has(at) ? 0 : packed(colour)));
    const pixels = Uint32Array.from(classes, each => palette[each] ?? 0);
    const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
    canvas.getContext('2d')?.putImageData(image, 0, 0);
    return canvas;
  }
}
