import { element } from '../../../pages/page/widgets/element';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { DragTool } from '../state/layoutModel';
import type { CanvasFrame } from '../tiles/tiles';
import {
  between,
  type Box,
  closeUp,
  type Extent,
  fitView,
  keepInView,
  panBy,
  type Point,
  revealBox,
  toImage,
  toPanel,
  type View,
  zoomAt,
} from '../tiles/viewTransform';

const MOVE_MILLISECONDS = 180;
/** Fill of a region while it is being drawn. */
const DRAWN_FILL = 'rgb(255 255 255 / 0.12)';

interface CanvasViewOptions extends CanvasPointerOptions {
  /**
   * Paints one frame, in screen pixels. Without `isNeeded` it may leave the canvas as it is.
   * Returns whether it painted.
   */
  paint: (frame: CanvasFrame, isNeeded: boolean) => boolean;
  onView: (view: View, fitted: boolean) => void;
}

/**
 * The canvas of the panel: zoom, pan, and a new frame for each change. Reports points in image
 * pixels.
 */
export class CanvasView implements PointedCanvas {
  readonly canvas = element('canvas', { class: 'masks-canvas', tabindex: 0, role: 'application' });
  readonly pointer: CanvasPointer;
  private readonly context = this.canvas.getContext('2d', { alpha: false });
  private readonly frames = new FrameQueue(() => this.paint());
  private panel: Extent = { width: 0, height: 0 };
  private image: Extent = { width: 1, height: 1 };
  private current: View = { x: 0, y: 0, scale: 1 };
  private fitted = true;
  private motion: { from: View; to: View; startedAt: number } | undefined;

  constructor(private readonly options: CanvasViewOptions) {
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    this.pointer = new CanvasPointer(this, options);
  }

  describe(label: string): void {
    this.canvas.setAttribute('aria-label', label);
  }

  get view(): View {
    return this.current;
  }

  get size(): Extent {
    return this.panel;
  }

  /** The part of the image in view: corners x, y in turn. */
  get regionInView(): number[] {
    const from = this.toImage({ x: 0, y: 0 });
    const to = this.toImage({ x: this.panel.width, y: this.panel.height });
    return [from.x, from.y, to.x, from.y, to.x, to.y, from.x, to.y];
  }

  /** The current screen as a PNG file; `decorate` paints over it. */
  capture(decorate: (context: OffscreenCanvasRenderingContext2D, height: number) => void): Promise<Blob> {
    this.paint(true);
    const { width, height } = this.canvas;
    const copy = new OffscreenCanvas(width, height);
    const context = copy.getContext('2d');
    context?.drawImage(this.canvas, 0, 0);
    if (context) decorate(context, height);
    return copy.convertToBlob({ type: 'image/png' });
  }

  /** Shows another image: all of it, or its saved view. */
  setImage(image: Extent, view?: View): void {
    this.image = image;
    this.motion = undefined;
    // The region belongs to the previous image.
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

  /** Moves an image point to the middle of the panel, within the image's limits. */
  centerOn(point: Point): void {
    this.setView(keepInView({ ...this.current, ...point }, this.panel, this.image), false);
  }

  panBy(dx: number, dy: number): void {
    this.setView(panBy(this.current, this.panel, dx, dy, this.image), false);
  }

  /** Zooms around a point of the panel: its image point stays in place. */
  zoomAround(onPanel: Point, factor: number): void {
    this.setView(zoomAt(this.current, this.panel, onPanel, factor, this.image), false);
  }

  toImage(onPanel: Point): Point {
    return toImage(this.current, this.panel, onPanel);
  }

  toPanel(inImage: Point): Point {
    return toPanel(this.current, this.panel, inImage);
  }

  /** Moves and zooms to a close-up of a box. */
  zoomTo(box: Box): void {
    this.moveTo(closeUp(this.panel, box, this.image));
  }

  /**
   * Scrolls a box into view, in steps or at once. At once, it also paints, so that tiles are
   * requested without waiting for a frame.
   */
  reveal(box: Box, inSteps: boolean): void {
    const to = revealBox(this.current, this.panel, box, this.image);
    if (inSteps) {
      this.moveTo(to);
      return;
    }
    if (to !== this.current) this.setView(to, false);
    this.paint();
  }

  /** Moves to a view in steps that the eye can follow; at once with reduced motion. */
  private moveTo(to: View): void {
    if (to === this.current) return;
    const isMotionReduced =
      matchMedia('(prefers-reduced-motion: reduce)').matches ||
      document.body.classList.contains('vscode-reduce-motion');
    if (isMotionReduced) {
      this.setView(to, false);
      return;
    }
    this.motion = { from: this.current, to, startedAt: performance.now() };
    this.redraw();
  }

  redraw(): void {
    this.frames.schedule();
  }

  /** Zooms around the middle of the panel, or of the view that it is moving to. */
  private setScale(scale: number): void {
    const middle = { x: this.panel.width / 2, y: this.panel.height / 2 };
    const view = zoomAt(this.goal, this.panel, middle, scale / this.goal.scale, this.image);
    this.setView(view, false);
  }

  /** The view that it is moving to, else the current one. */
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
    // A new size empties the canvas: it is painted before that is visible.
    this.paint(true);
  }

  private paint(isNeeded = false): void {
    if (!this.context || this.panel.width === 0) return;
    if (this.canvas.width !== Math.round(this.panel.width * devicePixelRatio)) {
      // The window was moved to a screen of another pixel ratio.
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
    if (region) paintRegion(frame, region, DRAWN_FILL);
  }

  private advance(): void {
    if (!this.motion) return;
    const { from, to, startedAt } = this.motion;
    const share = Math.min(1, (performance.now() - startedAt) / MOVE_MILLISECONDS);
    this.current = between(from, to, 1 - (1 - share) ** 3);
    this.fitted = false;
    if (share === 1) this.motion = undefined;
    else this.redraw();
    this.options.onView(this.current, false);
  }

  /** Handles a key of the canvas. Returns whether the key is one of the canvas. */
  key(event: KeyboardEvent): boolean {
    const step = event.shiftKey ? 200 : 40;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.panBy(step, 0),
      ArrowRight: () => this.panBy(-step, 0),
      ArrowUp: () => this.panBy(0, step),
      ArrowDown: () => this.panBy(0, -step),
      // NaN: Enter never continues a click at a point of the panel.
      Enter: () =>
        this.options.onClick({ ...this.current }, { x: NaN, y: NaN }, { step: true, add: event.shiftKey }),
      ' ': () => this.pointer.holdSpace(),
    };
    if (!Object.hasOwn(actions, event.key)) return false;
    actions[event.key]?.();
    return true;
  }
}

const WHEEL_ZOOM = 0.0015;
const PINCH_ZOOM = 0.01;
const CLICK_DISTANCE = 4;

/** The canvas that the pointer acts on. */
interface PointedCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly view: View;
  /** The image point at a point of the panel. */
  toImage(onPanel: Point): Point;
  panBy(dx: number, dy: number): void;
  zoomAround(onPanel: Point, factor: number): void;
  redraw(): void;
}

interface CanvasPointerOptions {
  /** The pointer moved to an image point, or left (null). */
  onPoint: (point: Point | null) => void;
  /** `step`: select the next object below; `add`: toggle the object in the selection. */
  onClick: (point: Point, onPanel: Point, options: { step: boolean; add: boolean }) => void;
  /**
   * A region was drawn: corners x, y in turn, in image pixels. Absent if nothing can be selected.
   */
  onRegion?: (polygon: number[]) => void;
}

/**
 * Mouse, touch and touchpad input on the canvas. The wheel and a pinch zoom, a drag pans or draws a
 * region, a click selects.
 */
class CanvasPointer {
  private readonly pressed = new Map<number, Point>();
  private dragged = false;
  private spaceHeld = false;
  private dragTool: DragTool = 'move';
  private drawing: RegionDrawing | undefined;

  constructor(
    private readonly target: PointedCanvas,
    private readonly options: CanvasPointerOptions,
  ) {
    const { canvas } = target;
    canvas.addEventListener('wheel', event => this.zoomByWheel(event), { passive: false });
    canvas.addEventListener('pointerdown', event => this.down(event));
    canvas.addEventListener('pointermove', event => this.moved(event));
    canvas.addEventListener('pointerup', event => this.up(event));
    canvas.addEventListener('pointercancel', event => {
      this.pressed.delete(event.pointerId);
      canvas.classList.remove('dragging');
      this.cancelRegion();
    });
    // The context menu receives the release of the button.
    canvas.addEventListener('contextmenu', () => {
      this.pressed.clear();
      canvas.classList.remove('dragging');
      this.cancelRegion();
    });
    canvas.addEventListener('pointerleave', () => options.onPoint(null));
  }

  set tool(tool: DragTool) {
    this.dragTool = tool;
    this.target.canvas.classList.toggle('marking', tool !== 'move');
  }

  /** Corners of the region being drawn, in image pixels; undefined if there is none. */
  get region(): readonly Point[] | undefined {
    return this.drawing?.corners;
  }

  /** Cancels the drawing of a region. Returns whether one was being drawn. */
  cancelRegion(): boolean {
    if (!this.drawing) return false;
    this.drawing = undefined;
    // Fingers that are still down no longer move the image.
    this.pressed.clear();
    this.target.redraw();
    return true;
  }

  /** Until the space bar is released, dragging pans with any tool. */
  holdSpace(): void {
    if (this.spaceHeld) return;
    const { canvas } = this.target;
    this.spaceHeld = true;
    canvas.classList.add('movable');
    const release = () => {
      this.spaceHeld = false;
      canvas.classList.remove('movable');
      removeEventListener('keyup', onKeyUp);
      removeEventListener('blur', release);
    };
    const onKeyUp = (event: KeyboardEvent) => {
      if (event.key === ' ') release();
    };
    addEventListener('keyup', onKeyUp);
    addEventListener('blur', release);
  }

  private zoomByWheel(event: WheelEvent): void {
    event.preventDefault();
    const pixelsPerUnit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // A pinch on a touchpad arrives as a wheel event with Ctrl, in much smaller steps.
    const speed = event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM;
    this.target.zoomAround(panelPoint(event), Math.exp(-event.deltaY * pixelsPerUnit * speed));
  }

  private down(event: PointerEvent): void {
    if (event.button > 1) return;
    this.target.canvas.setPointerCapture(event.pointerId);
    this.pressed.set(event.pointerId, panelPoint(event));
    this.dragged = this.pressed.size > 1 || event.button === 1 || this.spaceHeld;
    this.drawing = this.beginDrawing(event);
  }

  private moved(event: PointerEvent): void {
    const { target } = this;
    const onPanel = panelPoint(event);
    const before = this.pressed.get(event.pointerId);
    if (!before) {
      this.options.onPoint(target.toImage(onPanel));
      return;
    }
    const otherFingers = [...this.pressed].filter(([id]) => id !== event.pointerId);
    const otherFinger = otherFingers[0]?.[1];
    if (otherFinger) {
      this.pressed.set(event.pointerId, onPanel);
      this.pinched(before, onPanel, otherFinger);
      return;
    }
    const isDrag = Math.hypot(onPanel.x - before.x, onPanel.y - before.y) > CLICK_DISTANCE;
    if (!this.dragged && !isDrag) return;
    this.dragged = true;
    if (this.drawing) {
      this.drawing.extend(target.toImage(onPanel), target.view.scale);
      target.redraw();
      return;
    }
    target.canvas.classList.add('dragging');
    this.pressed.set(event.pointerId, onPanel);
    target.panBy(onPanel.x - before.x, onPanel.y - before.y);
  }

  /** One of two fingers moved: the image follows the point between them. */
  private pinched(before: Point, onPanel: Point, other: Point): void {
    const middle = { x: (onPanel.x + other.x) / 2, y: (onPanel.y + other.y) / 2 };
    const distance = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    this.target.panBy((onPanel.x - before.x) / 2, (onPanel.y - before.y) / 2);
    this.target.zoomAround(middle, distance(onPanel) / distance(before));
  }

  private up(event: PointerEvent): void {
    const { target } = this;
    target.canvas.classList.remove('dragging');
    this.endDrawing();
    if (!this.pressed.delete(event.pointerId) || this.dragged) return;
    const onPanel = panelPoint(event);
    this.options.onClick(target.toImage(onPanel), onPanel, { step: event.altKey, add: event.shiftKey });
  }

  /**
   * A drag with the main button draws a region, if a tool is active or with Shift (a rectangle).
   */
  private beginDrawing(event: PointerEvent): RegionDrawing | undefined {
    const tool = event.shiftKey ? 'rectangle' : this.dragTool;
    if (tool === 'move' || this.dragged || !this.options.onRegion) return undefined;
    return new RegionDrawing(tool, this.target.toImage(panelPoint(event)));
  }

  private endDrawing(): void {
    const { drawing } = this;
    if (!drawing) return;
    this.drawing = undefined;
    const polygon = this.dragged ? drawing.polygon : undefined;
    if (polygon) this.options.onRegion?.(polygon);
    this.target.redraw();
  }
}

function panelPoint(event: MouseEvent): Point {
  return { x: event.offsetX, y: event.offsetY };
}

const MIN_REGION_STEP = 3;

/** A region being drawn, in image pixels. */
export class RegionDrawing {
  private points: Point[] = [];

  constructor(
    readonly tool: Exclude<DragTool, 'move'>,
    start: Point,
  ) {
    this.points.push(start);
  }

  /** The pointer moved on. `scale`: panel pixels per image pixel. */
  extend(to: Point, scale: number): void {
    const last = this.points.at(-1);
    if (this.tool === 'rectangle') this.points = [this.points[0] ?? to, to];
    else if (!last || Math.hypot(to.x - last.x, to.y - last.y) * scale >= MIN_REGION_STEP)
      this.points.push(to);
  }

  /** The region as corners x, y in turn; undefined while it has no area. */
  get polygon(): number[] | undefined {
    const { corners } = this;
    return corners.length < 3 ? undefined : corners.flatMap(({ x, y }) => [x, y]);
  }

  /** The corners in order; none while a rectangle has no area. */
  get corners(): readonly Point[] {
    if (this.tool === 'lasso') return this.points;
    const [from, to] = this.points;
    if (!from || !to || from.x === to.x || from.y === to.y) return [];
    return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
  }
}

/**
 * Paints the outline of a region as white dashes on a black line, visible on any image. `fill`:
 * color of its inside.
 */
export function paintRegion(
  { context, view, panel }: CanvasFrame,
  corners: readonly Point[],
  fill?: string,
): void {
  context.save();
  context.beginPath();
  corners.forEach(({ x, y }, index) => {
    const screenX = (x - view.x) * view.scale + panel.width / 2;
    const screenY = (y - view.y) * view.scale + panel.height / 2;
    if (index === 0) context.moveTo(screenX, screenY);
    else context.lineTo(screenX, screenY);
  });
  context.closePath();
  if (fill !== undefined) {
    context.fillStyle = fill;
    context.fill();
  }
  context.lineWidth = 1.5 * devicePixelRatio;
  context.strokeStyle = 'black';
  context.stroke();
  context.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  context.strokeStyle = 'white';
  context.stroke();
  context.restore();
}
