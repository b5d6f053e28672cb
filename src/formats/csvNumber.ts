const MINUS = 0x2d;
const PLUS = 0x2b;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;

/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** What tools write for "no value"; missing in a column of numbers, plain text elsewhere. */
const MISSING = new Set(['nan', 'na', 'n/a', '#n/a', 'null', 'none', '-']);

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
  let mantissa = 0;
  let digits = 0;
  let significant = 0;
  let scale = 0;
  let afterMark = false;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) {
      digits++;
      mantissa = mantissa * 10 + (byte - ZERO);
      if (mantissa > 0) significant++;
      if (afterMark) scale--;
    } else if (byte === markByte && !afterMark) afterMark = true;
    else break;
  }
  if (digits === 0) return infinity(bytes, start, end);
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
  // Fifteen digits and a small power of ten are exact doubles, so one multiplication or division rounds correctly.
  if (significant <= 15 && scale >= -22 && scale <= 22) {
    const power = POWERS[Math.abs(scale)] ?? 1;
    const size = scale < 0 ? mantissa / power : mantissa * power;
    return negative ? -size : size;
  }
  return Number(ascii(bytes, start, end).replace(',', '.'));
}

/** Whether a cell is empty or one of the words tools write for a missing value. */
export function isMissing(bytes: Uint8Array, cellStart: number, cellEnd: number): boolean {
  const start = contentStart(bytes, cellStart, cellEnd);
  const end = contentEnd(bytes, start, cellEnd, cellStart);
  if (start === end) return true;
  return end - start <= 4 && MISSING.has(ascii(bytes, start, end).toLowerCase());
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
  return String.fromCharCode(...bytes.subarray(start, end));
}
