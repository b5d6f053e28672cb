import { type FileHandle, open, stat } from 'node:fs/promises';
import { type ByteSource, checkReach } from '../byteSource';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { whenReleased } from '../../base/node/diskErrors';
import { unreadableFile } from '../../base/node/fileErrors';

/** Maximum bytes per system call. Linux allows 2 GB, but a read is only canceled between calls. */
const MAX_CHUNK_BYTES = 16 * 1024 ** 2;
/** Maximum bytes per `read`; no block of an image is larger. */
const MAX_READ_BYTES = 1024 ** 3;

/**
 * A file as a ByteSource. The first read, and the first after each release, opens the file. If it
 * has changed by then, the read throws `file-changed`, so that old and new content never mix.
 */
export class FileByteSource implements ByteSource {
  /** Bytes read so far. */
  bytesRead = 0;
  private handle: Promise<FileHandle> | undefined;
  private readonly pending = new Set<Promise<unknown>>();

  private constructor(
    private readonly path: string,
    readonly size: number,
    private readonly modified: number,
  ) {}

  /** Throws `not-a-file`. */
  static async of(path: string): Promise<FileByteSource> {
    let stats;
    try {
      stats = await stat(path);
    } catch (error) {
      throw unreadableFile(error, path);
    }
    if (!stats.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject: path });
    return new FileByteSource(path, stats.size, stats.mtimeMs);
  }

  /** Throws RangeError past the end, `not-a-file`, `file-changed`, `cancelled`. */
  async read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    throwIfCanceled(signal);
    checkReach(offset, length, this.size);
    if (length > MAX_READ_BYTES) throw new RangeError(`${length} bytes at once`);
    const reading = this.readChunks(offset, length, signal);
    this.pending.add(reading);
    try {
      return await reading;
    } finally {
      this.pending.delete(reading);
    }
  }

  /** Closes the handle after pending reads; the next read opens it again. */
  async release(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    // A handle's close waits only for its current call, but a read may take several calls.
    await Promise.allSettled(this.pending);
    await (await handle?.catch(() => undefined))?.close();
  }

  private async readChunks(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    const handle = await this.sharedHandle();
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await handle.read(
        bytes,
        done,
        Math.min(MAX_CHUNK_BYTES, length - done),
        offset + done,
      );
      if (bytesRead === 0) throw this.changedError();
      throwIfCanceled(signal);
      done += bytesRead;
    }
    this.bytesRead += length;
    return bytes;
  }

  private sharedHandle(): Promise<FileHandle> {
    if (!this.handle) {
      this.handle = this.open();
      this.handle.catch(() => (this.handle = undefined));
    }
    return this.handle;
  }

  private async open(): Promise<FileHandle> {
    let handle;
    try {
      handle = await whenReleased(() => open(this.path, 'r'));
    } catch (error) {
      throw unreadableFile(error, this.path);
    }
    const stats = await handle.stat();
    if (stats.size === this.size && stats.mtimeMs === this.modified) return handle;
    await handle.close();
    throw this.changedError();
  }

  private changedError(): CodedError {
    return new CodedError('file-changed', 'The file changed after it was opened', { subject: this.path });
  }
}

/** SHA-256 (hex) and size of a file, read in chunks. Throws `not-a-file`, `in-use`, `cancelled`. */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = await whenReleased(() => open(path));
    for await (const chunk of file.createReadStream({
      highWaterMark: 1024 * 1024,
    }) as AsyncIterable<Buffer>) {
      throwIfCanceled(signal);
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    throwIfCanceled(signal);
    throw unreadableFile(error, path);
  }
  return { sha256: hash.digest('hex'), size };
}
