import type { Disposable } from '../../../../src/base/disposable';
import { Emitter } from '../../../../src/base/event';
import type { StateStore } from '../../../../src/accounts/node/stateFiles';

/** A state store in memory that keeps what JSON keeps. */
export class MemoryState implements StateStore {
  readonly values = new Map<string, string>();
  writes = 0;
  failing = false;
  private readonly written = new Emitter<string>();

  read(key: string): Promise<unknown> {
    const text = this.values.get(key);
    return Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as unknown));
  }

  write(key: string, value: unknown): Promise<void> {
    if (this.failing) return Promise.reject(new Error('the disk is gone'));
    this.writes += 1;
    this.values.set(key, JSON.stringify(value));
    this.written.fire(key);
    return Promise.resolve();
  }

  watch(key: string, onChange: () => void): Promise<Disposable> {
    return Promise.resolve(this.written.event(written => written === key && onChange()));
  }
}
