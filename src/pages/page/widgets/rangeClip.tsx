import { t } from '../l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { digitsBetween, typedNumber } from '../numbers';
import { coarser, isSameRange, type ValueRange, type ValueSpread } from './colorScale';

const BARS = 64;

interface RangeClipProps {
  /** Names of what the two ends set. */
  labels: Record<RangeSide, string>;
  spread: ValueSpread;
  range: ValueRange;
  /** Color of a bar at a share 0…1 of the range; another function for other colors. */
  colorAt: (share: number) => string;
  /** Another range was set. */
  change: (range: ValueRange) => void;
}

/**
 * A histogram in the colors that values have; where they begin and end is set by two sliders, or
 * typed.
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
        // It stays before the other end.
        slider.value = String(stepOf(spread, side, dragged[side]));
        if (!isSameRange(dragged, range)) change(dragged);
      }}
    />
  );
}

function EndField({ labels, range, change, side }: EndProps) {
  const field = useRef<HTMLInputElement>(null);
  /** The end as it was put into the field. */
  const written = useRef('');
  const write = (words: string) => {
    written.current = words;
    if (field.current) field.current.value = words;
  };
  const words = endInField(range, side);
  useLayoutEffect(() => {
    // Other values may come while an end is being typed.
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
        // What is no number is replaced by the number that holds.
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
  const most = Math.max(1, ...counts);
  const outside = getComputedStyle(bars).color;
  const { low, high } = range;
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

/**
 * The range once the slider of an end was moved to a step. The two never pass each other; the other
 * end stays as it is.
 */
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

/**
 * The range once an end was typed, which may be beyond the spread. Past the other end, it takes
 * that along.
 */
export function typedRange({ low, high }: ValueRange, side: RangeSide, value: number): ValueRange {
  if (side === 'low') return { low: value, high: value < high ? high : value + (high - low) };
  return { low: value > low ? low : value - (high - low), high: value };
}

/**
 * An end as it stands in its field, to be typed over: with as many digits as tell the ends apart,
 * none of an integer left out.
 */
export function endInField({ low, high }: ValueRange, side: RangeSide): string {
  const value = side === 'low' ? low : high;
  if (Number.isInteger(value)) return String(value);
  const whole = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  return String(Number(value.toPrecision(Math.max(digitsBetween(low, high), whole) + 1)));
}

/**
 * The value at a step, rounded to what two steps can tell apart; the ends of the spread are exact.
 */
function valueAt({ min, max }: Ends, step: number): number {
  if (step <= 0) return min;
  if (step >= STEPS) return max;
  const wide = (max - min) / STEPS;
  const digits = Math.min(20, Math.max(0, Math.ceil(1 - Math.log10(wide))));
  return Number((min + step * wide).toFixed(digits));
}
