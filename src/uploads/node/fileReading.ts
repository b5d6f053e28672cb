import * as fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { CancelSignal } from '../../base/canceling';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { type FileFacts, fileIdentity, isUnchanged, type WholeFile } from './fileSource';
import { whenReleased } from '../../base/node/diskErrors';
import { reason } from '../../base/reasons';
import { type FileInMemory, ROOM_AFTER, ROOM_BEFORE } from '../../service/node/multipartBody';

/** Maximum bytes of a file that is read as a whole; longer files are streamed. */
export const MAX_WHOLE_BYTES = 1024 * 1024;

/**
 * Reads a short file; undefined if it is longer. `read` gets the expected size. Throws
 * `file-changed` if the file changes while being read.
 */
export async function readWhole(
  fileName: string,
  facts: () => Promise<FileFacts>,
  read: (size: number) => Promise<FileInMemory>,
): Promise<WholeFile | undefined> {
  const { size, identity } = await facts();
  if (size > MAX_WHOLE_BYTES) return undefined;
  const content = await read(size);
  if (content.size !== size) throw changedWhileRead(fileName, content.size - size);
  if ((await facts()).identity !== identity) throw changedWhileRead(fileName);
  return { ...content, identity };
}

/** The error for a file that changed while it was read; `growth` in bytes, 0 if unknown. */
export function changedWhileRead(fileName: string, growth = 0): CodedError {
  return new CodedError('file-changed', 'The file changed while it was sent', {
    subject: fileName,
    ...(growth !== 0 && { reason: growth > 0 ? reason('The file grew') : reason('The file shrank') }),
  });
}

/**
 * Flags that open a pipe without waiting for its other end. Windows lacks the flag and the pipes.
 */
const FLAGS = fs.constants.O_RDONLY | ((fs.constants as Partial<typeof fs.constants>).O_NONBLOCK ?? 0);

/** After an `fstat` slower than this, as on a network disk, all are asynchronous. Milliseconds. */
const SLOW_MS = 5;

/** Buffers have multiples of this size, so that similar files can reuse them. Bytes. */
const BUFFER_STEP = 64 * 1024;

/** Maximum number of unused buffers. */
const MAX_UNUSED_BUFFERS = 16;

/** Files are closed in groups of this number, or after this time. */
const CLOSED_TOGETHER = 16;
const CLOSE_MS = 50;

/**
 * Reads the short files of an upload. Asynchronous calls are expensive: five for each file would
 * take longer than sending it. So only opening, reading and closing are asynchronous, because disks
 * may be slow. They use callbacks, which are faster for thousands of files. Most of the time of
 * such a call is for waking a thread, so several files are closed together.
 */
export class ShortFiles {
  private readonly unusedBuffers: Buffer[] = [];
  private toClose: number[] = [];
  private closing: NodeJS.Timeout | undefined;
  private isSlow = false;

  /** `fstatNow` is for tests; `now` is in milliseconds. */
  constructor(
    private readonly fstatNow: (file: number) => fs.Stats = file => fs.fstatSync(file),
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** See FileSource.whole. If the path can't be opened, `facts` throws the error to report. */
  read(path: string, fileName: string, facts: () => Promise<FileFacts>): Promise<WholeFile | undefined> {
    return new Promise((resolve, reject) => {
      const refuse = (error: Error) => void facts().then(() => reject(error), reject);
      fs.open(path, FLAGS, (error, file) => {
        if (error) {
          refuse(error);
          return;
        }
        this.readOpen(file, fileName, (failure, whole) => {
          this.closeLater(file);
          if (failure === NOT_A_FILE) refuse(changedWhileRead(fileName));
          else if (failure) reject(failure);
          else resolve(whole);
        });
      });
    });
  }

  private readOpen(
    file: number,
    fileName: string,
    done: (error: Error | null, whole?: WholeFile) => void,
  ): void {
    this.fstat(file, (error, stats) => {
      if (error) return done(error);
      if (!stats.isFile()) return done(NOT_A_FILE);
      if (stats.size > MAX_WHOLE_BYTES) return done(null);
      const memory = this.memoryOf(ROOM_BEFORE + stats.size + ROOM_AFTER);
      fill(file, memory, stats.size, (readError, size) => {
        if (readError) return done(readError);
        this.fstat(file, (statError, statsAfter) => {
          if (statError) return done(statError);
          if (size !== stats.size || !isUnchanged(stats, statsAfter))
            return done(changedWhileRead(fileName, statsAfter.size - stats.size));
          const identity = fileIdentity(stats);
          done(null, { memory, start: ROOM_BEFORE, size, identity, release: () => this.reuseLater(memory) });
        });
      });
    });
  }

  private fstat(file: number, done: (error: Error | null, stats: fs.Stats) => void): void {
    if (this.isSlow) {
      fs.fstat(file, done);
      return;
    }
    const startedAt = this.now();
    let stats: fs.Stats;
    try {
      stats = this.fstatNow(file);
    } catch {
      // An error thrown in this callback would be unhandled: get it asynchronously.
      fs.fstat(file, done);
      return;
    }
    this.isSlow = this.now() - startedAt > SLOW_MS;
    done(null, stats);
  }

  private closeLater(file: number): void {
    if (this.toClose.push(file) >= CLOSED_TOGETHER) this.closeAll();
    else this.closing ??= setTimeout(() => this.closeAll(), CLOSE_MS);
  }

  private closeAll(): void {
    clearTimeout(this.closing);
    this.closing = undefined;
    // Errors don't matter, because nothing was written.
    for (const file of this.toClose) fs.close(file, () => undefined);
    this.toClose = [];
  }

  private memoryOf(bytes: number): Buffer {
    const fittingIndex = this.unusedBuffers.findIndex(({ byteLength }) => byteLength >= bytes);
    const memory = fittingIndex < 0 ? undefined : this.unusedBuffers.splice(fittingIndex, 1)[0];
    return memory ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / BUFFER_STEP) * BUFFER_STEP);
  }

  private reuseLater(memory: Buffer): void {
    if (this.unusedBuffers.length < MAX_UNUSED_BUFFERS) this.unusedBuffers.push(memory);
  }
}

/** A marker; callers get the error of `facts` instead. */
const NOT_A_FILE = new Error('Not a file');

/** Reads the first bytes of a file to their place in memory; fewer if the file is shorter. */
function fill(
  file: number,
  memory: Buffer,
  bytes: number,
  done: (error: Error | null, size: number) => void,
  filled = 0,
): void {
  fs.read(file, memory, ROOM_BEFORE + filled, bytes - filled, filled, (error, read) => {
    if (error || read === 0 || filled + read === bytes) done(error, filled + read);
    else fill(file, memory, bytes, done, filled + read);
  });
}

/** Bytes of a piece: smaller ones take more time, larger ones only more memory. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Yields the first `size` bytes of a file, or all if it is shorter. While a piece is sent, the next
 * is read into a second buffer, so a piece is valid until the next is requested.
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
    let [nextBuffer, sentBuffer] = [newBuffer(size), newBuffer(size - PIECE_BYTES)];
    let requested = 0;
    const readNext = () => {
      const buffer = nextBuffer.subarray(0, Math.min(nextBuffer.byteLength, size - requested));
      requested += buffer.byteLength;
      reading = fillBuffer(file, buffer).then(filled => buffer.subarray(0, filled));
      [nextBuffer, sentBuffer] = [sentBuffer, nextBuffer];
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
    // Ignore errors of a read that is no longer needed; the file is closed after it.
    reading?.catch(() => undefined);
    await file.close();
  }
}

/** A buffer for a piece, or for fewer remaining bytes. */
function newBuffer(remaining: number): Uint8Array {
  return Buffer.allocUnsafeSlow(Math.max(0, Math.min(PIECE_BYTES, remaining)));
}

/** Reads until the buffer is full or the file ends; returns the number of bytes. */
async function fillBuffer(file: FileHandle, buffer: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < buffer.byteLength) {
    const { bytesRead } = await file.read(buffer, filled, buffer.byteLength - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
