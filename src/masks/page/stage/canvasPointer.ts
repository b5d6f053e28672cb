import { RegionDrawing, type DragTool } from './regionTool';
import type { Point, View } from './viewTransform';

const WHEEL_ZOOM = 0.0015;
const PINCH_ZOOM = 0.01;
const CLICK_DISTANCE = 4;

/** What the pointer moves and points at. */
export interface PointedCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly view: View;
  /** The image point under a point of the panel. */
  toImage(onPanel: Point): Point;
  panBy(dx: number, dy: number): void;
  zoomAround(onPanel: Point, factor: number): void;
  redraw(): void;
}

export interface CanvasPointerOptions {
  /** The pointer is at that image point, or has left. */
  onPoint: (at: Point | null) => void;
  /** `step`: the next object beneath; `add`: to those selected already. */
  onClick: (at: Point, onPanel: Point, how: { step: boolean; add: boolean }) => void;
  /** A region was drawn: corners x, y in turn, in image pixels. Absent where there is nothing to select. */
  onRegion?: (polygon: number[]) => void;
}

/** What a mouse, fingers and a touchpad do on the canvas: wheel and pinch zoom, a drag pans or draws a region, a click selects. */
export class CanvasPointer {
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
    canvas.addEventListener('wheel', event => this.turned(event), { passive: false });
    canvas.addEventListener('pointerdown', event => this.down(event));
    canvas.addEventListener('pointermove', event => this.moved(event));
    canvas.addEventListener('pointerup', event => this.up(event));
    canvas.addEventListener('pointercancel', event => {
      this.pressed.delete(event.pointerId);
      canvas.classList.remove('dragging');
      this.cancelRegion();
    });
    // The menu that opens takes the button's release.
    canvas.addEventListener('contextmenu', () => {
      this.pressed.clear();
      canvas.classList.remove('dragging');
      this.cancelRegion();
    });
    canvas.addEventListener('pointerleave', () => options.onPoint(null));
  }

  get tool(): DragTool {
    return this.dragTool;
  }

  set tool(tool: DragTool) {
    this.dragTool = tool;
    this.target.canvas.classList.toggle('marking', tool !== 'move');
  }

  /** Corners of the region being drawn, in image pixels; undefined while none is. */
  get region(): readonly Point[] | undefined {
    return this.drawing?.corners;
  }

  /** Ends the drawing of a region, which selects nothing. Whether one was being drawn. */
  cancelRegion(): boolean {
    if (!this.drawing) return false;
    this.drawing = undefined;
    // What is still held down moves nothing.
    this.pressed.clear();
    this.target.redraw();
    return true;
  }

  /** Until the space bar is released, a drag pans whatever the tool is. */
  holdSpace(): void {
    if (this.spaceHeld) return;
    const { canvas } = this.target;
    this.spaceHeld = true;
    canvas.classList.add('movable');
    const released = () => {
      this.spaceHeld = false;
      canvas.classList.remove('movable');
      removeEventListener('keyup', onKeyUp);
      removeEventListener('blur', released);
    };
    const onKeyUp = (event: KeyboardEvent) => {
      if (event.key === ' ') released();
    };
    addEventListener('keyup', onKeyUp);
    addEventListener('blur', released);
  }

  private turned(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // A pinch on a touchpad arrives as a wheel with Ctrl, in much smaller steps.
    const speed = event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM;
    this.target.zoomAround(panelPoint(event), Math.exp(-event.deltaY * lines * speed));
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
    const now = panelPoint(event);
    const before = this.pressed.get(event.pointerId);
    if (!before) {
      this.options.onPoint(target.toImage(now));
      return;
    }
    const others = [...this.pressed].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    if (other) {
      this.pressed.set(event.pointerId, now);
      this.pinched(before, now, other);
      return;
    }
    const far = Math.hypot(now.x - before.x, now.y - before.y) > CLICK_DISTANCE;
    if (!this.dragged && !far) return;
    this.dragged = true;
    if (this.drawing) {
      this.drawing.extend(target.toImage(now), target.view.scale);
      target.redraw();
      return;
    }
    target.canvas.classList.add('dragging');
    this.pressed.set(event.pointerId, now);
    target.panBy(now.x - before.x, now.y - before.y);
  }

  /** One of two fingers has moved: the image follows the point between them. */
  private pinched(before: Point, now: Point, other: Point): void {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const distance = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    this.target.panBy((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.target.zoomAround(middle, distance(now) / distance(before));
  }

  private up(event: PointerEvent): void {
    const { target } = this;
    target.canvas.classList.remove('dragging');
    this.endDrawing();
    if (!this.pressed.delete(event.pointerId) || this.dragged) return;
    const at = panelPoint(event);
    this.options.onClick(target.toImage(at), at, { step: event.altKey, add: event.shiftKey });
  }

  /** With a tool, or Shift for a rectangle, a drag with the main button draws a region. */
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
