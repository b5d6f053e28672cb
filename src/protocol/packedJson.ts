/** Bytes in one buffer. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * A large value as the bytes of its JSON. Between panel and page VS Code visits each value of a message several times, which for
 * thousands of small objects takes longer than all that the page does with them; a buffer is passed on as it is.
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
