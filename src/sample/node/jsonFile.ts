import { readFile, rename } from 'node:fs/promises';
import type { Log } from '../../base/log';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isMissing, whenReleased } from '../../base/node/diskErrors';

/**
 * State in memory that is saved as one JSON file. All saves requested while the file is being
 * written become one further write. A save resolves once the file has the state at the time of its
 * call, or a later one.
 */
export class JsonFile<T> {
  private latest: Promise<void> = Promise.resolve();
  private pending: Promise<void> | undefined;

  private constructor(
    private readonly path: string,
    readonly state: T,
  ) {}

  /**
   * Reads the file. The state is `empty` if it is missing or invalid; an invalid file is renamed.
   */
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
    if (this.pending) return this.pending;
    const write = () => {
      this.pending = undefined;
      return writeAtomicFile(this.path, file => file.writeFile(JSON.stringify(this.state)), { mode: 0o600 });
    };
    // A failed save doesn't prevent the next one.
    const next = this.latest.then(write, write);
    this.pending = next;
    this.latest = next;
    return next;
  }

  /** Resolves when nothing is being written. Doesn't reject: a failure rejects the failed save. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.latest]);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
