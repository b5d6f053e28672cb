import { delay } from '../base/delay';
import type { WorkProgress } from './workProgress';

/** How long work may take before it is shown, in milliseconds. */
const SHOWN_AFTER = 700;

/** Shows work until `shown` settles; its signal fires when a person cancels. */
export type ShowWork = (
  shown: (progress: WorkProgress, signal: AbortSignal) => Promise<void>,
) => PromiseLike<void>;

/** Runs work, and shows it only if it doesn't finish quickly. Settles as the work does; canceling aborts it. */
export async function showIfSlow<T>(
  work: (signal: AbortSignal, progress: WorkProgress) => Promise<T>,
  show: ShowWork,
  wait = delay,
): Promise<T> {
  const canceling = new AbortController();
  const over = new AbortController();
  let shown: WorkProgress | undefined;
  // What is reported before the work is shown, is shown with it.
  const held: { message?: string; increment: number } = { increment: 0 };
  const running = work(canceling.signal, {
    report: step => {
      if (shown) shown.report(step);
      else Object.assign(held, step, { increment: held.increment + (step.increment ?? 0) });
    },
  });
  const finished = running.then(
    () => over.abort(),
    () => over.abort(),
  );
  const isSlow = await wait(SHOWN_AFTER, over.signal).then(
    () => true,
    () => false,
  );
  if (isSlow) {
    await show(async (progress, signal) => {
      shown = progress;
      progress.report(held);
      signal.addEventListener('abort', () => canceling.abort(), { once: true });
      await finished;
    });
  }
  return await running;
}
