import { element } from '../element';
import { FrameQueue } from '../frameQueue';
import { paintRegion } from './regionPaint';
import { RegionDrawing, type DragTool } from './regionTool';
import type { Frame } from './tileSurface';
import {
  between,
  fitView,
  keepInView,
  panBy,
  toImage,
  zoomAt,
  type Point,
  type Size,
  type View,
} from './viewTransform';

const WHEEL_ZOOM = 0.0015;
const PINCH_ZOOM = 0.01;
const CLICK_DISTANCE = 4;
const MOVE_MILLISECONDS = 180;

export interface CanvasViewOptions {
  label: string;
  help: string;
  /** Paints one frame; screen pixels. */
  paint: (frame: Frame) => void;
  onPoint: (at: Point | null) => void;
  onClick: (at: Point, onPanel: Point, step: boolean) => void;
  /** Enter: the object in the middle. */
  onEnter: (at: Point) => void;
  onView: (view: View, fitted: boolean) => void;
  /** A region was drawn: corners x, y in turn, in image pixels. */
  onRegion: (polygon: number[]) => void;
}

/** The canvas that fills the panel: zoom, pan, and a frame whenever something changed. Points given out are image pixels. */
export class CanvasView {
  readonly canvas = element('canvas', { class: 'masks-canvas', tabindex: 0, role: 'application' });
  private readonly context = this.canvas.getContext('2d', { alpha: false });
  private readonly frames = new FrameQueue(() => this.paint());
  private panel: Size = { width: 0, height: 0 };
  private image: Size = { width: 1, height: 1 };
  private current: View = { x: 0, y: 0, scale: 1 };
  private fitted = true;
  private motion: { from: View; to: View; began: number } | undefined;
  private readonly pointers = new Map<number, Point>();
  private dragged = false;
  private spaceHeld = false;
  private dragTool: DragTool = 'move';
  private drawing: RegionDrawing | undefined;

  constructor(private readonly options: CanvasViewOptions) {
    this.describe(options.label);
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    this.listenToPointer();
  }

  describe(label: string): void {
    this.canvas.setAttribute('aria-label', `${label}. ${this.options.help}`);
  }

  get view(): View {
    return this.current;
  }

  get size(): Size {
    return this.panel;
  }

  get tool(): DragTool {
    return this.dragTool;
  }

  set tool(tool: DragTool) {
    this.dragTool = tool;
    this.canvas.classList.toggle('marking', tool !== 'move');
  }

  /** Part of the image in view, as corners x, y in turn. */
  get regionInView(): number[] {
    const [from, to] = [
      toImage(this.current, this.panel, { x: 0, y: 0 }),
      toImage(this.current, this.panel, { x: this.panel.width, y: this.panel.height }),
    ];
    return [from.x, from.y, to.x, from.y, to.x, to.y, from.x, to.y];
  }

  /** What is on the screen now, as a picture; `decorate` paints over it. */
  capture(decorate: (context: OffscreenCanvasRenderingContext2D, height: number) => void): Promise<Blob> {
    this.paint();
    const { width, height } = this.canvas;
    const copy = new OffscreenCanvas(width, height);
    const context = copy.getContext('2d');
    context?.drawImage(this.canvas, 0, 0);
    if (context) decorate(context, height);
    return copy.convertToBlob({ type: 'image/png' });
  }

  /** Another image: shown whole, or as it was left. */
  setImage(image: Size, view?: View): void {
    this.image = image;
    this.motion = undefined;
    if (view) this.setView(keepInView(view, image), false);
    else this.fit();
  }

  fit(): void {
    this.setView(fitView(this.image, this.panel), true);
  }

  /** One image pixel on one screen pixel. */
  actualSize(): void {
    this.zoomTo(1 / devicePixelRatio);
  }

  zoomBy(factor: number): void {
    this.zoomTo(this.current.scale * factor);
  }

  /** Shows a view at once. */
  show(view: View): void {
    this.setView(view, false);
  }

  panBy(dx: number, dy: number): void {
    this.setView(panBy(this.current, dx, dy, this.image), false);
  }

  /** Moves there, so that the eye can follow, unless less motion is wanted. */
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
    this.frames.ask();
  }

  /** Image point in the middle. */
  get middle(): Point {
    return { x: this.current.x, y: this.current.y };
  }

  private zoomTo(scale: number): void {
    const middle = { x: this.panel.width / 2, y: this.panel.height / 2 };
    this.zoomAround(middle, scale / this.current.scale);
  }

  private zoomAround(at: Point, factor: number): void {
    this.setView(zoomAt(this.current, this.panel, at, factor, this.image), false);
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
    if (this.fitted) this.fit();
    // Setting the size has emptied the canvas: painted before the screen shows it.
    this.paint();
  }

  private paint(): void {
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
    this.options.paint(frame);
    if (this.drawing) paintRegion(frame, this.drawing.corners);
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

  private listenToPointer(): void {
    const { canvas } = this;
    canvas.addEventListener(
      'wheel',
      event => {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        // A pinch on a touchpad arrives as a wheel with Ctrl, in much smaller steps.
        const speed = event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM;
        this.zoomAround(panelPoint(event), Math.exp(-event.deltaY * lines * speed));
      },
      { passive: false },
    );
    canvas.addEventListener('pointerdown', event => {
      if (event.button > 1) return;
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, panelPoint(event));
      this.dragged = this.pointers.size > 1 || event.button === 1 || this.spaceHeld;
      this.drawing = this.beginDrawing(event);
    });
    canvas.addEventListener('pointermove', event => this.pointerMoved(event));
    canvas.addEventListener('pointerup', event => this.pointerUp(event));
    canvas.addEventListener('pointercancel', event => {
      this.pointers.delete(event.pointerId);
      this.drawing = undefined;
    });
    canvas.addEventListener('pointerleave', () => this.options.onPoint(null));
  }

  private pointerMoved(event: PointerEvent): void {
    const now = panelPoint(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.options.onPoint(toImage(this.current, this.panel, now));
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    if (other) {
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      const distance = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      this.pointers.set(event.pointerId, now);
      this.panBy((now.x - before.x) / 2, (now.y - before.y) / 2);
      this.zoomAround(middle, distance(now) / distance(before));
      return;
    }
    const far = Math.hypot(now.x - before.x, now.y - before.y) > CLICK_DISTANCE;
    if (!this.dragged && !far) return;
    this.dragged = true;
    if (this.drawing) {
      this.drawing.extend(toImage(this.current, this.panel, now), this.current.scale);
      this.redraw();
      return;
    }
    this.canvas.classList.add('dragging');
    this.pointers.set(event.pointerId, now);
    this.panBy(now.x - before.x, now.y - before.y);
  }

  /** With a tool, or Shift for a rectangle, a drag with the main button draws a region. */
  private beginDrawing(event: PointerEvent): RegionDrawing | undefined {
    const tool = event.shiftKey ? 'rectangle' : this.dragTool;
    if (tool === 'move' || this.dragged) return undefined;
    return new RegionDrawing(tool, toImage(this.current, this.panel, panelPoint(event)));
  }

  private endDrawing(): void {
    const polygon = this.dragged ? this.drawing?.polygon : undefined;
    const drew = this.drawing !== undefined;
    this.drawing = undefined;
    if (polygon) this.options.onRegion(polygon);
    if (drew) this.redraw();
  }

  private pointerUp(event: PointerEvent): void {
    this.canvas.classList.remove('dragging');
    this.endDrawing();
    if (!this.pointers.delete(event.pointerId) || this.dragged) return;
    const at = panelPoint(event);
    this.options.onClick(toImage(this.current, this.panel, at), at, event.altKey);
  }

  /** A key meant for the picture; whether it was one. */
  key(event: KeyboardEvent): boolean {
    const step = event.shiftKey ? 200 : 40;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.panBy(step, 0),
      ArrowRight: () => this.panBy(-step, 0),
      ArrowUp: () => this.panBy(0, step),
      ArrowDown: () => this.panBy(0, -step),
      Enter: () => this.options.onEnter(this.middle),
      ' ': () => this.holdSpace(),
    };
    const action = actions[event.key];
    action?.();
    return action !== undefined;
  }

  private holdSpace(): void {
    if (this.spaceHeld) return;
    this.spaceHeld = true;
    this.canvas.classList.add('movable');
    const released = () => {
      this.spaceHeld = false;
      this.canvas.classList.remove('movable');
      removeEventListener('keyup', onKeyUp);
      removeEventListener('blur', released);
    };
    const onKeyUp = (event: KeyboardEvent) => {
      if (event.key === ' ') released();
    };
    addEventListener('keyup', onKeyUp);
    addEventListener('blur', released);
  }
}

function panelPoint(event: MouseEvent): Point {
  return { x: event.offsetX, y: event.offsetY };
}
