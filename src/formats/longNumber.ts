/** Splits a double into halves of 26 bits (Veltkamp). */
const SPLITTER = 134_217_729;

/**
 * Powers of ten from 10^−280 to 10^280, each the sum of two doubles (exact to about 106 bits), the first also in halves:
 * at 4 · (exponent + 280).
 */
const MOST_POWER = 280;
const POWERS = powersOfTen();

/** Relative doubt about a result below; generous against the real error of a few 2^-104. */
const DOUBT = 2 ** -99;
const SMALLEST = 1e-280;
const LARGEST = 1e280;

function powersOfTen(): Float64Array {
  const powers = new Float64Array(4 * (2 * MOST_POWER + 1));
  for (let exponent = -MOST_POWER; exponent <= MOST_POWER; exponent++) {
    const high = Number(`1e${exponent}`);
    const scaled = SPLITTER * high;
    const firstHalf = scaled - (scaled - high);
    powers.set([high, restOf(high, exponent), firstHalf, high - firstHalf], 4 * (exponent + MOST_POWER));
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
 * The double nearest to (head · 10^tailDigits + tail) · 10^scale; head and tail below 10^9, both whole. NaN when the
 * doubles at hand cannot tell which of two neighbours it is, or the number is huge or tiny: ask Number() then.
 */
export function scaledNumber(head: number, tail: number, tailDigits: number, scale: number): number {
  // All digits as high + low, exactly: 10^9 has 21 bits without its factors of two, so the product fits a double.
  const product = head * (POWERS[4 * (tailDigits + MOST_POWER)] as number);
  const high = product + tail;
  const low = tail - (high - product);
  if (scale === 0) return high + low;
  if (high === 0) return 0;
  if (scale < -MOST_POWER || scale > MOST_POWER) return NaN;
  const at = 4 * (scale + MOST_POWER);
  const power = POWERS[at] as number;
  const half = POWERS[at + 2] as number;
  const otherHalf = POWERS[at + 3] as number;
  const first = high * power;
  const scaled = SPLITTER * high;
  const highHalf = scaled - (scaled - high);
  const lowHalf = high - highHalf;
  const error = lowHalf * otherHalf - (first - highHalf * half - lowHalf * half - highHalf * otherHalf);
  const second = error + (high * (POWERS[at + 1] as number) + low * power);
  if (!(first > SMALLEST && first < LARGEST)) return NaN;
  const doubt = first * DOUBT;
  const least = first + (second - doubt);
  return least === first + (second + doubt) ? least : NaN;
}
