import { type ReadonlySignal, signal } from '@preact/signals';
import { element } from '../../pages/page/widgets/element';
import type { ValueRange } from '../../pages/page/widgets/colorScale';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import type { MaskImage } from '../../archives/masksSummary';
import { loadPopulations, loadValues } from './state/loadedObjects';
import {
  type ColorBy,
  type MasksLook,
  type ObjectAttributes,
  type ObjectColors,
  sameColoring,
} from './state/masksLook';
import type { MasksStore } from './state/masksStore';
import { ByteBoundCache, TileLoader } from './tiles/tileLoader';
import { makeSurface, type Surface, TILE_BYTES, tileSpan, topLevel } from './tiles/tiles';
import type { Extent } from './tiles/viewTransform';

/** Pixels of a thumbnail's longer side. */
const SIZE = 96;
/** The same in CSS pixels: half as many, so that thumbnails are sharp on dense screens. */
const SHOWN_SIZE = 48;
const CACHE_BYTES = 32 * 2 ** 20;
/** Opacity of masks over a background image. */
const MASKS_OPACITY = 0.6;

/** Thumbnail of an image's masks. */
interface Thumbnail {
  width: number;
  height: number;
  /** Row-major: object + 1, or 0 for none. */
  labels: Uint32Array;
  /** Class of each visible object; 0 for others. */
  classes: Uint16Array;
}

/**
 * Thumbnails of images with masks, loaded only for images in view. They follow the table's filter
 * and the page's colors. Coloring by a measurement isn't followed, as measuring decodes every
 * image: class colors stay. Failures aren't reported here: the list marks unreadable images, and
 * the page reports the reason for the current image.
 */
export class Thumbnails {
  private readonly thumbnails = new ByteBoundCache<Thumbnail>(CACHE_BYTES);
  private readonly canvases = new Map<number, HTMLCanvasElement>();
  private readonly loader: TileLoader<Thumbnail>;
  private readonly attributes: ThumbnailAttributes;
  private readonly backgrounds: ThumbnailBackgrounds;
  private readonly revisions = signal(0);
  private look: MasksLook;
  private range: ValueRange | undefined;

  constructor(
    panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    private readonly colors: ObjectColors,
    private readonly store: Pick<
      MasksStore,
      'hasMasks' | 'look' | 'table' | 'layout' | 'coloring' | 'background' | 'image'
    >,
  ) {
    const { look, table, layout, coloring, background, image } = store;
    this.look = look.current.peek();
    this.loader = new TileLoader({
      parallel: 2,
      // TileLoader sees images as tiles: `x` is the image.
      fetch: async ({ x }, signal) => {
        const response = await panel.request('thumbnail', { image: x, size: SIZE }, signal);
        return {
          ...response,
          ...objectsOf(new Uint32Array(response.labels), new Uint16Array(response.classes)),
        };
      },
      onTile: ({ x }, thumbnail) => {
        const { labels, classes } = thumbnail;
        this.thumbnails.set(String(x), thumbnail, labels.byteLength + classes.byteLength + 256);
        this.changed(x);
      },
    });
    const changed = (index: number) => this.changed(index);
    const isFiltered = () => table.listFilter.peek().isFiltered;
    this.attributes = new ThumbnailAttributes(panel, {
      isFiltered,
      isColored: () => isFromTable(this.look.colorBy),
      valuesOf: async (image, signal) => {
        const { colorBy } = this.look;
        if (colorBy.kind === 'population') {
          const { values, populations } = await loadPopulations(panel, image, signal);
          return { values, populations: populations.map(({ color }) => color) };
        }
        if (colorBy.kind !== 'column') return {};
        const { column } = colorBy;
        return { values: await loadValues(panel, image, column, signal, coloring.categoriesOf(column)) };
      },
      changed,
    });
    this.backgrounds = new ThumbnailBackgrounds(panel, changed);
    look.current.subscribe(current => this.lookChanged(current));
    coloring.scale.subscribe(scale => {
      this.range = scale?.range;
      if (this.look.colorBy.kind === 'column') this.repaint();
    });
    coloring.columns.subscribe(() => {
      const { colorBy } = this.look;
      if (colorBy.kind !== 'column' || !colorBy.isText) return;
      this.attributes.outdated();
      this.repaint();
    });
    coloring.populationsRevision.subscribe(() => {
      if (this.look.colorBy.kind !== 'population') return;
      this.attributes.outdated();
      this.repaint();
    });
    table.listFilter.subscribe(() => {
      this.attributes.outdated();
      this.repaint();
    });
    background.pairing.subscribe(pairing => {
      const { liveSummary } = image;
      if (!pairing?.backgroundImage || !liveSummary) return;
      this.backgrounds.opened(liveSummary.index);
      changed(liveSummary.index);
    });
    layout.isShown.subscribe(() => this.revisions.value++);
  }

  /** A number that grows whenever a thumbnail arrives or changes. */
  get revision(): ReadonlySignal<number> {
    return this.revisions;
  }

  /** Sets the images in view, whose thumbnails are loaded. */
  want(images: readonly MaskImage[]): void {
    // The current image comes first. Without masks, don't wait: nothing may ever be painted
    // completely.
    if (this.store.hasMasks && !this.store.layout.isShown.peek()) return;
    const paintable = images.filter(
      ({ failure, objectCount, isPartial }) => !failure && !isPartial && objectCount > 0,
    );
    const withoutThumbnail = paintable.filter(({ index }) => !this.thumbnails.get(String(index)));
    this.loader.want(withoutThumbnail.map(({ index }) => ({ level: 0, x: index, y: 0 })));
    this.attributes.want(paintable.map(({ index }) => index));
    this.backgrounds.want(images.filter(({ failure }) => !failure));
  }

  /**
   * How many objects of an image match the table's filter; undefined without a filter or until
   * loaded.
   */
  shownCount({ index }: MaskImage): number | undefined {
    return this.attributes.shownCount(index);
  }

  /** The thumbnail of an image, if loaded. */
  canvasOf(image: MaskImage): HTMLCanvasElement | undefined {
    const { index } = image;
    const ready = this.canvases.get(index);
    if (ready) return ready;
    const thumbnail = this.thumbnails.peek(String(index)) ?? this.withoutObjects(image);
    if (!thumbnail) return undefined;
    const canvas = this.paint(thumbnail, index);
    if (this.canvases.size > 300) this.canvases.clear();
    this.canvases.set(index, canvas);
    return canvas;
  }

  /** The thumbnail of an image without objects: its background image alone. */
  private withoutObjects({ index, width, height, objectCount, isPartial }: MaskImage): Thumbnail | undefined {
    if (objectCount > 0 || isPartial || !this.backgrounds.thumbnailOf(index)) return undefined;
    const scale = Math.min(1, SIZE / Math.max(width, height));
    const size = (side: number) => Math.max(1, Math.round(side * scale));
    const pixels = size(width) * size(height);
    return {
      width: size(width),
      height: size(height),
      labels: new Uint32Array(pixels),
      classes: new Uint16Array(0),
    };
  }

  private changed(image: number): void {
    this.canvases.delete(image);
    this.revisions.value++;
  }

  private repaint(): void {
    this.canvases.clear();
    this.revisions.value++;
  }

  private lookChanged(look: MasksLook): void {
    const { colors, hidden, colorBy, colorMap } = this.look;
    const isSame = look.colors === colors && look.hidden === hidden && look.colorBy === colorBy;
    if (isSame && look.colorMap === colorMap) return;
    this.look = look;
    if (!sameColoring(look.colorBy, colorBy)) this.attributes.outdated();
    this.repaint();
  }

  private paint({ width, height, labels, classes }: Thumbnail, image: number): HTMLCanvasElement {
    const canvas = element('canvas', { width, height, 'aria-hidden': 'true' });
    const onScreen = thumbnailSize({ width, height });
    canvas.style.width = `${onScreen.width}px`;
    canvas.style.height = `${onScreen.height}px`;
    const palette = this.colors.palette(
      { classes, ...this.attributes.attributesOf(image) },
      this.look,
      this.range,
    );
    const pixels = Uint32Array.from(labels, label => palette[label] ?? 0);
    const painted = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
    const context = canvas.getContext('2d');
    const background = this.backgrounds.thumbnailOf(image);
    if (!background) {
      context?.putImageData(painted, 0, 0);
      return canvas;
    }
    const masks = new OffscreenCanvas(width, height);
    masks.getContext('2d')?.putImageData(painted, 0, 0);
    if (!context) return canvas;
    context.imageSmoothingQuality = 'high';
    context.drawImage(background.surface, 0, 0, background.width, background.height, 0, 0, width, height);
    context.globalAlpha = MASKS_OPACITY;
    context.drawImage(masks, 0, 0);
    return canvas;
  }
}

/** Size of an image's thumbnail on the screen, in CSS pixels. */
export function thumbnailSize({ width, height }: Extent): Extent {
  const scale = SHOWN_SIZE / Math.max(width, height);
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return { width: side(width), height: side(height) };
}

/** Whether values of the table color objects. */
function isFromTable({ kind }: ColorBy): boolean {
  return kind === 'column' || kind === 'population';
}

/** The class of each visible object, from the label and the class + 1 of each pixel. */
function objectsOf(labels: Uint32Array, classOfPixel: Uint16Array): Pick<Thumbnail, 'labels' | 'classes'> {
  const classes = new Uint16Array(labels.reduce((highest, label) => Math.max(highest, label), 0));
  labels.forEach((label, pixel) => {
    if (label > 0) classes[label - 1] = (classOfPixel[pixel] ?? 1) - 1;
  });
  return { labels, classes };
}

const ATTRIBUTES_BYTES = 16 * 2 ** 20;

/** The table's data about an image's objects. */
interface LoadedAttributes {
  stamp: number;
  /** How many objects match the filter. */
  shownCount?: number;
  attributes: Omit<ObjectAttributes, 'classes'>;
}

interface AttributesOptions {
  /** Whether the table has filters. */
  isFiltered: () => boolean;
  /** Whether values of the table color objects. */
  isColored: () => boolean;
  /** The values that color an image's objects. */
  valuesOf: (image: number, signal: AbortSignal) => Promise<Pick<ObjectAttributes, 'values' | 'populations'>>;
  /** Called when the attributes of an image have arrived. */
  changed: (image: number) => void;
}

/**
 * The table's data about objects of listed images: filter matches, and values of the column or the
 * populations that color them. Loaded only for images in view. Old data stays until new data
 * arrives.
 */
export class ThumbnailAttributes {
  private readonly loaded = new ByteBoundCache<LoadedAttributes>(ATTRIBUTES_BYTES);
  private readonly loader: TileLoader<LoadedAttributes>;
  private stamp = 0;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    private readonly options: AttributesOptions,
  ) {
    this.loader = new TileLoader({
      parallel: 2,
      // TileLoader sees images as tiles: `x` is the image, `y` the stamp of the filter and
      // coloring.
      fetch: ({ x, y }, signal) => this.fetch(x, y, signal),
      onTile: ({ x }, attributes) => {
        const { shown, values } = attributes.attributes;
        this.loaded.set(String(x), attributes, 256 + (shown?.byteLength ?? 0) + (values?.byteLength ?? 0));
        options.changed(x);
      },
    });
  }

  /** The table's filters or links changed, or the coloring of objects. */
  outdated(): void {
    this.stamp++;
  }

  /** Sets the images in view. */
  want(images: readonly number[]): void {
    const isNeeded = this.options.isFiltered() || this.options.isColored();
    const missing = images.filter(image => this.loaded.get(String(image))?.stamp !== this.stamp);
    this.loader.want(isNeeded ? missing.map(x => ({ level: 0, x, y: this.stamp })) : []);
  }

  /** The current attributes of an image's objects. */
  attributesOf(image: number): LoadedAttributes['attributes'] {
    const { shown, ...values } = this.loaded.peek(String(image))?.attributes ?? {};
    return {
      ...(this.options.isFiltered() && shown && { shown }),
      ...(this.options.isColored() && values),
    };
  }

  /**
   * How many objects of an image match the table's filter; undefined without a filter or until
   * loaded.
   */
  shownCount(image: number): number | undefined {
    return this.options.isFiltered() ? this.loaded.peek(String(image))?.shownCount : undefined;
  }

  private async fetch(image: number, stamp: number, signal: AbortSignal): Promise<LoadedAttributes> {
    const { shown } = this.options.isFiltered()
      ? await this.panel.request('shownObjects', { image }, signal)
      : {};
    const values = this.options.isColored() ? await this.options.valuesOf(image, signal) : {};
    const attributes = { ...(shown && { shown: new Uint8Array(shown) }), ...values };
    const shownCount = attributes.shown?.reduce((sum, match) => sum + match, 0);
    return { stamp, attributes, ...(shownCount !== undefined && { shownCount }) };
  }
}

const BACKGROUNDS_BYTES = 32 * 2 ** 20;
/** Larger images aren't opened for thumbnails: files without a pyramid would be read completely. */
const MAX_PIXELS = 16e6;
/** Loading starts after this pause: images that the user scrolls past aren't opened. */
const PAUSE_MILLISECONDS = 300;

/** A background image's thumbnail: the part of the surface that it covers, in pixels. */
interface SmallBackground {
  surface: Surface;
  width: number;
  height: number;
}

/**
 * Thumbnails of listed images' background images, if found. Loaded one at a time, and only while
 * the list isn't scrolled: the current image comes first.
 */
class ThumbnailBackgrounds {
  private readonly thumbnails = new ByteBoundCache<SmallBackground | 'none'>(BACKGROUNDS_BYTES);
  private readonly loader: TileLoader<SmallBackground | 'none'>;
  private readonly openedOnce = new Set<number>();
  private loadTimer: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is called with an image when its background image has arrived. */
  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    changed: (image: number) => void,
  ) {
    this.loader = new TileLoader({
      parallel: 1,
      // TileLoader sees images as tiles: `x` is the image.
      fetch: ({ x }, signal) => this.fetch(x, signal),
      onTile: ({ x }, thumbnail) => {
        this.thumbnails.set(String(x), thumbnail, thumbnail === 'none' ? 64 : TILE_BYTES);
        if (thumbnail !== 'none') changed(x);
      },
    });
  }

  /** Sets the images in view. */
  want(images: readonly MaskImage[]): void {
    clearTimeout(this.loadTimer);
    const missing = images.filter(
      ({ index, width, height }) =>
        (width * height <= MAX_PIXELS || this.openedOnce.has(index)) && !this.thumbnails.get(String(index)),
    );
    const load = () => this.loader.want(missing.map(({ index }) => ({ level: 0, x: index, y: 0 })));
    if (missing.length === 0) load();
    else this.loadTimer = setTimeout(load, PAUSE_MILLISECONDS);
  }

  /** The background image of an image was opened; it may have changed. */
  opened(image: number): void {
    this.openedOnce.add(image);
    this.thumbnails.delete(String(image));
  }

  thumbnailOf(image: number): SmallBackground | undefined {
    const thumbnail = this.thumbnails.peek(String(image));
    return thumbnail === 'none' ? undefined : thumbnail;
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
