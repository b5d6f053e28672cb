import { element, fill } from '../../widgets/element';
import { FrameQueue } from '../../widgets/frameQueue';
import { svg } from '../../widgets/svg';
import type { PlotAction, PlotDrawing, TipLine } from '../plotDrawing';
import { paintPoints, svgOfPoints } from '../pointLayers';
import { PlotTip, spokenTip } from './plotTip';
import type { RowNames } from '../rowNames';

export interface PlotStageParts {
  /** What screen readers call a plot. */
  role: string;
  names: RowNames;
  /** The row pointed at, or none. */
  onHover: (row: number | null) => void;
  onAction: (action: PlotAction) => void;
  say: (words: string) => void;
}

type Cause = 'pointer' | 'key';

/**
 * A plot on the screen, in layers: the drawing, above it a canvas where it has points, and above that what comes and goes
 * with the pointer and the keys. Only the first two are saved.
 */
export class PlotStage {
  readonly root: HTMLElement;
  private readonly canvas = element('canvas', { class: 'plot-points' });
  private readonly overlay = svg('svg', { class: 'plot-overlay', 'aria-hidden': 'true' });
  private readonly pointed = svg('g');
  private readonly linked = svg('g');
  private readonly marked = svg('g');
  /** What a drag draws. */
  readonly sketch = svg('g');
  private readonly tip = new PlotTip();
  private readonly painting = new FrameQueue(() => this.paint());
  private shown: PlotDrawing | undefined;
  private target: number | undefined;
  private linkedRow: number | null = null;
  private naming = new AbortController();

  constructor(private readonly parts: PlotStageParts) {
    this.overlay.append(this.marked, this.linked, this.pointed, this.sketch);
    this.root = element('div', {
      class: 'plot-stage',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': parts.role,
    });
    this.root.addEventListener('blur', () => this.pointAt(undefined, 'pointer'));
  }

  get drawing(): PlotDrawing | undefined {
    return this.shown;
  }

  get pointedAt(): number | undefined {
    return this.target;
  }

  /** Shows another drawing. What is pointed at stays so if it is still there. */
  show(drawing: PlotDrawing): void {
    const { target } = this;
    const row = target === undefined ? undefined : this.shown?.targets.rowOf?.(target);
    this.shown = drawing;
    const { root: picture } = drawing.frame;
    const [width, height] = [picture.width.baseVal.value, picture.height.baseVal.value];
    this.overlay.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.overlay.setAttribute('width', String(width));
    this.overlay.setAttribute('height', String(height));
    this.canvas.hidden = !drawing.layers;
    this.root.setAttribute('aria-label', drawing.title);
    fill(this.root, picture, this.canvas, this.overlay, this.tip.root);
    this.painting.schedule();
    this.link(this.linkedRow);
    if (target === undefined) return;
    const kept = row === undefined ? undefined : drawing.targets.ofRow?.(row);
    if (kept === undefined) this.clear();
    else this.outline(kept);
  }

  /** The target at a place of the window, in pixels of the drawing. */
  placeOf({ clientX, clientY }: { clientX: number; clientY: number }): [x: number, y: number] {
    const { left, top, width } = this.overlay.getBoundingClientRect();
    const scale = width / (this.overlay.width.baseVal.value || 1) || 1;
    return [(clientX - left) / scale, (clientY - top) / scale];
  }

  /** Points at a target, or at none. Moved to by a key, it is read out. */
  pointAt(target: number | undefined, by: Cause): void {
    if (target === undefined) {
      if (this.target !== undefined) this.clear();
      return;
    }
    if (target === this.target) return;
    this.outline(target, by);
  }

  act(target: number | undefined): void {
    const action = target === undefined ? undefined : this.shown?.targets.action(target);
    if (action) this.parts.onAction(action);
  }

  canAct(target: number): boolean {
    return this.shown?.targets.action(target) !== undefined;
  }

  perform(action: PlotAction): void {
    this.parts.onAction(action);
  }

  /** Outlines a row that the pointer is over elsewhere. */
  link(row: number | null): void {
    this.linkedRow = row;
    const { targets } = this.shown ?? {};
    const target = row === null ? undefined : targets?.ofRow?.(row);
    if (targets && target !== undefined && target !== this.target) fill(this.linked, targets.outline(target));
    else fill(this.linked);
  }

  /** Marks the selected row, or none. */
  mark(mark: SVGElement | undefined): void {
    fill(this.marked, mark);
  }

  /** The drawing as it is shown, without what is pointed at or selected. */
  picture(): SVGSVGElement | undefined {
    if (!this.shown) return undefined;
    const { frame, layers } = this.shown;
    const copy = frame.root.cloneNode(true) as SVGSVGElement;
    if (layers) copy.append(svgOfPoints(layers, frame.box));
    return copy;
  }

  dispose(): void {
    this.naming.abort();
  }

  private outline(target: number, by?: Cause): void {
    const { shown, parts } = this;
    if (!shown) return;
    this.target = target;
    this.naming.abort();
    const { signal } = (this.naming = new AbortController());
    const { targets } = shown;
    fill(this.pointed, targets.outline(target));
    fill(this.linked);
    const row = targets.rowOf?.(target);
    const lines = targets.tip(target);
    const known = row === undefined ? [] : parts.names.known(row);
    const tell = (names: readonly TipLine[]) => {
      const all = [...names, ...lines];
      const { clientWidth: width, clientHeight: height } = this.root;
      this.tip.show(all, targets.place(target), { width, height });
      if (by === 'key') parts.say(spokenTip(all));
    };
    if (by) parts.onHover(row ?? null);
    if (known) {
      tell(known);
      return;
    }
    if (row === undefined) return;
    this.tip.show(lines, targets.place(target), {
      width: this.root.clientWidth,
      height: this.root.clientHeight,
    });
    parts.names.load(row, signal).then(
      names => !signal.aborted && tell(names),
      // Without a name the numbers are still there.
      () => !signal.aborted && tell([]),
    );
  }

  private clear(): void {
    this.target = undefined;
    this.naming.abort();
    fill(this.pointed);
    this.tip.hide();
    this.parts.onHover(null);
    this.link(this.linkedRow);
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
