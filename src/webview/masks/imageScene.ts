import type { MaskImage } from '../../protocol/masksEngine';
import type { PictureInfo } from '../../protocol/pictureEngine';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { LabelLayer } from './labelLayer';
import type { MasksLook } from './masksLook';
import { mix, type Rgb } from './palette';
import { PictureLayer } from './pictureLayer';
import type { ThemeColours } from './themeColours';
import type { Frame } from './tileSurface';
import type { Box } from './viewTransform';

const SMALLEST_ON_SCREEN = 10;
const RING_RADIUS = 9;

/** What is marked, and whether the masks show at all. */
export interface Marks {
  hovered: number | null;
  selected: number | null;
  masksShown: boolean;
}

export interface ImageSceneOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
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
  private classes: Uint16Array | undefined;
  private boxes: Int32Array | undefined;
  private readonly closing = new AbortController();

  constructor(
    readonly image: MaskImage,
    private readonly options: ImageSceneOptions,
  ) {
    this.look = options.look;
    const { panel, onChange, onFailure } = options;
    this.labels = new LabelLayer(image, {
      fetch: async (tile, signal) =>
        (await panel.request('labelTile', { image: image.index, ...tile }, signal)).labels,
      onChange,
      onFailure,
    });
    this.labels.setLook(this.look);
  }

  /** Fetches classes and boxes of the objects; the masks are painted from then on. */
  async load(): Promise<void> {
    const { panel, onChange } = this.options;
    const objects = await panel.request('maskObjects', { image: this.image.index }, this.closing.signal);
    this.classes = new Uint16Array(objects.classes);
    this.boxes = new Int32Array(objects.boxes);
    this.labels.setClasses(this.classes);
    onChange();
  }

  setLook(look: MasksLook): void {
    this.look = look;
    this.labels.setLook(look);
    this.options.onChange();
  }

  /** The picture to paint under the masks, or none. */
  setPicture(info: PictureInfo | undefined, stretched: boolean): void {
    const { panel, onChange, onFailure } = this.options;
    if (this.picture?.info.picture !== info?.picture) {
      this.picture?.dispose();
      this.picture =
        info &&
        new PictureLayer(info, {
          fetch: async (tile, signal) =>
            (await panel.request('pictureTile', { picture: info.picture, ...tile }, signal)).pixels,
          onChange,
          onFailure,
        });
    }
    if (this.picture) this.picture.stretched = stretched;
    onChange();
  }

  classOf(object: number): number | undefined {
    return this.classes?.[object];
  }

  colourOf(object: number): Rgb {
    return this.look.colours[this.classOf(object) ?? 0] ?? [255, 255, 255];
  }

  /** Whether an object's class is not hidden. */
  isShown(object: number): boolean {
    const position = this.classOf(object);
    return position !== undefined && !this.look.hidden.has(position);
  }

  boxOf(object: number): Box | undefined {
    if (!this.boxes || object < 0 || object * 4 + 3 >= this.boxes.length) return undefined;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = this.boxes.subarray(object * 4, object * 4 + 4);
    return [x1, y1, x2, y2];
  }

  /** The topmost shown object at a pixel (null for none), if the labels are at hand; else undefined. */
  objectNear(x: number, y: number): number | null | undefined {
    if (x < 0 || y < 0 || x >= this.image.width || y >= this.image.height) return null;
    const object = this.labels.objectAt(x, y);
    if (object === undefined) return undefined;
    if (object < 0) return null;
    // Beneath an object that is hidden may be one that is not: the labels do not tell.
    return this.isShown(object) ? object : undefined;
  }

  /** Paints a frame. Whether the masks in view were all there. */
  paint(frame: Frame, marks: Marks): boolean {
    this.paintGround(frame);
    this.picture?.draw(frame);
    if (!marks.masksShown) return false;
    const complete = this.labels.draw(frame);
    if (marks.hovered !== null && marks.hovered !== marks.selected) {
      const line = mix(this.colourOf(marks.hovered), [255, 255, 255], 0.45);
      this.mark(frame, marks.hovered, [
        ['rgb(0 0 0 / 0.75)', 4.5],
        [`rgb(${line.join(' ')})`, 2],
      ]);
    }
    if (marks.selected !== null) {
      this.mark(frame, marks.selected, [
        ['rgb(0 0 0)', 5],
        ['rgb(255 255 255)', 2.5],
      ]);
    }
    return complete;
  }

  dispose(): void {
    this.closing.abort();
    this.labels.dispose();
    this.picture?.dispose();
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

  /** Strokes an object's border, from the widest line to the thinnest; a ring around one too small to see. */
  private mark(frame: Frame, object: number, lines: readonly [style: string, width: number][]): void {
    const box = this.boxOf(object);
    if (!box) return;
    const { context, view, panel } = frame;
    const ratio = devicePixelRatio;
    const [x1, y1, x2, y2] = box;
    const small = Math.max(x2 - x1, y2 - y1) * view.scale < SMALLEST_ON_SCREEN * ratio;
    context.save();
    context.lineCap = 'square';
    for (const [style, width] of lines) {
      context.strokeStyle = style;
      if (small) {
        const x = ((x1 + x2) / 2 - view.x) * view.scale + panel.width / 2;
        const y = ((y1 + y2) / 2 - view.y) * view.scale + panel.height / 2;
        context.lineWidth = width * ratio;
        context.beginPath();
        context.arc(x, y, RING_RADIUS * ratio, 0, 2 * Math.PI);
        context.stroke();
      } else {
        this.labels.strokeObject(frame, object, box, (path, unit) => {
          context.lineWidth = width * ratio * unit;
          context.stroke(path);
        });
      }
    }
    context.restore();
  }
}
