/** Bytes that are read by parts: a file, or a buffer. */
export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes. Throws RangeError where they reach past the end, `cancelled`. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Throws RangeError for bytes outside a source of that size, before any allocation. */
export function checkReach(offset: number, length: number, size: number): void {
  const isValid = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (!isValid || offset + length > size)
    throw new RangeError(`bytes ${offset} to ${offset + length} of ${size}`);
}

/** A source over bytes in memory; what is read are views of them. */
export function memorySource(memory: Uint8Array): ByteSource {
  // Slices of a Buffer of Node.js are views: what decodes in place in a slice would change the
  // source.
  const bytes = new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
  return {
    size: bytes.length,
    // Async, so that reaching past the end rejects as it does for a file.
    read: async (offset, length) => {
      checkReach(offset, length, bytes.length);
      return bytes.subarray(offset, offset + length);
    },
  };
}
