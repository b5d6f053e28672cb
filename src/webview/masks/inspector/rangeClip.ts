import type { MasksTextKey } from '../../../words/pages/masksTexts';
import { element } from '../../widgets/element';
import type { MasksText } from '../../page/pageText';
import type { ValueRange } from '../../widgets/valueScale';
import { coarser, type ValueSpread } from '../../widgets/valueScale';

const STEPS = 256;
const BARS = 64;

export interface RangeClipOptions {
  text: MasksText;
  /** Names of what the two sliders set. */
  lowLabel: MasksTextKey;
  highLabel: MasksTextKey;
  /** Color of a bar at a share 0…1 of the range. */
  colorAt: (share: number) => string;
  onChange: (range: ValueRange) => void;
}

/** A histogram with a slider at either end that says where the colors begin and end; in the colors they give. */
export class RangeClip {
  readonly root: HTMLElement;
  private readonly bars = element('canvas', { class: 'clip-bars', 'aria-hidden': 'true' });
  private readonly low: HTMLInputElement;
  private readonly high: HTMLInputElement;
  private readonly lowWords = element('output', { class: 'clip-value' });
  private readonly highWords = element('output', { class: 'clip-value' });
  private spread: ValueSpread | undefined;
  private range: ValueRange = { low: 0, high: 1 };

  constructor(private readonly options: RangeClipOptions) {
    const { text } = options;
    const slider = (label: MasksTextKey) =>
      element('input', {
        type: 'range',
        class: 'clip-slider',
        min: 0,
        max: STEPS,
        step: 1,
        'aria-label': text.get(label),
      });
    this.low = slider(options.lowLabel);
    this.high = slider(options.highLabel);
    for (const input of [this.low, this.high]) input.addEventListener('input', () => this.moved(input));
    this.root = element(
      'div',
      { class: 'clip' },
      element('div', { class: 'clip-stack' }, this.bars, this.low, this.high),
      element('div', { class: 'clip-values' }, this.lowWords, this.highWords),
    );
    new ResizeObserver(() => this.paint()).observe(this.bars);
  }

  show(spread: ValueSpread, range: ValueRange): void {
    this.spread = spread;
    this.range = range;
    const step = (value: number) =>
      spread.max > spread.min ? Math.round(((value - spread.min) / (spread.max - spread.min)) * STEPS) : 0;
    this.low.value = String(step(range.low));
    this.high.value = String(spread.max > spread.min ? step(range.high) : STEPS);
    this.refresh();
  }

  /** The colors of bars have changed. */
  repaint(): void {
    this.paint();
  }

  private moved(input: HTMLInputElement): void {
    const { spread } = this;
    if (!spread) return;
    // The two never pass each other.
    if (Number(this.low.value) >= Number(this.high.value)) {
      if (input === this.low) this.low.value = String(Number(this.high.value) - 1);
      else this.high.value = String(Number(this.low.value) + 1);
    }
    const value = (at: HTMLInputElement) =>
      spread.min + (Number(at.value) / STEPS) * (spread.max - spread.min);
    this.range = { low: value(this.low), high: value(this.high) };
    this.refresh();
    this.options.onChange(this.range);
  }

  private refresh(): void {
    const { low, high } = this.range;
    const digits = 4;
    const words = (value: number) => this.options.text.significant(value, digits);
    this.lowWords.textContent = words(low);
    this.highWords.textContent = words(high);
    this.low.setAttribute('aria-valuetext', words(low));
    this.high.setAttribute('aria-valuetext', words(high));
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
      context.fillRect(at * wide, bars.height - tall, Math.max(1, wide - 0.5 * devicePixelRatio), tall);
    });
  }
}
