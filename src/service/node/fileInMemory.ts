/** A short file in memory, with room around it for the rest of a request's body. */
export interface FileInMemory {
  /** Contains only the file; its sender may write around it. */
  memory: Buffer;
  /** Where the file begins in it. */
  start: number;
  /** Bytes. */
  size: number;
  /** Called once the memory is no longer read and can be reused; not called where that isn't certain. */
  release?: () => void;
}

/** Enough for the form around a file, unless its name is very long. Bytes. */
export const ROOM_BEFORE = 2048;
export const ROOM_AFTER = 256;

/** Memory for a file of this size. */
export function memoryFor(size: number): FileInMemory {
  return { memory: Buffer.allocUnsafeSlow(ROOM_BEFORE + size + ROOM_AFTER), start: ROOM_BEFORE, size };
}

/** Memory with a copy of a file's bytes. */
export function memoryWith(bytes: Uint8Array): FileInMemory {
  const file = memoryFor(bytes.byteLength);
  bytesOf(file).set(bytes);
  return file;
}

/** The bytes of the file alone. */
export function bytesOf({ memory, start, size }: FileInMemory): Buffer {
  return memory.subarray(start, start + size);
}

/** The file between two texts, in its own memory if the texts fit. `headBytes` is the length of the first in UTF-8. */
export function surrounded(file: FileInMemory, head: string, headBytes: number, tail: string): Buffer {
  const { memory, start, size } = file;
  const first = start - headBytes;
  const end = start + size;
  if (first < 0 || end + Buffer.byteLength(tail) > memory.byteLength)
    return Buffer.concat([Buffer.from(head), bytesOf(file), Buffer.from(tail)]);
  memory.write(head, first);
  return memory.subarray(first, end + memory.write(tail, end));
}
