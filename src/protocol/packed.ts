/** What each number of a message is stored as. */
export type NumberKind = 'uint8' | 'uint16' | 'int32' | 'float64';

export type PackedNumbers = Uint8Array | Uint16Array | Int32Array | Float64Array;

const ARRAYS = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float64: Float64Array };

/**
 * A copy of numbers for a message, in as few bytes each as hold all of them: VS Code copies each
 * byte several times between panel and page, and the memory that this takes is collected while a
 * page has something to paint.
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

/** Bytes in one buffer. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * A large value as the bytes of its JSON. Between panel and page VS Code visits each value of a
 * message several times, which for thousands of small objects takes longer than all that the page
 * does with them; a buffer is passed on as it is.
 */
export interface PackedJson<T> {
  json: ArrayBuffer[];
  /** Never set: the type of the value. */
  value?: T;
}

/** Packs a value, which must survive JSON. */
export function packJson<T>(value: T): PackedJson<T> {
  const { buffer } = new TextEncoder().encode(JSON.stringify(value));
  const json: ArrayBuffer[] = [];
  for (let at = 0; at < buffer.byteLength; at += MAX_BYTES) json.push(buffer.slice(at, at + MAX_BYTES));
  return { json };
}

export function unpackJson<T>({ json }: PackedJson<T>): T {
  const decoder = new TextDecoder();
  const text = json.map(bytes => decoder.decode(bytes, { stream: true })).join('') + decoder.decode();
  return JSON.parse(text) as T;
}
