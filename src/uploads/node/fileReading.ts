import * as fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { CancelSignal } from '../../base/canceling';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { type FileFacts, fileIdentity, isUnchanged, type WholeFile } from './fileSource';
import { whenReleased } from '../../base/node/diskErrors';
import { reason } from '../../base/reasons';
import { type FileInMemory, ROOM_AFTER, ROOM_BEFORE } from '../../service/node/multipartBody';

/** Longer files are streamed. Bytes. */
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

/** Opens a pipe without waiting for its other end. Windows has neither flag nor pipe files. */
const FLAGS = fs.constants.O_RDONLY | ((fs.constants as Partial<typeof fs.constants>).O_NONBLOCK ?? 0);

/** In milliseconds: after one slower `fstat`, as on a network disk, all are asynchronous. */
const SLOW_MS = 5;

/** In bytes: buffers have multiples of this size, so that similar files can reuse them. */
const STEP = 64 * 1024;

/** The maximum number of unused buffers. */
const MAX_SPARE = 16;

/** Files that were read are closed so many at a time, or so much later. */
const CLOSED_TOGETHER = 16;
const CLOSE_MS = 50;

/**
 * Reads the short files of an upload. An asynchronous call costs the extension host far more than
 * the call itself: five for each file would take longer than sending it. Only opening, reading and
 * closing are asynchronous, as disks may be slow, and use callbacks, as there may be thousands of
 * files. Most of such a call is waking a thread, which several closed together share.
 */
export class ShortFiles {
  private readonly spare: Buffer[] = [];
  private toClose: number[] = [];
  private closing: NodeJS.Timeout | undefined;
  private isSlow = false;

  /** `fstatNow` is for tests. */
  /** `now` is in milliseconds. */
  constructor(
    private readonly fstatNow: (file: number) => fs.Stats = file => fs.fstatSync(file),
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** As FileSource.whole. For a path that can't be opened, `facts` throws the error to report. */
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
        this.fstat(file, (statError, now) => {
          if (statError) return done(statError);
          if (size !== stats.size || !isUnchanged(stats, now))
            return done(changedWhileRead(fileName, now.size - stats.size));
          const identity = fileIdentity(stats);
          done(null, { memory, start: ROOM_BEFORE, size, identity, release: () => this.keep(memory) });
        });
      });
    });
  }

  private fstat(file: number, done: (error: Error | null, stats: fs.Stats) => void): void {
    if (this.isSlow) {
      fs.fstat(file, done);
      return;
    }
    const begunAt = this.now();
    let stats: fs.Stats;
    try {
      stats = this.fstatNow(file);
    } catch {
      // Thrown in a callback it would be unhandled.
      fs.fstat(file, done);
      return;
    }
    this.isSlow = this.now() - begunAt > SLOW_MS;
    done(null, stats);
  }

  private closeLater(file: number): void {
    if (this.toClose.push(file) >= CLOSED_TOGETHER) this.closeAll();
    else this.closing ??= setTimeout(() => this.closeAll(), CLOSE_MS);
  }

  private closeAll(): void {
    clearTimeout(this.closing);
    this.closing = undefined;
    // Nothing was written, so that nothing can be lost.
    for (const file of this.toClose) fs.close(file, () => undefined);
    this.toClose = [];
  }

  private memoryOf(bytes: number): Buffer {
    const fitting = this.spare.findIndex(({ byteLength }) => byteLength >= bytes);
    const memory = fitting < 0 ? undefined : this.spare.splice(fitting, 1)[0];
    return memory ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP) * STEP);
  }

  private keep(memory: Buffer): void {
    if (this.spare.length < MAX_SPARE) this.spare.push(memory);
  }
}

/** Replaced by the error of `facts`. */
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

/** Smaller pieces cost time, larger ones memory without a gain. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The first `size` bytes of a file, or all if it is shorter. The next piece is read into the other
 * of two buffers while one is sent: a piece is valid until the next is requested.
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
      reading = fillRoom(file, room).then(filled => room.subarray(0, filled));
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
async function fillRoom(file: FileHandle, room: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < room.byteLength) {
    const { bytesRead } = await file.read(room, filled, room.byteLength - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
