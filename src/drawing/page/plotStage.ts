import { element, fill, svg } from '../../pages/page/widgets/element';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { paintPoints } from './paintPoints';
import type { RowNames } from './plotCaches';
import type { PlotActions } from './plottedTable';
import type { PlotAction, PlotDrawing, PlotTargets, TipLine } from './plotDrawing';

/** The reason why a target is highlighted. A redraw highlights the same target again. */
type Cause = 'pointer' | 'key' | 'redraw';

/**
 * A plot on screen in layers: the drawing, a canvas of points, and an overlay of marks for pointer,
 * keys and selection. The overlay isn't saved.
 */
export class PlotStage {
  private readonly canvas = element('canvas', { class: 'plot-points' });
  private readonly overlay = svg('svg', { class: 'plot-overlay', 'aria-hidden': 'true' });
  private readonly pointed = svg('g');
  private readonly hovered = svg('g');
  private readonly marked = svg('g');
  /** The line or span drawn by dragging. */
  readonly sketch = svg('g');
  private readonly tip = new PlotTip();
  private readonly painting = new FrameQueue(() => this.paint());
  private shown: PlotDrawing | undefined;
  private target: number | undefined;
  private hoveredRow: number | null = null;
  private nameRequest = new AbortController();

  constructor(
    readonly root: HTMLElement,
    private readonly actions: PlotActions,
    private readonly names: Pick<RowNames, 'cached' | 'load'>,
  ) {
    root.addEventListener('blur', () => this.pointAt(undefined, 'pointer'));
  }

  get drawing(): PlotDrawing | undefined {
    return this.shown;
  }

  get pointedAt(): number | undefined {
    return this.target;
  }

  /** Shows another drawing. The highlighted target is highlighted again if it still exists. */
  show(drawing: PlotDrawing): void {
    const { target, shown: before } = this;
    this.shown = drawing;
    const { root: image } = drawing.frame;
    const [width, height] = [image.width.baseVal.value, image.height.baseVal.value];
    this.overlay.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.overlay.setAttribute('width', String(width));
    this.overlay.setAttribute('height', String(height));
    fill(this.overlay, drawing.overlay, ...[this.marked, this.hovered, this.pointed, this.sketch]);
    this.canvas.hidden = !drawing.layers;
    this.root.setAttribute('aria-label', drawing.title);
    fill(this.root, image, this.canvas, this.overlay, this.tip.root);
    this.painting.schedule();
    this.showHovered(this.hoveredRow);
    if (target === undefined) return;
    const newTarget = before && sameTarget(target, before.targets, drawing.targets);
    if (newTarget === undefined) this.clear();
    else {
      const isSameRow = before?.targets.rowOf?.(target) === drawing.targets.rowOf?.(newTarget);
      this.pointTo(newTarget, isSameRow ? 'redraw' : 'pointer');
    }
  }

  /** The position of a pointer event in pixels of the drawing. */
  positionOf({ clientX, clientY }: { clientX: number; clientY: number }): [x: number, y: number] {
    const { left, top, width } = this.overlay.getBoundingClientRect();
    const scale = width / (this.overlay.width.baseVal.value || 1) || 1;
    return [(clientX - left) / scale, (clientY - top) / scale];
  }

  /** Highlights a target, or none. A target reached by a key is announced to screen readers. */
  pointAt(target: number | undefined, cause: Cause): void {
    if (target === this.target) return;
    if (target === undefined) this.clear();
    else this.pointTo(target, cause);
  }

  /** Executes the action of a target. */
  act(target: number | undefined, adds = false): void {
    const action = target === undefined ? undefined : this.shown?.targets.action(target);
    if (action) this.perform(action, adds);
  }

  canAct(target: number): boolean {
    return this.shown?.targets.action(target) !== undefined;
  }

  perform(action: PlotAction, adds = false): void {
    this.actions.act(action, adds);
  }

  /** Outlines the row under the pointer in the table or on the masks. */
  showHovered(row: number | null): void {
    this.hoveredRow = row;
    const { targets } = this.shown ?? {};
    const target = row === null ? undefined : targets?.targetOfRow?.(row);
    if (targets && target !== undefined && target !== this.target)
      fill(this.hovered, targets.outline(target));
    else fill(this.hovered);
  }

  /** Shows the mark of the selected row, or none. */
  showMark(mark: SVGElement | undefined): void {
    fill(this.marked, mark);
  }

  dispose(): void {
    this.nameRequest.abort();
  }

  private pointTo(target: number, cause: Cause): void {
    const { shown, actions } = this;
    if (!shown) return;
    const { targets } = shown;
    this.target = target;
    fill(this.pointed, targets.outline(target));
    fill(this.hovered);
    // A plot that is larger than its place scrolls.
    if (cause === 'key')
      this.pointed.firstElementChild?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const row = targets.rowOf?.(target);
    if (cause !== 'redraw') actions.hover(row ?? null);
    this.showTip(target, row, cause);
  }

  /** Shows the tooltip of a target: first without the name of its row, then with it. */
  private showTip(target: number, row: number | undefined, cause: Cause): void {
    const { names, actions, shown } = this;
    const { targets } = shown ?? {};
    if (!targets) return;
    this.nameRequest.abort();
    const { signal } = (this.nameRequest = new AbortController());
    const lines = targets.tip(target);
    const show = (allLines: readonly TipLine[]) => {
      const { clientWidth: width, clientHeight: height } = this.root;
      this.tip.show(allLines, targets.anchor(target), { width, height });
    };
    const showNamed = (name: readonly TipLine[]) => {
      const allLines = [...name, ...lines];
      show(allLines);
      if (cause === 'key') actions.say(spokenTip(allLines));
    };
    const name = row === undefined ? [] : names.cached(row);
    if (row === undefined || name) {
      showNamed(name ?? []);
      return;
    }
    show(lines);
    names.load(row, signal).then(
      loaded => !signal.aborted && showNamed(loaded),
      // Without a name, the numbers are shown alone.
      () => !signal.aborted && showNamed([]),
    );
  }

  private clear(): void {
    this.target = undefined;
    this.nameRequest.abort();
    fill(this.pointed);
    this.tip.hide();
    this.actions.hover(null);
    this.showHovered(this.hoveredRow);
  }

  private paint(): void {
    const { layers, frame } = this.shown ?? {};
    if (!layers || !frame) return;
    const { width, height } = frame.root.viewBox.baseVal;
    const scale = devicePixelRatio;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext('2d');
    if (context) paintPoints(context, layers, frame.box, scale);
  }
}

/**
 * The target in a new drawing for the same row, bar or group. If counted rows become single marks,
 * the mark nearest to the previous target.
 */
function sameTarget(target: number, before: PlotTargets, after: PlotTargets): number | undefined {
  const row = before.rowOf?.(target);
  const targetOfRow = row === undefined ? undefined : after.targetOfRow?.(row);
  if (targetOfRow !== undefined) return targetOfRow;
  const area = before.areaOf?.(target);
  if (area) return after.targetIn?.(area);
  const action = before.action(target);
  return action && after.targetOf?.(action);
}

/** Distance in pixels between a tooltip and its anchor. */
const GAP = 14;

/** A tooltip beside its target, within the plot and not under the pointer. */
class PlotTip {
  readonly root = element('div', { class: 'plot-tip', 'aria-hidden': 'true', hidden: true });

  show(
    lines: readonly TipLine[],
    anchor: { x: number; y: number },
    room: { width: number; height: number },
  ): void {
    fill(this.root, ...lines.map(lineElement));
    this.root.hidden = lines.length === 0;
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const fitsRight = anchor.x + GAP + width <= room.width;
    const fitsLeft = anchor.x - GAP - width >= 0;
    const clamp = (value: number, max: number) => Math.max(0, Math.min(max, value));
    if (fitsRight || fitsLeft) {
      this.root.style.left = `${fitsRight ? anchor.x + GAP : anchor.x - GAP - width}px`;
      this.root.style.top = `${clamp(anchor.y - height / 2, room.height - height)}px`;
      return;
    }
    // Without space on either side it is above, or else below.
    this.root.style.left = `${clamp(anchor.x - width / 2, room.width - width)}px`;
    this.root.style.top = `${anchor.y - GAP - height >= 0 ? anchor.y - GAP - height : anchor.y + GAP}px`;
  }

  hide(): void {
    this.root.hidden = true;
  }
}

/** The lines of a tooltip in one sentence, for screen readers. */
function spokenTip(lines: readonly TipLine[]): string {
  return lines.map(({ label, value }) => (value === undefined ? label : `${label} ${value}`)).join(', ');
}

function lineElement({ label, value, color }: TipLine): HTMLElement {
  if (value === undefined) return element('div', { class: 'tip-title' }, label);
  const dot = color !== undefined && element('span', { class: 'tip-dot' });
  if (dot) dot.style.background = color;
  return element(
    'div',
    { class: 'tip-line' },
    element('span', { class: 'tip-label' }, label),
    element('span', { class: 'tip-value' }, dot, value),
  );
}
