import { fill } from '../../widgets/element';
import { FrameQueue } from '../../widgets/frameQueue';
import { svg } from '../../widgets/svg';
import type { PlotStage } from './plotStage';

/** Pixels the pointer moves before a press counts as a drag. */
const MIN_DRAG = 4;
/** Pixels between two corners of a lasso. */
const STEP = 4;
/** How much a turn of the wheel zooms, per pixel that it would scroll. */
const WHEEL = 0.002;
const LINE_HEIGHT = 16;
const MAX_TURN = 240;

/** What of a plot's plane is shown, and how the pointer changes it. */
export interface PointerZoom {
  /** Zooms by a factor (below 1 in) around a place; false where it already shows all. */
  zoom: (factor: number, x: number, y: number) => boolean;
  /** Moves by pixels. */
  pan: (dx: number, dy: number) => void;
  /** All, or closer to what the filters leave. */
  reset: () => void;
}

interface Drag {
  pointer: number;
  isPan: boolean;
  moved: boolean;
  path: [number, number][];
}

/**
 * What the mouse does in a plot: hovering tells, a click selects or filters, a drag draws around points or over bars, the
 * wheel zooms, the middle button or Space with a drag pans, a double click shows all.
 */
export class PlotPointer {
  private drag: Drag | undefined;
  private isSpaceDown = false;
  private last: PointerEvent | undefined;
  private readonly hovering = new FrameQueue(() => this.hover());

  constructor(
    private readonly stage: PlotStage,
    private readonly zoom: PointerZoom,
    private readonly color: () => string,
  ) {
    const { root } = stage;
    root.addEventListener('pointerdown', event => this.press(event));
    root.addEventListener('pointermove', event => this.move(event));
    root.addEventListener('pointerup', event => this.release(event));
    root.addEventListener('pointercancel', () => this.cancel());
    root.addEventListener('dblclick', () => this.zoom.reset());
    root.addEventListener('wheel', event => this.turn(event), { passive: false });
    // The middle button scrolls the page otherwise.
    root.addEventListener('mousedown', event => event.button === 1 && event.preventDefault());
    root.addEventListener('pointerenter', () => addEventListener('keydown', this.spaceKey, true));
    root.addEventListener('pointerleave', () => {
      this.last = undefined;
      removeEventListener('keydown', this.spaceKey, true);
      this.stage.pointAt(undefined, 'pointer');
    });
  }

  get isDragging(): boolean {
    return this.drag !== undefined;
  }

  /** Forgets a drag, as on Escape. */
  cancel(): void {
    this.drag = undefined;
    this.stage.root.classList.remove('panning');
    fill(this.stage.sketch);
  }

  dispose(): void {
    removeEventListener('keydown', this.spaceKey, true);
    removeEventListener('keyup', this.spaceUp, true);
  }

  /** Space pans with a drag while it is held, unless it is typed into a box or presses a button. */
  private readonly spaceKey = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.key !== ' ' || (target instanceof Element && target.closest('input, select, textarea, button')))
      return;
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
    if (event.button > 1 || !this.stage.drawing) return;
    const isPan = event.button === 1 || this.isSpaceDown;
    this.drag = { pointer: event.pointerId, isPan, moved: false, path: [this.stage.placeOf(event)] };
  }

  private move(event: PointerEvent): void {
    const { drag, stage } = this;
    if (!drag || event.pointerId !== drag.pointer) {
      this.last = event;
      this.hovering.schedule();
      return;
    }
    const [x, y] = stage.placeOf(event);
    const [fromX, fromY] = drag.path[drag.isPan ? 0 : drag.path.length - 1] ?? [x, y];
    const far = Math.hypot(x - fromX, y - fromY);
    if (!drag.moved) {
      if (far < MIN_DRAG) return;
      drag.moved = true;
      stage.root.setPointerCapture(event.pointerId);
      stage.pointAt(undefined, 'pointer');
      stage.root.classList.toggle('panning', drag.isPan);
    }
    if (drag.isPan) {
      this.zoom.pan(x - fromX, y - fromY);
      drag.path = [[x, y]];
    } else if (far >= STEP) {
      drag.path.push([x, y]);
      this.draw(drag);
    }
  }

  private draw({ path }: Drag): void {
    const { drawing, sketch } = this.stage;
    if (!drawing?.drag) return;
    const color = this.color();
    const look = { fill: color, 'fill-opacity': 0.08, stroke: color, 'stroke-dasharray': '4 3' };
    if (drawing.drag.shape === 'lasso') {
      const d = `M${path.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}z`;
      fill(sketch, svg('path', { ...look, d }));
      return;
    }
    const { top, height } = drawing.frame.box;
    const [from, to] = drawing.drag.snap(path[0]?.[0] ?? 0, path.at(-1)?.[0] ?? 0);
    fill(sketch, svg('rect', { ...look, x: from, y: top, width: to - from, height }));
  }

  private release(event: PointerEvent): void {
    const { drag, stage } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.cancel();
    if (drag.isPan) return;
    const { drawing } = stage;
    if (!drag.moved) {
      stage.act(drawing?.targets.at(...stage.placeOf(event)));
      return;
    }
    const { path } = drag;
    if (drawing?.drag?.shape === 'lasso' && path.length >= 3) stage.perform(drawing.drag.done(path));
    if (drawing?.drag?.shape === 'span')
      stage.perform(drawing.drag.done(path[0]?.[0] ?? 0, path.at(-1)?.[0] ?? 0));
  }

  private hover(): void {
    const { last, stage } = this;
    if (!last || this.drag?.moved) return;
    const [x, y] = stage.placeOf(last);
    const target = stage.drawing?.targets.at(x, y);
    stage.root.classList.toggle('can-click', target !== undefined && stage.canAct(target));
    stage.pointAt(target, 'pointer');
  }

  private turn(event: WheelEvent): void {
    const { drawing } = this.stage;
    if (!drawing?.toData || event.shiftKey) return;
    const [x, y] = this.stage.placeOf(event);
    const { left, top, width, height } = drawing.frame.box;
    if (x < left || y < top || x > left + width || y > top + height) return;
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_HEIGHT;
    const turn = Math.max(-MAX_TURN, Math.min(MAX_TURN, pixels));
    // Where all is shown already, the wheel scrolls the list of plots.
    if (this.zoom.zoom(Math.exp(turn * WHEEL * (event.ctrlKey ? 5 : 1)), x, y)) event.preventDefault();
  }
}
