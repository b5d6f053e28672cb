/**
 * Frees a buffer's memory at once, for the next one of its size: the garbage collector would free
 * it after 64 MB, and search the whole heap. Nothing may use the buffer later.
 */
export function freeMemory(buffer: ArrayBuffer): void {
  (buffer as ArrayBuffer & { transfer(length: number): ArrayBuffer }).transfer(0);
}
