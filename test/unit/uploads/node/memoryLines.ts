import type { LineStore } from '../../../../src/base/node/lineLog';

/** Lines kept in memory, in one part. */
export class MemoryLines implements LineStore {
  /** The lines of each write. */
  readonly writes: (readonly string[])[] = [];
  failing = false;
  disposed = false;

  append(lines: readonly string[]): Promise<void> {
    if (this.failing) return Promise.reject(new Error('the disk is gone'));
    this.appendNow(lines);
    return Promise.resolve();
  }

  appendNow(lines: readonly string[]): void {
    if (lines.length > 0) this.writes.push(lines);
  }

  async *fileContents(): AsyncGenerator<Buffer, void, undefined> {
    yield Buffer.from(this.writes.map(lines => `\n${lines.join('\n')}\n`).join(''));
  }

  dispose(): void {
    this.disposed = true;
  }
}
