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
