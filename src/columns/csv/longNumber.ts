import { Ascii } from '../../base/ascii';

/** Powers of ten that are doubles exactly: dividing fifteen digits by one is rounded correctly. */
export const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Splits a double into halves of 26 bits (Veltkamp). */
const SPLITTER = 134_217_729;

/**
 * Powers of ten from 10^−280 to 10^280, each the sum of two doubles (exact to about 106 bits), the first also in halves:
 * at 4 · (exponent + 280).
 */
const MAX_POWER = 280;
const POWERS = powersOfTen();

/** Relative doubt about a result below; generous against the real error of a few 2^-104. */
const DOUBT = 2 ** -99;
const MIN_SCALED = 1e-280;
const MAX_SCALED = 1e280;

function powersOfTen(): Float64Array {
  const powers = new Float64Array(4 * (2 * MAX_POWER + 1));
  for (let exponent = -MAX_POWER; exponent <= MAX_POWER; exponent++) {
    const high = Number(`1e${exponent}`);
    const scaled = SPLITTER * high;
    const firstHalf = scaled - (scaled - high);
    powers.set([high, restOf(high, exponent), firstHalf, high - firstHalf], 4 * (exponent + MAX_POWER));
  }
  return powers;
}

/** What a double lacks of the power of ten it stands for. */
function restOf(high: number, exponent: number): number {
  const exact = 10n ** BigInt(Math.abs(exponent));
  if (exponent >= 0) return Number(exact - BigInt(high));
  // The double is mantissa · 2^−shift exactly, so 1 − double · 10^k is a whole number over 2^shift.
  const shift = 52 - Math.floor(Math.log2(high)) + 1;
  const halfShift = Math.floor(shift / 2);
  const mantissa = BigInt(high * 2 ** halfShift * 2 ** (shift - halfShift));
  const lacking = (1n << BigInt(shift)) - mantissa * exact;
  return Number((lacking << 120n) >> BigInt(shift)) * 2 ** -120 * high;
}

/**
 * The number that the digits from `start` to `end` are, with the decimal mark at `markAt` (−1: none) and `fraction` of them after it.
 * NaN with more than 18 digits after leading zeros, and where only Number() can tell.
 */
export function longNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
  markAt: number,
  fraction: number,
): number {
  let at = start;
  // Zeros before the first other digit do not count.
  while (at < end && (bytes[at] === Ascii.Zero || at === markAt)) at++;
  // The first nine digits, then the rest; the mark may stand before, within or behind each.
  let head = 0;
  let stop = at + 9;
  if (markAt >= at && markAt < stop) {
    while (at < markAt) head = (Math.imul(head, 10) + (bytes[at++] as number) - Ascii.Zero) | 0;
    at++;
    stop++;
  }
  if (stop > end) stop = end;
  while (at < stop) head = (Math.imul(head, 10) + (bytes[at++] as number) - Ascii.Zero) | 0;
  let tail = 0;
  let tailDigits = end - at;
  if (tailDigits > 10) return NaN;
  if (markAt >= at) {
    tailDigits--;
    while (at < markAt) tail = (Math.imul(tail, 10) + (bytes[at++] as number) - Ascii.Zero) | 0;
    at++;
  }
  while (at < end) tail = (Math.imul(tail, 10) + (bytes[at++] as number) - Ascii.Zero) | 0;
  return tailDigits > 9 ? NaN : decimalNumber(head, tail, tailDigits, fraction);
}

/** (head · 10^tailDigits + tail) / 10^fraction, correctly rounded or NaN. */
export function decimalNumber(head: number, tail: number, tailDigits: number, fraction: number): number {
  // Fifteen digits and a small power of ten are exact doubles, so one division rounds correctly.
  if (tailDigits <= 6 && fraction <= 22)
    return (head * (EXACT_POWERS[tailDigits] as number) + tail) / (EXACT_POWERS[fraction] as number);
  return scaledNumber(head, tail, tailDigits, -fraction);
}

/**
 * The double nearest to (head · 10^tailDigits + tail) · 10^scale; head and tail below 10^9, both whole. NaN when
 * this cannot tell which of two neighbors is nearest, or the number is huge or tiny: Number() can.
 */
export function scaledNumber(head: number, tail: number, tailDigits: number, scale: number): number {
  // All digits as high + low, exactly: 10^9 has 21 bits without its factors of two, so the product fits a double.
  const product = head * (POWERS[4 * (tailDigits + MAX_POWER)] as number);
  const high = product + tail;
  const low = tail - (high - product);
  if (scale === 0) return high + low;
  if (high === 0) return 0;
  if (scale < -MAX_POWER || scale > MAX_POWER) return NaN;
  const at = 4 * (scale + MAX_POWER);
  const power = POWERS[at] as number;
  const half = POWERS[at + 2] as number;
  const otherHalf = POWERS[at + 3] as number;
  const first = high * power;
  const scaled = SPLITTER * high;
  const highHalf = scaled - (scaled - high);
  const lowHalf = high - highHalf;
  const error = lowHalf * otherHalf - (first - highHalf * half - lowHalf * half - highHalf * otherHalf);
  const second = error + (high * (POWERS[at + 1] as number) + low * power);
  if (!(first > MIN_SCALED && first < MAX_SCALED)) return NaN;
  const doubt = first * DOUBT;
  const least = first + (second - doubt);
  return least === first + (second + doubt) ? least : NaN;
}
