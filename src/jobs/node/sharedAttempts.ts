import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { untilCanceled } from '../../base/untilCanceled';

/** How far an attempt is, and how many callers wait for it. */
export interface Progress {
  waiting: number;
  /** Its request has left. */
  posted: boolean;
  /** The jobs that there were before it, where that is known. */
  before?: readonly string[] | undefined;
  /** A caller is a person who agreed that it goes on where other windows can't see it. */
  isAgreed: boolean;
}

export interface JoinOptions {
  signal?: AbortSignal | undefined;
  isAgreed?: boolean | undefined;
}

interface Attempt<T> extends Progress {
  work: Promise<T>;
}

/** Attempts under way in this window, which identical calls join. */
export class SharedAttempts {
  private readonly attempts = new Map<string, Attempt<unknown>>();

  /**
   * Joins an identical attempt, else starts one. Canceling releases the caller alone; `cancelled` tells with `sent` whether the
   * request had left.
   */
  async join<T>(
    key: string,
    run: (progress: Progress) => Promise<T>,
    { signal, isAgreed = false }: JoinOptions,
  ): Promise<T> {
    for (;;) {
      throwIfCanceled(signal);
      const running = this.attempts.get(key) as Attempt<T> | undefined;
      const attempt = running ?? this.begin(key, run, isAgreed);
      attempt.isAgreed ||= isAgreed;
      attempt.waiting += 1;
      try {
        return await untilCanceled(attempt.work, signal);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) throw error;
        if (signal?.aborted)
          throw new CodedError('cancelled', error.message, attempt.posted ? { sent: true } : {});
        // The joined attempt was canceled before it was sent, but not by this caller.
        if (!running) throw error;
      } finally {
        attempt.waiting -= 1;
      }
    }
  }

  private begin<T>(key: string, run: (progress: Progress) => Promise<T>, isAgreed: boolean): Attempt<T> {
    const progress: Progress = { waiting: 0, posted: false, isAgreed };
    const work = run(progress).finally(() => this.attempts.delete(key));
    // Its callers may all have left.
    work.catch(() => undefined);
    // `run` keeps the object that callers are counted on.
    const attempt: Attempt<T> = Object.assign(progress, { work });
    this.attempts.set(key, attempt);
    return attempt;
  }
}
