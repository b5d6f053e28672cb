import { readFile, rename } from 'node:fs/promises';
import type { Log } from '../../base/log';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing, whenReleased } from '../../base/node/diskErrors';

/**
 * State in memory that is saved as one JSON file. Saves requested while one is being written become
 * one write; each save resolves once a file with at least what was in memory when it was called is
 * in place.
 */
export class JsonFile<T> {
  private last: Promise<void> = Promise.resolve();
  private waiting: Promise<void> | undefined;

  private constructor(
    private readonly path: string,
    readonly state: T,
  ) {}

  /** Reads the file; `empty` if missing. Renames one that isn't valid by `isState`. */
  static async open<T>(
    path: string,
    empty: T,
    isState: (value: unknown) => value is T,
    log: Log,
  ): Promise<JsonFile<T>> {
    let text: string;
    try {
      text = await whenReleased(() => readFile(path, 'utf8'));
    } catch (error) {
      if (isMissing(error)) return new JsonFile(path, empty);
      throw error;
    }
    const value = parse(text);
    if (isState(value)) return new JsonFile(path, value);
    await rename(path, `${path}.damaged`);
    log.warn(`${path} could not be read and was put aside as ${path}.damaged`);
    return new JsonFile(path, empty);
  }

  save(): Promise<void> {
    if (this.waiting) return this.waiting;
    const write = () => {
      this.waiting = undefined;
      return writeAtomicFile(this.path, file => file.writeFile(JSON.stringify(this.state)), { mode: 0o600 });
    };
    // A failed save doesn't prevent the next one.
    const next = this.last.then(write, write);
    this.waiting = next;
    this.last = next;
    return next;
  }

  /** Resolves when nothing is being written; a failure rejects its own save. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.last]);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
