/** What each number of a message is stored as. */
export type NumberKind = 'uint8' | 'uint16' | 'int32' | 'float64';

export type PackedNumbers = Uint8Array | Uint16Array | Int32Array | Float64Array;

const ARRAYS = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float64: Float64Array };

/**
 * A copy of numbers for a message, in as few bytes each as hold all of them: VS Code copies each byte several times between
 * panel and page, and the memory that this takes is collected while a page has something to paint.
 */
export function packIntegers(numbers: Int32Array | Float64Array): {
  buffer: ArrayBuffer;
  kind: NumberKind;
} {
  const kind = kindOf(numbers);
  return { buffer: ARRAYS[kind].from(numbers).buffer, kind };
}

/** What `packIntegers` packed, without a copy. */
export function unpackIntegers(buffer: ArrayBuffer, kind: NumberKind): PackedNumbers {
  return new ARRAYS[kind](buffer);
}

function kindOf(numbers: Int32Array | Float64Array): NumberKind {
  let least = 0;
  let most = 0;
  for (const number of numbers) {
    if (number !== (number | 0)) return 'float64';
    if (number < least) least = number;
    else if (number > most) most = number;
  }
  if (least < 0 || most > 0xffff) return 'int32';
  return most > 0xff ? 'uint16' : 'uint8';
}
