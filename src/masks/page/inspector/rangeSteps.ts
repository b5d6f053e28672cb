import { digitsBetween } from '../../../pages/page/digitsBetween';
import type { ValueRange, ValueSpread } from '../../../pages/page/widgets/valueScale';

/** Where values begin and end. */
type Ends = Pick<ValueSpread, 'min' | 'max'>;

/** An end of a range. */
export type RangeSide = keyof ValueRange;

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
