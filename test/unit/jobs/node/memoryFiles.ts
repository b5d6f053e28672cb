import { type Disposable, toDisposable } from '../../../../src/base/disposable';
import type { CrossWindowFiles } from '../../../../src/base/node/crossWindowFolder';

/** A folder of several windows, in memory. */
export class MemoryFiles implements Pick<
  CrossWindowFiles,
  'list' | 'read' | 'makeFolder' | 'replace' | 'remove' | 'watch'
> {
  readonly texts = new Map<string, string>();
  /** The disk can be neither read nor written. */
  failing = false;

  watch(): Disposable {
    return toDisposable(() => undefined);
  }

  list(): Promise<string[]> {
    return this.failing ? failure() : Promise.resolve([...this.texts.keys()]);
  }

  read(file: string): Promise<{ text: string; writtenAt: number } | undefined> {
    const text = this.failing ? undefined : this.texts.get(file);
    return Promise.resolve(text === undefined ? undefined : { text, writtenAt: 0 });
  }

  makeFolder(): Promise<void> {
    return this.failing ? failure() : Promise.resolve();
  }

  create(file: string, text: string): Promise<boolean> {
    if (this.failing) return failure();
    const isNew = !this.texts.has(file);
    if (isNew) this.texts.set(file, text);
    return Promise.resolve(isNew);
  }

  replace(file: string, pieces: Iterable<string>): Promise<void> {
    return this.failing ? failure() : Promise.resolve(void this.texts.set(file, [...pieces].join('')));
  }

  remove(file: string): Promise<void> {
    return this.failing ? failure() : Promise.resolve(void this.texts.delete(file));
  }
}

function failure(): Promise<never> {
  return Promise.reject(new Error('the disk is gone'));
}
