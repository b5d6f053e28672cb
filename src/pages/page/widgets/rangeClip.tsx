import { t } from '../l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { digitsBetween, typedNumber } from '../numbers';
import { coarser, isSameRange, type ValueRange, type ValueSpread } from './colorScale';

const BARS = 64;

interface RangeClipProps {
  /** What the two ends set, as labels. */
  labels: Record<RangeSide, string>;
  spread: ValueSpread;
  range: ValueRange;
  /** Color of a bar at a share 0…1 of the range. Pass another function for other colors. */
  colorAt: (share: number) => string;
  /** The user set another range. */
  change: (range: ValueRange) => void;
}

/**
 * A histogram in the colors of its values, with two sliders and two fields for the ends of the
 * color range.
 */
export function RangeClip(props: RangeClipProps) {
  const { spread, range, colorAt } = props;
  const sides = ['low', 'high'] as const;
  return (
    <div class="clip">
      <div class="clip-stack">
        <Bars spread={spread} range={range} colorAt={colorAt} />
        {sides.map(side => (
          <EndSlider key={side} {...props} side={side} />
        ))}
      </div>
      <div class="clip-values">
        {sides.map(side => (
          <EndField key={side} {...props} side={side} />
        ))}
      </div>
    </div>
  );
}

interface EndProps extends RangeClipProps {
  side: RangeSide;
}

function EndSlider({ labels, spread, range, change, side }: EndProps) {
  return (
    <input
      type="range"
      class="clip-slider"
      min={0}
      max={STEPS}
      step={1}
      value={stepOf(spread, side, range[side])}
      aria-label={labels[side]}
      aria-valuetext={t.significant(range[side], digitsBetween(range.low, range.high))}
      onInput={({ currentTarget: slider }) => {
        const dragged = draggedRange(spread, range, side, Number(slider.value));
        // The end stays before the other one.
        slider.value = String(stepOf(spread, side, dragged[side]));
        if (!isSameRange(dragged, range)) change(dragged);
      }}
    />
  );
}

function EndField({ labels, range, change, side }: EndProps) {
  const field = useRef<HTMLInputElement>(null);
  /** The text that was written into the field last. */
  const written = useRef('');
  const write = (words: string) => {
    written.current = words;
    if (field.current) field.current.value = words;
  };
  const words = endInField(range, side);
  useLayoutEffect(() => {
    // Values may change while the user types.
    const isTyped = document.activeElement === field.current && field.current?.value !== written.current;
    if (isTyped) written.current = words;
    else write(words);
  }, [words]);
  return (
    <input
      ref={field}
      type="text"
      inputMode="decimal"
      class="input clip-value"
      aria-label={labels[side]}
      onChange={({ currentTarget }) => {
        const value = typedNumber(currentTarget.value);
        // A text that isn't a number is replaced by the current number.
        const typed = typeof value === 'number' ? typedRange(range, side, value) : range;
        write(endInField(typed, side));
        if (!isSameRange(typed, range)) change(typed);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') write(written.current);
      }}
    />
  );
}

function Bars({ spread, range, colorAt }: Pick<RangeClipProps, 'spread' | 'range' | 'colorAt'>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { low, high } = range;
  useLayoutEffect(() => {
    const bars = canvas.current;
    if (!bars) return undefined;
    const paint = () => paintBars(bars, { spread, range: { low, high }, colorAt });
    paint();
    const resized = new ResizeObserver(paint);
    resized.observe(bars);
    return () => resized.disconnect();
  }, [spread, low, high, colorAt]);
  return <canvas ref={canvas} class="clip-bars" aria-hidden="true" />;
}

function paintBars(
  bars: HTMLCanvasElement,
  { spread, range, colorAt }: Pick<RangeClipProps, 'spread' | 'range' | 'colorAt'>,
): void {
  const { clientWidth, clientHeight } = bars;
  if (clientWidth === 0) return;
  bars.width = Math.round(clientWidth * devicePixelRatio);
  bars.height = Math.round(clientHeight * devicePixelRatio);
  const context = bars.getContext('2d');
  if (!context) return;
  const counts = coarser(spread.counts, BARS);
  const highest = Math.max(1, ...counts);
  const outside = getComputedStyle(bars).color;
  const { low, high } = range;
  const barWidth = bars.width / counts.length;
  counts.forEach((count, index) => {
    const value = spread.min + ((index + 0.5) / counts.length) * (spread.max - spread.min);
    const share = (value - low) / (high - low || 1);
    const inside = share >= 0 && share <= 1;
    context.globalAlpha = inside ? 1 : 0.35;
    context.fillStyle = inside ? colorAt(share) : outside;
    // The square root makes small counts visible beside large ones.
    const barHeight =
      count === 0 ? 0 : Math.max(devicePixelRatio, Math.sqrt(count / highest) * (bars.height - 1));
    const bar = [
      index * barWidth,
      bars.height - barHeight,
      Math.max(1, barWidth - 0.5 * devicePixelRatio),
    ] as const;
    context.fillRect(...bar, barHeight);
    // A line at the top makes bars visible that have the color of the background, such as white.
    context.globalAlpha = 1;
    context.fillStyle = outside;
    context.fillRect(...bar, Math.min(barHeight, devicePixelRatio));
  });
}

/** The smallest and the largest value. */
type Ends = Pick<ValueSpread, 'min' | 'max'>;

/** An end of a range. */
type RangeSide = keyof ValueRange;

/** Steps of a slider along the values. */
export const STEPS = 256;

/** A slider's position for an end of a range, limited to the values. */
export function stepOf({ min, max }: Ends, side: RangeSide, value: number): number {
  if (max <= min) return side === 'low' ? 0 : STEPS;
  return Math.min(STEPS, Math.max(0, Math.round(((value - min) / (max - min)) * STEPS)));
}

/**
 * The range after the slider of an end was moved to a step. Ends never pass each other; the other
 * end stays.
 */
export function draggedRange(spread: Ends, range: ValueRange, side: RangeSide, step: number): ValueRange {
  const before = stepOf(spread, side, range[side]);
  const nearest =
    side === 'low'
      ? Math.min(step, stepOf(spread, 'high', range.high) - 1)
      : Math.max(step, stepOf(spread, 'low', range.low) + 1);
  // If the ends are closer than a step, the nearest step may be in the other direction.
  if (Math.sign(nearest - before) !== Math.sign(step - before)) return range;
  const dragged = { ...range, [side]: valueAt(spread, nearest) };
  return dragged.low < dragged.high ? dragged : range;
}

/**
 * The range after an end was typed, which may be beyond the values. If it passes the other end, it
 * moves that end along.
 */
export function typedRange({ low, high }: ValueRange, side: RangeSide, value: number): ValueRange {
  if (side === 'low') return { low: value, high: value < high ? high : value + (high - low) };
  return { low: value > low ? low : value - (high - low), high: value };
}

/**
 * An end as text in its field: with as many digits as distinguish the ends, and all digits of an
 * integer.
 */
export function endInField({ low, high }: ValueRange, side: RangeSide): string {
  const value = side === 'low' ? low : high;
  if (Number.isInteger(value)) return String(value);
  const integerDigits = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  return String(Number(value.toPrecision(Math.max(digitsBetween(low, high), integerDigits) + 1)));
}

/**
 * The value at a step, rounded to digits that distinguish steps. The ends of the values are exact.
 */
function valueAt({ min, max }: Ends, step: number): number {
  if (step <= 0) return min;
  if (step >= STEPS) return max;
  const stepWidth = (max - min) / STEPS;
  const digits = Math.min(20, Math.max(0, Math.ceil(1 - Math.log10(stepWidth))));
  return Number((min + step * stepWidth).toFixed(digits));
}
