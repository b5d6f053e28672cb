import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError, type ErrorCode } from '../../base/errors';
import type { Log } from '../../base/log';
import type { AccountSession } from '../accountSession';
import type { AccountSessions } from '../accountSessions';
import { expandFiles, type ExpandedFiles } from '../localFiles';
import { explorerUris, optionalFlag, optionalText, requiredText } from '../programCall';
import type { Settings } from '../settings';
import { FileNode, type FilesTree } from '../trees/filesTree';
import { userMessage } from '../userMessages';
import { chooseFiles } from './chooseFiles';
import { registerCommand } from './register';
import { failedFiles, sendFiles, sendWithProgress, type SendResult } from './sendFiles';
import { describeSubmission, submitAsPerson } from './submitSteps';
import { submit } from './submit';

export interface UploadCommandParts {
  sessions: AccountSessions;
  settings: Settings;
  filesTree: FilesTree;
  log: Log;
}

/** "Upload" and "Upload and Analyze…", from the explorer, the tree and the palette. */
export function registerUploadCommands(parts: UploadCommandParts): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand(
      'uploadFiles',
      {
        program: (options, rest) => uploadAsProgram(parts, options, rest),
        person: rest => uploadAsPerson(parts, rest),
      },
      parts.log,
    ),
  );
  store.add(
    registerCommand(
      'analyzeFiles',
      {
        program: (options, rest) => analyzeAsProgram(parts, options, rest),
        person: rest => analyzeAsPerson(parts, rest),
      },
      parts.log,
    ),
  );
  return store;
}

async function uploadAsProgram(
  { sessions, settings, filesTree }: UploadCommandParts,
  options: Record<string, unknown>,
  rest: unknown[],
): Promise<SendResult> {
  const uris = explorerUris(rest, options);
  if (uris.length === 0) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
  const destinationFolder = optionalText(options, 'destinationFolder') ?? settings.destinationFolder(uris[0]);
  const session = await sessions.active();
  const sent = await sendFiles(session, await expandFiles(uris), {
    destinationFolder,
    concurrency: settings.uploadConcurrency,
    signal: new AbortController().signal,
  });
  filesTree.refresh();
  return sent;
}

async function uploadAsPerson(parts: UploadCommandParts, rest: unknown[]): Promise<void> {
  const session = await parts.sessions.active();
  // From the tree the first argument is the folder to upload into, followed by what was dropped on it.
  const target = rest[0] instanceof FileNode ? rest[0] : undefined;
  if (target && target.path === undefined) {
    const reason = vscode.l10n.t('The service does not tell the name of this folder');
    throw new CodedError('bad-request', 'The folder has no path', { subject: target.label, reason });
  }
  const uris = explorerUris(target ? droppedOn(rest) : rest);
  const expanded = await chooseFiles(uris, vscode.l10n.t('Upload'));
  if (!expanded) return;
  const destinationFolder = target?.path ?? parts.settings.destinationFolder(expanded.files[0]?.uri);
  await sendAndReport(parts, session, expanded, destinationFolder);
}

/** Beside a folder node stands what was dropped on it; the tree's own menu passes nodes, which are no files. */
function droppedOn([, second]: readonly unknown[]): unknown[] {
  const uris = Array.isArray(second) ? second.filter(entry => entry instanceof vscode.Uri) : [];
  return uris.length > 0 ? [uris[0], uris] : [];
}

/**
 * Uploads, then says what became of it; offers to go on with an analysis, or to retry only what failed. `before` went
 * well at earlier tries, and is analysed with the rest.
 */
async function sendAndReport(
  parts: UploadCommandParts,
  session: AccountSession,
  expanded: ExpandedFiles,
  destinationFolder: string,
  before: SendResult['uploaded'] = [],
): Promise<void> {
  const sent = await sendWithProgress(session, expanded, {
    destinationFolder,
    concurrency: parts.settings.uploadConcurrency,
  });
  parts.filesTree.refresh();
  const uploaded = [...before, ...sent.uploaded];
  if (sent.failed.length === 0) {
    const analyze = vscode.l10n.t('Analyze…');
    const text =
      uploaded.length === 1
        ? vscode.l10n.t('Uploaded {0}.', uploaded[0]?.fileName ?? '')
        : vscode.l10n.t('Uploaded {0} files.', uploaded.length);
    inBackground(parts, async () => {
      const answer = await vscode.window.showInformationMessage(text, analyze);
      if (answer === analyze) {
        await submitAsPerson(parts, session, { filesystemIds: uploaded.map(({ id }) => id) });
      }
    });
    return;
  }
  const again = failedFiles(expanded.files, sent);
  inBackground(parts, async () => {
    const retry = vscode.l10n.t('Retry Failed');
    const showLog = vscode.l10n.t('Show Log');
    const answer = await vscode.window.showWarningMessage(
      failureText(sent),
      ...(again.length > 0 ? [retry] : []),
      showLog,
    );
    if (answer === retry)
      await sendAndReport(
        parts,
        session,
        { ...expanded, files: again, failed: [] },
        destinationFolder,
        uploaded,
      );
    if (answer === showLog) await vscode.commands.executeCommand('imageAnalysis.showLog');
  });
  for (const { uri, code, message } of sent.failed)
    parts.log.warn(`Not uploaded: ${uri}: ${code}: ${message}`);
}

/** What failed, by name and in words for the first of them. */
function failureText({ uploaded, failed }: SendResult): string {
  const [first] = failed;
  if (!first) return '';
  if (failed.every(({ code }) => code === 'cancelled')) {
    return vscode.l10n.t(
      'Upload cancelled: {0} files were uploaded, {1} were not.',
      uploaded.length,
      failed.length,
    );
  }
  const subject = decodeURIComponent(first.uri.slice(first.uri.lastIndexOf('/') + 1));
  const reason = userMessage(new CodedError(first.code as ErrorCode, first.message, { subject }));
  return failed.length === 1
    ? vscode.l10n.t('{0} was not uploaded. {1}', subject, reason)
    : vscode.l10n.t(
        '{0} of {1} files were not uploaded. {2}',
        failed.length,
        failed.length + uploaded.length,
        reason,
      );
}

function inBackground({ log }: UploadCommandParts, work: () => Promise<void>): void {
  work().catch(async (error: unknown) => {
    log.error('Going on after an upload failed', error);
    const { showFailure } = await import('../userMessages');
    await showFailure(error);
  });
}

async function analyzeAsProgram(
  parts: UploadCommandParts,
  options: Record<string, unknown>,
  rest: unknown[],
): Promise<SendResult & { jobId?: string }> {
  const pipelineId = requiredText(options, 'pipelineId');
  const name = optionalText(options, 'name');
  const allowPartial = optionalFlag(options, 'allowPartial');
  const sent = await uploadAsProgram(parts, options, rest);
  if (sent.uploaded.length === 0 || (sent.failed.length > 0 && !allowPartial)) return sent;
  const session = await parts.sessions.active();
  const request = { pipelineId, filesystemIds: sent.uploaded.map(({ id }) => id), ...(name && { name }) };
  return { jobId: await submit(session, request, 'program'), ...sent };
}

async function analyzeAsPerson(parts: UploadCommandParts, rest: unknown[]): Promise<void> {
  const session = await parts.sessions.active();
  const expanded = await chooseFiles(explorerUris(rest), vscode.l10n.t('Upload and Analyze'));
  if (!expanded) return;
  // Asked before the upload, so that nothing is sent for an analysis that is then not wanted.
  const request = await describeSubmission(session, { fileCount: expanded.files.length });
  if (!request) return;
  const destinationFolder = parts.settings.destinationFolder(expanded.files[0]?.uri);
  const sent = await sendWithProgress(session, expanded, {
    destinationFolder,
    concurrency: parts.settings.uploadConcurrency,
  });
  parts.filesTree.refresh();
  if (sent.failed.length > 0 && !(await goOnWithout(parts, sent))) return;
  if (sent.uploaded.length === 0) return;
  await submitAsPerson(parts, session, { ...request, filesystemIds: sent.uploaded.map(({ id }) => id) });
}

/** After a failed upload nothing is submitted unless the user says so. */
async function goOnWithout({ log }: UploadCommandParts, sent: SendResult): Promise<boolean> {
  for (const { uri, code, message } of sent.failed) log.warn(`Not uploaded: ${uri}: ${code}: ${message}`);
  const anyway = vscode.l10n.t('Analyze the Rest');
  const answer = await vscode.window.showWarningMessage(
    `${failureText(sent)} ${vscode.l10n.t('No job was submitted.')}`,
    ...(sent.uploaded.length > 0 && sent.failed.some(({ code }) => code !== 'cancelled') ? [anyway] : []),
  );
  return answer === anyway;
}
