import { TILE_SIZE } from '../../../protocol/tiles';
import { element } from '../../../pages/page/widgets/element';
import { paintFill } from '../labels/labelPaint';
import type { LabelLayer } from '../labels/labelLayer';
import { drawTile, emptySurface, fillSurface, type CanvasFrame } from '../tiles/tileSurface';
import type { Point, Extent, View } from './viewTransform';

const LONGER_SIDE = 152;
/** Of the stage. */
const MAX_WIDTH = 0.2;
const MAX_HEIGHT = 0.4;
/** CSS pixels; in a narrower stage it would be in the way, and on the scale bar. */
const MIN_STAGE_WIDTH = 500;

/** The size of the overview in a stage, in CSS pixels; undefined where there is no room for it. */
export function minimapSize(stage: Extent, image: Extent): Extent | undefined {
  if (stage.width < MIN_STAGE_WIDTH) return undefined;
  const scale = Math.min(
    LONGER_SIDE / Math.max(image.width, image.height),
    (stage.width * MAX_WIDTH) / image.width,
    (stage.height * MAX_HEIGHT) / image.height,
  );
  return { width: Math.max(8, image.width * scale), height: Math.max(8, image.height * scale) };
}

export interface MinimapOptions {
  label: string;
  /** Pointed at or dragged there, in image pixels. */
  onMove: (to: Point) => void;
}

/** The whole image in small, with the part in view framed; shown only while a part is in view. */
export class Minimap {
  readonly canvas = element('canvas', { class: 'minimap', hidden: true });
  enabled = true;
  private readonly context = this.canvas.getContext('2d', { alpha: false });
  private image: Extent = { width: 1, height: 1 };
  /** What is on the surface of the masks. */
  private masks: { palette: Uint32Array; labels: Uint32Array } | undefined;
  /** One for all images: a new one for each would be 0.5 MB for the garbage collector. */
  private readonly surface = emptySurface();
  private readonly pixels = new ImageData(TILE_SIZE, TILE_SIZE);

  constructor({ label, onMove }: MinimapOptions) {
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', label);
    this.canvas.title = label;
    const move = (event: PointerEvent) => {
      const scale = this.image.width / this.canvas.clientWidth;
      onMove({ x: event.offsetX * scale, y: event.offsetY * scale });
    };
    this.canvas.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    this.canvas.addEventListener('pointermove', event => {
      if (this.canvas.hasPointerCapture(event.pointerId)) move(event);
    });
  }

  /** Takes the shape of another image. */
  setImage(image: Extent): void {
    this.image = image;
    this.masks = undefined;
  }

  private resize({ width, height }: Extent): void {
    const [across, down] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (this.canvas.width === across && this.canvas.height === down) return;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = across;
    this.canvas.height = down;
  }

  /** Repaints it to go with a frame of the stage; `content` paints the image into a small frame. */
  update({ view, panel }: CanvasFrame, content: (small: CanvasFrame) => void): void {
    const { context, image } = this;
    const inView = {
      left: view.x - panel.width / 2 / view.scale,
      top: view.y - panel.height / 2 / view.scale,
      width: panel.width / view.scale,
      height: panel.height / view.scale,
    };
    const whole =
      inView.left <= 0 &&
      inView.top <= 0 &&
      inView.left + inView.width >= image.width &&
      inView.top + inView.height >= image.height;
    const stage = { width: panel.width / devicePixelRatio, height: panel.height / devicePixelRatio };
    const size = minimapSize(stage, image);
    this.canvas.hidden = whole || !this.enabled || !size;
    if (this.canvas.hidden || !context || !size) return;
    this.resize(size);
    const { width, height } = this.canvas;
    const scale = width / image.width;
    const small: View = { x: image.width / 2, y: image.height / 2, scale };
    content({ context, view: small, panel: { width, height }, image });
    const line = Math.max(1, Math.round(devicePixelRatio));
    // Never smaller than can be seen.
    const least = 6 * devicePixelRatio;
    const [w, h] = [Math.max(least, inView.width * scale), Math.max(least, inView.height * scale)];
    const x = (inView.left + inView.width / 2) * scale - w / 2;
    const y = (inView.top + inView.height / 2) * scale - h / 2;
    for (const [style, wide] of [
      ['black', 3 * line],
      ['white', line],
    ] as const) {
      context.strokeStyle = style;
      context.lineWidth = wide;
      context.strokeRect(x, y, w, h);
    }
  }

  /** Paints the masks from the one tile that shows the whole image. */
  paintMasks(frame: CanvasFrame, labels: LabelLayer, opacity: number): void {
    const { palette, tiles } = labels;
    const found = tiles.at(tiles.overview);
    if (!palette || !found) return;
    if (this.masks?.palette !== palette || this.masks.labels !== found.labels) {
      paintFill(found.labels, palette, new Uint32Array(this.pixels.data.buffer));
      fillSurface(this.surface, this.pixels);
      this.masks = { palette, labels: found.labels };
    }
    frame.context.save();
    frame.context.globalAlpha = Math.min(1, opacity + 0.3);
    drawTile(frame, tiles.overview, this.surface);
    frame.context.restore();
  }
}
