import * as vscode from 'vscode';
import { canceledError } from '../../base/errors';
import { inMessage } from '../../words/inertText';
import { showIfSlow, type WorkProgress } from '../workProgress';

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

/** Like withCancel, but without a notification for work that finishes quickly. */
export function withCancelIfSlow<T>(
  title: string,
  work: (signal: AbortSignal, progress: WorkProgress) => Promise<T>,
): Promise<T> {
  return showIfSlow(work, whileShown => withCancel(title, whileShown));
}

/** Runs work under a notification. Its title and messages never become links. */
export async function withNotification<T>(
  { title, cancellable = false }: { title: string; cancellable?: boolean },
  work: (progress: WorkProgress, token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: inMessage(title), cancellable },
    (progress, token) =>
      work(
        {
          report: ({ message, ...value }) =>
            progress.report({ ...value, ...(message !== undefined && { message: inMessage(message) }) }),
        },
        token,
      ),
  );
}
