import { element } from '../../../pages/page/widgets/element';
import type { CanvasKey } from '../masksShortcuts';
import { FrameQueue } from '../../../pages/page/widgets/frameQueue';
import { CanvasPointer, type CanvasPointerOptions, type PointedCanvas } from './canvasPointer';
import { paintRegion } from './regionPaint';
import type { CanvasFrame } from '../tiles/tileSurface';
import {
  between,
  closeUp,
  fitView,
  keepInView,
  panBy,
  toImage,
  toPanel,
  zoomAt,
  type Box,
  type Point,
  type Extent,
  type View,
} from './viewTransform';

const MOVE_MILLISECONDS = 180;

export interface CanvasViewOptions extends CanvasPointerOptions {
  label: string;
  help: string;
  /** Paints one frame; screen pixels. What is on the canvas may stay instead, unless `isNeeded`. Whether it was painted. */
  paint: (frame: CanvasFrame, isNeeded: boolean) => boolean;
  /** Enter: the object in the middle. */
  onEnter: (at: Point, add: boolean) => void;
  onView: (view: View, fitted: boolean) => void;
}

/** The canvas that fills the panel: zoom, pan, and a frame whenever something changed. Points given out are image pixels. */
export class CanvasView implements PointedCanvas {
  readonly canvas = element('canvas', { class: 'masks-canvas', tabindex: 0, role: 'application' });
  readonly pointer: CanvasPointer;
  private readonly context = this.canvas.getContext('2d', { alpha: false });
  private readonly frames = new FrameQueue(() => this.paint());
  private panel: Extent = { width: 0, height: 0 };
  private image: Extent = { width: 1, height: 1 };
  private current: View = { x: 0, y: 0, scale: 1 };
  private fitted = true;
  private motion: { from: View; to: View; began: number } | undefined;

  constructor(private readonly options: CanvasViewOptions) {
    this.describe(options.label);
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    this.pointer = new CanvasPointer(this, options);
  }

  describe(label: string): void {
    this.canvas.setAttribute('aria-label', `${label}. ${this.options.help}`);
  }

  get view(): View {
    return this.current;
  }

  get size(): Extent {
    return this.panel;
  }

  /** Part of the image in view, as corners x, y in turn. */
  get regionInView(): number[] {
    const from = this.toImage({ x: 0, y: 0 });
    const to = this.toImage({ x: this.panel.width, y: this.panel.height });
    return [from.x, from.y, to.x, from.y, to.x, to.y, from.x, to.y];
  }

  /** What is on the screen now, as a PNG file; `decorate` paints over it. */
  capture(decorate: (context: OffscreenCanvasRenderingContext2D, height: number) => void): Promise<Blob> {
    this.paint(true);
    const { width, height } = this.canvas;
    const copy = new OffscreenCanvas(width, height);
    const context = copy.getContext('2d');
    context?.drawImage(this.canvas, 0, 0);
    if (context) decorate(context, height);
    return copy.convertToBlob({ type: 'image/png' });
  }

  /** Another image: shown whole, or as it was left. */
  setImage(image: Extent, view?: View): void {
    this.image = image;
    this.motion = undefined;
    // It was drawn on the image before.
    this.pointer.cancelRegion();
    if (view) this.setView(keepInView(view, this.panel, image), false);
    else this.fit();
  }

  fit(): void {
    this.setView(fitView(this.image, this.panel), true);
  }

  /** One image pixel on one screen pixel. */
  actualSize(): void {
    this.setScale(1 / devicePixelRatio);
  }

  zoomBy(factor: number): void {
    this.setScale(this.goal.scale * factor);
  }

  /** Moves the middle of the panel to an image point, as far as the image goes. */
  centerOn(at: Point): void {
    this.setView(keepInView({ ...this.current, ...at }, this.panel, this.image), false);
  }

  panBy(dx: number, dy: number): void {
    this.setView(panBy(this.current, this.panel, dx, dy, this.image), false);
  }

  /** Zooms while the image point under a point of the panel stays where it is. */
  zoomAround(onPanel: Point, factor: number): void {
    this.setView(zoomAt(this.current, this.panel, onPanel, factor, this.image), false);
  }

  toImage(onPanel: Point): Point {
    return toImage(this.current, this.panel, onPanel);
  }

  toPanel(inImage: Point): Point {
    return toPanel(this.current, this.panel, inImage);
  }

  /** Moves to where a box is seen large. */
  zoomTo(box: Box): void {
    this.moveTo(closeUp(this.panel, box, this.image));
  }

  /** Moves there at once, and requests what is in view there without waiting for a frame. */
  jumpTo(to: View): void {
    if (to !== this.current) this.setView(to, false);
    this.paint();
  }

  /** Moves there in steps that the eye can follow; at once where reduced motion is set. */
  moveTo(to: View): void {
    if (to === this.current) return;
    const still =
      matchMedia('(prefers-reduced-motion: reduce)').matches ||
      document.body.classList.contains('vscode-reduce-motion');
    if (still) {
      this.setView(to, false);
      return;
    }
    this.motion = { from: this.current, to, began: performance.now() };
    this.redraw();
  }

  redraw(): void {
    this.frames.schedule();
  }

  /** Image point in the middle. */
  get middle(): Point {
    return { x: this.current.x, y: this.current.y };
  }

  /** Around the middle, or the middle of where it moves. */
  private setScale(scale: number): void {
    const middle = { x: this.panel.width / 2, y: this.panel.height / 2 };
    const view = zoomAt(this.goal, this.panel, middle, scale / this.goal.scale, this.image);
    this.setView(view, false);
  }

  /** Where it moves, else where it is. */
  private get goal(): View {
    return this.motion?.to ?? this.current;
  }

  private setView(view: View, fitted: boolean): void {
    this.motion = undefined;
    this.current = view;
    this.fitted = fitted;
    this.options.onView(view, fitted);
    this.redraw();
  }

  private resized(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.panel = { width, height };
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    if (this.fitted && !this.motion) this.fit();
    else this.setView(keepInView(this.goal, this.panel, this.image), false);
    // Setting the size has emptied the canvas: painted before the screen shows it.
    this.paint(true);
  }

  private paint(isNeeded = false): void {
    if (!this.context || this.panel.width === 0) return;
    if (this.canvas.width !== Math.round(this.panel.width * devicePixelRatio)) {
      // The window has come to a screen with other pixels.
      this.resized();
      return;
    }
    this.advance();
    const panel = { width: this.canvas.width, height: this.canvas.height };
    const ratio = panel.width / this.panel.width;
    const frame = {
      context: this.context,
      panel,
      view: { ...this.current, scale: this.current.scale * ratio },
      image: this.image,
    };
    if (!this.options.paint(frame, isNeeded)) return;
    const { region } = this.pointer;
    if (region) paintRegion(frame, region);
  }

  private advance(): void {
    if (!this.motion) return;
    const { from, to, began } = this.motion;
    const share = Math.min(1, (performance.now() - began) / MOVE_MILLISECONDS);
    this.current = between(from, to, 1 - (1 - share) ** 3);
    this.fitted = false;
    if (share === 1) this.motion = undefined;
    else this.redraw();
    this.options.onView(this.current, false);
  }

  /** A key meant for the canvas; whether it was one. */
  key(event: KeyboardEvent): boolean {
    const step = event.shiftKey ? 200 : 40;
    const actions: Record<CanvasKey, () => void> = {
      ArrowLeft: () => this.panBy(step, 0),
      ArrowRight: () => this.panBy(-step, 0),
      ArrowUp: () => this.panBy(0, step),
      ArrowDown: () => this.panBy(0, -step),
      Enter: () => this.options.onEnter(this.middle, event.shiftKey),
      ' ': () => this.pointer.holdSpace(),
    };
    if (!Object.hasOwn(actions, event.key)) return false;
    actions[event.key as CanvasKey]();
    return true;
  }
}
