/** Doubles from here on are integers. */
const FIRST_INTEGERS = 2 ** 52;

/**
 * A number rounded to some digits after the point, or before it for negative `digits`: rounds its
 * shortest decimal text, half away from zero. So 2.675 becomes 2.68, although its double is a
 * little less. NaN unless `digits` is a whole number.
 */
export function roundedDecimal(value: number, digits: number): number {
  if (!Number.isInteger(digits)) return NaN;
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(value);
  const rounded = digits === 0 ? roundedWhole(size) : roundedText(size, digits);
  return value < 0 ? -rounded : rounded;
}

/** A half is exact, so no text is needed. */
function roundedWhole(size: number): number {
  if (size >= FIRST_INTEGERS) return size;
  const whole = Math.trunc(size);
  return size - whole >= 0.5 ? whole + 1 : whole;
}

function roundedText(size: number, digits: number): number {
  // "d.ddde±x" has the shortest digits.
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e');
  const all = mantissa.replace('.', '');
  // Digits before the place that is rounded to.
  const count = 1 + Number(exponent) + digits;
  if (count >= all.length) return size;
  if (count < 0) return 0;
  const isUp = all.charCodeAt(count) >= '5'.charCodeAt(0);
  const head = BigInt(all.slice(0, count) || '0') + (isUp ? 1n : 0n);
  return Number(`${head}e${-digits}`);
}
