import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canceledError, CodedError } from '../../../base/errors';
import { whenReleased } from '../../../base/node/diskErrors';
import { unreadableFile } from '../../../base/node/fileErrors';
import { Pacer } from '../../../base/node/slices';
import { compressionOf, decompressInto } from './decompressedFile';

const TRANSCODE_CHUNK = 4 * 1024 * 1024;

/**
 * The bytes of a table's file, read on demand and never cached. Reads synchronously, in small
 * parts, because it runs in an engine thread.
 */
export class TableFile {
  private readonly modifiedAt: number;
  private isOpen = true;
  private canBeShared = true;
  /** The folder of a copy, until it is deleted. */
  private folder: string | undefined;

  private constructor(
    private readonly handle: number,
    readonly path: string,
    /** The file that is read: the one at `path`, or a decompressed or decoded copy. */
    private location: string,
    readonly size: number,
    /** Whether the file at `path` begins with a byte order mark. */
    readonly hasByteOrderMark: boolean,
  ) {
    this.modifiedAt = fstatSync(handle).mtimeMs;
    if (location !== path) this.folder = dirname(location);
  }

  /**
   * Opens a file; compressed or UTF-16 ones are first copied as UTF-8 into a temporary folder.
   * Throws `not-a-file`, `damaged-table`, `no-space`, `cancelled`.
   */
  static async open(path: string, signal?: AbortSignal): Promise<TableFile> {
    const original = await openForReading(path);
    /** The open file, or its open copy. */
    let opened: number | undefined = original;
    let copy: string | undefined;
    const replaceBy = (made: string) => {
      if (copy !== undefined) remove(dirname(copy));
      copy = made;
      if (opened !== undefined) closeIgnoringErrors(opened);
      opened = undefined;
      return (opened = openSync(made, 'r'));
    };
    try {
      let handle = original;
      const stat = fstatSync(handle);
      if (!stat.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject: path });
      const compression = compressionOf(handle);
      if (compression) {
        const { size } = stat;
        const source = { handle, path, size, compression };
        handle = replaceBy(await makeCopy(to => decompressInto(to, source, { signal })));
      }
      const encoding = utf16Of(handle);
      if (encoding) {
        const { size } = fstatSync(handle);
        const source = handle;
        handle = replaceBy(await makeCopy(to => transcode(source, to, size, encoding, signal)));
      }
      const isMarked = encoding !== undefined || hasUtf8Mark(handle);
      const file = new TableFile(handle, path, copy ?? path, fstatSync(handle).size, isMarked);
      // Unlinked while open, the copy disappears with this process however that ends. Windows does
      // not allow it.
      if (copy !== undefined && process.platform !== 'win32') file.unlinkCopy();
      return file;
    } catch (error) {
      if (opened !== undefined) closeIgnoringErrors(opened);
      if (copy !== undefined) remove(dirname(copy));
      throw error;
    }
  }

  /** The path where another thread finds the bytes, if `isShared`. */
  get bytesPath(): string {
    return this.location;
  }

  /** Whether another thread can open `bytesPath`. */
  get isShared(): boolean {
    return this.canBeShared;
  }

  /** Fills `target`, except past the end of the file. Throws `file-changed` if it got shorter. */
  read(target: Uint8Array, offset: number, length: number): number {
    this.checkOpen();
    let done = 0;
    while (done < length) {
      const count = readSync(this.handle, target, done, length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    if (done < length && offset + done < this.size) throw this.changedError();
    return done;
  }

  /** Throws `file-changed` if the file has changed since it was opened. */
  check(): void {
    this.checkOpen();
    const stat = fstatSync(this.handle);
    if (stat.size !== this.size || stat.mtimeMs !== this.modifiedAt) throw this.changedError();
  }

  /** Closes the file. Later reads throw `cancelled`: the handle may be another file's then. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeIgnoringErrors(this.handle);
    this.removeCopy();
  }

  private checkOpen(): void {
    if (!this.isOpen) throw canceledError();
  }

  private removeCopy(): void {
    if (this.folder === undefined) return;
    this.canBeShared = false;
    if (remove(this.folder)) this.folder = undefined;
  }

  /** Removes the name of the copy. Other threads open it by the number of its handle. */
  private unlinkCopy(): void {
    this.removeCopy();
    if (this.folder !== undefined) return;
    this.location = `${process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'}/${this.handle}`;
    this.canBeShared = existsSync(this.location);
  }

  private changedError(): CodedError {
    return new CodedError('file-changed', 'The file changed after it was opened', { subject: this.path });
  }
}

async function openForReading(path: string): Promise<number> {
  try {
    return await whenReleased(() => Promise.resolve().then(() => openSync(path, 'r')));
  } catch (error) {
    throw unreadableFile(error, path);
  }
}

/** The encoding of a file that begins with a byte order mark of UTF-16; undefined for others. */
function utf16Of(handle: number): 'utf-16le' | 'utf-16be' | undefined {
  const mark = new Uint8Array(2);
  readSync(handle, mark, 0, 2, 0);
  if (mark[0] === 0xff && mark[1] === 0xfe) return 'utf-16le';
  return mark[0] === 0xfe && mark[1] === 0xff ? 'utf-16be' : undefined;
}

function hasUtf8Mark(handle: number): boolean {
  const mark = new Uint8Array(3);
  readSync(handle, mark, 0, 3, 0);
  return mark[0] === 0xef && mark[1] === 0xbb && mark[2] === 0xbf;
}

/** Makes a copy in a temporary folder; leaves nothing if it fails. Returns its path. */
async function makeCopy(write: (to: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'image-analysis-'));
  try {
    const path = join(folder, 'table.csv');
    await write(path);
    return path;
  } catch (error) {
    remove(folder);
    throw error;
  }
}

/** Copies a file of UTF-16 as UTF-8. */
async function transcode(
  handle: number,
  to: string,
  size: number,
  encoding: string,
  signal?: AbortSignal,
): Promise<void> {
  const target = openSync(to, 'wx', 0o600);
  try {
    await copyAsUtf8(handle, target, size, encoding, signal);
  } finally {
    closeSync(target);
  }
}

async function copyAsUtf8(
  handle: number,
  target: number,
  size: number,
  encoding: string,
  signal?: AbortSignal,
): Promise<void> {
  const pacer = new Pacer(signal);
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(TRANSCODE_CHUNK);
  for (let done = 0; ;) {
    await pacer.pause();
    const count = readSync(handle, bytes, 0, bytes.length, done);
    done += count;
    const text = encoder.encode(
      decoder.decode(bytes.subarray(0, count), { stream: count > 0 && done < size }),
    );
    for (let written = 0; written < text.length;) written += writeSync(target, text, written);
    if (count === 0 || done >= size) break;
  }
}

/**
 * Deletes a temporary folder if possible, and returns whether it is gone. Windows and network file
 * systems keep the folder while a file in it is open, as in the scanning worker. This mustn't keep
 * a table from opening or closing.
 */
function remove(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Closes a file, and ignores errors: it was only read. */
function closeIgnoringErrors(handle: number): void {
  try {
    closeSync(handle);
  } catch {
    return;
  }
}
