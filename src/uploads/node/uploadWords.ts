import { isCoded } from '../../base/errors';
import { errorWords } from '../../words/errorWords';
import { formatBytes, formatDuration } from '../../words/format';
import { reasonSentence } from '../../words/reasonWords';
import type { Language, Translate } from '../../words/translate';
import type { RunningUpload, UnfinishedOffer } from './accountUploads';
import type { UploadProgress } from './fileUpload';
import type { SendResult } from './sendFiles';
import type { QueuedFile } from './uploadQueue';

/** The message about failed files: their number, and the first with its reason; "" for none. */
export function failureText(t: Translate, { uploaded, failed }: SendResult): string {
  const [first] = failed;
  if (!first) return '';
  if (failed.every(({ error }) => isCoded(error, 'cancelled'))) {
    return t('Upload canceled. Uploaded {0} files; {1} not uploaded.', uploaded.length, failed.length);
  }
  // Explain another failure: a canceled file needs no explanation.
  const explained = failed.find(({ error }) => !isCoded(error, 'cancelled')) ?? first;
  const explanation = errorWords(t, explained.error);
  return failed.length === 1
    ? t("Couldn't upload {0}. {1}", nameOf(first.uri), explanation)
    : t("Couldn't upload {0} of {1} files. {2}", failed.length, failed.length + uploaded.length, explanation);
}

/** The message about files that can't be analyzed: their number, and the first with its reason. */
export function refusedText(t: Translate, failed: SendResult['failed'], fileCount: number): string {
  const [first] = failed;
  if (!first) return '';
  const why = isCoded(first.error, 'damaged-image') && first.error.details.reason;
  const explanation = why ? reasonSentence(t, why) : errorWords(t, first.error);
  const name = nameOf(first.uri);
  if (failed.length === 1) return t("{0} can't be analyzed. {1}", name, explanation);
  return why
    ? t("{0} of {1} files can't be analyzed. {2}: {3}", failed.length, fileCount, name, explanation)
    : t("{0} of {1} files can't be analyzed. {2}", failed.length, fileCount, explanation);
}

/** The message about damaged images: their number, and the first with its reason; "" for none. */
export function damagedText(t: Translate, damaged: SendResult['failed'], fileCount: number): string {
  const [first] = damaged;
  if (!first) return '';
  const { reason } = first.error.details;
  const why = reason ? reasonSentence(t, reason) : '';
  const name = nameOf(first.uri);
  return damaged.length === 1
    ? t('{0} is damaged. {1}', name, why)
    : t('{0} of {1} files are damaged. {2}: {3}', damaged.length, fileCount, name, why);
}

/** The message that some selected files are uploaded already. */
export function unchangedText(
  t: Translate,
  files: readonly { fileName: string }[],
  fileCount: number,
): string {
  const [first] = files;
  if (first && fileCount === 1) return t("{0} is already uploaded and hasn't changed.", first.fileName);
  return files.length === fileCount
    ? t("All {0} files are already uploaded and haven't changed.", fileCount)
    : t("{0} of {1} files are already uploaded and haven't changed.", files.length, fileCount);
}

/** The last part of a URI's path, decoded if it is valid. */
export function nameOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The message about files that weren't uploaded because their window closed. */
export function unfinishedText(t: Translate, { fileName, fileCount, mayBeSent }: UnfinishedOffer): string {
  if (fileCount === 1) {
    return mayBeSent === 0
      ? t("{0} wasn't uploaded because its window closed.", fileName)
      : t(
          '{0} was being uploaded when its window closed. It may already be on the service; uploading it again can create a duplicate.',
          fileName,
        );
  }
  const message = t("{0} files weren't uploaded because their window closed.", fileCount);
  if (mayBeSent === 0) return message;
  const doubt =
    mayBeSent === 1
      ? t(
          '1 of them was being sent and may already be on the service; uploading it again can create a duplicate.',
        )
      : t(
          '{0} of them were being sent and may already be on the service; uploading them again can create duplicates.',
          mayBeSent,
        );
  return `${message} ${doubt}`;
}

/** The row of a file in the list of uploads. */
interface UploadRow {
  label: string;
  description: string;
  /** A product icon. */
  icon: string;
  /** The action that a person can take. */
  action?: 'cancel' | 'retry';
}

const ICONS = {
  queued: 'clock',
  sending: 'cloud-upload',
  done: 'check',
  failed: 'error',
  canceled: 'circle-slash',
} as const satisfies Record<QueuedFile['state'], string>;

/** The row of a file, with its progress, or the reason why it failed. */
export function uploadRow(language: Language, file: QueuedFile): UploadRow {
  const { fileName, state } = file;
  const action =
    state === 'queued' || state === 'sending' ? 'cancel' : state === 'done' ? undefined : 'retry';
  return {
    label: fileName,
    description: describe(language, file),
    icon: ICONS[state],
    ...(action && { action }),
  };
}

function describe({ t, locale }: Language, { state, size, sent, bytesPerSecond, error }: QueuedFile): string {
  switch (state) {
    case 'queued':
      return t('Waiting · {0}', formatBytes(locale, size));
    case 'sending': {
      const progress = t('{0} of {1}', formatBytes(locale, sent), formatBytes(locale, size));
      return bytesPerSecond === undefined
        ? progress
        : `${progress} · ${t('{0}/s', formatBytes(locale, bytesPerSecond))}`;
    }
    case 'done':
      return t('Uploaded · {0}', formatBytes(locale, size));
    case 'failed':
      return errorWords(t, error);
    case 'canceled':
      return t('Canceled');
  }
}

/** Order of states in the list: being sent, failed, waiting, ended. */
const ORDER: readonly QueuedFile['state'][] = ['sending', 'failed', 'queued', 'canceled', 'done'];

/** The files of an upload, in the order of ORDER. */
export function sortedFiles(files: readonly QueuedFile[]): QueuedFile[] {
  return ORDER.flatMap(state => files.filter(file => file.state === state));
}

/** The files of a window's uploads, for programs. */
export function uploadsReport(running: readonly Pick<RunningUpload, 'queue'>[]) {
  return running.flatMap(({ queue }) =>
    queue.files.map(({ uri, fileName, state, size, sent }) => ({ uri, fileName, state, bytes: size, sent })),
  );
}

/** An upload's progress in one line: files if several, bytes, and speed and time left if known. */
export function uploadProgressText({ t, locale }: Language, progress: UploadProgress): string {
  const { filesDone, filesTotal, bytesSent, bytesTotal, bytesPerSecond, secondsLeft } = progress;
  const size = (bytes: number) => formatBytes(locale, bytes);
  return [
    ...(filesTotal > 1 ? [t('{0} of {1} files', filesDone, filesTotal)] : []),
    t('{0} of {1}', size(bytesSent), size(bytesTotal)),
    ...(bytesPerSecond ? [t('{0}/s', size(bytesPerSecond))] : []),
    ...(secondsLeft ? [t('{0} left', formatDuration(t, secondsLeft))] : []),
  ].join(' · ');
}

/** Percentage of sent bytes; 0 if there is nothing to send. */
export function uploadPercent({ bytesSent, bytesTotal }: UploadProgress): number {
  return bytesTotal === 0 ? 0 : (bytesSent / bytesTotal) * 100;
}
