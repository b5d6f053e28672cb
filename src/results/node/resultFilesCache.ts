import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, utimes, type FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { PARTIAL_FILE_NAME, writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing } from '../../base/node/diskErrors';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { DownloadedPart } from '../../service/resultParts';

/** A part of a job's result. */
export interface ResultName {
  jobId: string;
  part: DownloadedPart;
}

const RESULT_FILE = /^[0-9a-f]{32}-(objects|aggregate|masks)\.(csv|zip)$/;
/** Age in milliseconds of partial files of a killed session. */
const LEFTOVER_AGE = 24 * 60 * 60_000;
/** Milliseconds after which an empty file has been read. */
const EMPTY_AGE = 60_000;

/**
 * Downloaded results in one folder: finds the file of a result, and removes files if the folder is
 * full.
 */
export class ResultFilesCache implements Disposable {
  /** Files of the former folder that were moved, are being moved, or can't be moved at present. */
  private readonly moved = new Map<string, Promise<void>>();
  private readonly disposal = new AbortController();

  constructor(
    private readonly directory: string,
    private readonly log: Log,
    /** A folder that earlier versions used. */
    private readonly former?: string,
  ) {}

  /** The path of a job's result. IDs are opaque, and file systems restrict names differently. */
  fileFor({ jobId, part }: ResultName): string {
    const name = createHash('sha256').update(jobId).digest('hex').slice(0, 32);
    return path.join(this.directory, `${name}-${part}.${part === 'masks' ? 'zip' : 'csv'}`);
  }

  /**
   * The size of an existing file; marks it as used. An empty file counts as missing: it may grow.
   */
  async find(file: string): Promise<number | undefined> {
    await this.move(path.basename(file));
    try {
      const { size, mtimeMs } = await stat(file);
      if (size === 0) return undefined;
      // Some disks, and programs that have the file open, refuse to set its time: the file is still
      // usable.
      await markUsed(file, mtimeMs).catch((error: unknown) =>
        this.log.warn(`A cached result cannot be marked as used: ${String(error)}`),
      );
      return size;
    } catch (error) {
      if (!isMissing(error)) this.log.warn(`A cached result cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /** Called after a download: from then on the modification time doesn't change. */
  async settle(file: string): Promise<void> {
    const { mtimeMs } = await stat(file);
    await markUsed(file, mtimeMs);
  }

  /**
   * Moves the files of the former folder and removes it. Files that can't be moved are moved on the
   * next start.
   */
  async moveAll(): Promise<void> {
    const { former } = this;
    if (former === undefined) return;
    // Usually this folder doesn't exist.
    for (const name of await readdir(former).catch(() => [])) {
      if (this.disposal.signal.aborted) return;
      if (RESULT_FILE.test(name)) await this.move(name);
      else if (PARTIAL_FILE_NAME.test(name)) await this.remove(path.join(former, name));
    }
    await rmdir(former).catch(() => undefined);
  }

  /** Stops moving files. */
  dispose(): void {
    this.disposal.abort();
  }

  async prepare(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  /**
   * Removes empty and least recently used files until the total is at most `bytes`; never those of
   * `keep`.
   */
  async trim(bytes: number, keep: ReadonlySet<string>, now = Date.now()): Promise<void> {
    const files: { file: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(this.directory)) {
      const file = path.join(this.directory, name);
      if (!RESULT_FILE.test(name) && !PARTIAL_FILE_NAME.test(name)) continue;
      const unknown = { size: 0, atimeMs: now, mtimeMs: now };
      const { size, atimeMs, mtimeMs } = await stat(file).catch(() => unknown);
      const isUnwanted = RESULT_FILE.test(name)
        ? size === 0 && now - mtimeMs > EMPTY_AGE
        : now - mtimeMs > LEFTOVER_AGE;
      if (isUnwanted && !keep.has(file)) await this.remove(file);
      else if (RESULT_FILE.test(name)) files.push({ file, size, usedAt: Math.max(atimeMs, mtimeMs) });
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= bytes) return;
      if (size === 0 || keep.has(file)) continue;
      if (await this.remove(file)) total -= size;
    }
  }

  /** Moves a file out of the former folder if it exists; once for all callers. */
  private move(name: string): Promise<void> {
    if (this.former === undefined) return Promise.resolve();
    let moved = this.moved.get(name);
    if (!moved) {
      moved = this.moveFrom(path.join(this.former, name), path.join(this.directory, name)).catch(
        (error: unknown) => {
          // The file doesn't exist, or another window moved it. Otherwise it is downloaded again on
          // use.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
            this.log.warn(`A result can't be moved: ${String(error)}`);
        },
      );
      this.moved.set(name, moved);
    }
    return moved;
  }

  private async moveFrom(from: string, to: string): Promise<void> {
    const { atimeMs, mtimeMs } = await stat(from);
    await this.prepare();
    const existing = await stat(to).catch(() => undefined);
    if (existing && existing.size > 0) {
      await this.remove(from);
      return;
    }
    try {
      await rename(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      // To another volume. The file gets its name once it is complete: another window may look for
      // it.
      const { signal } = this.disposal;
      const copy = async (handle: FileHandle) => {
        for await (const chunk of createReadStream(from, { signal }))
          await handle.appendFile(chunk as Buffer);
        // The access time determines when it is removed.
        await handle.utimes(atimeMs / 1000, Math.floor(mtimeMs / 1000));
      };
      await writeAtomicFile(to, copy, { mode: 0o600, signal });
      await this.remove(from);
    }
  }

  /** Removes a file; returns whether it is gone. */
  async remove(file: string): Promise<boolean> {
    try {
      await rm(file, { force: true });
      return true;
    } catch (error) {
      // Windows doesn't remove open files; they are removed another time.
      this.log.warn(`A cached result cannot be removed: ${String(error)}`);
      return false;
    }
  }
}

/**
 * Sets the access time of a file, as the time of its last use. The modification time must not
 * change, as a table that has the file open would regard it as another file; only whole seconds can
 * be set exactly.
 */
async function markUsed(file: string, mtimeMs: number): Promise<void> {
  await utimes(file, new Date(), Math.floor(mtimeMs / 1000));
}
