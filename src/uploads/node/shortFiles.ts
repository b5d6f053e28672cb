import * as fs from 'node:fs';
import { ROOM_AFTER, ROOM_BEFORE } from '../../service/node/fileInMemory';
import { fileIdentity, isUnchanged } from '../../base/fileIdentity';
import type { FileFacts, WholeFile } from './fileSource';
import { changedWhileRead, MAX_WHOLE_BYTES } from './readWhole';

/** Opening a pipe doesn't wait for its other end. Windows has no such flag, and no pipes among its files. */
const FLAGS = fs.constants.O_RDONLY | ((fs.constants as Partial<typeof fs.constants>).O_NONBLOCK ?? 0);

/** If `fstat` takes longer than this once, as on a network disk, it is called asynchronously from then on. Milliseconds. */
const SLOW_MS = 5;

/** Buffers have multiples of this size, so that they can be reused for files of about the same size. Bytes. */
const STEP = 64 * 1024;

/** The maximum number of unused buffers. */
const MAX_SPARE = 16;

/**
 * Reads the short files of an upload. An asynchronous call costs the extension host far more than the call itself: five for
 * each file would take longer than sending it. Only opening and reading are asynchronous, as disks may be slow, and use
 * callbacks, as there may be thousands of files.
 */
export class ShortFiles {
  private readonly spare: Buffer[] = [];
  private isSlow = false;

  /** `fstatNow` is for tests. */
  constructor(private readonly fstatNow: (file: number) => fs.Stats = file => fs.fstatSync(file)) {}

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
          // Nothing was written, so that nothing can be lost.
          fs.close(file, () => undefined);
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
    this.fstat(file, (error, found) => {
      if (error) return done(error);
      if (!found.isFile()) return done(NOT_A_FILE);
      if (found.size > MAX_WHOLE_BYTES) return done(null);
      const memory = this.memoryOf(ROOM_BEFORE + found.size + ROOM_AFTER);
      fill(file, memory, found.size, (readError, size) => {
        if (readError) return done(readError);
        this.fstat(file, (statError, now) => {
          if (statError) return done(statError);
          if (size !== found.size || !isUnchanged(found, now))
            return done(changedWhileRead(fileName, now.size - found.size));
          const identity = fileIdentity(found);
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
    const begunAt = performance.now();
    let stats: fs.Stats;
    try {
      stats = this.fstatNow(file);
    } catch {
      // Thrown in a callback it would be unhandled.
      fs.fstat(file, done);
      return;
    }
    this.isSlow = performance.now() - begunAt > SLOW_MS;
    done(null, stats);
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
