import type { PictureLook } from '../../formats/pictureLook';
import type { MaskImage } from '../../formats/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { PictureInfo } from '../../protocol/pictureEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { GlLabelPainter } from './glLabelPainter';
import { ImageObjects } from './imageObjects';
import { LabelLayer } from './labelLayer';
import type { Mark } from './labelPainter';
import type { MasksLook, ValueRange } from './masksLook';
import { unpacked, type ObjectColours } from './objectColours';
import { mix, type Rgb } from './palette';
import { PictureLayer } from './pictureLayer';
import { ShownObjects } from './shownObjects';
import type { ThemeColours } from './themeColours';
import type { Frame } from './tileSurface';
import type { Box } from './viewTransform';

const SMALLEST_ON_SCREEN = 10;
const RING_RADIUS = 9;
const WHITE: Rgb = [255, 255, 255];

/** What is marked, and whether the masks show at all. */
export interface Marks {
  hovered: number | null;
  selected: number | null;
  masksShown: boolean;
}

export interface ImageSceneOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  gpu: GlLabelPainter;
  colours: ObjectColours;
  theme: ThemeColours;
  look: MasksLook;
  onChange: () => void;
  onFailure: (error: unknown) => void;
}

/** One image: its picture or a neutral ground, its masks, and the marked objects. Everything it fetched goes with it. */
export class ImageScene {
  private readonly labels: LabelLayer;
  private picture: PictureLayer | undefined;
  private look: MasksLook;
  private found: ImageObjects | undefined;
  private shown: Uint8Array | undefined;
  private values: Float64Array | undefined;
  private range: ValueRange | undefined;
  private palette: Uint32Array | undefined;
  private readonly closing = new AbortController();
  private readonly filter: ShownObjects;

  constructor(
    readonly image: MaskImage,
    private readonly options: ImageSceneOptions,
  ) {
    this.look = options.look;
    const { panel, gpu, onChange, onFailure } = options;
    this.filter = new ShownObjects(panel, image.index);
    this.labels = new LabelLayer(image, gpu, {
      fetch: (tile, hidden, signal) =>
        panel.request('labelTile', { image: image.index, ...tile, ...(hidden && { hidden }) }, signal),
      onChange,
      onFailure,
    });
  }

  /** Fires when another image takes its place. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  get objects(): ImageObjects | undefined {
    return this.found;
  }

  /** Fetches classes and boxes of the objects; the masks are painted from then on. */
  async load(): Promise<void> {
    this.found = await ImageObjects.load(this.options.panel, this.image, this.closing.signal);
    this.recolour();
  }

  setLook(look: MasksLook): void {
    const { opacity, fill, ...before } = this.look;
    this.look = look;
    const recolour = Object.keys(before).some(
      key => look[key as keyof typeof before] !== before[key as keyof typeof before],
    );
    if (recolour) this.recolour();
    else if (opacity !== look.opacity || fill !== look.fill) this.options.onChange();
  }

  /** Follows the table's filter as it is now. */
  async applyFilter(): Promise<void> {
    await this.filter.ask(shown => {
      this.shown = shown;
      this.recolour();
    }, this.closing.signal);
  }

  /** What objects are coloured by, and the part of it that the scale spreads over. */
  setValues(values: Float64Array | undefined, range: ValueRange | undefined): void {
    this.values = values;
    this.range = range;
    this.recolour();
  }

  /** The picture to paint under the masks, or none. */
  setPicture(info: PictureInfo | undefined, stretched: boolean): void {
    const { panel, onChange, onFailure } = this.options;
    if (this.picture?.info.picture !== info?.picture) {
      this.picture?.dispose();
      this.picture =
        info &&
        new PictureLayer(info, {
          fetch: async (tile, look, signal) =>
            (await panel.request('pictureTile', { picture: info.picture, ...tile, look }, signal)).pixels,
          onChange,
          onFailure,
        });
    }
    if (this.picture) this.picture.stretched = stretched;
    onChange();
  }

  setPictureLook(look: PictureLook): void {
    this.picture?.setLook(look);
    this.options.onChange();
  }

  colourOf(object: number): Rgb {
    const pixel = this.palette?.[object + 1];
    return pixel ? unpacked(pixel) : WHITE;
  }

  /** Whether an object is neither of a hidden class nor filtered away. */
  isShown(object: number): boolean {
    return (this.palette?.[object + 1] ?? 0) !== 0;
  }

  get shownCount(): number {
    return this.palette?.reduce((count, pixel) => count + (pixel === 0 ? 0 : 1), 0) ?? this.image.objectCount;
  }

  boxOf(object: number): Box | undefined {
    return this.found?.boxOf(object);
  }

  /** The topmost shown object at a pixel (null for none), if the labels are at hand; else undefined. */
  objectNear(x: number, y: number): number | null | undefined {
    if (x < 0 || y < 0 || x >= this.image.width || y >= this.image.height) return null;
    const object = this.labels.tiles.objectAt(x, y);
    if (object === undefined) return undefined;
    return object < 0 ? null : object;
  }

  /** Paints a frame. Whether the masks in view were all there. */
  paint(frame: Frame, marks: Marks): boolean {
    this.paintGround(frame);
    this.picture?.draw(frame);
    if (!marks.masksShown) return false;
    const { hovered, selected } = marks;
    const lines: Mark[] = [];
    if (hovered !== null && hovered !== selected) {
      this.addMark(lines, hovered, mix(this.colourOf(hovered), WHITE, 0.45), 2, 4.5);
    }
    if (selected !== null) this.addMark(lines, selected, WHITE, 2.5, 5);
    const visible = ({ box }: Mark) => !isSmall(frame, box);
    const { fill, opacity } = this.look;
    const complete = this.labels.draw(frame, { fill, opacity, marks: lines.filter(visible) });
    for (const mark of lines) if (!visible(mark)) ring(frame, mark);
    return complete;
  }

  /** Paints the image small and whole: ground, picture and masks without marks. */
  paintSmall(frame: Frame, overview: (frame: Frame, labels: LabelLayer) => void): void {
    this.paintGround(frame);
    this.picture?.drawOverview(frame);
    overview(frame, this.labels);
  }

  dispose(): void {
    this.closing.abort();
    this.labels.dispose();
    this.picture?.dispose();
  }

  private recolour(): void {
    if (!this.found) return;
    const { classes } = this.found;
    const facts = { classes, shown: this.shown, values: this.values };
    this.palette = this.options.colours.palette(facts, this.look, this.range);
    this.labels.setPalette(this.palette);
    this.options.onChange();
  }

  private addMark(lines: Mark[], object: number, line: Rgb, width: number, haloWidth: number): void {
    const box = this.boxOf(object);
    if (box) lines.push({ object, box, line, width, haloWidth });
  }

  private paintGround({ context, view, panel, image }: Frame): void {
    const { theme } = this.options;
    context.fillStyle = theme.background;
    context.fillRect(0, 0, panel.width, panel.height);
    if (this.picture) return;
    const x = Math.round(panel.width / 2 - view.x * view.scale);
    const y = Math.round(panel.height / 2 - view.y * view.scale);
    context.fillStyle = theme.checker(context);
    context.fillRect(x, y, Math.round(image.width * view.scale), Math.round(image.height * view.scale));
  }
}

/** Whether an object is too small on the screen for a border to be seen. */
function isSmall({ view }: Frame, [x1, y1, x2, y2]: Box): boolean {
  return Math.max(x2 - x1, y2 - y1) * view.scale < SMALLEST_ON_SCREEN * devicePixelRatio;
}

/** A ring around an object too small to see. */
function ring({ context, view, panel }: Frame, { box, line, width, haloWidth }: Mark): void {
  const [x1, y1, x2, y2] = box;
  const x = ((x1 + x2) / 2 - view.x) * view.scale + panel.width / 2;
  const y = ((y1 + y2) / 2 - view.y) * view.scale + panel.height / 2;
  context.save();
  for (const [style, wide] of [
    ['black', haloWidth],
    [`rgb(${line.join(' ')})`, width],
  ] as const) {
    context.strokeStyle = style;
    context.lineWidth = wide * devicePixelRatio;
    context.beginPath();
    context.arc(x, y, RING_RADIUS * devicePixelRatio, 0, 2 * Math.PI);
    context.stroke();
  }
  context.restore();
}
