import { Ascii } from '../../base/ascii';
import { isQuoted } from './csvGrammar';
import { scaledNumber } from './longNumber';

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
export type Missing = 'empty' | 'NA' | 'NaN' | 'null' | 'other';

/** A longer cell is no number, whatever it holds: no tool writes one, and every digit would be copied to read it. */
const MAX_NUMBER_BYTES = 4096;

/** Whether a cell says "infinite", and which way. */
const INFINITE = /^([+-]?)(?:inf|infinity)$/i;

export type DecimalMark = '.' | ',';

/**
 * The number a cell holds, correctly rounded; NaN when it holds none, or the digits of one that is too great for a
 * double. Quotes and spaces around it are allowed, grouping of thousands is not.
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

/** How a cell is missing: empty, or one of the words tools write; undefined when it holds something. */
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
