import { watch } from 'node:fs';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import * as path from 'node:path';
import { type Disposable, toDisposable } from '../../base/disposable';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing, whenReleased } from '../../base/node/diskErrors';

/**
 * A StateStore with one JSON file per key in a directory. Files are written atomically, one write
 * at a time per key. After `dispose` nothing is written: a late write must not create a deleted
 * account folder again.
 */
export class StateFiles implements StateStore, Disposable {
  private readonly writing = new Map<string, Promise<void>>();
  private disposed = false;

  constructor(private readonly directory: string) {}

  /** A damaged file counts as missing; the next write replaces it. */
  async read(key: string): Promise<unknown> {
    return (await this.readOrDamaged(key)).value;
  }

  /** As `read`, and whether the file is damaged. */
  async readOrDamaged(key: string): Promise<{ value: unknown; isDamaged: boolean }> {
    await this.writing.get(key)?.catch(() => undefined);
    let text: string;
    try {
      text = await whenReleased(() => readFile(this.file(key), 'utf8'));
    } catch (error) {
      if (isMissing(error)) return { value: undefined, isDamaged: false };
      const { unreadableFile } = await import('../../base/node/fileErrors');
      throw unreadableFile(error, `${key}.json`);
    }
    try {
      return { value: JSON.parse(text) as unknown, isDamaged: false };
    } catch {
      return { value: undefined, isDamaged: true };
    }
  }

  /** Throws `no-space`, `not-writable`. */
  write(key: string, value: unknown): Promise<void> {
    const previousWrite = this.writing.get(key) ?? Promise.resolve();
    const written = previousWrite.catch(() => undefined).then(() => this.replace(key, JSON.stringify(value)));
    this.writing.set(key, written);
    return written;
  }

  /** Renames a damaged file, so that the next write doesn't replace it. Returns its new name. */
  async setAside(key: string): Promise<string> {
    await this.writing.get(key)?.catch(() => undefined);
    const asidePath = asideOf(this.file(key));
    await whenReleased(() => rename(this.file(key), asidePath)).catch((error: unknown) => {
      // Another window has renamed it.
      if (!isMissing(error)) throw error;
    });
    return asideOf(`${key}.json`);
  }

  /** Whether a damaged file was renamed and still exists. */
  async hasSetAside(key: string): Promise<boolean> {
    return await access(asideOf(this.file(key))).then(
      () => true,
      error => !isMissing(error),
    );
  }

  async watch(key: string, onChange: () => void): Promise<Disposable> {
    const name = `${key}.json`;
    // If the folder can't be watched, changes by other windows are read when a window gets the
    // focus.
    try {
      if (!this.disposed) await mkdir(this.directory, { recursive: true, mode: 0o700 });
      const watcher = watch(this.directory, { persistent: false }, (_event, changed) => {
        if (changed === null || changed === name) onChange();
      });
      watcher.on('error', () => watcher.close());
      return toDisposable(() => watcher.close());
    } catch {
      return toDisposable(() => undefined);
    }
  }

  dispose(): void {
    this.disposed = true;
  }

  private async replace(key: string, text: string): Promise<void> {
    if (this.disposed) return;
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await writeAtomicFile(this.file(key), file => file.writeFile(text), { mode: 0o600 });
    } catch (error) {
      // Imported only on a failure.
      const { diskError } = await import('../../base/node/fileErrors');
      throw diskError(error, { subject: this.directory });
    }
  }

  private file(key: string): string {
    return path.join(this.directory, `${key}.json`);
  }
}

function asideOf(file: string): string {
  return `${file}.damaged`;
}

/**
 * Small JSON values stored between sessions, one namespace per account. Values are written
 * atomically, so a value is complete or absent. A key is a short name such as `jobs`, and must not
 * contain a secret.
 */
export interface StateStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  /** Fires when any window may have written a value; some changes may be missed. */
  watch?(key: string, onChange: () => void): Promise<Disposable>;
}
