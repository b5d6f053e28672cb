import { Ascii } from '../../base/ascii';
import { isQuoted } from './csvGrammar';

/** Words for "no value": missing in a column of numbers, text elsewhere. */
const MISSING = new Map<string, Missing>([
  ['na', 'NA'],
  ['nan', 'NaN'],
  ['null', 'null'],
  ['n/a', 'other'],
  ['#n/a', 'other'],
  ['none', 'other'],
  ['-', 'other'],
]);

/** How a cell of a column of numbers can be missing. */
type Missing = 'empty' | 'NA' | 'NaN' | 'null' | 'other';

/**
 * Longer cells aren't numbers: no tool writes such numbers, and reading one would copy all digits.
 */
const MAX_NUMBER_BYTES = 4096;

/** Words for infinite numbers. */
const INFINITE = /^([+-]?)(?:inf|infinity)$/i;

export type DecimalMark = '.' | ',';

/**
 * A cell's number, correctly rounded. NaN if it isn't a number, or has too many digits for a
 * double. Quotes and spaces around it are allowed, grouped thousands aren't.
 */
export function cellNumber(bytes: Uint8Array, cellStart: number, cellEnd: number, mark: DecimalMark): number {
  const start = contentStart(bytes, cellStart, cellEnd);
  const end = contentEnd(bytes, start, cellEnd, cellStart);
  if (end - start > MAX_NUMBER_BYTES) return NaN;
  let position = start;
  const negative = bytes[position] === Ascii.Minus;
  if (position < end && (negative || bytes[position] === Ascii.Plus)) position++;
  const markByte = mark === '.' ? Ascii.Dot : Ascii.Comma;
  // Up to 18 digits as two integers. Leading zeros don't count.
  let head = 0;
  let tail = 0;
  let tailDigits = 0;
  let significant = 0;
  let anyDigit = false;
  let scale = 0;
  let afterMark = false;
  let hasExponent = false;
  for (; position < end; position++) {
    const byte = bytes[position] as number;
    if (byte >= Ascii.Zero && byte <= Ascii.Nine) {
      anyDigit = true;
      if (afterMark) scale--;
      if (significant < 9) head = head * 10 + (byte - Ascii.Zero);
      else if (significant < 18) {
        tail = tail * 10 + (byte - Ascii.Zero);
        tailDigits++;
      }
      if (head > 0) significant++;
    } else if (byte === markByte && !afterMark) afterMark = true;
    else break;
  }
  if (!anyDigit) return infiniteNumber(bytes, start, end);
  if (position < end) {
    if (bytes[position] !== Ascii.LowerE && bytes[position] !== Ascii.UpperE) return NaN;
    position++;
    hasExponent = true;
    const exponentNegative = bytes[position] === Ascii.Minus;
    if (position < end && (exponentNegative || bytes[position] === Ascii.Plus)) position++;
    if (position >= end) return NaN;
    let exponent = 0;
    for (; position < end; position++) {
      const byte = bytes[position] as number;
      if (byte < Ascii.Zero || byte > Ascii.Nine) return NaN;
      exponent = Math.min(exponent * 10 + (byte - Ascii.Zero), 100_000);
    }
    scale += exponentNegative ? -exponent : exponent;
  }
  if (significant <= 18) {
    const size = scaledNumber(head, tail, tailDigits, scale);
    if (size === size) return negative ? -size : size;
  }
  const value = Number(ascii(bytes, start, end).replace(',', '.'));
  // Integers of more than 308 digits would all be infinite; as texts they stay distinct.
  return hasExponent || Number.isFinite(value) ? value : NaN;
}

/** How a cell is missing: empty, or by a word; undefined if it isn't missing. */
export function missingKind(bytes: Uint8Array, cellStart: number, cellEnd: number): Missing | undefined {
  const start = contentStart(bytes, cellStart, cellEnd);
  const end = contentEnd(bytes, start, cellEnd, cellStart);
  if (start === end) return 'empty';
  return end - start <= 4 ? MISSING.get(ascii(bytes, start, end).toLowerCase()) : undefined;
}

/** The position after the opening quote and the spaces before the content. */
function contentStart(bytes: Uint8Array, start: number, end: number): number {
  if (isInQuotes(bytes, start, end)) start++;
  while (start < end && isSpace(bytes[start])) start++;
  return start;
}

function contentEnd(bytes: Uint8Array, start: number, end: number, cellStart: number): number {
  if (isInQuotes(bytes, cellStart, end)) end--;
  while (start < end && isSpace(bytes[end - 1])) end--;
  return end;
}

/** Whether a cell begins and ends with a quote. Quotes within don't matter: numbers have none. */
function isInQuotes(bytes: Uint8Array, start: number, end: number): boolean {
  return isQuoted(bytes, start, end - 1) && bytes[end - 1] === Ascii.Quote;
}

function isSpace(byte: number | undefined): boolean {
  return byte === Ascii.Space || byte === Ascii.Tab;
}

function infiniteNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 3 || end - start > 9) return NaN;
  const match = INFINITE.exec(ascii(bytes, start, end));
  if (!match) return NaN;
  return match[1] === '-' ? -Infinity : Infinity;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
}

/** Powers of ten that are exact doubles: dividing fifteen digits by one is rounded correctly. */
export const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Splits a double into halves of 26 bits (Veltkamp). */
const SPLITTER = 134_217_729;

/**
 * Powers of ten from 10^−280 to 10^280 as sums of two doubles (about 106 bits), and the first
 * double also in halves: four values at 4 · (exponent + 280).
 */
const MAX_POWER = 280;
export const POWERS = powersOfTen();

/** Relative uncertainty of a result below: well above the real error of a few 2^-104. */
const UNCERTAINTY = 2 ** -99;
const MIN_SCALED = 1e-280;
const MAX_SCALED = 1e280;

function powersOfTen(): Float64Array {
  const powers = new Float64Array(4 * (2 * MAX_POWER + 1));
  for (let exponent = -MAX_POWER; exponent <= MAX_POWER; exponent++) {
    const high = Number(`1e${exponent}`);
    const scaled = SPLITTER * high;
    const firstHalf = scaled - (scaled - high);
    powers.set([high, residualOf(high, exponent), firstHalf, high - firstHalf], 4 * (exponent + MAX_POWER));
  }
  return powers;
}

/** The difference between a power of ten and its nearest double. */
function residualOf(high: number, exponent: number): number {
  const exact = 10n ** BigInt(Math.abs(exponent));
  if (exponent >= 0) return Number(exact - BigInt(high));
  // The double is exactly mantissa · 2^−shift, so 1 − double · 10^k is an integer over 2^shift.
  const shift = 52 - Math.floor(Math.log2(high)) + 1;
  const halfShift = Math.floor(shift / 2);
  const mantissa = BigInt(high * 2 ** halfShift * 2 ** (shift - halfShift));
  const residual = (1n << BigInt(shift)) - mantissa * exact;
  return Number((residual << 120n) >> BigInt(shift)) * 2 ** -120 * high;
}

/**
 * The number of the digits from `start` to `end`, with the decimal mark at `markAt` (−1: none) and
 * `fraction` digits after it. NaN if there are more than 18 digits after leading zeros, and if only
 * Number() can round correctly.
 */
export function longNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
  markAt: number,
  fraction: number,
): number {
  let position = start;
  // Leading zeros don't count.
  while (position < end && (bytes[position] === Ascii.Zero || position === markAt)) position++;
  // The first nine digits, then the others; the mark may be before, within or after either.
  let head = 0;
  let stop = position + 9;
  if (markAt >= position && markAt < stop) {
    while (position < markAt) head = (Math.imul(head, 10) + (bytes[position++] as number) - Ascii.Zero) | 0;
    position++;
    stop++;
  }
  if (stop > end) stop = end;
  while (position < stop) head = (Math.imul(head, 10) + (bytes[position++] as number) - Ascii.Zero) | 0;
  let tail = 0;
  let tailDigits = end - position;
  if (tailDigits > 10) return NaN;
  if (markAt >= position) {
    tailDigits--;
    while (position < markAt) tail = (Math.imul(tail, 10) + (bytes[position++] as number) - Ascii.Zero) | 0;
    position++;
  }
  while (position < end) tail = (Math.imul(tail, 10) + (bytes[position++] as number) - Ascii.Zero) | 0;
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
 * The double nearest to (head · 10^tailDigits + tail) · 10^scale, for integers head and tail below
 * 10^9. NaN if this function can't tell which of two doubles is nearest, or if the number is huge
 * or tiny; Number() can.
 */
function scaledNumber(head: number, tail: number, tailDigits: number, scale: number): number {
  // All digits as high + low, exactly. Without its factors of two, 10^9 has 21 bits, so the product
  // fits into a double.
  const product = head * (POWERS[4 * (tailDigits + MAX_POWER)] as number);
  const high = product + tail;
  const low = tail - (high - product);
  if (scale === 0) return high + low;
  if (high === 0) return 0;
  if (scale < -MAX_POWER || scale > MAX_POWER) return NaN;
  const position = 4 * (scale + MAX_POWER);
  const power = POWERS[position] as number;
  const half = POWERS[position + 2] as number;
  const otherHalf = POWERS[position + 3] as number;
  const first = high * power;
  const scaled = SPLITTER * high;
  const highHalf = scaled - (scaled - high);
  const lowHalf = high - highHalf;
  const error = lowHalf * otherHalf - (first - highHalf * half - lowHalf * half - highHalf * otherHalf);
  const second = error + (high * (POWERS[position + 1] as number) + low * power);
  if (!(first > MIN_SCALED && first < MAX_SCALED)) return NaN;
  const uncertainty = first * UNCERTAINTY;
  const lowest = first + (second - uncertainty);
  return lowest === first + (second + uncertainty) ? lowest : NaN;
}

/** Doubles below this limit differ from an integer by less than 2³¹. */
const MAX_SHORT = 2 ** 84;
const NO_RESIDUALS: readonly number[] = [];

/**
 * The residuals of the integer in a cell whose nearest double is `value`, the largest first. None
 * if the double is exact, or if the cell isn't an integer. `mark`: the byte before decimals.
 */
export function integerResiduals(
  bytes: Uint8Array,
  start: number,
  end: number,
  mark: number,
  value: number,
): readonly number[] {
  const size = Math.abs(value);
  if (!(size >= FIRST_ROUNDED && size < Infinity)) return NO_RESIDUALS;
  // Only a quote, spaces and a sign can come before the digits of a number.
  let position = start;
  while (position < end && !isDigit(bytes[position])) position++;
  const digitsStart = position;
  // The integer modulo 2³².
  let low = 0;
  for (; position < end && isDigit(bytes[position]); position++)
    low = (Math.imul(low, 10) + (bytes[position] as number) - Ascii.Zero) | 0;
  const digitsEnd = position;
  if (position < end && bytes[position] === mark)
    do position++;
    while (position < end && bytes[position] === Ascii.Zero);
  if (
    position < end &&
    (isDigit(bytes[position]) || bytes[position] === Ascii.LowerE || bytes[position] === Ascii.UpperE)
  )
    return NO_RESIDUALS;
  if (size < MAX_SHORT) {
    // The residual is less than 2³¹, so its lowest 32 bits determine it.
    const residual = (low - (size % 2 ** 32)) | 0;
    return residual === 0 ? NO_RESIDUALS : [value < 0 ? -residual : residual];
  }
  let digits = '';
  for (let digit = digitsStart; digit < digitsEnd; digit++)
    digits += String.fromCharCode(bytes[digit] as number);
  return residualsOf(value < 0 ? -BigInt(digits) : BigInt(digits), value);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= Ascii.Zero && byte <= Ascii.Nine;
}

/*
 * Doubles represent all integers up to 2⁵³, but only some beyond. To keep larger integers distinct
 * and in order, they are stored as the nearest double and a residual to add. If the residual isn't
 * a double either, it has another residual.
 */

/** From here on, a double may stand for several integers. */
export const FIRST_ROUNDED = 2 ** 53;

/**
 * The residuals of an integer whose nearest double is `value`, the largest first; none if exact.
 */
export function residualsOf(integer: bigint, value: number): readonly number[] {
  const residuals: number[] = [];
  for (let residual = integer - BigInt(value); residual !== 0n; residual -= BigInt(Number(residual)))
    residuals.push(Number(residual));
  return residuals;
}
