import * as fs from 'node:fs';
import { ROOM_AFTER, ROOM_BEFORE } from '../../api/fileInMemory';
import { fileIdentity } from '../../base/fileIdentity';
import type { FileFacts, WholeFile } from '../../uploads/fileSource';
import { changedWhileRead, MAX_WHOLE_BYTES } from '../../uploads/readWhole';

/** Opening a pipe doesn't wait for its other end. Windows has no such flag, and no pipes among its files. */
const FLAGS = fs.constants.O_RDONLY | ((fs.constants as Partial<typeof fs.constants>).O_NONBLOCK ?? 0);

/** Where to ask about an open file has taken longer, as it may on a network disk, this thread no longer waits. Milliseconds. */
const SLOW_MS = 5;

/** Memory comes in multiples of this, so that files of about the same size can use it one after the other. Bytes. */
const STEP = 64 * 1024;

/** How many pieces of memory are kept for later files. */
const MAX_SPARE = 16;

/**
 * Reads the short files of an upload. An asynchronous call costs the extension host far more than the call itself, so that
 * five for each file would take longer than to send it: only opening and reading are asynchronous, as the disk may be slow,
 * and have callbacks, as there are thousands of them.
 */
export class ShortFiles {
  private readonly spare: Buffer[] = [];
  private isSlow = false;

  /** `askNow` is for tests. */
  constructor(private readonly askNow: (file: number) => fs.Stats = file => fs.fstatSync(file)) {}

  /** As FileSource.whole; `facts` says what is wrong with a file that can't be opened. */
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
    this.ask(file, (error, found) => {
      if (error) return done(error);
      if (!found.isFile()) return done(NOT_A_FILE);
      if (found.size > MAX_WHOLE_BYTES) return done(null);
      const memory = this.memoryOf(ROOM_BEFORE + found.size + ROOM_AFTER);
      fill(file, memory, found.size, (readError, size) => {
        if (readError) return done(readError);
        this.ask(file, (askError, now) => {
          if (askError) return done(askError);
          const identity = fileIdentity(found);
          if (size !== found.size || fileIdentity(now) !== identity)
            return done(changedWhileRead(fileName, now.size - found.size));
          done(null, { memory, start: ROOM_BEFORE, size, identity, release: () => this.keep(memory) });
        });
      });
    });
  }

  private ask(file: number, done: (error: Error | null, stats: fs.Stats) => void): void {
    if (this.isSlow) {
      fs.fstat(file, done);
      return;
    }
    const begunAt = performance.now();
    let stats: fs.Stats;
    try {
      stats = this.askNow(file);
    } catch {
      // Not thrown in a callback, which nobody catches.
      fs.fstat(file, done);
      return;
    }
    this.isSlow = performance.now() - begunAt > SLOW_MS;
    done(null, stats);
  }

  private memoryOf(bytes: number): Buffer {
    const fitting = this.spare.findIndex(({ byteLength }) => byteLength >= bytes);
    const [memory] = fitting < 0 ? [] : this.spare.splice(fitting, 1);
    return memory ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP) * STEP);
  }

  private keep(memory: Buffer): void {
    if (this.spare.length < MAX_SPARE) this.spare.push(memory);
  }
}

/** What was opened is something else; told by what its path says. */
const NOT_A_FILE = new Error('Not a file');

/** Reads the first bytes of a file to where they belong; fewer where it ends before. */
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
