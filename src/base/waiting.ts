import type { CancelSignal } from './canceling';
import { canceledError } from './errors';

/** Resolves after `milliseconds`; rejects with `cancelled` at once when the signal fires. */
export function delay(milliseconds: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(canceledError());
      return;
    }
    const onAbort = () => {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
      reject(canceledError());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort);
  });
}

/** Settles like `work`, or rejects with `cancelled` once the signal fires. The work continues. */
export function untilCanceled<T>(work: Promise<T>, signal?: CancelSignal): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const removeListener = () => signal.removeEventListener('abort', onAbort);
    const onAbort = () => {
      removeListener();
      reject(canceledError());
    };
    work.then(
      value => {
        removeListener();
        resolve(value);
      },
      (error: Error) => {
        removeListener();
        reject(error);
      },
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
}

/** Runs `work` on each item, at most `concurrency` at a time, started in the items' order. */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    // All workers share one iterator.
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
