/** The type of the numbers in a packed message. */
export type NumberKind = 'uint8' | 'uint16' | 'int32' | 'float64';

export type PackedNumbers = Uint8Array | Uint16Array | Int32Array | Float64Array;

const ARRAYS = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float64: Float64Array };

/**
 * Copies numbers into the smallest type that can hold all of them. VS Code copies each byte several
 * times between panel and page, and collecting that garbage delays painting.
 */
export function packIntegers(numbers: Int32Array | Float64Array): {
  buffer: ArrayBuffer;
  kind: NumberKind;
} {
  const kind = kindOf(numbers);
  return { buffer: ARRAYS[kind].from(numbers).buffer, kind };
}

/** A view of the numbers that `packIntegers` packed. */
export function unpackIntegers(buffer: ArrayBuffer, kind: NumberKind): PackedNumbers {
  return new ARRAYS[kind](buffer);
}

function kindOf(numbers: Int32Array | Float64Array): NumberKind {
  let lowest = 0;
  let highest = 0;
  for (const number of numbers) {
    if (number !== (number | 0)) return 'float64';
    if (number < lowest) lowest = number;
    else if (number > highest) highest = number;
  }
  if (lowest < 0 || highest > 0xffff) return 'int32';
  return highest > 0xff ? 'uint16' : 'uint8';
}

/** Maximum bytes of one buffer. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * A large value as the bytes of its JSON. VS Code visits each value of a message several times
 * between panel and page, which is slow for thousands of small objects. It passes buffers through.
 */
export interface PackedJson<T> {
  json: ArrayBuffer[];
  /** Never set: the type of the value. */
  value?: T;
}

/** Packs a value that JSON can represent. */
export function packJson<T>(value: T): PackedJson<T> {
  const { buffer } = new TextEncoder().encode(JSON.stringify(value));
  const json: ArrayBuffer[] = [];
  for (let start = 0; start < buffer.byteLength; start += MAX_BYTES)
    json.push(buffer.slice(start, start + MAX_BYTES));
  return { json };
}

export function unpackJson<T>({ json }: PackedJson<T>): T {
  const decoder = new TextDecoder();
  const text = json.map(bytes => decoder.decode(bytes, { stream: true })).join('') + decoder.decode();
  return JSON.parse(text) as T;
}
