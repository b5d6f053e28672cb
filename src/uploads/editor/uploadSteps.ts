import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { userMessage } from '../../host/editor/language';
import { formatBytes } from '../../words/format';
import { withCancel, withCancelIfSlow } from '../../host/editor/progress';
import { showInformationMessage, showWarningMessage } from '../../host/editor/messages';
import { showQuickPick } from '../../host/editor/boxes';
import { percentIncrements } from '../../host/workProgress';
import type { UploadAgain } from '../node/accountUploads';
import {
  type ExpandedFiles,
  expandFiles,
  type LocalFile,
  needsReview,
  suggestedFiles,
} from '../node/expandFiles';
import { failedFiles, type SendOptions, type SendResult } from '../node/sendFiles';
import type { UploadSession } from '../node/uploadSessions';
import { findUnchanged } from '../node/uploadableFiles';
import { failureText, nameOf, uploadPercent, uploadProgressText } from '../node/uploadWords';
import { toFileSource, vscodeFiles, withFileNames } from './localFiles';

/**
 * The files to upload: those of `uris`, or files that the user selects in a dialog. The files of a
 * folder are shown for review, with count and sizes, before the upload; with `reviewIfNeeded` only
 * if they aren't plain images. Undefined on Esc.
 */
export async function chooseFiles(
  uris: readonly vscode.Uri[],
  openLabel: string,
  { reviewIfNeeded = false } = {},
): Promise<ExpandedFiles | undefined> {
  const selected = uris.length > 0 ? uris : await selectFiles(openLabel);
  if (!selected || selected.length === 0) return undefined;
  const expanded = await withCancelIfSlow(vscode.l10n.t('Listing files'), signal =>
    expandFiles(vscodeFiles, withFileNames(selected), signal),
  );
  if (expanded.files.length === 0 && expanded.failed.length === 0) {
    void showInformationMessage(
      expanded.hadFolder
        ? vscode.l10n.t('This folder is empty.')
        : vscode.l10n.t('Files that the system leaves in folders, such as Thumbs.db, are not uploaded.'),
    );
    return undefined;
  }
  if (!expanded.hadFolder) return expanded;
  return reviewIfNeeded && !needsReview(expanded) ? expanded : await reviewFiles(expanded);
}

async function selectFiles(openLabel: string): Promise<vscode.Uri[] | undefined> {
  return await vscode.window.showOpenDialog({ canSelectMany: true, canSelectFiles: true, openLabel });
}

async function reviewFiles(expanded: ExpandedFiles): Promise<ExpandedFiles | undefined> {
  const suggested = new Set(suggestedFiles(expanded.files));
  const total = expanded.files.reduce((sum, { size }) => sum + (Number.isFinite(size) ? size : 0), 0);
  const items = expanded.files.map(file => ({
    label: file.fileName,
    description: [file.folder, formatBytes(vscode.env.language, file.size)].filter(Boolean).join(' · '),
    picked: suggested.has(file),
    file,
  }));
  const selected = await showQuickPick(items, {
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t('{0} files, {1}', expanded.files.length, formatBytes(vscode.env.language, total)),
    placeHolder: vscode.l10n.t('Select the files to upload. Nothing has been uploaded yet.'),
  });
  if (!selected || selected.length === 0) return undefined;
  return { ...expanded, files: selected.map(({ file }) => file) };
}

/** Label of the button that continues with the usable files. */
export function continueWith(fileCount: number): string {
  return fileCount === 1
    ? vscode.l10n.t('Continue with 1 File')
    : vscode.l10n.t('Continue with {0} Files', fileCount);
}

/** Files that the service already has, by URI. */
export type UnchangedFiles = Awaited<ReturnType<typeof findUnchanged>>;

/** Files that are uploaded already and unchanged; none if the search fails. Throws `cancelled`. */
export async function findUploaded(
  log: Log,
  { client, uploadRecords }: UploadSession,
  files: readonly LocalFile[],
  destinationFolder: string,
): Promise<UnchangedFiles> {
  if (files.length === 0) return new Map();
  try {
    return await withCancelIfSlow(vscode.l10n.t('Looking for files that are already uploaded'), signal =>
      findUnchanged({ client, uploadRecords, open: toFileSource }, files, destinationFolder, signal),
    );
  } catch (error) {
    if (isCoded(error, 'cancelled')) throw error;
    log.error('Earlier uploads could not be found', error);
    return new Map();
  }
}

/**
 * Uploads files with a progress notification, whose Cancel button aborts requests. `unfinished`:
 * the claim on an unfinished upload of these files, which is deleted once they are stored again.
 */
export async function sendWithProgress(
  session: UploadSession,
  expanded: Pick<ExpandedFiles, 'files' | 'failed'>,
  options: Pick<SendOptions, 'destinationFolder' | 'concurrency'>,
  unfinished?: UploadAgain['claim'],
): Promise<SendResult> {
  const { files, failed } = expanded;
  if (files.length === 0) return { uploaded: [], failed };
  const title =
    files.length === 1
      ? vscode.l10n.t('Uploading {0}', files[0]?.fileName ?? '')
      : vscode.l10n.t('Uploading {0} files', files.length);
  return await withCancel(title, (progress, signal) => {
    const increment = percentIncrements();
    const language = { t: vscode.l10n.t, locale: vscode.env.language };
    const onProgress: SendOptions['onProgress'] = uploadProgress =>
      progress.report({
        message: uploadProgressText(language, uploadProgress),
        increment: increment(uploadPercent(uploadProgress)),
      });
    return session.uploads.send(expanded, { ...options, open: toFileSource, signal, onProgress }, unfinished);
  });
}

/** A person's decision about failed files: upload some again, or analyze the other files. */
type FailureDecision = { retry: LocalFile[] } | 'analyze' | undefined;

/** Shows failed files with reasons and offers to retry. `analysis`: an analysis waits for them. */
export async function offerRetry(
  sent: SendResult,
  files: readonly LocalFile[],
  { analysis = false } = {},
): Promise<FailureDecision> {
  const isCanceled = sent.failed.every(({ error }) => isCoded(error, 'cancelled'));
  const retryable = failedFiles(files, sent);
  const retry = vscode.l10n.t('Retry');
  const analyze = vscode.l10n.t('Analyze the Rest');
  const details = vscode.l10n.t('Show Failed Files');
  const text = failureText(vscode.l10n.t, sent);
  const button = await showWarningMessage(
    analysis ? `${text} ${vscode.l10n.t('No job was submitted.')}` : text,
    ...(retryable.length > 0 ? [retry] : []),
    ...(analysis && !isCanceled && sent.uploaded.length > 0 ? [analyze] : []),
    ...(sent.failed.length > 1 && !isCanceled ? [details] : []),
  );
  if (button === retry) return { retry: retryable };
  if (button === analyze) return 'analyze';
  return button === details ? await selectFailed(sent, retryable) : undefined;
}

/** Lists failed files with their reasons, and lets the person select files to upload again. */
async function selectFailed(
  { uploaded, failed }: SendResult,
  retryable: readonly LocalFile[],
): Promise<FailureDecision> {
  const byUri = new Map(retryable.map(file => [file.uri, file]));
  const items = failed.map(({ uri, error }) => ({
    label: byUri.get(uri)?.fileName ?? nameOf(uri),
    description: byUri.get(uri)?.folder ?? '',
    detail: userMessage(error),
    picked: byUri.has(uri),
    uri,
  }));
  const selected = await showQuickPick(items, {
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t('{0} of {1} files not uploaded', failed.length, failed.length + uploaded.length),
    placeHolder: vscode.l10n.t('Select the files to upload again'),
  });
  const retry = selected?.flatMap(({ uri }) => byUri.get(uri) ?? []) ?? [];
  return retry.length > 0 ? { retry } : undefined;
}
