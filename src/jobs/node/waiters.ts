import { canceledError } from '../../base/errors';

interface Waiter<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** Pending waits for a value by key. */
export class Waiters<T> {
  private readonly waiting = new Map<string, Set<Waiter<T>>>();

  /** The value that `resolve` is next called with for the key; rejects with `cancelled` when the signal fires. */
  next(key: string, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiters = this.waiting.get(key) ?? new Set();
      this.waiting.set(key, waiters);
      const leave = () => {
        waiters.delete(waiter);
        if (waiters.size === 0 && this.waiting.get(key) === waiters) this.waiting.delete(key);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = () => waiter.reject(canceledError());
      const waiter: Waiter<T> = {
        resolve: value => {
          leave();
          resolve(value);
        },
        reject: error => {
          leave();
          reject(error);
        },
      };
      waiters.add(waiter);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  resolve(key: string, value: T): void {
    for (const waiter of [...(this.waiting.get(key) ?? [])]) waiter.resolve(value);
  }

  reject(key: string, error: Error): void {
    for (const waiter of [...(this.waiting.get(key) ?? [])]) waiter.reject(error);
  }

  rejectAll(error: Error): void {
    for (const key of [...this.waiting.keys()]) this.reject(key, error);
  }
}
