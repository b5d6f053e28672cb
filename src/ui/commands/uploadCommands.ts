import * as path from 'node:path';
import * as vscode from 'vscode';
import { CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { reason } from '../../base/reasons';
import type { AccountSession } from '../../app/accounts/accountSession';
import type { AccountSessions } from '../../app/accounts/accountSessions';
import { uploadArguments } from '../../app/uploads/droppedFiles';
import { expandFiles, type ExpandedFiles, type LocalFile } from '../../app/uploads/expandFiles';
import type { UploadAgain } from '../../app/uploads/unfinishedUploads';
import { uploadsReport } from '../../app/uploads/uploadRows';
import { refuseDamaged } from '../../app/uploads/refuseDamaged';
import { refuseTooLarge } from '../../app/uploads/uploadableFiles';
import { findUnchanged } from '../../app/uploads/unchangedFiles';
import { refusedText, unchangedText } from '../../app/uploads/uploadWords';
import { mayAnalyze, sendReport, type SendReport, type SendResult } from '../../app/uploads/uploadOutcome';
import { sendFiles } from '../../app/uploads/sendFiles';
import { named, toFileSource, vscodeFiles } from '../localFiles';
import { optionalFlag, optionalText, text } from '../../app/commands/options';
import type { ImageThread } from '../../protocol/backgroundImageRequests';
import type { Settings } from '../../app/settings/settings';
import type { FileNodes } from '../../app/trees/fileNodes';
import { withCancelIfSlow } from '../progress';
import { chooseFiles } from './steps/chooseFiles';
import { command } from './command';
import { explorerUris, optionalUris } from './steps/uriOptions';
import { sendWithProgress } from './steps/sendFiles';
import { askAboutFailures } from './steps/uploadFailures';
import { describeSubmission, submitAsPerson } from './steps/submitSteps';
import type { DescribedRequest } from '../../app/jobs/jobRequest';
import { submit } from '../../app/jobs/submit';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../surfaces/messages';

export interface UploadCommandParts {
  sessions: AccountSessions;
  settings: Settings;
  files: FileNodes;
  startEngine: () => Promise<ImageThread>;
  log: Log;
}

/** "Upload…" and "Analyze…", from the Explorer, the tree and the palette, and the list of running uploads. */
export function uploadCommands(parts: UploadCommandParts) {
  return {
    uploadFiles: command({
      options: { destinationFolder: optionalText, uris: optionalUris },
      program: async (options, rest) => uploadAsProgram(parts, await parts.sessions.active(), options, rest),
      person: rest => uploadAsPerson(parts, rest),
    }),
    analyzeFiles: command({
      options: {
        pipelineId: text,
        name: optionalText,
        destinationFolder: optionalText,
        allowPartial: optionalFlag,
        uris: optionalUris,
      },
      program: (options, rest) => analyzeAsProgram(parts, options, rest),
      person: rest => analyzeAsPerson(parts, rest),
    }),
    showUploads: command({
      options: {},
      program: async () => ({ uploads: uploadsReport((await parts.sessions.active()).uploads.running) }),
      person: async () => {
        const { showUploads } = await import('./steps/showUploads');
        await showUploads(await parts.sessions.active(), error =>
          failed(parts, 'Canceling an upload of another window failed', error),
        );
      },
    }),
  };
}

/** A program's options for an upload, besides the files. */
interface UploadOptions {
  destinationFolder: string | undefined;
  /** Files instead of those that are arguments of their own. */
  uris: vscode.Uri[];
}

async function uploadAsProgram(
  { settings, files }: UploadCommandParts,
  session: AccountSession,
  options: UploadOptions,
  rest: unknown[],
): Promise<SendReport> {
  const uris = options.uris.length > 0 ? options.uris : explorerUris(rest);
  if (uris.length === 0) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
  const destinationFolder = options.destinationFolder ?? settings.destinationFolder(uris[0]?.toString());
  const sent = await sendFiles(session, await expandFiles(vscodeFiles, named(uris)), {
    destinationFolder,
    concurrency: settings.uploadConcurrency,
    open: toFileSource,
    signal: new AbortController().signal,
  });
  files.refresh();
  return sendReport(sent);
}

async function uploadAsPerson(parts: UploadCommandParts, rest: unknown[]): Promise<void> {
  const session = await parts.sessions.active();
  const { folder, files } = uploadArguments(rest, value => value instanceof vscode.Uri);
  if (folder && folder.path === undefined) {
    throw new CodedError('bad-request', 'The folder has no path', {
      subject: folder.label,
      reason: reason('folder-without-name'),
    });
  }
  const chosen = await chooseFiles(explorerUris(files), vscode.l10n.t('Upload'));
  if (!chosen) return;
  const expanded = await refuseTooLarge(chosen);
  const destinationFolder = folder?.path ?? parts.settings.destinationFolder(expanded.files[0]?.uri);
  const unchanged = await findUploaded(parts, session, expanded.files, destinationFolder);
  const wanted = await askAboutUnchanged(expanded.files, unchanged);
  if (!wanted) return;
  await sendAndReport(parts, session, { failed: expanded.failed, files: wanted, destinationFolder });
}

type Unchanged = Awaited<ReturnType<typeof findUnchanged>>;

/** The files that are uploaded already and have not changed; none where that can't be found out. */
async function findUploaded(
  { log }: UploadCommandParts,
  { client, uploadRecords }: AccountSession,
  files: readonly LocalFile[],
  destinationFolder: string,
): Promise<Unchanged> {
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

/** The files to upload, where some are uploaded already; undefined where the person leaves. */
async function askAboutUnchanged(files: LocalFile[], unchanged: Unchanged): Promise<LocalFile[] | undefined> {
  if (unchanged.size === 0) return files;
  const onlyNew = vscode.l10n.t('Upload Only New');
  const all = files.length === 1 ? vscode.l10n.t('Upload Again') : vscode.l10n.t('Upload All');
  const fresh = files.filter(({ uri }) => !unchanged.has(uri));
  const button = await showInformationMessage(
    unchangedText(vscode.l10n.t, [...unchanged.values()], files.length),
    { modal: true },
    ...(fresh.length > 0 ? [onlyNew] : []),
    all,
  );
  if (button === all) return files;
  return button === onlyNew ? fresh : undefined;
}

/** Files to upload for a person, and what is known of them. */
interface PersonsUpload extends Pick<ExpandedFiles, 'files' | 'failed'> {
  destinationFolder: string;
  /** Uploaded by earlier attempts; analyzed with the rest. */
  before?: SendResult['uploaded'];
  /** The upload of another window that left these files. */
  claim?: UploadAgain['claim'];
}

/** Uploads, then shows the result and offers an analysis, or to retry only what failed. */
async function sendAndReport(
  parts: UploadCommandParts,
  session: AccountSession,
  { before = [], claim, ...upload }: PersonsUpload,
): Promise<void> {
  const { destinationFolder } = upload;
  const concurrency = parts.settings.uploadConcurrency;
  const sent = await sendWithProgress(session, upload, { destinationFolder, concurrency }, claim);
  parts.files.refresh();
  const uploaded = [...before, ...sent.uploaded];
  if (sent.failed.length === 0) {
    inBackground(parts, () => offerAnalysis(parts, session, uploaded));
    return;
  }
  logFailures(parts.log, sent);
  inBackground(parts, async () => {
    const answer = await askAboutFailures(sent, upload.files);
    if (typeof answer !== 'object') return;
    await sendAndReport(parts, session, {
      files: answer.retry,
      failed: [],
      destinationFolder,
      before: uploaded,
    });
  });
}

async function offerAnalysis(
  parts: UploadCommandParts,
  session: AccountSession,
  uploaded: SendResult['uploaded'],
): Promise<void> {
  const analyze = vscode.l10n.t('Analyze…');
  const message =
    uploaded.length === 1
      ? vscode.l10n.t('Uploaded {0}.', uploaded[0]?.fileName ?? '')
      : vscode.l10n.t('Uploaded {0} files.', uploaded.length);
  if ((await showInformationMessage(message, analyze)) !== analyze) return;
  await submitAsPerson(parts, session, inputOf(uploaded));
}

/** Uploads what other windows left, once a person chose to. */
export function uploadAgain(parts: UploadCommandParts, session: AccountSession, again: UploadAgain): void {
  inBackground(parts, () => sendAndReport(parts, session, { ...again, failed: [] }));
}

function logFailures(log: Log, { failed }: SendResult): void {
  for (const { uri, error } of failed) log.error(`Not uploaded: ${uri}: ${error.code}`, error);
}

function inBackground(parts: UploadCommandParts, work: () => Promise<void>): void {
  work().catch((error: unknown) => failed(parts, 'Continuing after an upload failed', error));
}

function failed({ log }: UploadCommandParts, message: string, error: unknown): void {
  log.error(message, error);
  // Not awaited: the message stays until it is dismissed.
  void import('../userMessages').then(({ showFailure }) => showFailure(error));
}

async function analyzeAsProgram(
  parts: UploadCommandParts,
  options: UploadOptions & { pipelineId: string; name: string | undefined; allowPartial: boolean },
  rest: unknown[],
): Promise<SendReport & { jobId?: string }> {
  const { pipelineId, name, allowPartial } = options;
  // Another account may be the active one by the end of the upload, and doesn't have these files.
  const session = await parts.sessions.active();
  const sent = await uploadAsProgram(parts, session, options, rest);
  if (!mayAnalyze(sent, allowPartial)) return sent;
  const request = { pipelineId, ...inputOf(sent.uploaded), ...(name && { name }) };
  return { jobId: await submit(session, request, 'program'), ...sent };
}

async function analyzeAsPerson(parts: UploadCommandParts, rest: unknown[]): Promise<void> {
  const session = await parts.sessions.active();
  const chosen = await chooseFiles(explorerUris(rest), vscode.l10n.t('Analyze'), { reviewIfNeeded: true });
  if (!chosen) return;
  // What can't be uploaded is refused first, and the rest described before the upload: nothing is entered or uploaded for
  // an analysis that is then canceled.
  const sound = await withCancelIfSlow(vscode.l10n.t('Checking images'), async signal =>
    refuseDamaged(parts, await refuseTooLarge(chosen), signal),
  );
  const files = await confirmRefused(sound);
  if (files.length === 0) return;
  const request = await describeSubmission(session, {
    fileCount: files.length,
    items: files.map(({ uri, fileName, folder }) => ({
      id: uri,
      name: fileName,
      ...(folder && { folder: path.posix.basename(folder) }),
    })),
  });
  if (!request) return;
  const destinationFolder = parts.settings.destinationFolder(files[0]?.uri);
  const uploaded = await sendForAnalysis(parts, session, files, destinationFolder);
  if (uploaded.length === 0) return;
  await submitAsPerson(parts, session, { ...request, ...inputOf(uploaded) });
}

/** What was uploaded as the input of a job. */
function inputOf(
  uploaded: SendResult['uploaded'],
): Required<Pick<DescribedRequest, 'filesystemIds' | 'items'>> {
  return {
    filesystemIds: uploaded.map(({ id }) => id),
    items: uploaded.map(({ id, fileName }) => ({ id, name: fileName })),
  };
}

/** The files that can be uploaded; none where others can't and the person doesn't continue without those. */
async function confirmRefused({ files, failed }: ExpandedFiles): Promise<LocalFile[]> {
  if (failed.length === 0) return files;
  const message = refusedText(vscode.l10n.t, failed, failed.length + files.length);
  if (files.length === 0) {
    void showErrorMessage(message);
    return [];
  }
  const others =
    files.length === 1
      ? vscode.l10n.t('Continue with 1 File')
      : vscode.l10n.t('Continue with {0} Files', files.length);
  return (await showWarningMessage(message, { modal: true }, others)) === others ? files : [];
}

/**
 * Uploads until all files are on the service, without those that are there already, or the person agrees to analyze a part; none where
 * the person doesn't.
 */
async function sendForAnalysis(
  parts: UploadCommandParts,
  session: AccountSession,
  files: LocalFile[],
  destinationFolder: string,
): Promise<SendResult['uploaded']> {
  const uploaded: SendResult['uploaded'] = [];
  for (let left = files; ;) {
    const concurrency = parts.settings.uploadConcurrency;
    const sent = await sendWithProgress(
      session,
      { files: left, failed: [] },
      { destinationFolder, concurrency },
    );
    parts.files.refresh();
    uploaded.push(...sent.uploaded);
    if (sent.failed.length === 0) return uploaded;
    logFailures(parts.log, sent);
    const answer = await askAboutFailures({ ...sent, uploaded }, left, { analysis: true });
    if (answer === undefined) return [];
    if (answer === 'analyze') return uploaded;
    left = answer.retry;
  }
}
