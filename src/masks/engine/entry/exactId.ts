import { FIRST_ROUNDED } from '../../../base/roundedIntegers';
import { Ascii } from '../../../base/ascii';
import type { JsonCursor } from '../../../base/json/jsonCursor';
import { lastString, textOf } from './cursorText';

/** Longer integers are no IDs, and slow to read. */
const INTEGER = /^-?\d{1,1000}$/;

/** An ID written as JSON or as a key: a bigint where the nearest double is another integer, NaN where it is no number. */
export function exactId(written: string): number | bigint {
  const value = Number(written);
  if (!(Math.abs(value) >= FIRST_ROUNDED) || !INTEGER.test(written)) return value;
  const integer = BigInt(written);
  return Number.isFinite(value) && BigInt(value) === integer ? value : integer;
}

/** How the last `id` of the record at the cursor is written; undefined when it has none. The record must be valid JSON. */
export function writtenId(cursor: JsonCursor): string | undefined {
  let written: string | undefined;
  cursor.take(Ascii.OpenBrace);
  do {
    cursor.string();
    const isId = lastString(cursor) === 'id';
    cursor.take(Ascii.Colon);
    cursor.peek();
    const start = cursor.position;
    cursor.skipFromStart();
    if (isId) written = textOf(cursor.bytes, start, cursor.position);
  } while (cursor.takeIf(Ascii.Comma));
  return written;
}
