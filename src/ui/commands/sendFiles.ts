import * as vscode from 'vscode';
import type { UploadProgress } from '../../uploads/uploadQueue';
import { delay } from '../../base/delay';
import { cancelledError } from '../../base/errors';
import type { AccountSession } from '../accountSession';
import { formatBytes, formatDuration } from '../format';
import { toFileSource, type ExpandedFiles, type LocalFile } from '../localFiles';

/** What became of an upload, in the contract's form. */
export interface SendResult {
  uploaded: { uri: string; id: string; fileName: string }[];
  failed: { uri: string; code: string; message: string }[];
}

export interface SendOptions {
  destinationFolder: string;
  concurrency: number;
  signal: AbortSignal;
  onProgress?(progress: UploadProgress): void;
}

/** Uploads the files with the account's client; what cannot be sent is listed, the rest goes on. */
export async function sendFiles(
  session: AccountSession,
  { files, failed }: Pick<ExpandedFiles, 'files' | 'failed'>,
  { destinationFolder, concurrency, signal, onProgress }: SendOptions,
): Promise<SendResult> {
  const { uploadFiles } = await import('../../uploads/uploadQueue');
  const sent = await uploadFiles(session.client, files.map(toFileSource), {
    ...(destinationFolder && { destinationFolder }),
    concurrency,
    records: session.uploadRecords,
    onProgress: progress => onProgress?.(progress),
    signal,
  });
  const unreadable = failed.map(({ uri, error }) => ({
    uri: uri.toString(),
    code: error.code,
    message: error.message,
  }));
  return { uploaded: sent.uploaded, failed: [...unreadable, ...sent.failed] };
}

/** Uploads under a notification with progress and a Cancel that aborts what is on its way. */
export function sendWithProgress(
  session: AccountSession,
  expanded: Pick<ExpandedFiles, 'files' | 'failed'>,
  options: Omit<SendOptions, 'signal' | 'onProgress'>,
): Promise<SendResult> {
  const { files } = expanded;
  const title =
    files.length === 1
      ? vscode.l10n.t('Uploading {0}', files[0]?.fileName ?? '')
      : vscode.l10n.t('Uploading {0} files', files.length);
  return withCancel(title, (progress, signal) => {
    let shown = 0;
    return sendFiles(session, expanded, {
      ...options,
      signal,
      onProgress: now => {
        const percent = now.bytesTotal === 0 ? 0 : (now.bytesSent / now.bytesTotal) * 100;
        progress.report({ message: describeProgress(now), increment: percent - shown });
        shown = percent;
      },
    });
  });
}

/** How long work may take before it is worth a notification, in milliseconds. */
const PATIENCE = 700;

type WorkProgress = vscode.Progress<{ message?: string; increment?: number }>;

/** As withCancel, but says nothing of work that is over before anyone could read it. */
export async function withCancelIfSlow<T>(
  title: string,
  work: (signal: AbortSignal, progress: WorkProgress) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let shown: WorkProgress | undefined;
  // What is told before anything is shown is shown at first.
  const held: { message?: string; increment: number } = { increment: 0 };
  const running = work(controller.signal, {
    report: value => {
      if (shown) shown.report(value);
      else Object.assign(held, value, { increment: held.increment + (value.increment ?? 0) });
    },
  });
  const over = new AbortController();
  const finished = running.then(
    () => over.abort(),
    () => over.abort(),
  );
  const slow = await delay(PATIENCE, over.signal).then(
    () => true,
    () => false,
  );
  if (slow) {
    await withCancel(title, async (progress, signal) => {
      shown = progress;
      progress.report(held);
      signal.addEventListener('abort', () => controller.abort(), { once: true });
      await finished;
    });
  }
  return await running;
}

/** Runs work under a notification whose Cancel fires the signal. */
export async function withCancel<T>(
  title: string,
  work: (progress: WorkProgress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      try {
        if (token.isCancellationRequested) throw cancelledError();
        return await work(progress, controller.signal);
      } finally {
        subscription.dispose();
      }
    },
  );
}

function describeProgress({
  filesDone,
  filesTotal,
  bytesSent,
  bytesTotal,
  bytesPerSecond,
  secondsLeft,
}: UploadProgress): string {
  const parts = [vscode.l10n.t('{0} of {1}', formatBytes(bytesSent), formatBytes(bytesTotal))];
  if (filesTotal > 1) parts.unshift(vscode.l10n.t('{0} of {1} files', filesDone, filesTotal));
  if (bytesPerSecond) parts.push(vscode.l10n.t('{0}/s', formatBytes(bytesPerSecond)));
  if (secondsLeft) parts.push(vscode.l10n.t('{0} left', formatDuration(secondsLeft)));
  return parts.join(' · ');
}

/** The files of an upload that failed, to be tried again. */
export function failedFiles(files: readonly LocalFile[], { failed }: SendResult): LocalFile[] {
  const uris = new Set(failed.map(({ uri }) => uri));
  return files.filter(({ uri }) => uris.has(uri.toString()));
}
