import { open, type FileHandle } from 'node:fs/promises';

/** Bytes read at a time. */
const PIECE = 256 * 1024;

/**
 * A file of which many small parts that lie close together are read, from large pieces of it: a read by itself takes
 * longer than to inflate what it brings.
 */
export class FileWindow {
  private pieceStart = 0;
  private pieceEnd = 0;
  private piece: Promise<Buffer> = Promise.resolve(Buffer.alloc(0));

  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileWindow> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      return new FileWindow(file, size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** So many bytes, fewer only where the file ends; not to be written to. */
  async read(position: number, length: number): Promise<Buffer> {
    if (length > PIECE) return this.fill(position, length);
    if (position < this.pieceStart || position + length > this.pieceEnd) {
      this.pieceStart = position;
      this.pieceEnd = position + PIECE;
      this.piece = this.fill(position, PIECE);
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

  /** The bytes from `start` to before `end` as a stream, which is to be at its end, or destroyed, before `close`. */
  stream(start: number, end: number) {
    return this.file.createReadStream({ start, end: end - 1, highWaterMark: PIECE, autoClose: false });
  }

  /** Waits for reads under way. */
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
