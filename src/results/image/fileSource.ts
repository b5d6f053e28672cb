import { open, stat, type FileHandle } from 'node:fs/promises';
import { CodedError, throwIfCancelled } from '../../base/errors';
import { checkReach, type ByteSource } from '../../formats/byteSource';

/** Bytes that are read at a time: the system takes no more than 2 GB, and a cancel is heard between. */
const PART = 16 * 1024 ** 2;
/** Most bytes of one read; nothing in a picture that is read by parts is larger. */
const MOST_BYTES = 1024 ** 3;

/**
 * A file that is read by parts. Its handle is opened when it is needed and may be let go at any time; a file that has
 * changed meanwhile is not read on.
 */
export class FileSource implements ByteSource {
  /** Bytes read so far. */
  bytesRead = 0;
  private handle: Promise<FileHandle> | undefined;

  private constructor(
    private readonly path: string,
    readonly size: number,
    private readonly modified: number,
  ) {}

  /** Throws `not-a-file`. */
  static async of(path: string): Promise<FileSource> {
    let found;
    try {
      found = await stat(path);
    } catch (error) {
      throw unreadable(path, error);
    }
    if (!found.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject: path });
    return new FileSource(path, found.size, found.mtimeMs);
  }

  /** Throws RangeError past the end, `not-a-file`, `file-changed`, `cancelled`. */
  async read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    throwIfCancelled(signal);
    checkReach(offset, length, this.size);
    if (length > MOST_BYTES) throw new RangeError(`${length} bytes at once`);
    const handle = await this.opened();
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await handle.read(bytes, done, Math.min(PART, length - done), offset + done);
      if (bytesRead === 0) throw this.changed();
      throwIfCancelled(signal);
      done += bytesRead;
    }
    this.bytesRead += length;
    return bytes;
  }

  /** Lets go of the file once what is being read was read; it is opened again when more is asked for. */
  async release(): Promise<void> {
    const handle = this.handle;
    this.handle = undefined;
    await (await handle?.catch(() => undefined))?.close();
  }

  private opened(): Promise<FileHandle> {
    if (!this.handle) {
      this.handle = this.open();
      this.handle.catch(() => (this.handle = undefined));
    }
    return this.handle;
  }

  private async open(): Promise<FileHandle> {
    let handle;
    try {
      handle = await open(this.path, 'r');
    } catch (error) {
      throw unreadable(this.path, error);
    }
    const now = await handle.stat();
    if (now.size === this.size && now.mtimeMs === this.modified) return handle;
    await handle.close();
    throw this.changed();
  }

  private changed(): CodedError {
    return new CodedError('file-changed', 'The file changed after it was opened', { subject: this.path });
  }
}

function unreadable(path: string, error: unknown): CodedError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CodedError('not-a-file', `The file cannot be opened: ${reason}`, { subject: path, reason });
}
