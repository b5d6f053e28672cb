import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import type { LocalFile } from '../node/expandFiles';
import { failedFiles, type SendResult } from '../node/uploadOutcome';
import { failureText, nameOf } from '../node/uploadWords';
import { showWarningMessage } from '../../host/editor/surfaces/messages';
import { showQuickPick } from '../../host/editor/surfaces/quickPick';
import { userMessage } from '../../host/editor/userMessage';

/** What a person decides about files that failed: to upload some of them again, or to analyze the others without them. */
export type FailureAnswer = { retry: LocalFile[] } | 'analyze' | undefined;

/** Says which files failed and why, and offers to upload only these again. `analysis` is one that waits for the files. */
export async function askAboutFailures(
  sent: SendResult,
  files: readonly LocalFile[],
  { analysis = false } = {},
): Promise<FailureAnswer> {
  const isCanceled = sent.failed.every(({ error }) => isCoded(error, 'cancelled'));
  const again = failedFiles(files, sent);
  const retry = vscode.l10n.t('Retry');
  const analyze = vscode.l10n.t('Analyze the Rest');
  const details = vscode.l10n.t('Show Failed Files');
  const text = failureText(vscode.l10n.t, sent);
  const button = await showWarningMessage(
    analysis ? `${text} ${vscode.l10n.t('No job was submitted.')}` : text,
    ...(again.length > 0 ? [retry] : []),
    ...(analysis && !isCanceled && sent.uploaded.length > 0 ? [analyze] : []),
    ...(sent.failed.length > 1 && !isCanceled ? [details] : []),
  );
  if (button === retry) return { retry: again };
  if (button === analyze) return 'analyze';
  return button === details ? await selectFailed(sent, again) : undefined;
}

/** Lists the files that failed with their reasons, to select which of them to upload again. */
async function selectFailed(
  { uploaded, failed }: SendResult,
  again: readonly LocalFile[],
): Promise<FailureAnswer> {
  const byUri = new Map(again.map(file => [file.uri, file]));
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
