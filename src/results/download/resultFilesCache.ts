import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import * as path from 'node:path';
import { PARTIAL_FILE_NAME } from '../../base/atomicFile';
import type { Log } from '../../base/log';
import type { ResultName } from './currentLink';

const ours = /^[0-9a-f]{32}-(objects|aggregate|masks)\.(csv|zip)$/;
/** Partial files of this age were left by a session that was killed. Milliseconds. */
const LEFTOVER_AGE = 24 * 60 * 60_000;
/** By then whoever requested an empty file has read it. Milliseconds. */
const EMPTY_AGE = 60_000;

/** Downloaded results in one directory: which file is whose, and which have to go when they are too many. */
export class ResultFilesCache {
  constructor(
    private readonly directory: string,
    private readonly log: Log,
  ) {}

  /** The file of a job's result, there or not. IDs are opaque, and file systems differ in what a name may be. */
  fileFor({ jobId, part }: ResultName): string {
    const name = createHash('sha256').update(jobId).digest('hex').slice(0, 32);
    return path.join(this.directory, `${name}-${part}.${part === 'masks' ? 'zip' : 'csv'}`);
  }

  /** Its size, if it is there; it then counts as just used. An empty one does not count: there may be more of it next time. */
  async find(file: string): Promise<number | undefined> {
    try {
      const { size, mtimeMs } = await stat(file);
      if (size === 0) return undefined;
      await markUsed(file, mtimeMs);
      return size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.log.warn(`A cached result cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /** A file has just been downloaded: from now on the time of its last change stays as it is. */
  async settle(file: string): Promise<void> {
    const { mtimeMs } = await stat(file);
    await markUsed(file, mtimeMs);
  }

  async prepare(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  /** Removes empty files, and those that were used longest ago until all are at most `bytes`; never those of `keep`. */
  async trim(bytes: number, keep: ReadonlySet<string>, now = Date.now()): Promise<void> {
    const files: { file: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(this.directory)) {
      const file = path.join(this.directory, name);
      if (!ours.test(name) && !PARTIAL_FILE_NAME.test(name)) continue;
      const unknown = { size: 0, atimeMs: now, mtimeMs: now };
      const { size, atimeMs, mtimeMs } = await stat(file).catch(() => unknown);
      const isUnwanted = ours.test(name)
        ? size === 0 && now - mtimeMs > EMPTY_AGE
        : now - mtimeMs > LEFTOVER_AGE;
      if (isUnwanted && !keep.has(file)) await this.remove(file);
      else if (ours.test(name)) files.push({ file, size, usedAt: Math.max(atimeMs, mtimeMs) });
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.sort((one, other) => one.usedAt - other.usedAt)) {
      if (total <= bytes) return;
      if (size === 0 || keep.has(file)) continue;
      if (await this.remove(file)) total -= size;
    }
  }

  /** Whether it is gone. */
  async remove(file: string): Promise<boolean> {
    try {
      await rm(file, { force: true });
      return true;
    } catch (error) {
      // Windows does not remove what is open; another time.
      this.log.warn(`A cached result cannot be removed: ${String(error)}`);
      return false;
    }
  }
}

/**
 * Notes when a file was used, as its time of access. The time of its last change may not move, for a table that has it open
 * would take it for another file; only whole seconds can be written back exactly.
 */
async function markUsed(file: string, mtimeMs: number): Promise<void> {
  await utimes(file, new Date(), Math.floor(mtimeMs / 1000));
}
