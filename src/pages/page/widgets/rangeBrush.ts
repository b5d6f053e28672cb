import {
  barsPath,
  binEnds,
  binsExtent,
  binsOf,
  type BrushRange,
  type ColumnHistogram,
  rangeOfBins,
} from './columnHistogram';
import { element, svg } from './element';

/** Pixels that the pointer moves before a press becomes a drag. */
const MIN_DRAG = 3;
/** Pixels at the edges that select the first and last bin, which may be too thin to hit. */
const EDGE = 2;
/** Bins that Page Up and Page Down move an end. */
const PAGE_BINS = 8;

interface RangeBrushOptions {
  width: number;
  height: number;
  /** Names of the ends for screen readers; without them the brush only works with the mouse. */
  ends?: { low: string; high: string };
  /**
   * Formats a value between `low` and `high`, for the ends below the bars and for screen readers.
   */
  read: (value: number, low: number, high: number) => string;
  /** The tooltip of a bin: its ends, and its number of visible rows. */
  describe?: (low: number, high: number, count: number) => string;
  /** The user selected a range, or everything (null). `final`: whether the drag has ended. */
  onChange: (range: BrushRange | null, final: boolean) => void;
}

/** A column's histogram where users select a range: with the mouse, or with sliders and keys. */
export class RangeBrush {
  readonly root: HTMLElement;
  private readonly allBars = svg('path', { class: 'bars-all' });
  private readonly shownBars = svg('path', { class: 'bars-shown' });
  private readonly span = svg('rect', { class: 'brush-span', y: 0 });
  private readonly zero = svg('path', { class: 'zero-mark' });
  private readonly lowEnd = element('span', { class: 'brush-end' });
  private readonly highEnd = element('span', { class: 'brush-end' });
  private readonly thumbs: HTMLElement[];
  private describedBin = -1;
  private data: ColumnHistogram | undefined;
  private range: BrushRange | null = null;
  /** `before`: the range to restore if the drag is canceled. */
  private drag: { from: number; moved: boolean; pointer: number; before: BrushRange | null } | undefined;

  constructor(private readonly options: RangeBrushOptions) {
    const { width, height, ends } = options;
    const drawing = svg(
      'svg',
      {
        class: 'brush-bars',
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      },
      this.allBars,
      this.shownBars,
      this.span,
      this.zero,
    );
    this.span.setAttribute('height', String(height));
    this.thumbs = ends ? [this.thumb(ends.low, 0), this.thumb(ends.high, 1)] : [];
    drawing.style.height = `${height}px`;
    const labels = element('div', { class: 'brush-ends' }, this.lowEnd, this.highEnd);
    this.root = element('div', { class: 'range-brush' }, drawing, ...this.thumbs, labels);
    this.root.addEventListener('pointerdown', event => this.press(event));
    this.root.addEventListener('pointermove', event => this.move(event));
    this.root.addEventListener('pointerup', event => this.release(event));
    this.root.addEventListener('pointercancel', event => this.cancel(event));
  }

  setData(data: ColumnHistogram): void {
    this.data = data;
    this.paint();
  }

  setRange(range: BrushRange | null): void {
    if (this.drag) {
      this.drag.before = range;
      return;
    }
    this.range = range;
    this.paint();
  }

  private paint(): void {
    const { data, range } = this;
    if (!data) return;
    const { width, height } = this.options;
    const highest = Math.max(...data.all);
    this.allBars.setAttribute('d', barsPath(data.all, highest, width, height));
    this.shownBars.setAttribute('d', barsPath(data.shown, highest, width, height));
    const [first, last] = binsOf(data, range ?? { min: null, max: null });
    const step = width / data.all.length;
    const { low, high } = data;
    const isAcross = low < 0 && high > 0;
    const [binsStart, binsEnd] = binsExtent(data);
    const zeroShare = -binsStart / (binsEnd - binsStart);
    this.zero.setAttribute('d', isAcross ? `M${zeroShare * width} 0v${height}` : '');
    const words = (value: number) => this.options.read(value, low, high);
    this.lowEnd.textContent = words(low);
    this.highEnd.textContent = high > low ? words(high) : '';
    this.describedBin = -1;
    this.span.setAttribute('x', String(first * step));
    this.span.setAttribute('width', String((last - first + 1) * step));
    this.root.classList.toggle('brushed', range !== null);
    const bins = data.all.length;
    this.thumbs.forEach((thumb, end) => {
      const value = end === 0 ? (range?.min ?? data.low) : (range?.max ?? data.high);
      thumb.style.left = `${((end === 0 ? first : last + 1) / bins) * 100}%`;
      thumb.setAttribute('aria-valuemin', String(data.low));
      thumb.setAttribute('aria-valuemax', String(data.high));
      thumb.setAttribute('aria-valuenow', String(value));
      thumb.setAttribute('aria-valuetext', words(value));
    });
  }

  private thumb(label: string, end: 0 | 1): HTMLElement {
    const thumb = element('span', {
      class: 'brush-thumb',
      role: 'slider',
      tabindex: 0,
      'aria-label': label,
      'aria-valuenow': 0,
    });
    thumb.addEventListener('keydown', event => {
      const { data } = this;
      if (!data) return;
      const [first, last] = binsOf(data, this.range ?? { min: null, max: null });
      const bin = end === 0 ? first : last;
      const to = keyMove(event.key, bin, data.all.length - 1);
      if (to === undefined) return;
      event.preventDefault();
      // The other end keeps its exact value.
      const moved = rangeOfBins(data, Math.min(to, last), Math.max(to, first));
      const { min, max } = this.range ?? { min: null, max: null };
      this.apply(end === 0 ? { min: moved.min, max } : { min, max: moved.max }, true);
    });
    return thumb;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || !this.data) return;
    event.stopPropagation();
    this.root.setPointerCapture(event.pointerId);
    this.drag = { from: event.clientX, moved: false, pointer: event.pointerId, before: this.range };
  }

  private updateTooltip(event: PointerEvent): void {
    const { data } = this;
    const { describe } = this.options;
    if (!data || !describe) return;
    const bin = this.binAt(event.clientX);
    if (bin === this.describedBin) return;
    this.describedBin = bin;
    this.root.title = describe(...binEnds(data, bin), data.shown[bin] ?? 0);
  }

  private move(event: PointerEvent): void {
    this.updateTooltip(event);
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    if (Math.abs(event.clientX - this.drag.from) >= MIN_DRAG) this.drag.moved = true;
    if (this.drag.moved) this.selectBetween(this.drag.from, event.clientX, false);
  }

  /** A press without a drag clears the range. */
  private release(event: PointerEvent): void {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    event.stopPropagation();
    this.drag = undefined;
    if (drag.moved) this.selectBetween(drag.from, event.clientX, true);
    else if (this.range) this.selectBins(0, Infinity, true);
  }

  /** The system canceled the drag: nothing was selected. */
  private cancel(event: PointerEvent): void {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.drag = undefined;
    this.range = drag.before;
    this.paint();
    if (drag.moved) this.options.onChange(drag.before, false);
  }

  private selectBetween(a: number, b: number, final: boolean): void {
    this.selectBins(this.binAt(Math.min(a, b)), this.binAt(Math.max(a, b)), final);
  }

  private binAt(x: number): number {
    const { left, width } = this.root.getBoundingClientRect();
    const bins = this.data?.all.length ?? 1;
    if (x - left < EDGE) return 0;
    if (left + width - x < EDGE) return bins - 1;
    return Math.max(0, Math.min(bins - 1, Math.floor(((x - left) / width) * bins)));
  }

  private selectBins(first: number, last: number, final: boolean): void {
    if (!this.data) return;
    this.apply(rangeOfBins(this.data, first, last), final);
  }

  private apply(range: BrushRange, final: boolean): void {
    this.range = range.min === null && range.max === null ? null : range;
    this.paint();
    this.options.onChange(this.range, final);
  }
}

function keyMove(key: string, from: number, last: number): number | undefined {
  const clamp = (bin: number) => Math.max(0, Math.min(last, bin));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return clamp(from - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return clamp(from + 1);
    case 'PageDown':
      return clamp(from - PAGE_BINS);
    case 'PageUp':
      return clamp(from + PAGE_BINS);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
