import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from '../base/disposable';
import type { StateStore } from '../base/stateStore';

/**
 * A StateStore of one JSON file per key in a directory; written aside and renamed, one write at a time per key. After
 * `dispose` nothing is written any more: a straggler must not bring back the folder of an account that has gone.
 */
export class StateFiles implements StateStore, Disposable {
  private readonly writing = new Map<string, Promise<void>>();
  private disposed = false;

  constructor(private readonly directory: string) {}

  async read(key: string): Promise<unknown> {
    await this.writing.get(key)?.catch(() => undefined);
    let text: string;
    try {
      text = await readFile(this.file(key), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // A file damaged from outside is as good as none; the next write mends it.
      return undefined;
    }
  }

  write(key: string, value: unknown): Promise<void> {
    const before = this.writing.get(key) ?? Promise.resolve();
    const written = before.catch(() => undefined).then(() => this.replace(key, JSON.stringify(value)));
    this.writing.set(key, written);
    return written;
  }

  dispose(): void {
    this.disposed = true;
  }

  private async replace(key: string, text: string): Promise<void> {
    if (this.disposed) return;
    await mkdir(this.directory, { recursive: true });
    const aside = `${this.file(key)}.${randomBytes(6).toString('hex')}.part`;
    try {
      await writeFile(aside, text, { mode: 0o600 });
      await rename(aside, this.file(key));
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  private file(key: string): string {
    return path.join(this.directory, `${key}.json`);
  }
}
