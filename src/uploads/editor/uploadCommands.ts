import * as vscode from 'vscode';
import type { Accounts } from '../../accounts/node/accounts';
import { CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import { reason } from '../../base/reasons';
import type { UploadSession, UploadSessions } from '../node/uploadSessions';
import { type FileNodes, uploadArguments } from '../node/fileNodes';
import { expandFiles, type ExpandedFiles, type LocalFile } from '../node/expandFiles';
import {
  type OfferAnswer,
  offerUnfinished,
  type UnfinishedOffer,
  type UploadAgain,
} from '../node/accountUploads';
import { DECODED_FOR, type DamageCheckDependencies, refuseDamaged } from '../node/imageDamage';
import { damagedText, unchangedText, unfinishedText, uploadsReport } from '../node/uploadWords';
import { refuseTooLarge } from '../node/uploadableFiles';
import { sendFiles, sendReport, type SendReport, type SendResult } from '../node/sendFiles';
import { toFileSource, virtualFiles, vscodeFiles, withFileNames } from './localFiles';
import { optionalFlag, optionalText } from '../../host/options';
import type { Settings } from '../../host/settings';
import { withCancelIfSlow } from '../../host/editor/progress';
import {
  offerRetry,
  chooseFiles,
  continueWith,
  findUploaded,
  sendWithProgress,
  type UnchangedFiles,
} from './uploadSteps';
import { command } from '../../host/editor/command';
import { explorerUris, optionalUris } from '../../host/editor/uriOptions';
import { showInformationMessage, showWarningMessage } from '../../host/editor/messages';

export interface UploadCommandDependencies {
  sessions: UploadSessions;
  settings: Settings;
  files: FileNodes;
  startEngine: DamageCheckDependencies['startEngine'];
  /** Lets a person analyze uploaded files. */
  analyze: (accountId: string, uploaded: SendResult['uploaded']) => Promise<void>;
  log: Log;
}

/**
 * Commands that upload files, from the Explorer, the tree and the palette, and that show uploads.
 */
export function uploadCommands(dependencies: UploadCommandDependencies) {
  return {
    uploadFiles: command({
      options: { destinationFolder: optionalText, allowDamaged: optionalFlag, uris: optionalUris },
      program: async (options, commandArgs) =>
        uploadAsProgram(dependencies, await dependencies.sessions.active(), options, commandArgs),
      person: commandArgs => uploadAsPerson(dependencies, commandArgs),
    }),
    showUploads: command({
      options: {},
      program: async () => ({
        uploads: uploadsReport((await dependencies.sessions.active()).uploads.running),
      }),
      person: async () => {
        const { showUploads } = await import('./showUploads');
        await showUploads(await dependencies.sessions.active(), error =>
          reportFailure(dependencies, 'Canceling an upload of another window failed', error),
        );
      },
    }),
  };
}

/** A program's options for an upload. */
export interface ProgramUpload {
  destinationFolder: string | undefined;
  /** Whether to upload damaged images too. */
  allowDamaged: boolean;
  /** The files, in place of separate arguments. */
  uris: vscode.Uri[];
}

/** Uploads files for a program; refuses damaged images unless `allowDamaged` is set. */
export async function uploadAsProgram(
  { settings, files, startEngine }: Pick<UploadCommandDependencies, 'settings' | 'files' | 'startEngine'>,
  session: UploadSession,
  options: ProgramUpload,
  commandArgs: unknown[],
): Promise<SendReport> {
  const uris = options.uris.length > 0 ? options.uris : explorerUris(commandArgs);
  if (uris.length === 0) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
  const destinationFolder = options.destinationFolder ?? settings.destinationFolder(uris[0]?.toString());
  const { signal } = new AbortController();
  const expanded = await expandFiles(vscodeFiles, withFileNames(uris));
  const check = { startEngine, virtual: virtualFiles, decodedFor: DECODED_FOR.program };
  const checked = options.allowDamaged ? expanded : await refuseDamaged(check, expanded, signal);
  const sent = await sendFiles(session, checked, {
    destinationFolder,
    concurrency: settings.uploadConcurrency,
    open: toFileSource,
    signal,
  });
  files.refresh();
  return sendReport(sent);
}

async function uploadAsPerson(
  dependencies: UploadCommandDependencies,
  commandArgs: unknown[],
): Promise<void> {
  const session = await dependencies.sessions.active();
  const { folder, files } = uploadArguments(commandArgs, value => value instanceof vscode.Uri);
  if (folder && folder.path === undefined) {
    throw new CodedError('bad-request', 'The folder has no path', {
      subject: folder.label,
      reason: reason("The service doesn't return the name of this folder"),
    });
  }
  const selected = await chooseFiles(
    explorerUris(files),
    vscode.l10n.t({ message: 'Upload', comment: 'Verb' }),
  );
  if (!selected) return;
  const expanded = await withoutDamaged(dependencies, await refuseTooLarge(selected));
  if (!expanded) return;
  const destinationFolder = folder?.path ?? dependencies.settings.destinationFolder(expanded.files[0]?.uri);
  const unchanged = await findUploaded(dependencies.log, session, expanded.files, destinationFolder);
  const filesToUpload = await askAboutUnchanged(expanded.files, unchanged);
  if (!filesToUpload) return;
  await sendAndReport(dependencies, session, {
    failed: expanded.failed,
    files: filesToUpload,
    destinationFolder,
  });
}

/** Asks what to upload if images are damaged. Undefined if the person cancels. */
async function withoutDamaged(
  { startEngine }: UploadCommandDependencies,
  expanded: ExpandedFiles,
): Promise<ExpandedFiles | undefined> {
  const checked = await withCancelIfSlow(vscode.l10n.t('Checking images'), signal =>
    refuseDamaged({ startEngine, virtual: virtualFiles }, expanded, signal),
  );
  const damaged = checked.failed.slice(expanded.failed.length);
  if (damaged.length === 0) return expanded;
  const fileCount = expanded.files.length;
  const withoutDamagedFiles = continueWith(checked.files.length);
  const uploadAll = fileCount === 1 ? vscode.l10n.t('Upload Anyway') : vscode.l10n.t('Upload All');
  const button = await showWarningMessage(
    damagedText(vscode.l10n.t, damaged, fileCount),
    { modal: true },
    ...(checked.files.length > 0 ? [withoutDamagedFiles] : []),
    uploadAll,
  );
  if (button === uploadAll) return expanded;
  return button === withoutDamagedFiles ? { ...checked, failed: expanded.failed } : undefined;
}

/** Asks what to upload if some files are uploaded already. Undefined if the person cancels. */
async function askAboutUnchanged(
  files: LocalFile[],
  unchanged: UnchangedFiles,
): Promise<LocalFile[] | undefined> {
  if (unchanged.size === 0) return files;
  const onlyNew = vscode.l10n.t('Upload Only New');
  const uploadAll = files.length === 1 ? vscode.l10n.t('Upload Again') : vscode.l10n.t('Upload All');
  const newFiles = files.filter(({ uri }) => !unchanged.has(uri));
  const button = await showInformationMessage(
    unchangedText(vscode.l10n.t, [...unchanged.values()], files.length),
    { modal: true },
    ...(newFiles.length > 0 ? [onlyNew] : []),
    uploadAll,
  );
  if (button === uploadAll) return files;
  return button === onlyNew ? newFiles : undefined;
}

/** Files that a person uploads. */
interface PersonsUpload extends Pick<ExpandedFiles, 'files' | 'failed'> {
  destinationFolder: string;
  /** Files that earlier attempts uploaded; analyzed together with the others. */
  uploadedBefore?: SendResult['uploaded'];
  /** The upload of another window that left these files. */
  claim?: UploadAgain['claim'];
}

/** Uploads files, then offers an analysis, or to retry the failed files. */
async function sendAndReport(
  dependencies: UploadCommandDependencies,
  session: UploadSession,
  { uploadedBefore = [], claim, ...upload }: PersonsUpload,
): Promise<void> {
  const { destinationFolder } = upload;
  const concurrency = dependencies.settings.uploadConcurrency;
  const sent = await sendWithProgress(session, upload, { destinationFolder, concurrency }, claim);
  dependencies.files.refresh();
  const uploaded = [...uploadedBefore, ...sent.uploaded];
  if (sent.failed.length === 0) {
    inBackground(dependencies, () => offerAnalysis(dependencies, session, uploaded));
    return;
  }
  logFailures(dependencies.log, sent);
  inBackground(dependencies, async () => {
    const decision = await offerRetry(sent, upload.files);
    if (typeof decision !== 'object') return;
    await sendAndReport(dependencies, session, {
      files: decision.retry,
      failed: [],
      destinationFolder,
      uploadedBefore: uploaded,
    });
  });
}

async function offerAnalysis(
  dependencies: UploadCommandDependencies,
  session: UploadSession,
  uploaded: SendResult['uploaded'],
): Promise<void> {
  const analyze = vscode.l10n.t('Analyze…');
  const message =
    uploaded.length === 1
      ? vscode.l10n.t('Uploaded {0}.', uploaded[0]?.fileName ?? '')
      : vscode.l10n.t('Uploaded {0} files.', uploaded.length);
  if ((await showInformationMessage(message, analyze)) !== analyze) return;
  await dependencies.analyze(session.account.id, uploaded);
}

/** Offers to upload unfinished files of closed windows again, and uploads them. */
export async function offerUnfinishedUploads(
  accounts: Accounts,
  dependencies: UploadCommandDependencies,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  const session = await dependencies.sessions.of(accountId);
  const hasKey = () =>
    accounts.key(accountId).then(
      () => true,
      () => false,
    );
  const unfinishedUploads = await offerUnfinished(
    { uploads: session.uploads, hasKey, ask: askToUploadAgain },
    signal,
  );
  for (const upload of unfinishedUploads)
    inBackground(dependencies, () => sendAndReport(dependencies, session, { ...upload, failed: [] }));
}

async function askToUploadAgain(offer: UnfinishedOffer): Promise<OfferAnswer> {
  const { fileCount, mayBeSent } = offer;
  const uploadAll = vscode.l10n.t('Upload Again');
  const unsentCount = fileCount - mayBeSent;
  const uploadUnsent =
    unsentCount === 1
      ? vscode.l10n.t('Upload the Other File')
      : vscode.l10n.t('Upload the Other {0} Files', unsentCount);
  const discard = vscode.l10n.t({
    message: 'Discard',
    comment: 'Verb: discard uploads that were not finished',
  });
  const button = await showWarningMessage(
    unfinishedText(vscode.l10n.t, offer),
    uploadAll,
    ...(mayBeSent > 0 && unsentCount > 0 ? [uploadUnsent] : []),
    discard,
  );
  if (button === uploadAll) return 'all';
  if (button === uploadUnsent) return 'unsent';
  return button === discard ? 'discard' : undefined;
}

/** Logs why files weren't uploaded. */
export function logFailures(log: Log, { failed }: SendResult): void {
  for (const { uri, error } of failed) log.error(`Not uploaded: ${uri}: ${error.code}`, error);
}

function inBackground(dependencies: UploadCommandDependencies, work: () => Promise<void>): void {
  work().catch((error: unknown) => reportFailure(dependencies, 'Continuing after an upload failed', error));
}

function reportFailure({ log }: UploadCommandDependencies, message: string, error: unknown): void {
  log.error(message, error);
  // Don't await it, because the message stays until it is dismissed.
  void import('../../host/editor/messages').then(({ showFailure }) => showFailure(error));
}
