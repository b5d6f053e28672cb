import { open, type FileHandle } from 'node:fs/promises';
import type { CancelSignal } from '../../base/canceling';
import { whenReleased } from '../../base/node/diskErrors';
import { throwIfCanceled } from '../../base/errors';

/** Smaller pieces cost time, larger ones memory without a gain. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The first `size` bytes of a file, or fewer where it is shorter. While a piece is being sent the next one is read, into
 * the other of two buffers: a piece is valid until the next is requested.
 */
export async function* readPieces(
  path: string,
  size: number,
  signal: CancelSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  throwIfCanceled(signal);
  if (size === 0) return;
  const file = await whenReleased(() => open(path));
  let reading: Promise<Uint8Array> | undefined;
  try {
    let [next, other] = [newBuffer(size), newBuffer(size - PIECE_BYTES)];
    let requested = 0;
    const readNext = () => {
      const room = next.subarray(0, Math.min(next.byteLength, size - requested));
      requested += room.byteLength;
      reading = fill(file, room).then(filled => room.subarray(0, filled));
      [next, other] = [other, next];
    };
    readNext();
    while (reading) {
      const piece: Uint8Array = await reading;
      throwIfCanceled(signal);
      reading = undefined;
      if (requested < size) readNext();
      if (piece.byteLength === 0) return;
      yield piece;
    }
  } finally {
    // What is still being read has no reader any more; the file is closed after it.
    reading?.catch(() => undefined);
    await file.close();
  }
}

/** For all that is left of a file, if that is less than a piece. */
function newBuffer(left: number): Uint8Array {
  return Buffer.allocUnsafeSlow(Math.max(0, Math.min(PIECE_BYTES, left)));
}

/** Reads on until the room is full or the file ends; the number of bytes. */
async function fill(file: FileHandle, room: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < room.byteLength) {
    const { bytesRead } = await file.read(room, filled, room.byteLength - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
