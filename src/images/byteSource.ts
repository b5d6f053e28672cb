/** A file or buffer that is read in parts. */
export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes. Throws RangeError if they reach past the end, and `cancelled`. */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Throws RangeError if the bytes aren't inside a source of this size. Call before allocation. */
export function checkReach(offset: number, length: number, size: number): void {
  const isValid = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (!isValid || offset + length > size)
    throw new RangeError(`bytes ${offset} to ${offset + length} of ${size}`);
}

/** A source over bytes in memory; `read` returns views of them. */
export function memorySource(memory: Uint8Array): ByteSource {
  // Not a Buffer: its `slice` returns a view, and decoding in place would change the source.
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
