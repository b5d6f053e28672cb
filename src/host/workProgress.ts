import { delay } from '../base/waiting';

/** Shows the progress of work, as the editor's notifications do. */
export interface WorkProgress {
  /** `increment` is in percent and adds up. */
  report(step: { message?: string; increment?: number }): void;
}

/** Turns percentages into increments. A progress bar can't go back, so it waits if one falls. */
export function percentIncrements(): (percent: number) => number {
  let shown = 0;
  return percent => {
    const increment = Math.max(0, percent - shown);
    shown += increment;
    return increment;
  };
}

/** Milliseconds before running work is shown. */
const SHOWN_AFTER = 700;

/** Shows progress until `whileShown` settles; the signal fires when a person cancels. */
type ShowWork = (
  whileShown: (progress: WorkProgress, signal: AbortSignal) => Promise<void>,
) => PromiseLike<void>;

/** Runs work, and shows its progress unless it finishes quickly. Settles like the work. */
export async function showIfSlow<T>(
  work: (signal: AbortSignal, progress: WorkProgress) => Promise<T>,
  show: ShowWork,
  wait = delay,
): Promise<T> {
  const canceling = new AbortController();
  const stopWaiting = new AbortController();
  let shownProgress: WorkProgress | undefined;
  // Collect reports until the progress is shown.
  const earlyReport: { message?: string; increment: number } = { increment: 0 };
  const running = work(canceling.signal, {
    report: step => {
      if (shownProgress) shownProgress.report(step);
      else Object.assign(earlyReport, step, { increment: earlyReport.increment + (step.increment ?? 0) });
    },
  });
  const finished = running.then(
    () => stopWaiting.abort(),
    () => stopWaiting.abort(),
  );
  const isSlow = await wait(SHOWN_AFTER, stopWaiting.signal).then(
    () => true,
    () => false,
  );
  if (isSlow) {
    await show(async (progress, signal) => {
      shownProgress = progress;
      progress.report(earlyReport);
      signal.addEventListener('abort', () => canceling.abort(), { once: true });
      await finished;
    });
  }
  return await running;
}
