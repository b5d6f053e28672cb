import { open, type FileHandle } from 'node:fs/promises';
import { whenReleased } from '../../../base/node/diskErrors';
import { throwIfCanceled } from '../../../base/errors';

/** Bytes read at a time. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads many small, neighboring parts of a file from larger pieces of it: reading each part by itself takes longer than
 * inflating it.
 */
export class FileWindow {
  private pieceStart = 0;
  private pieceEnd = 0;
  private piece: Promise<Buffer> = Promise.resolve(Buffer.alloc(0));

  /** Over an open file of `size` bytes. */
  constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileWindow> {
    const file = await whenReleased(() => open(path, 'r'));
    try {
      const { size } = await file.stat();
      return new FileWindow(file, size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** `length` bytes, fewer only at the end of the file. The memory is shared: don't write to it. */
  async read(position: number, length: number): Promise<Buffer> {
    if (length > PIECE_BYTES) return this.fill(position, length);
    if (position < this.pieceStart || position + length > this.pieceEnd) {
      this.pieceStart = position;
      this.pieceEnd = position + PIECE_BYTES;
      this.piece = this.fill(position, PIECE_BYTES);
    }
    const { piece } = this;
    const start = position - this.pieceStart;
    try {
      return (await piece).subarray(start, start + length);
    } catch (error) {
      if (this.piece === piece) this.pieceEnd = 0;
      throw error;
    }
  }

  /**
   * The bytes from `start` to before `end`, or to the end of the file, piece by piece. Each is read when it is wanted: a stream of
   * the handle would leave its listeners and a buffer at the handle, which stays open. Throws `cancelled`.
   */
  async *pieces(start: number, end: number, signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    for (let at = start; at < end; at += PIECE_BYTES) {
      throwIfCanceled(signal);
      const piece = await this.fill(at, Math.min(PIECE_BYTES, end - at));
      if (piece.length === 0) return;
      yield piece;
    }
  }

  /** Waits for reads in progress. */
  close(): Promise<void> {
    return this.file.close();
  }

  private async fill(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, this.size - position)));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.file.read(bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }
}
