import * as vscode from 'vscode';
import type { WorkProgress } from '../../workProgress';
import { inMessage } from '../../../words/inertText';

/** Runs work under a notification. Title and messages are text: nothing in them becomes a link. */
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
