import { fill, svg } from '../../pages/page/widgets/element';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { arrowDirection, type ArrowKey, isMoveKey } from './plotDrawing';
import type { PlotStage } from './plotStage';
import type { PlotZoom } from './plotZoom';

/** Minimum distance in pixels of a press that counts as a drag. */
const MIN_DRAG = 4;
/** Minimum distance in pixels between two corners of a lasso. */
const LASSO_STEP = 4;
/** Zoom per pixel of wheel scroll; multiplied with Ctrl, as when pinching. */
const WHEEL_ZOOM = 0.002;
const CTRL_ZOOM = 5;
const LINE_HEIGHT = 16;
/** Maximum pixels of one turn of the wheel. */
const MAX_TURN = 240;

interface Drag {
  pointer: number;
  isPan: boolean;
  /** Whether the pointer moved far enough to count as a drag rather than a click. */
  hasMoved: boolean;
  /** The corners of a lasso; for panning only the last position. */
  path: [number, number][];
}

/**
 * Handles the mouse in a plot: hovering shows a tooltip, a click selects or filters, dragging draws
 * around points or over bars. In a plot that can be zoomed, the wheel zooms, dragging with the
 * middle button or with Space pans, and a double click resets the zoom.
 */
export class PlotPointer {
  private drag: Drag | undefined;
  private isSpaceDown = false;
  private lastEvent: PointerEvent | undefined;
  private readonly hovering = new FrameQueue(() => this.hover());

  constructor(
    private readonly stage: PlotStage,
    private readonly zoom: PlotZoom,
    private readonly color: () => string,
  ) {
    const { root } = stage;
    root.addEventListener('pointerdown', event => this.press(event));
    root.addEventListener('pointermove', event => this.move(event));
    root.addEventListener('pointerup', event => this.release(event));
    root.addEventListener('pointercancel', () => this.cancel());
    root.addEventListener('dblclick', () => this.zoom.reset());
    root.addEventListener('wheel', event => this.zoomByWheel(event), { passive: false });
    // Otherwise the middle button would scroll the page.
    root.addEventListener('mousedown', event => event.button === 1 && this.canPan && event.preventDefault());
    root.addEventListener('pointerenter', () => addEventListener('keydown', this.spaceKey, true));
    root.addEventListener('pointerleave', () => {
      this.lastEvent = undefined;
      removeEventListener('keydown', this.spaceKey, true);
      this.stage.pointAt(undefined, 'pointer');
    });
  }

  get isDragging(): boolean {
    return this.drag !== undefined;
  }

  /** Ends a drag without an action. */
  cancel(): void {
    this.drag = undefined;
    this.stage.root.classList.remove('panning');
    fill(this.stage.sketch);
  }

  dispose(): void {
    removeEventListener('keydown', this.spaceKey, true);
    removeEventListener('keyup', this.spaceUp, true);
  }

  private get canPan(): boolean {
    return this.stage.drawing?.toData !== undefined;
  }

  /** Dragging pans while Space is held, unless Space types into a field or presses a button. */
  private readonly spaceKey = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.key !== ' ' || !this.canPan) return;
    if (target instanceof Element && target.closest('input, select, textarea, button')) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.isSpaceDown) return;
    this.isSpaceDown = true;
    this.stage.root.classList.add('can-pan');
    addEventListener('keyup', this.spaceUp, true);
  };

  private readonly spaceUp = (event: KeyboardEvent): void => {
    if (event.key !== ' ') return;
    this.isSpaceDown = false;
    this.stage.root.classList.remove('can-pan');
    removeEventListener('keyup', this.spaceUp, true);
  };

  private press(event: PointerEvent): void {
    if (event.button > (this.canPan ? 1 : 0) || !this.stage.drawing) return;
    const isPan = event.button === 1 || this.isSpaceDown;
    this.drag = { pointer: event.pointerId, isPan, hasMoved: false, path: [this.stage.positionOf(event)] };
  }

  private move(event: PointerEvent): void {
    // The button was released outside the plot before the press became a drag.
    if (this.drag && event.buttons === 0) this.cancel();
    const { drag, stage } = this;
    if (!drag || event.pointerId !== drag.pointer) {
      this.lastEvent = event;
      this.hovering.schedule();
      return;
    }
    const [x, y] = stage.positionOf(event);
    const [fromX, fromY] = drag.path[drag.isPan ? 0 : drag.path.length - 1] ?? [x, y];
    const distance = Math.hypot(x - fromX, y - fromY);
    if (!drag.hasMoved) {
      if (distance < MIN_DRAG) return;
      drag.hasMoved = true;
      stage.root.setPointerCapture(event.pointerId);
      stage.pointAt(undefined, 'pointer');
      stage.root.classList.toggle('panning', drag.isPan);
    }
    if (drag.isPan) {
      const { width, height } = stage.drawing?.frame.box ?? { width: 1, height: 1 };
      this.zoom.pan((fromX - x) / width, (y - fromY) / height);
      drag.path = [[x, y]];
    } else if (distance >= LASSO_STEP) {
      drag.path.push([x, y]);
      this.draw(drag);
    }
  }

  private draw({ path }: Drag): void {
    const { drawing, sketch } = this.stage;
    if (!drawing?.drag) return;
    const color = this.color();
    const style = { fill: color, 'fill-opacity': 0.08, stroke: color, 'stroke-dasharray': '4 3' };
    if (drawing.drag.shape === 'lasso') {
      const d = `M${path.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}z`;
      fill(sketch, svg('path', { ...style, d }));
      return;
    }
    if (drawing.drag.shape === 'box') {
      const [[x = 0, y = 0] = [], [toX = 0, toY = 0] = []] = [path[0], path.at(-1)];
      const [width, height] = [Math.abs(toX - x), Math.abs(toY - y)];
      fill(sketch, svg('rect', { ...style, x: Math.min(x, toX), y: Math.min(y, toY), width, height }));
      return;
    }
    const { left, top, width, height } = drawing.frame.box;
    const axisIndex = drawing.drag.axis === 'y' ? 1 : 0;
    const [from, to] = drawing.drag.snap(path[0]?.[axisIndex] ?? 0, path.at(-1)?.[axisIndex] ?? 0);
    const size = to - from;
    const span =
      axisIndex === 1 ? { x: left, y: from, width, height: size } : { x: from, y: top, width: size, height };
    fill(sketch, svg('rect', { ...style, ...span }));
  }

  private release(event: PointerEvent): void {
    const { drag, stage } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.cancel();
    if (drag.isPan) return;
    const { drawing } = stage;
    if (!drag.hasMoved) {
      stage.act(drawing?.targets.targetAt(...stage.positionOf(event)), event.shiftKey);
      return;
    }
    const { path } = drag;
    const [from, to = from] = [path[0], path.at(-1)];
    if (!drawing?.drag || !from || !to) return;
    switch (drawing.drag.shape) {
      case 'lasso':
        if (path.length >= 3) stage.perform(drawing.drag.actionOf(path));
        return;
      case 'box': {
        const action = drawing.drag.actionOf(from, stage.positionOf(event));
        if (action) stage.perform(action, event.shiftKey);
        return;
      }
      case 'span': {
        const along = drawing.drag.axis === 'y' ? 1 : 0;
        stage.perform(drawing.drag.actionOf(from[along], to[along]));
      }
    }
  }

  private hover(): void {
    const { lastEvent, stage } = this;
    if (!lastEvent || this.drag?.hasMoved) return;
    const [x, y] = stage.positionOf(lastEvent);
    const target = stage.drawing?.targets.targetAt(x, y);
    stage.root.classList.toggle('can-click', target !== undefined && stage.canAct(target));
    stage.pointAt(target, 'pointer');
  }

  private zoomByWheel(event: WheelEvent): void {
    const { drawing } = this.stage;
    if (!drawing?.toData || event.shiftKey) return;
    const [x, y] = this.stage.positionOf(event);
    const { left, top, width, height } = drawing.frame.box;
    if (x < left || y < top || x > left + width || y > top + height) return;
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_HEIGHT;
    const turn = Math.max(-MAX_TURN, Math.min(MAX_TURN, pixels));
    const factor = Math.exp(turn * WHEEL_ZOOM * (event.ctrlKey ? CTRL_ZOOM : 1));
    // If the plot already shows everything, the wheel scrolls the list of plots.
    if (this.zoom.zoom(factor, drawing.toData(x, y))) event.preventDefault();
  }
}

/** Zoom factor of a key press; below 1 zooms in. */
const ZOOM_STEP = 0.7;
/** The share of the plot's size that a key press pans. */
const PAN_STEP = 0.15;

/** Handles a key of a plot at the highlighted target; returns whether it did. */
export type PressOfPlot = (event: KeyboardEvent, target: number | undefined) => boolean;

/**
 * Handles keys in a focused plot: first those of its own, by `ofPlot`; arrows move among points,
 * bars or groups; Enter selects or filters; Escape stops pointing, then clears the filter; +, − and
 * 0 zoom; Shift with an arrow pans.
 */
export function listenToPlotKeys(
  stage: PlotStage,
  pointer: PlotPointer,
  zoom: PlotZoom,
  ofPlot: PressOfPlot = () => false,
): void {
  /** Whether the key was handled. */
  const press = (event: KeyboardEvent): boolean => {
    const { drawing } = stage;
    if (!drawing || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (ofPlot(event, stage.pointedAt)) return true;
    const { key } = event;
    const canZoom = drawing.toData !== undefined;
    if (isMoveKey(key)) {
      if (!event.shiftKey || !canZoom) stage.pointAt(drawing.targets.next(stage.pointedAt, key), 'key');
      else if (key !== 'Home' && key !== 'End') pan(key);
      else return false;
      return true;
    }
    switch (key) {
      case 'Enter':
        stage.act(stage.pointedAt);
        return true;
      case 'Escape':
        if (pointer.isDragging) pointer.cancel();
        else if (stage.pointedAt !== undefined) stage.pointAt(undefined, 'key');
        else if (drawing.clear) stage.perform(drawing.clear);
        return true;
      case '+':
      case '=':
      case '-':
        if (canZoom) zoomBy(key === '-' ? 1 / ZOOM_STEP : ZOOM_STEP);
        return canZoom;
      case '0':
        if (canZoom) zoom.reset();
        return canZoom;
      default:
        return false;
    }
  };
  /** Zooms around the target, or around the center without a target. */
  const zoomBy = (factor: number): void => {
    const { drawing, pointedAt } = stage;
    if (!drawing?.toData) return;
    const { left, top, width, height } = drawing.frame.box;
    const center = { x: left + width / 2, y: top + height / 2 };
    const { x, y } = pointedAt === undefined ? center : drawing.targets.anchor(pointedAt);
    zoom.zoom(factor, drawing.toData(x, y));
  };
  const pan = (key: ArrowKey): void => {
    const [dx, down] = arrowDirection(key);
    zoom.pan(dx * PAN_STEP, -down * PAN_STEP);
  };
  stage.root.addEventListener('keydown', event => {
    if (event.target !== stage.root || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
