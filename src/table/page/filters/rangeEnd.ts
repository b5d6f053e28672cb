import { FIRST_ROUNDED } from '../../../base/roundedIntegers';
import type { RangeEnd } from '../../../columns/viewSpec';
import type { BrushRange } from '../../../pages/page/widgets/columnHistogram';
import { typedNumber } from '../../../pages/page/widgets/typedNumber';

/** From here on numbers are written with an exponent. */
const FIRST_EXPONENT = 1e21;

/** The end of a range as typed, integers to their last digit; null for nothing, undefined for what is no number. */
export function typedRangeEnd(typed: string, decimalComma = false): RangeEnd | null | undefined {
  const value = typedNumber(typed, decimalComma);
  const digits = /^\s*([+-]?)(\d+)\s*$/.exec(typed);
  if (!digits || typeof value !== 'number' || Math.abs(value) < FIRST_ROUNDED) return value;
  const integer = BigInt(digits[2] ?? '') * (digits[1] === '-' ? -1n : 1n);
  return integer === BigInt(value) ? value : String(integer);
}

/** The end of a range with all digits; '' for an open one. */
export function rangeEndText(end: RangeEnd | null): string {
  if (end === null) return '';
  const size = typeof end === 'number' ? Math.abs(end) : NaN;
  return size >= FIRST_ROUNDED && size < FIRST_EXPONENT ? String(BigInt(end)) : String(end);
}

/** A range of numbers; null is open. */
export interface TypedRange {
  from: RangeEnd | null;
  to: RangeEnd | null;
}

/** A range for a histogram, whose ends are doubles. */
export function brushRange({ from, to }: TypedRange): BrushRange {
  return { min: from === null ? null : Number(from), max: to === null ? null : Number(to) };
}

/** A brushed range; an end that wasn't moved has all its digits, as it had before. */
export function rangeOfBrush({ min, max }: BrushRange, before: TypedRange | null): TypedRange {
  const end = (brushed: number | null, was: RangeEnd | null = null) =>
    was !== null && Number(was) === brushed ? was : brushed;
  return { from: end(min, before?.from), to: end(max, before?.to) };
}
