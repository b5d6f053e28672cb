import { canceledError } from '../../base/errors';
import { showIfSlow } from '../showIfSlow';
import type { WorkProgress } from '../workProgress';
import { withNotification } from './surfaces/progress';

/** Runs work under a notification whose Cancel fires the signal. */
export async function withCancel<T>(
  title: string,
  work: (progress: WorkProgress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await withNotification({ title, cancellable: true }, async (progress, token) => {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      if (token.isCancellationRequested) throw canceledError();
      return await work(progress, controller.signal);
    } finally {
      subscription.dispose();
    }
  });
}

/** As withCancel, but without a notification for work that finishes quickly. */
export function withCancelIfSlow<T>(
  title: string,
  work: (signal: AbortSignal, progress: WorkProgress) => Promise<T>,
): Promise<T> {
  return showIfSlow(work, shown => withCancel(title, shown));
}
