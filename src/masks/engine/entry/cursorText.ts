import type { JsonCursor } from '../../../base/json/jsonCursor';

/** The bytes from `start` to `end` (exclusive) as UTF-8 text. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** The text of the string that a cursor read last. */
export function lastString({ bytes, textStart, textEnd, hasEscapes }: JsonCursor): string {
  if (!hasEscapes) return textOf(bytes, textStart, textEnd);
  return String(JSON.parse(textOf(bytes, textStart - 1, textEnd + 1)));
}

/** Consumes a number in any form and gives its value. Throws NeedsMoreBytes and NotJson. */
export function readNumber(cursor: JsonCursor): number {
  const { bytes, position } = cursor;
  return Number(textOf(bytes, position, cursor.number()));
}
