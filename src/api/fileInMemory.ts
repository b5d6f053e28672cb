/** A short file that was read as a whole, with room around it for what a request puts there. */
export interface FileInMemory {
  /** Holds nothing but the file. Whoever sends it may write around it. */
  memory: Buffer;
  /** Where the file begins in it. */
  start: number;
  /** Bytes. */
  size: number;
  /** Nobody reads the memory any more; it may be used again. Called once, or never. */
  release?: () => void;
}

/** Enough for the form around a file, unless its name is very long. Bytes. */
export const ROOM_BEFORE = 2048;
export const ROOM_AFTER = 256;

/** Memory for a file of this size. */
export function memoryFor(size: number): FileInMemory {
  return { memory: Buffer.allocUnsafeSlow(ROOM_BEFORE + size + ROOM_AFTER), start: ROOM_BEFORE, size };
}

/** A copy of a file that was read elsewhere. */
export function memoryWith(bytes: Uint8Array): FileInMemory {
  const file = memoryFor(bytes.byteLength);
  bytesOf(file).set(bytes);
  return file;
}

/** The bytes of the file alone. */
export function bytesOf({ memory, start, size }: FileInMemory): Buffer {
  return memory.subarray(start, start + size);
}

/** The file between two texts; in its own memory if they fit there. `headBytes` is the length of the first in UTF-8. */
export function surrounded(file: FileInMemory, head: string, headBytes: number, tail: string): Buffer {
  const { memory, start, size } = file;
  const first = start - headBytes;
  const end = start + size;
  if (first < 0 || end + Buffer.byteLength(tail) > memory.byteLength)
    return Buffer.concat([Buffer.from(head), bytesOf(file), Buffer.from(tail)]);
  memory.write(head, first);
  return memory.subarray(first, end + memory.write(tail, end));
}
