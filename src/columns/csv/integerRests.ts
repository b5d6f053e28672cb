import { Ascii } from '../../base/ascii';
import { FIRST_ROUNDED, restsOf } from '../../base/roundedIntegers';

/** Doubles below this one are less than 2³¹ off. */
const MAX_SHORT = 2 ** 84;
const NONE: readonly number[] = [];

/**
 * The rests of the integer in a cell whose nearest double is `value`, the largest first; none where the double is exact, or
 * the cell is no integer written in digits. `mark` is the byte before decimals.
 */
export function integerRests(
  bytes: Uint8Array,
  start: number,
  end: number,
  mark: number,
  value: number,
): readonly number[] {
  const size = Math.abs(value);
  if (!(size >= FIRST_ROUNDED && size < Infinity)) return NONE;
  // Before the digits of a number there can only be a quote, spaces and a sign.
  let at = start;
  while (at < end && !isDigit(bytes[at])) at++;
  const digitsStart = at;
  // The integer modulo 2³².
  let low = 0;
  for (; at < end && isDigit(bytes[at]); at++)
    low = (Math.imul(low, 10) + (bytes[at] as number) - Ascii.Zero) | 0;
  const digitsEnd = at;
  if (at < end && bytes[at] === mark)
    do at++;
    while (at < end && bytes[at] === Ascii.Zero);
  if (at < end && (isDigit(bytes[at]) || bytes[at] === Ascii.LowerE || bytes[at] === Ascii.UpperE))
    return NONE;
  if (size < MAX_SHORT) {
    // The rest is less than 2³¹, so it follows from its lowest 32 bits.
    const rest = (low - (size % 2 ** 32)) | 0;
    return rest === 0 ? NONE : [value < 0 ? -rest : rest];
  }
  let digits = '';
  for (let digit = digitsStart; digit < digitsEnd; digit++)
    digits += String.fromCharCode(bytes[digit] as number);
  return restsOf(value < 0 ? -BigInt(digits) : BigInt(digits), value);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= Ascii.Zero && byte <= Ascii.Nine;
}
