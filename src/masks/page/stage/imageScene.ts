import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { mix, type Rgb } from '../../../base/colors';
import type { BackgroundImageInfo, BackgroundImageLook } from '../../../images/backgroundImageInfo';
import { isSameRange, type ValueRange } from '../../../pages/page/widgets/colorScale';
import type { PackedNumbers } from '../../../protocol/packed';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskImage } from '../../../archives/masksSummary';
import type { CanvasLabelRenderer } from '../labels/canvasLabelRenderer';
import type { GlLabelRenderer } from '../labels/glLabelRenderer';
import {
  asDimmed,
  asSelected,
  type LabelLook,
  LabelTiles,
  type LabelTilesOptions,
  type Mark,
} from '../labels/labelTiles';
import type { Scene } from '../state/imageModel';
import { LoadedObjects, ShownObjects } from '../state/loadedObjects';
import { hiddenBits, type MasksLook, type ObjectColors, unpacked } from '../state/masksLook';
import type { CanvasFrame } from '../tiles/tiles';
import type { Box, Extent } from '../tiles/viewTransform';
import { BackgroundImageLayer } from './backgroundImageLayer';
import type { ThemeColors } from './themeColors';

/** Size of an object in CSS pixels below which a ring marks it. */
const MIN_SCREEN_SIZE = 10;
const RING_RADIUS = 9;
const WHITE: Rgb = [255, 255, 255];

/** The objects to mark, and whether masks are visible. */
export interface Marks {
  hovered: number | null;
  selected: number | null;
  masksShown: boolean;
}

interface ImageSceneOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  renderers: LabelRenderers;
  colors: ObjectColors;
  theme: ThemeColors;
  look: ReadonlySignal<MasksLook>;
  /** Objects of the image in the multiple selection. */
  selected: () => ReadonlySet<number>;
  /** False for an image file without masks. */
  hasMasks: boolean;
  /** Whether the table has filters. */
  isFiltered: () => boolean;
  onChange: () => void;
  /** More objects were read. `share`: the part of the image that is read, 0…1. */
  onPart: (share: number) => void;
  onFailure: (error: unknown) => void;
  /** Parts of the background image are hatched, as they can't be decoded. */
  onDamaged: () => void;
}

/**
 * One image: its background image or a neutral ground, its masks, and its marked objects. Disposal
 * drops all data of the image.
 */
export class ImageScene implements Scene {
  private readonly labels: LabelLayer;
  private backgroundImage: BackgroundImageLayer | undefined;
  private look: MasksLook;
  private readonly loadedObjects: LoadedObjects;
  private readonly readyObjects = signal<LoadedObjects | undefined>(undefined);
  private readonly shown = signal<Uint8Array | undefined>(undefined);
  private filtering = Promise.resolve();
  private values: PackedNumbers | undefined;
  private range: ValueRange | undefined;
  private populations: readonly Rgb[] | undefined;
  private readonly palette = signal<Uint32Array | undefined>(undefined);
  private selected: ReadonlySet<number> = new Set();
  private readonly closing = new AbortController();
  private readonly filter: ShownObjects;
  private isLoaded = false;
  private isPointedAt = false;
  private isPainted = false;
  private resolvePainted: () => void = () => undefined;
  readonly shownCount: ReadonlySignal<number | undefined>;
  readonly painted: Promise<void>;

  constructor(
    readonly image: MaskImage,
    private readonly options: ImageSceneOptions,
  ) {
    this.look = options.look.peek();
    this.shownCount = computed(() => countShown(this.palette.value));
    this.painted = new Promise(resolve => (this.resolvePainted = resolve));
    const { panel, renderers, onChange } = options;
    const onFailure = (error: unknown) => {
      this.setPainted();
      options.onFailure(error);
    };
    this.filter = new ShownObjects(panel, image.index);
    this.loadedObjects = new LoadedObjects(panel, image, this.closing.signal, onChange);
    this.labels = new LabelLayer(image, renderers, {
      fetch: (tile, hidden, signal, count) => {
        const optional = { ...(hidden && { hidden }), ...(count !== undefined && { count }) };
        return panel.request('labelTile', { image: image.index, ...tile, ...optional }, signal);
      },
      onChange,
      onFailure,
    });
    // Tiles are then requested together with the first objects, not after them.
    if (image.isPartial) this.labels.tiles.setCount('known');
    for (const unsubscribe of [
      options.look.subscribe(look => this.lookChanged(look)),
      effect(() => this.select(options.selected())),
    ])
      this.signal.addEventListener('abort', unsubscribe);
  }

  get signal(): AbortSignal {
    return this.closing.signal;
  }

  get objects(): ReadonlySignal<LoadedObjects | undefined> {
    return this.readyObjects;
  }

  /**
   * Loads the objects' classes and, if the table has filters, the matching objects. Then masks are
   * painted.
   */
  async load(): Promise<void> {
    this.filtering = this.applyFilter();
    // The caller that awaits `filtered` handles the error.
    const filtered = this.filtering.catch(() => undefined);
    if (this.options.hasMasks) await this.loadObjects();
    await filtered;
    this.readyObjects.value = this.loadedObjects;
    delete this.image.isPartial;
    this.image.objectCount = this.loadedObjects.count;
    this.labels.tiles.setCount(undefined);
    this.recolor();
    this.isLoaded = true;
    if (this.isPointedAt) this.loadBoxesAhead();
  }

  pointedAt(): void {
    if (this.isPointedAt) return;
    this.isPointedAt = true;
    if (this.isLoaded) this.loadBoxesAhead();
  }

  get filtered(): Promise<void> {
    return this.filtering;
  }

  async applyFilter(matching?: Uint8Array): Promise<void> {
    const isFiltered = this.options.isFiltered();
    if (isFiltered && matching?.length !== this.image.objectCount) {
      await this.filter.load(shown => this.setShown(shown), this.closing.signal);
      return;
    }
    this.filter.discardPending();
    const shown = isFiltered ? matching : undefined;
    if (shown || this.shown.peek()) this.setShown(shown);
  }

  /**
   * Sets the values that color objects, with the ends of the scale or the colors of populations.
   */
  setValues(
    values: PackedNumbers | undefined,
    range: ValueRange | undefined,
    populations?: readonly Rgb[],
  ): void {
    const isSame = values === this.values && isSameRange(range, this.range);
    this.values = values;
    this.range = range;
    this.populations = populations;
    if (!isSame) this.recolor();
  }

  /** Sets the background image below the masks, or none. */
  setBackgroundImage(info: BackgroundImageInfo | undefined, stretched: boolean): void {
    const { panel, onChange, onFailure } = this.options;
    if (this.backgroundImage?.info.backgroundImage !== info?.backgroundImage) {
      this.backgroundImage?.dispose();
      this.backgroundImage =
        info &&
        new BackgroundImageLayer(info, {
          fetch: (tile, look, signal) =>
            panel.request(
              'backgroundImageTile',
              { backgroundImage: info.backgroundImage, ...tile, look },
              signal,
            ),
          onChange,
          onDamaged: this.options.onDamaged,
          onFailure,
        });
    }
    if (this.backgroundImage) this.backgroundImage.stretched = stretched;
    onChange();
  }

  setBackgroundImageLook(look: BackgroundImageLook): void {
    this.backgroundImage?.setLook(look);
    this.options.onChange();
  }

  colorOf(object: number): Rgb {
    const pixel = this.palette.peek()?.[object + 1];
    return pixel ? unpacked(pixel) : WHITE;
  }

  isShown(object: number): boolean {
    return (this.palette.peek()?.[object + 1] ?? 0) !== 0;
  }

  get matching(): ReadonlySignal<Uint8Array | undefined> {
    return this.shown;
  }

  boxOf(object: number): Box | undefined {
    const ready = this.readyObjects.peek();
    return ready ? ready.boxOf(object) : this.loadedObjects.loadedBoxOf(object);
  }

  setBox(object: number, box: Box): void {
    if (this.loadedObjects.setBox(object, box)) this.options.onChange();
  }

  async loadBox(object: number): Promise<Box | undefined> {
    await this.readyObjects.peek()?.loadBox(object);
    return this.boxOf(object);
  }

  objectNear(x: number, y: number): number | null | undefined {
    if (x < 0 || y < 0 || x >= this.image.width || y >= this.image.height) return null;
    const object = this.labels.tiles.objectAt(x, y);
    if (object === undefined) return this.image.objectCount === 0 ? null : undefined;
    return object < 0 ? null : object;
  }

  get wasPainted(): boolean {
    return this.isPainted;
  }

  /** Requests missing data of a frame. Returns whether none is missing. */
  isReady(frame: CanvasFrame): boolean {
    return !this.options.hasMasks || this.labels.isReady(frame);
  }

  /** Paints a frame. Returns whether all visible masks are painted (without masks, the image). */
  paint(frame: CanvasFrame, marks: Marks): boolean {
    const isComplete = this.paintAll(frame, marks);
    if (isComplete || !marks.masksShown) this.setPainted();
    return isComplete;
  }

  private loadBoxesAhead(): void {
    // A failure is reported later, when the box is needed.
    this.painted.then(() => this.loadedObjects.loadBoxesAhead()).catch(() => undefined);
  }

  private setPainted(): void {
    this.isPainted = true;
    this.resolvePainted();
  }

  private paintAll(frame: CanvasFrame, marks: Marks): boolean {
    this.paintGround(frame);
    const isImageComplete = this.backgroundImage?.draw(frame) ?? false;
    if (!this.options.hasMasks) return isImageComplete;
    if (!marks.masksShown) return false;
    const { hovered, selected } = marks;
    const allMarks: Mark[] = [];
    if (hovered !== null && hovered !== selected) {
      const line = mix(this.colorOf(hovered), WHITE, 0.45);
      allMarks.push(...this.markOf({ object: hovered, line, width: 2, haloWidth: 4.5 }));
    }
    if (selected !== null)
      allMarks.push(...this.markOf({ object: selected, line: WHITE, width: 2.5, haloWidth: 5 }));
    const isVisible = ({ box }: Mark) => !isSmall(frame, box);
    const { fill, opacity } = this.look;
    const hasSelected = this.selected.size > 0;
    const visibleMarks = allMarks.filter(isVisible);
    const isComplete = this.labels.draw(frame, { fill, opacity, hasSelected, marks: visibleMarks });
    for (const mark of allMarks) if (!isVisible(mark)) paintRing(frame, mark);
    return isComplete;
  }

  /**
   * Paints all of the image in a small frame: ground, background image, and masks without marks.
   */
  paintSmall(frame: CanvasFrame, paintLabels: (frame: CanvasFrame, labels: LabelLayer) => void): void {
    this.paintGround(frame);
    this.backgroundImage?.drawOverview(frame);
    paintLabels(frame, this.labels);
  }

  dispose(): void {
    this.closing.abort();
    this.labels.dispose();
    this.backgroundImage?.dispose();
  }

  private async loadObjects(): Promise<void> {
    try {
      await this.loadedObjects.load(share => this.showPart(share));
    } catch (error) {
      this.setPainted();
      throw error;
    }
  }

  /** Paints the objects read so far. */
  private showPart(share: number): void {
    const { count } = this.loadedObjects;
    this.readyObjects.value = this.loadedObjects;
    this.image.objectCount = count;
    this.labels.tiles.setCount(count);
    this.recolor();
    this.options.onPart(share);
  }

  private lookChanged(look: MasksLook): void {
    const { opacity, fill, ...before } = this.look;
    this.look = look;
    const hasOtherColors = Object.keys(before).some(
      key => look[key as keyof typeof before] !== before[key as keyof typeof before],
    );
    if (hasOtherColors) this.recolor();
    else if (opacity !== look.opacity || fill !== look.fill) this.options.onChange();
  }

  private setShown(shown: Uint8Array | undefined): void {
    this.shown.value = shown;
    this.recolor();
  }

  /** Highlights the objects that are selected together. */
  private select(selected: ReadonlySet<number>): void {
    if (selected.size === 0 && this.selected.size === 0) return;
    this.selected = selected;
    this.paintPalette();
  }

  private recolor(): void {
    const ready = this.readyObjects.peek();
    if (!ready) return;
    const attributes = {
      classes: ready.classes,
      shown: this.shown.peek(),
      values: this.values,
      populations: this.populations,
    };
    this.palette.value = this.options.colors.palette(attributes, this.look, this.range);
    this.paintPalette();
  }

  /** Sets the colors of objects. While some are selected together, the others are dimmed. */
  private paintPalette(): void {
    const palette = this.palette.peek();
    if (!palette) return;
    const painted = this.selected.size > 0 ? palette.map(pixel => pixel && asDimmed(pixel)) : palette;
    for (const object of this.selected) {
      const pixel = palette[object + 1] ?? 0;
      if (pixel !== 0) painted[object + 1] = asSelected(pixel);
    }
    this.labels.setPalette(painted);
    this.options.onChange();
  }

  /** The mark of an object; none while its box is unknown or if the table's filter hides it. */
  private markOf(mark: Omit<Mark, 'box'>): Mark[] {
    const box = this.shown.peek()?.[mark.object] === 0 ? undefined : this.boxOf(mark.object);
    return box ? [{ ...mark, box }] : [];
  }

  private paintGround({ context, view, panel, image }: CanvasFrame): void {
    const { theme } = this.options;
    context.fillStyle = theme.backdrop;
    context.fillRect(0, 0, panel.width, panel.height);
    const x = Math.round(panel.width / 2 - view.x * view.scale);
    const y = Math.round(panel.height / 2 - view.y * view.scale);
    const [width, height] = [Math.round(image.width * view.scale), Math.round(image.height * view.scale)];
    const edge = Math.max(1, Math.round(devicePixelRatio));
    context.fillStyle = theme.edge;
    context.fillRect(x - edge, y - edge, width + 2 * edge, height + 2 * edge);
    context.fillStyle = this.backgroundImage ? theme.backdrop : theme.checker(context);
    context.fillRect(x, y, width, height);
  }
}

function countShown(palette: Uint32Array | undefined): number | undefined {
  if (!palette) return undefined;
  let count = 0;
  for (let label = 1; label < palette.length; label++) if (palette[label] !== 0) count++;
  return count;
}

/** Whether an object is too small on the screen for a visible border. */
function isSmall({ view }: CanvasFrame, [x1, y1, x2, y2]: Box): boolean {
  return Math.max(x2 - x1, y2 - y1) * view.scale < MIN_SCREEN_SIZE * devicePixelRatio;
}

/** Paints a ring around an object that is too small to see. */
function paintRing({ context, view, panel }: CanvasFrame, { box, line, width, haloWidth }: Mark): void {
  const [x1, y1, x2, y2] = box;
  const x = ((x1 + x2) / 2 - view.x) * view.scale + panel.width / 2;
  const y = ((y1 + y2) / 2 - view.y) * view.scale + panel.height / 2;
  context.save();
  for (const [style, lineWidth] of [
    ['black', haloWidth],
    [`rgb(${line.join(' ')})`, width],
  ] as const) {
    context.strokeStyle = style;
    context.lineWidth = lineWidth * devicePixelRatio;
    context.beginPath();
    context.arc(x, y, RING_RADIUS * devicePixelRatio, 0, 2 * Math.PI);
    context.stroke();
  }
  context.restore();
}

/** Renderers of labels, which all images use in turn to reuse memory. */
interface LabelRenderers {
  gpu: GlLabelRenderer;
  canvas: CanvasLabelRenderer;
}

/**
 * The masks of one image. Caches visible labels and paints them on the GPU if it can hold them,
 * else on a 2D canvas. Paints nothing until the palette is set.
 */
export class LabelLayer {
  readonly tiles: LabelTiles;
  palette: Uint32Array | undefined;

  constructor(
    image: Extent,
    private readonly renderers: LabelRenderers,
    options: LabelTilesOptions,
  ) {
    this.tiles = new LabelTiles(image, options);
  }

  /** Label → packed RGBA, 0 for hidden labels. Fetches the objects below hidden ones. */
  setPalette(palette: Uint32Array): void {
    this.palette = palette;
    this.tiles.setHidden(hiddenBits(palette));
  }

  /** Requests missing visible tiles. Returns whether everything can be painted. */
  isReady(frame: CanvasFrame): boolean {
    const { missing } = this.tiles.want(this.tiles.inView(frame));
    return this.palette !== undefined && !missing;
  }

  /** Paints the visible part and requests missing tiles. Returns whether everything was painted. */
  draw(frame: CanvasFrame, look: Omit<LabelLook, 'palette'>): boolean {
    const inView = this.tiles.inView(frame);
    const { missing } = this.tiles.want(inView);
    const { palette } = this;
    if (!palette) return false;
    const { gpu, canvas } = this.renderers;
    const onGpu = gpu.ready && gpu.fits(palette.length, frame.panel);
    const painter = onGpu ? gpu : canvas;
    const isPainted = painter.paint(frame, this.tiles, inView, { ...look, palette });
    if (!isPainted && painter === canvas) this.tiles.repaint();
    return isPainted && !missing;
  }

  dispose(): void {
    this.tiles.dispose();
    this.renderers.canvas.clear();
  }
}
