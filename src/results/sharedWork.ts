import { cancelledError } from '../base/errors';

/** Work under way that several callers wait for; it is cancelled once the last of them has given up. */
export class SharedWork<T> {
  private readonly controller = new AbortController();
  private readonly outcome: Promise<T>;
  private waiting = 0;
  private settled = false;

  constructor(run: (signal: AbortSignal) => Promise<T>) {
    this.outcome = Promise.resolve()
      .then(() => run(this.controller.signal))
      .finally(() => {
        this.settled = true;
      });
    // Whoever waits hears of a failure; that nobody does is no failure of its own.
    this.outcome.catch(() => undefined);
  }

  /** Whether it was given up: a later caller has to start anew. */
  get isCancelled(): boolean {
    return this.controller.signal.aborted;
  }

  /** The outcome, or `cancelled` as soon as the caller's own signal fires. */
  wait(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(cancelledError());
        return;
      }
      this.waiting++;
      const giveUp = () => {
        reject(cancelledError());
        if (--this.waiting === 0 && !this.settled) this.controller.abort();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      const leave = () => {
        signal?.removeEventListener('abort', giveUp);
      };
      this.outcome.then(
        value => {
          leave();
          resolve(value);
        },
        (error: unknown) => {
          leave();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }
}

/** Values made on demand under a key, each once; what failed or was given up is made again for the next caller. */
export class SharedValues<K, T> {
  private readonly works = new Map<K, SharedWork<T>>();

  /** At most `limit` values are kept, the ones used last. */
  constructor(private readonly limit = Infinity) {}

  get(key: K, make: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    let work = this.works.get(key);
    if (!work || work.isCancelled) work = this.start(key, make);
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

  private start(key: K, make: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
    const work = new SharedWork<T>(async signal => {
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
