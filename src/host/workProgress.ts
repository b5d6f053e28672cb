import { delay } from '../base/waiting';

/** Shows how far work is; the editor's notifications are one. */
export interface WorkProgress {
  /** `increment` is in percent and adds up. */
  report(step: { message?: string; increment?: number }): void;
}

/** Turns percentages into increments. A bar can't go back: it waits when a percentage falls. */
export function percentIncrements(): (percent: number) => number {
  let shown = 0;
  return percent => {
    const increment = Math.max(0, percent - shown);
    shown += increment;
    return increment;
  };
}

/** How long work may take before it is shown, in milliseconds. */
const SHOWN_AFTER = 700;

/** Shows work until `shown` settles; its signal fires when a person cancels. */
type ShowWork = (shown: (progress: WorkProgress, signal: AbortSignal) => Promise<void>) => PromiseLike<void>;

/** Runs work and shows it unless it finishes quickly. Settles as it does; canceling aborts it. */
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
