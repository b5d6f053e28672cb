import type { CancelSignal } from './canceling';
import { canceledError } from './errors';

/** Settles as `work` does, or rejects with `cancelled` as soon as the signal fires; the work itself continues. */
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
