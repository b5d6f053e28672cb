import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import * as path from 'node:path';
import type { Log } from '../base/log';

export type ResultKind = 'objects' | 'aggregate' | 'masks';

const ours = /^[0-9a-f]{32}-(objects|aggregate|masks)\.(csv|zip)$/;
/** Files that a session left half written when it was killed. */
const leftover = /^\.[0-9a-f]{16}\.part$/;
const LEFTOVER_AGE = 24 * 60 * 60_000;

/** Downloaded results in one directory: which file is whose, and which have to go when they are too many. */
export class ResultFilesCache {
  constructor(
    private readonly directory: string,
    private readonly log: Log,
  ) {}

  /** The file of a job's result, there or not. Ids are opaque, and file systems differ in what a name may be. */
  fileFor(jobId: string, what: ResultKind): string {
    const name = createHash('sha256').update(jobId).digest('hex').slice(0, 32);
    return path.join(this.directory, `${name}-${what}.${what === 'masks' ? 'zip' : 'csv'}`);
  }

  /** Its size, if it is there; it then counts as just used. */
  async find(file: string): Promise<number | undefined> {
    try {
      const { size } = await stat(file);
      const now = new Date();
      await utimes(file, now, now);
      return size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.log.warn(`A kept result cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  async prepare(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  /** Removes the files that were used longest ago until all are at most `bytes`; never those of `keep`. */
  async trim(bytes: number, keep: ReadonlySet<string>, now = Date.now()): Promise<void> {
    const files: { file: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(this.directory)) {
      const file = path.join(this.directory, name);
      if (!ours.test(name) && !leftover.test(name)) continue;
      const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: now }));
      if (ours.test(name)) files.push({ file, size, usedAt: mtimeMs });
      else if (now - mtimeMs > LEFTOVER_AGE) await this.remove(file);
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.sort((one, other) => one.usedAt - other.usedAt)) {
      if (total <= bytes) return;
      if (keep.has(file)) continue;
      if (await this.remove(file)) total -= size;
    }
  }

  private async remove(file: string): Promise<boolean> {
    try {
      await rm(file, { force: true });
      return true;
    } catch (error) {
      // Windows does not remove what is open; another time.
      this.log.warn(`A kept result cannot be removed: ${String(error)}`);
      return false;
    }
  }
}
