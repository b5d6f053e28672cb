import { canceledError } from '../errors';

/** Work that several callers wait for; canceled once all callers have canceled. */
export class JoinedWork<T> {
  private readonly controller = new AbortController();
  private readonly outcome: Promise<T>;
  private waiters = 0;
  private settled = false;

  constructor(run: (signal: AbortSignal) => Promise<T>) {
    this.outcome = Promise.resolve()
      .then(() => run(this.controller.signal))
      .finally(() => {
        this.settled = true;
      });
    // Callers get the failure from wait; without a caller it must not become an unhandled
    // rejection.
    this.outcome.catch(() => undefined);
  }

  /** Whether the work was canceled; a later caller then starts new work. */
  get isCanceled(): boolean {
    return this.controller.signal.aborted;
  }

  /** The outcome, or `cancelled` as soon as the caller's own signal fires. */
  wait(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(canceledError());
        return;
      }
      this.waiters++;
      const cancel = () => {
        reject(canceledError());
        if (--this.waiters === 0 && !this.settled) this.controller.abort();
      };
      signal?.addEventListener('abort', cancel, { once: true });
      const stopListening = () => {
        signal?.removeEventListener('abort', cancel);
      };
      this.outcome.then(
        value => {
          stopListening();
          resolve(value);
        },
        (error: unknown) => {
          stopListening();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }
}

/** Values computed on demand, once per key. A failed or canceled value is computed again. */
export class CachedValues<K, T> {
  private readonly works = new Map<K, JoinedWork<T>>();

  /** Caches at most `limit` values, the most recently used ones. */
  constructor(private readonly limit = Infinity) {}

  get(key: K, make: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    let work = this.works.get(key);
    if (!work || work.isCanceled) work = this.start(key, make);
    else {
      this.works.delete(key);
      this.works.set(key, work);
    }
    return work.wait(signal);
  }

  delete(key: K): void {
    this.works.delete(key);
  }

  clear(): void {
    this.works.clear();
  }

  private start(key: K, make: (signal: AbortSignal) => Promise<T>): JoinedWork<T> {
    const work = new JoinedWork<T>(async signal => {
      try {
        return await make(signal);
      } catch (error) {
        if (this.works.get(key) === work) this.works.delete(key);
        throw error;
      }
    });
    this.works.set(key, work);
    for (const oldest of this.works.keys()) {
      if (this.works.size <= this.limit) break;
      this.works.delete(oldest);
    }
    return work;
  }
}
