import type { StateStore } from '../../../../src/accounts/node/stateFiles';

/** A state store in memory that keeps what JSON keeps. */
export class MemoryState implements StateStore {
  readonly values = new Map<string, string>();
  writes = 0;
  failing = false;

  read(key: string): Promise<unknown> {
    const text = this.values.get(key);
    return Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as unknown));
  }

  write(key: string, value: unknown): Promise<void> {
    if (this.failing) return Promise.reject(new Error('the disk is gone'));
    this.writes += 1;
    this.values.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}
