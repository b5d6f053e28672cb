import * as vscode from 'vscode';
import type { Log } from '../../base/log';
import { pathParts } from '../../base/pathParts';
import { type ExpandedFiles, type LocalFile } from '../../uploads/node/expandFiles';
import { refuseDamaged } from '../../uploads/node/imageDamage';
import { incompleteIndexes } from '../../uploads/node/slideIndexes';
import { refuseTooLarge } from '../../uploads/node/uploadableFiles';
import { virtualFiles } from '../../uploads/editor/localFiles';
import { refusedText } from '../../uploads/node/uploadWords';
import { mayAnalyze, type SendReport, type SendResult } from '../../uploads/node/sendFiles';
import { optionalFlag, optionalText, text } from '../../host/options';
import type { ImageThread } from '../../images/backgroundImageInfo';
import type { Settings } from '../../host/settings';
import type { FileNodes } from '../../uploads/node/fileNodes';
import { withCancelIfSlow } from '../../host/editor/progress';
import {
  offerRetry,
  chooseFiles,
  continueWith,
  findUploaded,
  sendWithProgress,
  type UnchangedFiles,
} from '../../uploads/editor/uploadSteps';
import { command } from '../../host/editor/command';
import { explorerUris, optionalUris } from '../../host/editor/uriOptions';
import { describeSubmission, submitAsPerson } from './submitSteps';
import type { DescribedRequest } from '../node/runRecords';
import { submit } from '../node/submit';
import { showErrorMessage, showWarningMessage } from '../../host/editor/messages';
import { logFailures, uploadAsProgram, type ProgramUpload } from '../../uploads/editor/uploadCommands';
import type { JobSession, JobSessions } from '../node/jobSessions';

interface AnalyzeCommandDependencies {
  sessions: JobSessions;
  settings: Settings;
  files: FileNodes;
  startEngine: () => Promise<ImageThread>;
  log: Log;
}

/** "Analyze…" on files and folders of the Explorer: uploads them as the input of a job. */
export function analyzeCommands(dependencies: AnalyzeCommandDependencies) {
  return {
    analyzeFiles: command({
      options: {
        pipelineId: text,
        name: optionalText,
        destinationFolder: optionalText,
        allowPartial: optionalFlag,
        allowDamaged: optionalFlag,
        uris: optionalUris,
      },
      program: (options, commandArgs) => analyzeAsProgram(dependencies, options, commandArgs),
      person: commandArgs => analyzeAsPerson(dependencies, commandArgs),
    }),
  };
}

/** Lets a person submit a job on uploaded files. */
export async function analyzeUploaded(
  dependencies: Pick<AnalyzeCommandDependencies, 'sessions' | 'log'>,
  accountId: string,
  uploaded: SendResult['uploaded'],
): Promise<void> {
  await submitAsPerson(dependencies, await dependencies.sessions.of(accountId), inputOf(uploaded));
}

async function analyzeAsProgram(
  dependencies: AnalyzeCommandDependencies,
  options: ProgramUpload & { pipelineId: string; name: string | undefined; allowPartial: boolean },
  commandArgs: unknown[],
): Promise<SendReport & { jobId?: string }> {
  const { pipelineId, name, allowPartial } = options;
  // Use one session for both steps: the active account may change during the upload.
  const session = await dependencies.sessions.active();
  const sent = await uploadAsProgram(dependencies, session, options, commandArgs);
  if (!mayAnalyze(sent, allowPartial)) return sent;
  const request = { pipelineId, ...inputOf(sent.uploaded), ...(name && { name }) };
  return { jobId: await submit(session, request, 'program'), ...sent };
}

async function analyzeAsPerson(
  dependencies: AnalyzeCommandDependencies,
  commandArgs: unknown[],
): Promise<void> {
  const session = await dependencies.sessions.active();
  const selected = await chooseFiles(explorerUris(commandArgs), vscode.l10n.t('Analyze'), {
    reviewIfNeeded: true,
  });
  if (!selected) return;
  // Refuse unusable files first, then ask for the job's details, then upload: a person who cancels
  // has neither entered nor uploaded anything in vain.
  const { startEngine } = dependencies;
  const checked = await withCancelIfSlow(vscode.l10n.t('Checking images'), async signal =>
    refuseDamaged({ startEngine, virtual: virtualFiles }, await refuseTooLarge(selected), signal),
  );
  const files = await confirmRefused(checked);
  if (files.length === 0 || !(await confirmIndexes(files))) return;
  const destinationFolder = dependencies.settings.destinationFolder(files[0]?.uri);
  const unchanged = await findUploaded(dependencies.log, session, files, destinationFolder);
  const request = await describeSubmission(session, {
    fileCount: files.length,
    ...(unchanged.size > 0 && { uploadedCount: unchanged.size }),
    items: files.map(({ uri, fileName, folder }) => ({
      id: uri,
      name: fileName,
      // The topmost selected folder, because its subfolders may have the same names as others.
      ...(folder && { folder: pathParts(folder)[0] }),
    })),
  });
  if (!request) return;
  // Check again: files and uploads may have changed while the person answered.
  const reused = await findUploaded(
    dependencies.log,
    session,
    files.filter(({ uri }) => unchanged.has(uri)),
    destinationFolder,
  );
  const uploaded = await sendForAnalysis(dependencies, session, { files, reused, destinationFolder });
  if (uploaded.length === 0) return;
  await submitAsPerson(dependencies, session, { ...request, ...inputOf(uploaded) });
}

/** The input of a job from uploaded files. */
function inputOf(
  uploaded: SendResult['uploaded'],
): Required<Pick<DescribedRequest, 'filesystemIds' | 'items'>> {
  return {
    filesystemIds: uploaded.map(({ id }) => id),
    items: uploaded.map(({ id, fileName }) => ({ id, name: fileName })),
  };
}

/** Files that can be uploaded; none if the person doesn't continue without the refused files. */
async function confirmRefused({ files, failed }: ExpandedFiles): Promise<LocalFile[]> {
  if (failed.length === 0) return files;
  const message = refusedText(vscode.l10n.t, failed, failed.length + files.length);
  if (files.length === 0) {
    void showErrorMessage(message);
    return [];
  }
  const withoutRefused = continueWith(files.length);
  const button = await showWarningMessage(message, { modal: true }, withoutRefused);
  return button === withoutRefused ? files : [];
}

/** Asks whether to continue if pixel files of slide indexes are missing. */
async function confirmIndexes(files: readonly LocalFile[]): Promise<boolean> {
  const [first, ...others] = await incompleteIndexes(files);
  if (!first) return true;
  const { fileName } = first.file;
  const message =
    others.length > 0
      ? vscode.l10n.t(
          '{0} and {1} others are only indexes of slides: the service needs the image files that they name, in the same folder, and not all of these are selected.',
          fileName,
          others.length,
        )
      : first.missing === undefined
        ? vscode.l10n.t(
            '{0} is only the index of a slide: the service needs the image files beside it as well.',
            fileName,
          )
        : vscode.l10n.t(
            '{0} is only the index of a slide: the service needs the image files that it names as well, and {1} of them are not selected.',
            fileName,
            first.missing,
          );
  const anyway = vscode.l10n.t('Analyze Anyway');
  return (await showWarningMessage(message, { modal: true }, anyway)) === anyway;
}

/** Files of an analysis, and those that the service already has, unchanged. */
interface AnalyzedFiles {
  files: LocalFile[];
  reused: UnchangedFiles;
  destinationFolder: string;
}

/**
 * Uploads files until the service has all, or the person agrees to analyze some of them; returns
 * none if the person cancels. The result is in the order of the files.
 */
async function sendForAnalysis(
  dependencies: AnalyzeCommandDependencies,
  session: JobSession,
  { files, reused, destinationFolder }: AnalyzedFiles,
): Promise<SendResult['uploaded']> {
  const uploaded = new Map(reused);
  const inOrder = () => files.flatMap(({ uri }) => uploaded.get(uri) ?? []);
  for (let remaining = files.filter(({ uri }) => !reused.has(uri)); remaining.length > 0;) {
    const concurrency = dependencies.settings.uploadConcurrency;
    const sent = await sendWithProgress(
      session,
      { files: remaining, failed: [] },
      { destinationFolder, concurrency },
    );
    dependencies.files.refresh();
    for (const file of sent.uploaded) uploaded.set(file.uri, file);
    if (sent.failed.length === 0) break;
    logFailures(dependencies.log, sent);
    const decision = await offerRetry({ ...sent, uploaded: inOrder() }, remaining, { analysis: true });
    if (decision === undefined) return [];
    if (decision === 'analyze') break;
    remaining = decision.retry;
  }
  return inOrder();
}
