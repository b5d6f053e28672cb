import type { MasksTextKey } from '../../../pages/masksTexts';
import { digitsBetween, typedNumber } from '../../../pages/page/numbers';
import type { MasksText } from '../../../pages/page/pageText';
import { element } from '../../../pages/page/widgets/element';
import {
  coarser,
  isSameRange,
  type ValueRange,
  type ValueSpread,
} from '../../../pages/page/widgets/colorScale';

const BARS = 64;

interface RangeClipOptions {
  text: MasksText;
  /** Names of what the two ends set. */
  lowLabel: MasksTextKey;
  highLabel: MasksTextKey;
  /** Color of a bar at a share 0…1 of the range. */
  colorAt: (share: number) => string;
  onChange: (range: ValueRange) => void;
}

/** A histogram in the colors that values have; where they begin and end is set by two sliders, or typed. */
export class RangeClip {
  readonly root: HTMLElement;
  private readonly bars = element('canvas', { class: 'clip-bars', 'aria-hidden': 'true' });
  private readonly sliders: Record<RangeSide, HTMLInputElement>;
  private readonly fields: Record<RangeSide, HTMLInputElement>;
  /** The ends as they were put into their fields. */
  private readonly written: Record<RangeSide, string> = { low: '', high: '' };
  private spread: ValueSpread | undefined;
  private range: ValueRange = { low: 0, high: 1 };

  constructor(private readonly options: RangeClipOptions) {
    const { lowLabel, highLabel } = options;
    this.sliders = { low: this.slider('low', lowLabel), high: this.slider('high', highLabel) };
    this.fields = { low: this.field('low', lowLabel), high: this.field('high', highLabel) };
    this.root = element(
      'div',
      { class: 'clip' },
      element('div', { class: 'clip-stack' }, this.bars, this.sliders.low, this.sliders.high),
      element('div', { class: 'clip-values' }, this.fields.low, this.fields.high),
    );
    new ResizeObserver(() => this.paint()).observe(this.bars);
  }

  show(spread: ValueSpread, range: ValueRange): void {
    this.spread = spread;
    this.range = range;
    this.refresh(true);
  }

  /** The colors of bars have changed. */
  repaint(): void {
    this.paint();
  }

  private slider(side: RangeSide, label: MasksTextKey): HTMLInputElement {
    const made = element('input', {
      type: 'range',
      class: 'clip-slider',
      min: 0,
      max: STEPS,
      step: 1,
      'aria-label': this.options.text.get(label),
    });
    made.addEventListener('input', () => {
      if (this.spread) this.change(draggedRange(this.spread, this.range, side, Number(made.value)));
    });
    return made;
  }

  private field(side: RangeSide, label: MasksTextKey): HTMLInputElement {
    const made = element('input', {
      type: 'text',
      inputmode: 'decimal',
      class: 'clip-value',
      'aria-label': this.options.text.get(label),
    });
    made.addEventListener('change', () => {
      const value = typedNumber(made.value);
      // What is no number is replaced by the number that holds.
      this.change(typeof value === 'number' ? typedRange(this.range, side, value) : this.range);
    });
    made.addEventListener('keydown', event => {
      if (event.key === 'Escape') made.value = this.written[side];
    });
    return made;
  }

  private change(range: ValueRange): void {
    const isSame = isSameRange(range, this.range);
    this.range = range;
    this.refresh(false);
    if (!isSame) this.options.onChange(range);
  }

  /** `keepsTyped`: other values have come, maybe while an end is being typed. */
  private refresh(keepsTyped: boolean): void {
    const { spread, range, options } = this;
    const digits = digitsBetween(range.low, range.high);
    for (const side of ['low', 'high'] as const) {
      const value = range[side];
      const field = this.fields[side];
      const isTyped = document.activeElement === field && field.value !== this.written[side];
      this.written[side] = endInField(range, side);
      if (!isTyped || !keepsTyped) field.value = this.written[side];
      const slider = this.sliders[side];
      if (spread) slider.value = String(stepOf(spread, side, value));
      slider.setAttribute('aria-valuetext', options.text.significant(value, digits));
    }
    this.paint();
  }

  private paint(): void {
    const { bars, spread } = this;
    const { clientWidth, clientHeight } = bars;
    if (!spread || clientWidth === 0) return;
    bars.width = Math.round(clientWidth * devicePixelRatio);
    bars.height = Math.round(clientHeight * devicePixelRatio);
    const context = bars.getContext('2d');
    if (!context) return;
    const counts = coarser(spread.counts, BARS);
    const most = Math.max(1, ...counts);
    const outside = getComputedStyle(bars).color;
    const { colorAt } = this.options;
    const { low, high } = this.range;
    const wide = bars.width / counts.length;
    counts.forEach((count, at) => {
      const value = spread.min + ((at + 0.5) / counts.length) * (spread.max - spread.min);
      const share = (value - low) / (high - low || 1);
      const inside = share >= 0 && share <= 1;
      context.globalAlpha = inside ? 1 : 0.35;
      context.fillStyle = inside ? colorAt(share) : outside;
      // The square root lets a few values be seen beside many.
      const tall = count === 0 ? 0 : Math.max(devicePixelRatio, Math.sqrt(count / most) * (bars.height - 1));
      const bar = [at * wide, bars.height - tall, Math.max(1, wide - 0.5 * devicePixelRatio)] as const;
      context.fillRect(...bar, tall);
      // Bars in a color of the ground, as white ones in a light theme, have a top that shows.
      context.globalAlpha = 1;
      context.fillStyle = outside;
      context.fillRect(...bar, Math.min(tall, devicePixelRatio));
    });
  }
}

/** Where values begin and end. */
type Ends = Pick<ValueSpread, 'min' | 'max'>;

/** An end of a range. */
type RangeSide = keyof ValueRange;

/** Positions of a slider along a spread, less one. */
export const STEPS = 256;

/** Where a slider stands for an end of a range; one beyond the spread is at its end. */
export function stepOf({ min, max }: Ends, side: RangeSide, value: number): number {
  if (max <= min) return side === 'low' ? 0 : STEPS;
  return Math.min(STEPS, Math.max(0, Math.round(((value - min) / (max - min)) * STEPS)));
}

/** The range once the slider of an end was moved to a step. The two never pass each other; the other end stays as it is. */
export function draggedRange(spread: Ends, range: ValueRange, side: RangeSide, step: number): ValueRange {
  const before = stepOf(spread, side, range[side]);
  const nearest =
    side === 'low'
      ? Math.min(step, stepOf(spread, 'high', range.high) - 1)
      : Math.max(step, stepOf(spread, 'low', range.low) + 1);
  // Where the ends are closer than a step, the nearest one may be the other way.
  if (Math.sign(nearest - before) !== Math.sign(step - before)) return range;
  const dragged = { ...range, [side]: valueAt(spread, nearest) };
  return dragged.low < dragged.high ? dragged : range;
}

/** The range once an end was typed, which may be beyond the spread. Past the other end, it takes that along. */
export function typedRange({ low, high }: ValueRange, side: RangeSide, value: number): ValueRange {
  if (side === 'low') return { low: value, high: value < high ? high : value + (high - low) };
  return { low: value > low ? low : value - (high - low), high: value };
}

/** An end as it stands in its field, to be typed over: with as many digits as tell the ends apart, none of an integer left out. */
export function endInField({ low, high }: ValueRange, side: RangeSide): string {
  const value = side === 'low' ? low : high;
  if (Number.isInteger(value)) return String(value);
  const whole = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  return String(Number(value.toPrecision(Math.max(digitsBetween(low, high), whole) + 1)));
}

/** The value at a step, rounded to what two steps can tell apart; the ends of the spread are exact. */
function valueAt({ min, max }: Ends, step: number): number {
  if (step <= 0) return min;
  if (step >= STEPS) return max;
  const wide = (max - min) / STEPS;
  const digits = Math.min(20, Math.max(0, Math.ceil(1 - Math.log10(wide))));
  return Number((min + step * wide).toFixed(digits));
}
