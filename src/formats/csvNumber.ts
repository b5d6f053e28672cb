import { scaledNumber } from './longNumber';

const MINUS = 0x2d;
const PLUS = 0x2b;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;

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

/** Whether a cell says "infinite", and which way. */
const INFINITE = /^([+-]?)(?:inf|infinity)$/i;

export type DecimalMark = '.' | ',';

/**
 * The number a cell holds, correctly rounded; NaN when it holds none. Quotes and spaces around it are allowed, grouping
 * of thousands is not.
 */
export function cellNumber(bytes: Uint8Array, cellStart: number, cellEnd: number, mark: DecimalMark): number {
  const start = contentStart(bytes, cellStart, cellEnd);
  const end = contentEnd(bytes, start, cellEnd, cellStart);
  let at = start;
  const negative = bytes[at] === MINUS;
  if (at < end && (negative || bytes[at] === PLUS)) at++;
  const markByte = mark === '.' ? 0x2e : 0x2c;
  // Up to 18 digits as two whole numbers; zeros before the first other digit do not count.
  let head = 0;
  let tail = 0;
  let tailDigits = 0;
  let significant = 0;
  let anyDigit = false;
  let scale = 0;
  let afterMark = false;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) {
      anyDigit = true;
      if (afterMark) scale--;
      if (significant < 9) head = head * 10 + (byte - ZERO);
      else if (significant < 18) {
        tail = tail * 10 + (byte - ZERO);
        tailDigits++;
      }
      if (head > 0) significant++;
    } else if (byte === markByte && !afterMark) afterMark = true;
    else break;
  }
  if (!anyDigit) return infinity(bytes, start, end);
  if (at < end) {
    if ((bytes[at] ?? 0) !== 0x65 && bytes[at] !== 0x45) return NaN;
    at++;
    const exponentNegative = bytes[at] === MINUS;
    if (at < end && (exponentNegative || bytes[at] === PLUS)) at++;
    if (at >= end) return NaN;
    let exponent = 0;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < ZERO || byte > NINE) return NaN;
      exponent = Math.min(exponent * 10 + (byte - ZERO), 100_000);
    }
    scale += exponentNegative ? -exponent : exponent;
  }
  if (significant <= 18) {
    const size = scaledNumber(head, tail, tailDigits, scale);
    if (size === size) return negative ? -size : size;
  }
  return Number(ascii(bytes, start, end).replace(',', '.'));
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
  if (bytes[start] === QUOTE && end - start >= 2 && bytes[end - 1] === QUOTE) start++;
  while (start < end && isSpace(bytes[start])) start++;
  return start;
}

function contentEnd(bytes: Uint8Array, start: number, end: number, cellStart: number): number {
  if (bytes[cellStart] === QUOTE && end - cellStart >= 2 && bytes[end - 1] === QUOTE) end--;
  while (start < end && isSpace(bytes[end - 1])) end--;
  return end;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

function infinity(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 3 || end - start > 9) return NaN;
  const match = INFINITE.exec(ascii(bytes, start, end));
  if (!match) return NaN;
  return match[1] === '-' ? -Infinity : Infinity;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}
