import * as vscode from 'vscode';
import type { Log } from '../../base/log';
import { pathParts } from '../../base/pathParts';
import { type ExpandedFiles, type LocalFile } from '../../uploads/node/expandFiles';
import { refuseDamaged } from '../../uploads/node/imageDamage';
import { lonelyIndexes } from '../../uploads/node/slideIndexes';
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
  askAboutFailures,
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
export function analyzeCommands(parts: AnalyzeCommandDependencies) {
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
      program: (options, rest) => analyzeAsProgram(parts, options, rest),
      person: rest => analyzeAsPerson(parts, rest),
    }),
  };
}

/** Lets a person submit a job on uploaded files. */
export async function analyzeUploaded(
  parts: Pick<AnalyzeCommandDependencies, 'sessions' | 'log'>,
  accountId: string,
  uploaded: SendResult['uploaded'],
): Promise<void> {
  await submitAsPerson(parts, await parts.sessions.of(accountId), inputOf(uploaded));
}

async function analyzeAsProgram(
  parts: AnalyzeCommandDependencies,
  options: ProgramUpload & { pipelineId: string; name: string | undefined; allowPartial: boolean },
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

async function analyzeAsPerson(parts: AnalyzeCommandDependencies, rest: unknown[]): Promise<void> {
  const session = await parts.sessions.active();
  const chosen = await chooseFiles(explorerUris(rest), vscode.l10n.t('Analyze'), { reviewIfNeeded: true });
  if (!chosen) return;
  // What can't be uploaded is refused first, and the rest described before the upload: nothing is
  // entered or uploaded for an analysis that is then canceled.
  const { startEngine } = parts;
  const sound = await withCancelIfSlow(vscode.l10n.t('Checking images'), async signal =>
    refuseDamaged({ startEngine, virtual: virtualFiles }, await refuseTooLarge(chosen), signal),
  );
  const files = await confirmRefused(sound);
  if (files.length === 0 || !(await confirmIndexes(files))) return;
  const destinationFolder = parts.settings.destinationFolder(files[0]?.uri);
  const unchanged = await findUploaded(parts.log, session, files, destinationFolder);
  const request = await describeSubmission(session, {
    fileCount: files.length,
    ...(unchanged.size > 0 && { uploadedCount: unchanged.size }),
    items: files.map(({ uri, fileName, folder }) => ({
      id: uri,
      name: fileName,
      // The selected folder: those in it may have the same names as those in another.
      ...(folder && { folder: pathParts(folder)[0] }),
    })),
  });
  if (!request) return;
  // The steps take as long as the person does: files and what is on the service may be others by
  // now.
  const reused = await findUploaded(
    parts.log,
    session,
    files.filter(({ uri }) => unchanged.has(uri)),
    destinationFolder,
  );
  const uploaded = await sendForAnalysis(parts, session, { files, reused, destinationFolder });
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

/** Files that can be uploaded; none if others can't and the person doesn't continue without. */
async function confirmRefused({ files, failed }: ExpandedFiles): Promise<LocalFile[]> {
  if (failed.length === 0) return files;
  const message = refusedText(vscode.l10n.t, failed, failed.length + files.length);
  if (files.length === 0) {
    void showErrorMessage(message);
    return [];
  }
  const others = continueWith(files.length);
  return (await showWarningMessage(message, { modal: true }, others)) === others ? files : [];
}

/** Whether the person continues with indexes of slides whose pixel files are missing. */
async function confirmIndexes(files: readonly LocalFile[]): Promise<boolean> {
  const [first, ...others] = await lonelyIndexes(files);
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

/** Files of an analysis, and those of them that are on the service already, unchanged. */
interface AnalyzedFiles {
  files: LocalFile[];
  reused: UnchangedFiles;
  destinationFolder: string;
}

/**
 * Uploads until all files are on the service, or the person agrees to analyze a part; none if not.
 * In the files' order.
 */
async function sendForAnalysis(
  parts: AnalyzeCommandDependencies,
  session: JobSession,
  { files, reused, destinationFolder }: AnalyzedFiles,
): Promise<SendResult['uploaded']> {
  const uploaded = new Map(reused);
  const inOrder = () => files.flatMap(({ uri }) => uploaded.get(uri) ?? []);
  for (let left = files.filter(({ uri }) => !reused.has(uri)); left.length > 0;) {
    const concurrency = parts.settings.uploadConcurrency;
    const sent = await sendWithProgress(
      session,
      { files: left, failed: [] },
      { destinationFolder, concurrency },
    );
    parts.files.refresh();
    for (const one of sent.uploaded) uploaded.set(one.uri, one);
    if (sent.failed.length === 0) break;
    logFailures(parts.log, sent);
    const answer = await askAboutFailures({ ...sent, uploaded: inOrder() }, left, { analysis: true });
    if (answer === undefined) return [];
    if (answer === 'analyze') break;
    left = answer.retry;
  }
  return inOrder();
}
