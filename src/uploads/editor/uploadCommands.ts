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
import { named, toFileSource, virtualFiles, vscodeFiles } from './localFiles';
import { optionalFlag, optionalText } from '../../host/options';
import type { Settings } from '../../host/settings';
import { withCancelIfSlow } from '../../host/editor/progress';
import {
  askAboutFailures,
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
  /** Lets a person analyze what was uploaded. */
  analyze: (accountId: string, uploaded: SendResult['uploaded']) => Promise<void>;
  log: Log;
}

/** "Upload…", from the Explorer, the tree and the palette, and the list of running uploads. */
export function uploadCommands(dependencies: UploadCommandDependencies) {
  return {
    uploadFiles: command({
      options: { destinationFolder: optionalText, allowDamaged: optionalFlag, uris: optionalUris },
      program: async (options, rest) =>
        uploadAsProgram(dependencies, await dependencies.sessions.active(), options, rest),
      person: rest => uploadAsPerson(dependencies, rest),
    }),
    showUploads: command({
      options: {},
      program: async () => ({
        uploads: uploadsReport((await dependencies.sessions.active()).uploads.running),
      }),
      person: async () => {
        const { showUploads } = await import('./showUploads');
        await showUploads(await dependencies.sessions.active(), error =>
          failed(dependencies, 'Canceling an upload of another window failed', error),
        );
      },
    }),
  };
}

/** A program's options for an upload, besides the files. */
export interface ProgramUpload {
  destinationFolder: string | undefined;
  /** Images are uploaded although they are damaged. */
  allowDamaged: boolean;
  /** Files instead of separate arguments. */
  uris: vscode.Uri[];
}

/** Uploads what a program names, but images that are damaged. */
export async function uploadAsProgram(
  { settings, files, startEngine }: Pick<UploadCommandDependencies, 'settings' | 'files' | 'startEngine'>,
  session: UploadSession,
  options: ProgramUpload,
  rest: unknown[],
): Promise<SendReport> {
  const uris = options.uris.length > 0 ? options.uris : explorerUris(rest);
  if (uris.length === 0) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
  const destinationFolder = options.destinationFolder ?? settings.destinationFolder(uris[0]?.toString());
  const { signal } = new AbortController();
  const expanded = await expandFiles(vscodeFiles, named(uris));
  const check = { startEngine, virtual: virtualFiles, decodedFor: DECODED_FOR.program };
  const sound = options.allowDamaged ? expanded : await refuseDamaged(check, expanded, signal);
  const sent = await sendFiles(session, sound, {
    destinationFolder,
    concurrency: settings.uploadConcurrency,
    open: toFileSource,
    signal,
  });
  files.refresh();
  return sendReport(sent);
}

async function uploadAsPerson(dependencies: UploadCommandDependencies, rest: unknown[]): Promise<void> {
  const session = await dependencies.sessions.active();
  const { folder, files } = uploadArguments(rest, value => value instanceof vscode.Uri);
  if (folder && folder.path === undefined) {
    throw new CodedError('bad-request', 'The folder has no path', {
      subject: folder.label,
      reason: reason("The service doesn't return the name of this folder"),
    });
  }
  const chosen = await chooseFiles(
    explorerUris(files),
    vscode.l10n.t({ message: 'Upload', comment: 'Verb' }),
  );
  if (!chosen) return;
  const expanded = await withoutDamaged(dependencies, await refuseTooLarge(chosen));
  if (!expanded) return;
  const destinationFolder = folder?.path ?? dependencies.settings.destinationFolder(expanded.files[0]?.uri);
  const unchanged = await findUploaded(dependencies.log, session, expanded.files, destinationFolder);
  const wanted = await askAboutUnchanged(expanded.files, unchanged);
  if (!wanted) return;
  await sendAndReport(dependencies, session, { failed: expanded.failed, files: wanted, destinationFolder });
}

/** What a person uploads where images are damaged; undefined where the person leaves. */
async function withoutDamaged(
  { startEngine }: UploadCommandDependencies,
  expanded: ExpandedFiles,
): Promise<ExpandedFiles | undefined> {
  const sound = await withCancelIfSlow(vscode.l10n.t('Checking images'), signal =>
    refuseDamaged({ startEngine, virtual: virtualFiles }, expanded, signal),
  );
  const damaged = sound.failed.slice(expanded.failed.length);
  if (damaged.length === 0) return expanded;
  const fileCount = expanded.files.length;
  const others = continueWith(sound.files.length);
  const all = fileCount === 1 ? vscode.l10n.t('Upload Anyway') : vscode.l10n.t('Upload All');
  const button = await showWarningMessage(
    damagedText(vscode.l10n.t, damaged, fileCount),
    { modal: true },
    ...(sound.files.length > 0 ? [others] : []),
    all,
  );
  if (button === all) return expanded;
  return button === others ? { ...sound, failed: expanded.failed } : undefined;
}

/** The files to upload, where some are uploaded already; undefined where the person leaves. */
async function askAboutUnchanged(
  files: LocalFile[],
  unchanged: UnchangedFiles,
): Promise<LocalFile[] | undefined> {
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

/** Files to upload for a person, and their facts. */
interface PersonsUpload extends Pick<ExpandedFiles, 'files' | 'failed'> {
  destinationFolder: string;
  /** Uploaded by earlier attempts; analyzed with the rest. */
  before?: SendResult['uploaded'];
  /** The upload of another window that left these files. */
  claim?: UploadAgain['claim'];
}

/** Uploads, then shows the result and offers an analysis, or to retry only what failed. */
async function sendAndReport(
  dependencies: UploadCommandDependencies,
  session: UploadSession,
  { before = [], claim, ...upload }: PersonsUpload,
): Promise<void> {
  const { destinationFolder } = upload;
  const concurrency = dependencies.settings.uploadConcurrency;
  const sent = await sendWithProgress(session, upload, { destinationFolder, concurrency }, claim);
  dependencies.files.refresh();
  const uploaded = [...before, ...sent.uploaded];
  if (sent.failed.length === 0) {
    inBackground(dependencies, () => offerAnalysis(dependencies, session, uploaded));
    return;
  }
  logFailures(dependencies.log, sent);
  inBackground(dependencies, async () => {
    const answer = await askAboutFailures(sent, upload.files);
    if (typeof answer !== 'object') return;
    await sendAndReport(dependencies, session, {
      files: answer.retry,
      failed: [],
      destinationFolder,
      before: uploaded,
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

/** Offers to upload again what closed windows left unfinished, and uploads the selected files. */
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
  const files = await offerUnfinished({ uploads: session.uploads, hasKey, ask: askToUploadAgain }, signal);
  for (const one of files)
    inBackground(dependencies, () => sendAndReport(dependencies, session, { ...one, failed: [] }));
}

async function askToUploadAgain(offer: UnfinishedOffer): Promise<OfferAnswer> {
  const { fileCount, mayBeSent } = offer;
  const all = vscode.l10n.t('Upload Again');
  const certain = fileCount - mayBeSent;
  const rest =
    certain === 1
      ? vscode.l10n.t('Upload the Other File')
      : vscode.l10n.t('Upload the Other {0} Files', certain);
  const discard = vscode.l10n.t({
    message: 'Discard',
    comment: 'Verb: discard uploads that were not finished',
  });
  const button = await showWarningMessage(
    unfinishedText(vscode.l10n.t, offer),
    all,
    ...(mayBeSent > 0 && certain > 0 ? [rest] : []),
    discard,
  );
  if (button === all) return 'all';
  if (button === rest) return 'rest';
  return button === discard ? 'discard' : undefined;
}

/** Writes to the log why files were not uploaded. */
export function logFailures(log: Log, { failed }: SendResult): void {
  for (const { uri, error } of failed) log.error(`Not uploaded: ${uri}: ${error.code}`, error);
}

function inBackground(dependencies: UploadCommandDependencies, work: () => Promise<void>): void {
  work().catch((error: unknown) => failed(dependencies, 'Continuing after an upload failed', error));
}

function failed({ log }: UploadCommandDependencies, message: string, error: unknown): void {
  log.error(message, error);
  // Not awaited: the message stays until it is dismissed.
  void import('../../host/editor/messages').then(({ showFailure }) => showFailure(error));
}
