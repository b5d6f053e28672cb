import { effect } from '@preact/signals';
import type { PlotOverlay, PlotOnPage } from '../../drawing/page/plotAddition';
import type { PlotColors } from '../../drawing/page/plotColors';
import { arrowDirection, isMoveKey, type PlotDrawing } from '../../drawing/page/plotDrawing';
import { textWidth } from '../../drawing/page/plotFrame';
import type { PlotStage } from '../../drawing/page/plotStage';
import { t } from '../../pages/page/l10n';
import { fill, svg } from '../../pages/page/widgets/element';
import type { CountedPopulation } from '../populationRequests';
import {
  distanceFrom,
  drawnGate,
  type GateAxes,
  type GateTool,
  type Handle,
  handlesOf,
  isWithin,
  middleGate,
  movedBy,
  outlineOf,
  type Pixel,
  withoutVertex,
} from './gateShapes';
import type { GatesModel, ShapeInPlot } from './gatesModel';
import { percent } from './gateWords';

/** Maximum distance in pixels at which the pointer hits an outline, and a handle. */
const NEAR_LINE = 5;
const NEAR_HANDLE = 7;
/** Pixels that the pointer moves before a press is a drag. */
const MIN_DRAG = 4;
/** Pixels that an arrow key moves a gate, without and with Shift. */
const STEP = 1;
const LARGE_STEP = 10;
const LABEL_HEIGHT = 14;

/** A shape on the screen. */
interface DrawnShape {
  shape: ShapeInPlot;
  outline: Pixel[];
  label: { left: number; right: number; top: number };
}

interface Gesture {
  pointer: number;
  from: Pixel;
  hasMoved: boolean;
  /** Set if it began inside the selected shape: a click then acts on the plot. */
  isInside?: boolean | undefined;
  /** The dragged shape as it was, and its handle; absent while drawing. */
  original?: { shape: ShapeInPlot; handle: Handle | undefined };
}

/**
 * Gates over a card's plot. Handles pointer and key events before the plot does, and stops those
 * that concern gates.
 */
export class GateOverlay implements PlotOverlay {
  private readonly group = svg('g', { class: 'gates' });
  private axes: GateAxes | undefined;
  private colors: PlotColors | undefined;
  private onScreen: readonly DrawnShape[] = [];
  private gesture: Gesture | undefined;
  /** The corners of a polygon that isn't closed yet, and where the pointer is. */
  private corners: Pixel[] = [];
  private pointer: Pixel | undefined;
  /** Whether arrow keys are moving the selected shape; ends when they are released. */
  private isMovedByKeys = false;
  private readonly listening = new AbortController();
  private readonly end: () => void;

  constructor(
    private readonly model: GatesModel,
    private readonly plot: PlotOnPage,
    private readonly stage: PlotStage,
    private readonly say: (words: string) => void,
  ) {
    const { root } = stage;
    const capturing = { signal: this.listening.signal, capture: true };
    const handleFirst = <K extends keyof HTMLElementEventMap>(
      type: K,
      handle: (event: HTMLElementEventMap[K]) => boolean,
    ) =>
      root.addEventListener(
        type,
        event => {
          if (!handle(event)) return;
          event.preventDefault();
          event.stopImmediatePropagation();
        },
        capturing,
      );
    handleFirst('pointerdown', event => this.press(event));
    handleFirst('pointermove', event => this.move(event));
    handleFirst('pointerup', event => this.release(event));
    handleFirst('dblclick', event => this.doubleClick(event));
    handleFirst('keydown', event => this.key(event));
    root.addEventListener('pointercancel', () => this.cancelGesture(), capturing);
    root.addEventListener('keyup', () => this.keyUp(), capturing);
    root.addEventListener('blur', () => this.keyUp(), capturing);
    this.end = effect(() => {
      if (this.tool === undefined) this.corners = [];
      root.classList.toggle('drawing-gate', this.tool !== undefined);
      this.paint();
    });
  }

  draw(drawing: PlotDrawing, colors: PlotColors): SVGElement {
    const { axes, frame } = drawing;
    this.axes = axes && { ...axes, box: frame.box };
    // The plot's type may have changed: other types have other tools.
    const { tool } = this;
    if (tool && (tool === 'interval') !== (axes?.y === undefined))
      this.model.chooseTool(this.plot, undefined);
    this.colors = colors;
    this.paint();
    return this.group;
  }

  dispose(): void {
    this.listening.abort();
    this.end();
    this.stage.root.classList.remove('drawing-gate', 'over-gate');
    if (this.model.draft.peek()?.plot === this.plot) this.model.cancel();
  }

  private get tool(): GateTool | undefined {
    const { value } = this.model.tool;
    return value?.plot === this.plot ? value.kind : undefined;
  }

  /** The selected shape, if it is in this plot. */
  private get selected(): DrawnShape | undefined {
    const selected = this.model.selected.peek();
    return this.movable.find(({ shape }) => shape.name === selected?.name && shape.part === selected.part);
  }

  /** The shapes that can be selected and moved. */
  private get movable(): readonly DrawnShape[] {
    return this.onScreen.filter(({ shape }) => !shape.isBand);
  }

  private handles(): Handle[] {
    const { selected, axes } = this;
    return selected && axes ? handlesOf(selected.shape.gate, axes) : [];
  }

  // What is drawn.

  private paint(): void {
    const { axes, colors, model } = this;
    // Reads the signals, so that their changes paint again.
    const [{ value: selection }, { value: draft }] = [model.selected, model.draft];
    void [model.all.value, model.populations.latest];
    if (!axes || !colors) return;
    const { left, top, width, height } = axes.box;
    const shapes = model.shapesOn(axes);
    const labels: DrawnShape['label'][] = [];
    this.onScreen = shapes.map(shape => {
      const outline = outlineOf(shape.gate, axes);
      const label = placedLabel(outline, labelWords(shape.name, shape.counted), axes, labels);
      labels.push(label);
      return { shape, outline, label };
    });
    const inBox = svg('svg', {
      x: left,
      y: top,
      width,
      height,
      viewBox: `${left} ${top} ${width} ${height}`,
      overflow: 'hidden',
    });
    const fills = model.colorsOn(colors.background);
    for (const { shape, outline } of this.onScreen) {
      const isSelected = shape.name === selection?.name && shape.part === selection.part;
      const isHighlighted = isSelected || (draft?.isNew === true && draft.population.name === shape.name);
      inBox.append(
        ...outlined(outline, shape, { isSelected: isHighlighted, color: fills[shape.listed] ?? '', colors }),
      );
    }
    for (const { shape, label } of this.onScreen)
      inBox.append(labelText(labelWords(shape.name, shape.counted), label, colors));
    if (this.corners.length > 0) inBox.append(this.openPolygon(colors));
    const handles = this.tool === undefined && draft?.isNaming !== true ? this.handles() : [];
    const marks = handles.map((handle, at) => handleMark(handle, at === selection?.handle, colors));
    fill(this.group, inBox, svg('g', { 'data-screen-only': true }, ...marks));
  }

  private openPolygon({ foreground, background }: PlotColors): SVGElement {
    const { corners, pointer } = this;
    const d = pathOf(pointer ? [...corners, pointer] : corners, false);
    const line = { d, fill: 'none', 'stroke-linejoin': 'round' };
    return svg(
      'g',
      { 'data-screen-only': true },
      svg('path', { ...line, stroke: background, 'stroke-width': 4 }),
      svg('path', { ...line, stroke: foreground, 'stroke-width': 1.75, 'stroke-dasharray': '4 3' }),
      ...corners.map(([cx, cy], at) =>
        svg('circle', {
          cx,
          cy,
          r: at === 0 ? 5 : 3,
          fill: background,
          stroke: foreground,
          'stroke-width': 1.5,
        }),
      ),
    );
  }

  // The pointer.

  private press(event: PointerEvent): boolean {
    const { axes, stage, model } = this;
    if (event.button !== 0 || !axes || stage.root.classList.contains('can-pan')) return false;
    const from = stage.positionOf(event);
    const { tool } = this;
    if (model.draft.peek()?.isNaming) return isInBox(from, axes);
    if (tool !== undefined) {
      if (!isInBox(from, axes)) return false;
      if (tool === 'polygon') this.addCorner(from);
      else this.begin(event, { from, hasMoved: false });
      return true;
    }
    const hit = this.hit(from);
    if (!hit) {
      model.select(undefined);
      return false;
    }
    const { shape, handle: index, isInside } = hit;
    const { name, part } = shape;
    const handle = index === undefined ? undefined : this.handles()[index];
    model.select({ name, part, handle: index });
    if (!isInside) this.announce(shape.name);
    this.begin(event, { from, hasMoved: false, isInside, original: { shape, handle } });
    return true;
  }

  private begin(event: PointerEvent, gesture: Omit<Gesture, 'pointer'>): void {
    this.gesture = { pointer: event.pointerId, ...gesture };
    this.stage.root.setPointerCapture(event.pointerId);
    this.stage.pointAt(undefined, 'pointer');
  }

  private move(event: PointerEvent): boolean {
    const { gesture, stage } = this;
    const at = stage.positionOf(event);
    if (gesture && event.buttons === 0) this.cancelGesture();
    else if (gesture) {
      this.dragTo(gesture, at);
      return true;
    }
    if (this.corners.length > 0) {
      this.pointer = at;
      this.paint();
      return true;
    }
    const isOver = this.tool === undefined && this.hit(at, true) !== undefined;
    stage.root.classList.toggle('over-gate', isOver);
    if (isOver) stage.pointAt(undefined, 'pointer');
    return isOver || this.tool !== undefined;
  }

  private dragTo(gesture: Gesture, at: Pixel): void {
    const { axes, model, plot, tool } = this;
    if (!axes) return;
    const [dx, dy] = [at[0] - gesture.from[0], at[1] - gesture.from[1]];
    gesture.hasMoved ||= Math.hypot(dx, dy) >= MIN_DRAG;
    if (!gesture.hasMoved) return;
    if (gesture.original) {
      const { shape, handle } = gesture.original;
      const moved = handle
        ? handle.movedTo([handle.pixel[0] + dx, handle.pixel[1] + dy])
        : movedBy(shape.gate, axes, [dx, dy]);
      model.change(plot, shape, moved);
      return;
    }
    const gate = tool && drawnGate(tool, axes, [gesture.from, nearestInBox(at, axes)]);
    if (gate) model.draw(plot, gate);
  }

  private release(event: PointerEvent): boolean {
    const { gesture, model, stage } = this;
    if (!gesture || event.pointerId !== gesture.pointer) return this.corners.length > 0;
    this.gesture = undefined;
    if (gesture.original) {
      const { shape, handle } = gesture.original;
      if (handle?.kind === 'between') model.select({ name: shape.name, part: shape.part });
      model.store();
      if (gesture.hasMoved) this.sayFrozen(shape);
      if (!gesture.hasMoved && gesture.isInside)
        stage.act(stage.drawing?.targets.targetAt(...stage.positionOf(event)));
    } else if (model.draft.peek()?.plot === this.plot) model.finishDrawing();
    return true;
  }

  private cancelGesture(): void {
    if (!this.gesture) return;
    this.gesture = undefined;
    this.model.cancel();
  }

  private doubleClick(event: MouseEvent): boolean {
    if (this.tool === 'polygon') {
      this.closePolygon();
      return true;
    }
    return this.tool !== undefined || this.hit(this.stage.positionOf(event), true) !== undefined;
  }

  private addCorner(at: Pixel): void {
    const [first] = this.corners;
    const last = this.corners.at(-1);
    const isNear = (other: Pixel | undefined, reach: number) =>
      other !== undefined && Math.hypot(at[0] - other[0], at[1] - other[1]) <= reach;
    if (this.corners.length >= 3 && isNear(first, NEAR_HANDLE)) this.closePolygon();
    else if (!isNear(last, MIN_DRAG)) {
      this.corners = [...this.corners, at];
      this.drawCorners();
    }
  }

  /** Shows an open polygon; from three corners on it is a gate whose rows are counted. */
  private drawCorners(): void {
    const { axes, corners, model, plot } = this;
    const gate = axes && drawnGate('polygon', axes, corners);
    if (gate) model.draw(plot, gate);
    else model.cancel();
    this.paint();
  }

  private closePolygon(): void {
    if (this.corners.length < 3) return;
    this.corners = [];
    this.pointer = undefined;
    this.model.finishDrawing();
  }

  /** What a pixel hits. `isLine`: ignores the inside of the selected shape. */
  private hit(
    pixel: Pixel,
    isLine = false,
  ): { shape: ShapeInPlot; handle?: number; isInside?: boolean } | undefined {
    const { axes, selected } = this;
    if (!axes) return undefined;
    if (selected) {
      const near = this.handles()
        .map(({ pixel: [x, y], kind }, index) => ({
          index,
          isBetween: kind === 'between',
          distance: Math.hypot(x - pixel[0], y - pixel[1]),
        }))
        .filter(({ distance }) => distance <= NEAR_HANDLE)
        .sort((a, b) => Number(a.isBetween) - Number(b.isBetween) || a.distance - b.distance);
      if (near[0]) return { shape: selected.shape, handle: near[0].index };
    }
    if (!isInBox(pixel, axes)) return undefined;
    // The last, because shapes are drawn above earlier ones.
    const onLine = this.movable.findLast(
      ({ outline, label }) =>
        distanceFrom(outline, pixel) <= NEAR_LINE ||
        (pixel[0] >= label.left &&
          pixel[0] <= label.right &&
          pixel[1] >= label.top &&
          pixel[1] <= label.top + LABEL_HEIGHT),
    );
    if (onLine) return { shape: onLine.shape };
    if (selected && !isLine && isWithin(selected.outline, pixel))
      return { shape: selected.shape, isInside: true };
    return undefined;
  }

  // Keys.

  private key(event: KeyboardEvent): boolean {
    if (event.target !== this.stage.root || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (!this.axes || this.model.draft.peek()?.isNaming) return false;
    const { key, shiftKey } = event;
    if (key === 'g' || key === 'G') return this.selectNext(shiftKey ? -1 : 1);
    return this.tool === undefined ? this.keyOfSelected(event) : this.keyOfTool(key, this.tool);
  }

  private keyOfTool(key: string, tool: GateTool): boolean {
    const { model, axes, plot } = this;
    switch (key) {
      case 'Escape':
        if (this.gesture) this.cancelGesture();
        else model.chooseTool(plot, undefined);
        return true;
      case 'Backspace':
        this.corners = this.corners.slice(0, -1);
        this.drawCorners();
        return true;
      case 'Enter': {
        if (this.corners.length > 0) {
          this.closePolygon();
          return true;
        }
        const gate = axes && middleGate(tool, axes);
        if (!gate) return false;
        model.draw(plot, gate);
        model.finishDrawing();
        return true;
      }
      default:
        return false;
    }
  }

  private keyOfSelected(event: KeyboardEvent): boolean {
    const { model, selected, axes } = this;
    const { key, shiftKey } = event;
    const selection = model.selected.peek();
    if (!selected || !selection || !axes) return false;
    if (isMoveKey(key) && key !== 'Home' && key !== 'End') {
      const [dx, dy] = arrowDirection(key);
      const step = shiftKey ? LARGE_STEP : STEP;
      this.moveByKeys(selected.shape, selection.handle, [dx * step, dy * step], axes);
      return true;
    }
    switch (key) {
      case 'h':
      case 'H':
        this.selectHandle(selection.handle, shiftKey ? -1 : 1);
        return true;
      case 'Delete':
      case 'Backspace': {
        const { handle } = selection;
        const withoutCorner = handle === undefined ? undefined : withoutVertex(selected.shape.gate, handle);
        if (!withoutCorner) model.remove(selection.name);
        else {
          model.change(this.plot, selection, withoutCorner);
          model.store();
          model.select({ name: selection.name, part: selection.part });
        }
        return true;
      }
      case 'Escape':
        if (this.gesture) this.cancelGesture();
        else if (this.isMovedByKeys) {
          this.isMovedByKeys = false;
          model.cancel();
        } else if (selection.handle === undefined) model.select(undefined);
        else model.select({ name: selection.name, part: selection.part });
        return true;
      default:
        return false;
    }
  }

  private moveByKeys(shape: ShapeInPlot, handle: number | undefined, by: Pixel, axes: GateAxes): void {
    const { model, plot } = this;
    const grip = handle === undefined ? undefined : this.handles()[handle];
    const moved = grip
      ? grip.movedTo([grip.pixel[0] + by[0], grip.pixel[1] + by[1]])
      : movedBy(shape.gate, axes, by);
    this.isMovedByKeys = true;
    model.change(plot, shape, moved);
    // Moving the middle of a line has turned it into a corner: select that one.
    if (grip?.kind === 'between' && shape.gate.kind === 'polygon' && handle !== undefined)
      model.select({ name: shape.name, part: shape.part, handle: handle - shape.gate.points.length + 1 });
  }

  /** Stores all moves by keys until their release as one step for undo. */
  private keyUp(): void {
    if (!this.isMovedByKeys) return;
    this.isMovedByKeys = false;
    const { selected } = this;
    this.model.store();
    if (selected) this.sayFrozen(selected.shape);
  }

  private sayFrozen({ gate, name }: ShapeInPlot): void {
    if ('frozen' in gate) this.say(t('The threshold of {0} is frozen.', name));
  }

  private selectNext(by: 1 | -1): boolean {
    const { movable, selected, model } = this;
    if (movable.length === 0) return false;
    const at = selected ? movable.indexOf(selected) + by : by > 0 ? 0 : -1;
    const next = movable.at(at % movable.length);
    if (next) {
      model.select({ name: next.shape.name, part: next.shape.part });
      this.announce(next.shape.name);
    }
    return true;
  }

  private selectHandle(from: number | undefined, by: 1 | -1): void {
    const { model } = this;
    const handles = this.handles();
    const selection = model.selected.peek();
    if (!selection || handles.length === 0) return;
    const at =
      from === undefined ? (by > 0 ? 0 : handles.length - 1) : (from + by + handles.length) % handles.length;
    model.select({ ...selection, handle: at });
    this.say(t('Handle {0} of {1}', at + 1, handles.length));
  }

  /** Tells screen readers a population's counts. */
  private announce(name: string): void {
    const counted = this.model.countedOf(name);
    this.say(
      counted
        ? t('{0}: {1} rows, {2}', name, counted.count, percent(counted.count, counted.parentCount))
        : name,
    );
  }
}

/** The line around a shape, with a halo in the background color. */
function outlined(
  outline: readonly Pixel[],
  shape: ShapeInPlot,
  { isSelected, color, colors: { background } }: { isSelected: boolean; color: string; colors: PlotColors },
): SVGElement[] {
  const line = { d: pathOf(outline, true), fill: 'none', 'stroke-linejoin': 'round' };
  const isThreshold = shape.isBand === true || 'frozen' in shape.gate;
  return [
    svg('path', { ...line, stroke: background, 'stroke-opacity': 0.8, 'stroke-width': isSelected ? 5 : 4 }),
    svg('path', {
      ...line,
      fill: color,
      'fill-opacity': isSelected ? 0.1 : 0.04,
      stroke: color,
      'stroke-width': isSelected ? 2.5 : 1.75,
      ...(isThreshold && { 'stroke-dasharray': '6 3' }),
    }),
  ];
}

function isInBox([x, y]: Pixel, { box: { left, top, width, height } }: GateAxes): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** The nearest pixel inside the plot. */
function nearestInBox([x, y]: Pixel, { box: { left, top, width, height } }: GateAxes): Pixel {
  return [Math.max(left, Math.min(left + width, x)), Math.max(top, Math.min(top + height, y))];
}

function pathOf(points: readonly Pixel[], isClosed: boolean): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${isClosed ? 'z' : ''}`;
}

function labelWords(name: string, counted: CountedPopulation | undefined): string {
  return counted && !counted.problem ? `${name} ${percent(counted.count, counted.parentCount)}` : name;
}

/** Where to put a shape's label: above it if there is room, inside the plot, below other labels. */
function placedLabel(
  outline: readonly Pixel[],
  words: string,
  { box }: GateAxes,
  labels: readonly DrawnShape['label'][],
): DrawnShape['label'] {
  const width = textWidth(words) * 1.1;
  const ends = (axis: 0 | 1, from: number, size: number): [number, number] => {
    const all = outline.map(pixel => Math.max(from, Math.min(from + size, pixel[axis])));
    return [Math.min(...all), Math.max(...all)];
  };
  const [leftmost, rightmost] = ends(0, box.left, box.width);
  const [highest] = ends(1, box.top, box.height);
  const centered = (leftmost + rightmost - width) / 2;
  const left = Math.max(box.left + 2, Math.min(box.left + box.width - width - 2, centered));
  const lowest = box.top + box.height - LABEL_HEIGHT;
  let top = Math.max(box.top + 1, Math.min(lowest, highest - LABEL_HEIGHT - 2));
  const isTaken = () =>
    labels.some(
      other => other.left < left + width && other.right > left && Math.abs(other.top - top) < LABEL_HEIGHT,
    );
  while (isTaken() && top + LABEL_HEIGHT <= lowest) top += LABEL_HEIGHT;
  return { left, right: left + width, top };
}

function labelText(
  words: string,
  { left, top }: DrawnShape['label'],
  { background, foreground }: PlotColors,
): SVGElement {
  return svg(
    'text',
    {
      x: left,
      y: top + LABEL_HEIGHT - 3,
      fill: foreground,
      'font-weight': 600,
      stroke: background,
      'stroke-width': 3,
      'stroke-linejoin': 'round',
      'paint-order': 'stroke',
    },
    words,
  );
}

function handleMark({ pixel: [x, y], kind }: Handle, isSelected: boolean, colors: PlotColors): SVGElement {
  const size = kind === 'between' ? 2.5 : 4;
  return svg('rect', {
    class: 'gate-handle',
    x: x - size,
    y: y - size,
    width: 2 * size,
    height: 2 * size,
    rx: kind === 'axis' || kind === 'between' ? size : 1,
    fill: isSelected ? colors.foreground : colors.background,
    stroke: colors.foreground,
    'stroke-width': 1.5,
  });
}
