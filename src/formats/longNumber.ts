/** Splits a double into halves of 26 bits (Dekker). */
const SPLITTER = 134_217_729;

/** Powers of ten as the sum of two doubles, exact to about 106 bits: 10^k = HIGH[k] + LOW[k]. */
const MOST_POWER = 280;
const HIGH = new Float64Array(MOST_POWER + 1);
const LOW = new Float64Array(MOST_POWER + 1);
for (let k = 0; k <= MOST_POWER; k++) {
  const exact = 10n ** BigInt(k);
  const high = Number(exact);
  HIGH[k] = high;
  LOW[k] = Number(exact - BigInt(high));
}

/** Ten to the k, rounded; exact up to 10^22. */
export function powerOfTen(k: number): number {
  return HIGH[k] ?? Infinity;
}

/** Relative doubt about the last term below; generous against its real error of a few 2^-104. */
const DOUBT = 2 ** -48;
const SMALLEST = 1e-280;
const LARGEST = 1e280;

/**
 * The double nearest to (head · 10^tailDigits + tail) · 10^scale, head and tail whole numbers below 10^9 and 10^10. NaN when
 * the doubles at hand cannot tell which of two neighbours it is, or the number is huge or tiny: ask Number() then.
 */
export function scaledNumber(head: number, tail: number, tailDigits: number, scale: number): number {
  // The digits as high + low, exactly: a product of two doubles and its error (Veltkamp, Dekker).
  const power = HIGH[tailDigits] ?? NaN;
  let high = head * power;
  let low = productError(head, power, high);
  const sum = high + tail;
  low += tail - (sum - high);
  high = sum;
  if (scale === 0) return high + low;
  if (high === 0) return 0;
  const k = scale < 0 ? -scale : scale;
  if (k > MOST_POWER) return NaN;
  const p = HIGH[k] ?? NaN;
  const rest = LOW[k] ?? NaN;
  let first: number;
  let second: number;
  let doubt: number;
  if (scale < 0) {
    first = high / p;
    const product = first * p;
    // What division leaves is a double, so this is exact but for the last two terms.
    const remainder = high - product - productError(first, p, product) + low - first * rest;
    second = remainder / p;
    doubt = (Math.abs(second) + Math.abs(first) * 2 ** -53) * DOUBT;
  } else {
    first = high * p;
    const third = low * p + high * rest;
    second = productError(high, p, first) + third;
    doubt = (Math.abs(second) + Math.abs(third) + Math.abs(first) * 2 ** -53) * DOUBT;
  }
  if (!(first > SMALLEST && first < LARGEST)) return NaN;
  const least = first + (second - doubt);
  return least === first + (second + doubt) ? least : NaN;
}

/** a · b − product, exactly. */
function productError(a: number, b: number, product: number): number {
  const splitA = SPLITTER * a;
  const highA = splitA - (splitA - a);
  const lowA = a - highA;
  const splitB = SPLITTER * b;
  const highB = splitB - (splitB - b);
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
