import { renameSync, watch, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import * as path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeAtomicFile } from './atomicFile';
import { isMissing, systemCode, whenReleased } from './diskErrors';
import { toDisposable, type Disposable } from '../disposable';

/**
 * A folder that several windows read and write. Paths are relative, with slashes; '' is the folder.
 */
export interface CrossWindowFiles {
  /** Names in a folder; empty if the folder is missing. */
  list(folder: string): Promise<string[]>;
  /**
   * Undefined only if the file is missing. After retries, throws all other errors, because the
   * content is then unknown. `writtenAt` is in milliseconds since 1970.
   */
  read(file: string): Promise<{ text: string; writtenAt: number } | undefined>;
  makeFolder(folder: string): Promise<void>;
  /** Creates a file in an existing folder; false if the file exists or the folder is gone. */
  create(file: string, text: string): Promise<boolean>;
  /** Creates or replaces a file as a whole. */
  replace(file: string, pieces: Iterable<string>, signal?: AbortSignal): Promise<void>;
  /** Updates a file's modification time, as a heartbeat; does nothing if the file is gone. */
  touch(file: string): Promise<void>;
  /** Replaces a file synchronously, for a window that closes. */
  replaceNow(file: string, text: string): void;
  /** Removes a file, or a folder with what is in it. */
  remove(path: string): Promise<void>;
  /** Calls back when the folder may have changed, with the file's name if the system has it. */
  watch(folder: string, onChange: (name: string | undefined) => void): Disposable;
}

/** Characters per write: a list of 100,000 files has millions of characters. */
const WRITE_CHARACTERS = 256 * 1024;

/** A shared folder on disk. Only the user can read its files, which may be confidential. */
export class CrossWindowFolder implements CrossWindowFiles {
  constructor(private readonly directory: string) {}

  async list(folder: string): Promise<string[]> {
    try {
      return await whenReleased(() => readdir(this.path(folder)));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async read(file: string): Promise<{ text: string; writtenAt: number } | undefined> {
    try {
      return await whenReleased(async () => {
        const text = await readFile(this.path(file), 'utf8');
        return { text, writtenAt: (await stat(this.path(file))).mtimeMs };
      });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async makeFolder(folder: string): Promise<void> {
    await mkdir(this.path(folder), { recursive: true, mode: 0o700 });
  }

  async create(file: string, text: string): Promise<boolean> {
    let handle;
    try {
      handle = await whenReleased(() => open(this.path(file), 'wx', 0o600));
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EEXIST' || code === 'ENOENT') return false;
      throw error;
    }
    try {
      try {
        await handle.writeFile(text);
      } finally {
        // Network disks may report only now that they are full.
        await handle.close();
      }
    } catch (error) {
      // The first error is reported, whether or not the removal succeeds.
      await this.remove(file).catch(() => undefined);
      throw error;
    }
    return true;
  }

  async replace(file: string, pieces: Iterable<string>, signal?: AbortSignal): Promise<void> {
    const write = async (handle: { writeFile(text: string): Promise<void> }) => {
      let buffered = '';
      for (const piece of pieces) {
        buffered += piece;
        if (buffered.length < WRITE_CHARACTERS) continue;
        await handle.writeFile(buffered);
        buffered = '';
        await nextTurn();
      }
      await handle.writeFile(buffered);
    };
    await writeAtomicFile(this.path(file), write, { mode: 0o600, signal });
  }

  async touch(file: string): Promise<void> {
    const now = new Date();
    await utimes(this.path(file), now, now).catch(() => undefined);
  }

  replaceNow(file: string, text: string): void {
    // The fixed name leaves at most one partial file, however often windows close.
    const partial = `${this.path(file)}.closing`;
    writeFileSync(partial, text, { mode: 0o600 });
    renameSync(partial, this.path(file));
  }

  async remove(relative: string): Promise<void> {
    await rm(this.path(relative), { recursive: true, force: true, maxRetries: 3 });
  }

  watch(folder: string, onChange: (name: string | undefined) => void): Disposable {
    // If the folder can't be watched, the owner still checks it at each heartbeat.
    try {
      const watcher = watch(this.path(folder), (_event, name) => onChange(name ?? undefined));
      watcher.on('error', () => watcher.close());
      return toDisposable(() => watcher.close());
    } catch {
      return toDisposable(() => undefined);
    }
  }

  private path(relative: string): string {
    return path.join(this.directory, ...relative.split('/'));
  }
}
