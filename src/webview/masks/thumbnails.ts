import type { MaskImage } from '../../formats/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element } from '../element';
import { ByteBoundCache } from './byteBoundCache';
import type { MasksLook, ValueRange } from './masksLook';
import type { ObjectColours } from './objectColours';
import { ThumbnailFacts } from './thumbnailFacts';
import { TileLoader } from './tileLoader';

/** Pixels of the longer side; shown at half that on a dense screen. */
const SIZE = 96;
const CACHE_BYTES = 32 * 2 ** 20;

/** The masks of an image in small. */
interface Thumbnail {
  width: number;
  height: number;
  /** Row-major, 0 or object + 1. */
  labels: Uint32Array;
  /** Of the objects that show; 0 of the others. */
  classes: Uint16Array;
}

/**
 * Small pictures of images' masks, fetched for what is in view alone. They follow the table's filter and the colours of
 * the page, except that colours by a measurement made here stay those of classes: to measure is to decode every image.
 */
export class Thumbnails {
  /** Hears that one has come, or that they look different. */
  onChange: () => void = () => undefined;
  private readonly known = new ByteBoundCache<Thumbnail>(CACHE_BYTES);
  private readonly canvases = new Map<number, HTMLCanvasElement>();
  private readonly loader: TileLoader<Thumbnail>;
  private readonly facts: ThumbnailFacts;
  private range: ValueRange | undefined;

  constructor(
    panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    private readonly colours: ObjectColours,
    private look: MasksLook,
  ) {
    this.loader = new TileLoader({
      parallel: 2,
      // An image is a tile of a row of images.
      fetch: async ({ x }, signal) => {
        const answer = await panel.request('thumbnail', { image: x, size: SIZE }, signal);
        return { ...answer, ...objectsOf(new Uint32Array(answer.labels), new Uint16Array(answer.classes)) };
      },
      onTile: ({ x }, thumbnail) => {
        const { labels, classes } = thumbnail;
        this.known.set(String(x), thumbnail, labels.byteLength + classes.byteLength + 256);
        this.changed(x);
      },
      // The list says of an image that it cannot be read; a missing thumbnail says no more.
      onFailure: () => undefined,
    });
    this.facts = new ThumbnailFacts(panel, image => this.changed(image));
    this.facts.setColumn(columnOf(look));
  }

  setLook(look: MasksLook): void {
    const { colours, hidden, colourBy } = this.look;
    if (look.colours === colours && look.hidden === hidden && look.colourBy === colourBy) return;
    this.look = look;
    this.facts.setColumn(columnOf(look));
    this.repaint();
  }

  /** Where the colour scale of a column begins and ends. */
  setRange(range: ValueRange | undefined): void {
    this.range = range;
    if (this.look.colourBy.kind === 'column') this.repaint();
  }

  /** The table is filtered or no longer, filtered otherwise, or linked anew. */
  setFiltered(filtered: boolean): void {
    this.facts.setFiltered(filtered);
    this.repaint();
  }

  /** These are in view. */
  want(images: readonly MaskImage[]): void {
    const paintable = images.filter(({ failure, objectCount }) => !failure && objectCount > 0);
    const wanted = paintable.filter(({ index }) => !this.known.get(String(index)));
    this.loader.want(wanted.map(({ index }) => ({ level: 0, x: index, y: 0 })));
    this.facts.want(paintable.map(({ index }) => index));
  }

  /** How many objects of an image pass the table's filter; undefined without one, or while it is not known. */
  shownCount({ index }: MaskImage): number | undefined {
    return this.facts.shownCount(index);
  }

  /** The picture of an image, if it has come. */
  canvasOf({ index }: MaskImage): HTMLCanvasElement | undefined {
    const ready = this.canvases.get(index);
    if (ready) return ready;
    const thumbnail = this.known.peek(String(index));
    if (!thumbnail) return undefined;
    const canvas = this.paint(thumbnail, index);
    if (this.canvases.size > 300) this.canvases.clear();
    this.canvases.set(index, canvas);
    return canvas;
  }

  private changed(image: number): void {
    this.canvases.delete(image);
    this.onChange();
  }

  private repaint(): void {
    this.canvases.clear();
    this.onChange();
  }

  private paint({ width, height, labels, classes }: Thumbnail, image: number): HTMLCanvasElement {
    const canvas = element('canvas', { width, height, 'aria-hidden': 'true' });
    const shorter = width / height;
    canvas.style.width = `${Math.round(48 * Math.min(1, shorter))}px`;
    canvas.style.height = `${Math.round(48 * Math.min(1, 1 / shorter))}px`;
    const palette = this.colours.palette({ classes, ...this.facts.of(image) }, this.look, this.range);
    const pixels = Uint32Array.from(labels, label => palette[label] ?? 0);
    const painted = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
    canvas.getContext('2d')?.putImageData(painted, 0, 0);
    return canvas;
  }
}

function columnOf({ colourBy }: MasksLook): number | undefined {
  return colourBy.kind === 'column' ? colourBy.column : undefined;
}

/** The class of each object that shows, from the label and class (+ 1) of each pixel. */
function objectsOf(labels: Uint32Array, classOfPixel: Uint16Array): Pick<Thumbnail, 'labels' | 'classes'> {
  const classes = new Uint16Array(labels.reduce((most, label) => Math.max(most, label), 0));
  labels.forEach((label, at) => {
    if (label > 0) classes[label - 1] = (classOfPixel[at] ?? 1) - 1;
  });
  return { labels, classes };
}
