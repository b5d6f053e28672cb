import { Ascii } from '../../base/ascii';
import { isQuoted } from './csvGrammar';

/** What tools write for "no value"; missing in a column of numbers, plain text elsewhere. */
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

/** A longer cell is no number: no tool writes one, and reading it would copy every digit. */
const MAX_NUMBER_BYTES = 4096;

/** Whether a cell says "infinite", and which way. */
const INFINITE = /^([+-]?)(?:inf|infinity)$/i;

export type DecimalMark = '.' | ',';

/**
 * A cell's number, correctly rounded; NaN for none, and for digits beyond a double. Allows quotes
 * and spaces around it, but no grouped thousands.
 */
export function cellNumber(bytes: Uint8Array, cellStart: number, cellEnd: number, mark: DecimalMark): number {
  const start = contentStart(bytes, cellStart, cellEnd);
  const end = contentEnd(bytes, start, cellEnd, cellStart);
  if (end - start > MAX_NUMBER_BYTES) return NaN;
  let at = start;
  const negative = bytes[at] === Ascii.Minus;
  if (at < end && (negative || bytes[at] === Ascii.Plus)) at++;
  const markByte = mark === '.' ? Ascii.Dot : Ascii.Comma;
  // Up to 18 digits as two whole numbers; zeros before the first other digit do not count.
  let head = 0;
  let tail = 0;
  let tailDigits = 0;
  let significant = 0;
  let anyDigit = false;
  let scale = 0;
  let afterMark = false;
  let hasExponent = false;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
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
  if (!anyDigit) return infinity(bytes, start, end);
  if (at < end) {
    if (bytes[at] !== Ascii.LowerE && bytes[at] !== Ascii.UpperE) return NaN;
    at++;
    hasExponent = true;
    const exponentNegative = bytes[at] === Ascii.Minus;
    if (at < end && (exponentNegative || bytes[at] === Ascii.Plus)) at++;
    if (at >= end) return NaN;
    let exponent = 0;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
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
  // Integers of more than 308 digits would all be infinite: as texts they stay apart.
  return hasExponent || Number.isFinite(value) ? value : NaN;
}

/** How a cell is missing: empty, or one of tools' words; undefined if it isn't. */
export function missingKind(bytes: Uint8Array, cellStart: number, cellEnd: number): Missing | undefined {
  const start = contentStart(bytes, cellStart, cellEnd);
  const end = contentEnd(bytes, start, cellEnd, cellStart);
  if (start === end) return 'empty';
  return end - start <= 4 ? MISSING.get(ascii(bytes, start, end).toLowerCase()) : undefined;
}

/** Past the opening quote and the spaces before the content. */
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

/** Whether a cell has a quote at both ends. Those within do not matter: a number has none. */
function isInQuotes(bytes: Uint8Array, start: number, end: number): boolean {
  return isQuoted(bytes, start, end - 1) && bytes[end - 1] === Ascii.Quote;
}

function isSpace(byte: number | undefined): boolean {
  return byte === Ascii.Space || byte === Ascii.Tab;
}

function infinity(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 3 || end - start > 9) return NaN;
  const match = INFINITE.exec(ascii(bytes, start, end));
  if (!match) return NaN;
  return match[1] === '-' ? -Infinity : Infinity;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}

/** Powers of ten that are doubles exactly: dividing fifteen digits by one is rounded correctly. */
export const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Splits a double into halves of 26 bits (Veltkamp). */
const SPLITTER = 134_217_729;

/**
 * Powers of ten from 10^−280 to 10^280 as sums of two doubles (about 106 bits), the first also in
 * halves: at 4 · (exponent + 280).
 */
const MAX_POWER = 280;
export const POWERS = powersOfTen();

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
 * The number that the digits from `start` to `end` are, with the decimal mark at `markAt` (−1:
 * none) and `fraction` of them after it. NaN with more than 18 digits after leading zeros, and
 * where only Number() can tell.
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
 * The double nearest to (head · 10^tailDigits + tail) · 10^scale; head and tail below 10^9, both
 * whole. NaN when this cannot tell which of two neighbors is nearest, or the number is huge or
 * tiny: Number() can.
 */
function scaledNumber(head: number, tail: number, tailDigits: number, scale: number): number {
  // All digits as high + low, exactly: 10^9 has 21 bits without its factors of two, so the product
  // fits a double.
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

/** Doubles below this one are less than 2³¹ off. */
const MAX_SHORT = 2 ** 84;
const NONE: readonly number[] = [];

/**
 * The residuals of the integer in a cell whose nearest double is `value`, the largest first; none
 * if the double is exact, or the cell isn't written as an integer. `mark` is the byte before
 * decimals.
 */
export function integerResiduals(
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
  return residualsOf(value < 0 ? -BigInt(digits) : BigInt(digits), value);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= Ascii.Zero && byte <= Ascii.Nine;
}

/*
 * A double is any integer up to 2⁵³, and beyond only some. So that all of them stay apart and in
 * order, an integer beyond is its nearest double and the rest, which is added to it; where the rest
 * is no double either, it has a rest of its own.
 */

/** Doubles from here on may each stand for several integers. */
export const FIRST_ROUNDED = 2 ** 53;

/** The residuals of an integer whose nearest double is `value`, largest first; none if exact. */
export function residualsOf(integer: bigint, value: number): readonly number[] {
  const residuals: number[] = [];
  for (let rest = integer - BigInt(value); rest !== 0n; rest -= BigInt(Number(rest)))
    residuals.push(Number(rest));
  return residuals;
}
