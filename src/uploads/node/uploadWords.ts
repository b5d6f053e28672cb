import { isCoded } from '../../base/errors';
import { errorWords } from '../../words/errorWords';
import { formatBytes, formatDuration } from '../../words/format';
import { reasonSentence } from '../../words/reasonWords';
import type { Language, Translate } from '../../words/translate';
import type { RunningUpload, UnfinishedOffer } from './accountUploads';
import type { UploadProgress } from './fileUpload';
import type { SendResult } from './sendFiles';
import type { QueuedFile } from './uploadQueue';

/** What failed: how many files, and the first one with its reason; "" where nothing did. */
export function failureText(t: Translate, { uploaded, failed }: SendResult): string {
  const [first] = failed;
  if (!first) return '';
  if (failed.every(({ error }) => isCoded(error, 'cancelled'))) {
    return t('Upload canceled. Uploaded {0} files; {1} not uploaded.', uploaded.length, failed.length);
  }
  // A file that was canceled by itself needs no explanation.
  const explained = failed.find(({ error }) => !isCoded(error, 'cancelled')) ?? first;
  const explanation = errorWords(t, explained.error);
  return failed.length === 1
    ? t("Couldn't upload {0}. {1}", nameOf(first.uri), explanation)
    : t("Couldn't upload {0} of {1} files. {2}", failed.length, failed.length + uploaded.length, explanation);
}

/** What can't be analyzed, before any upload: how many files, and the first with its reason. */
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

/** Which images to upload are damaged: how many, and the first with its reason; "" for none. */
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

/** That some of the selected files are on the service already. */
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

/** The last part of a URI's path; the text itself where it is no valid URI. */
export function nameOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The message about files that were not uploaded because their window is gone. */
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

/** A file of a running upload as one row of a list. */
interface UploadRow {
  label: string;
  description: string;
  /** A product icon. */
  icon: string;
  /** What a person can do about it. */
  action?: 'cancel' | 'retry';
}

const ICONS = {
  queued: 'clock',
  sending: 'cloud-upload',
  done: 'check',
  failed: 'error',
  canceled: 'circle-slash',
} as const satisfies Record<QueuedFile['state'], string>;

/** How a file stands: bytes and rate while it is sent, the reason where it failed. */
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

/** Order of states in a list: under way, then needing the user, then waiting, then ended. */
const ORDER: readonly QueuedFile['state'][] = ['sending', 'failed', 'queued', 'canceled', 'done'];

/** The files of an upload, the most interesting first. */
export function sortedFiles(files: readonly QueuedFile[]): QueuedFile[] {
  return ORDER.flatMap(state => files.filter(file => file.state === state));
}

/** The files of a window's uploads, for programs. */
export function uploadsReport(running: readonly Pick<RunningUpload, 'queue'>[]) {
  return running.flatMap(({ queue }) =>
    queue.files.map(({ uri, fileName, state, size, sent }) => ({ uri, fileName, state, bytes: size, sent })),
  );
}

/** An upload's progress in a line: files if several, bytes, then speed and time left if known. */
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

/** 0…100; 0 where there is nothing to send. */
export function uploadPercent({ bytesSent, bytesTotal }: UploadProgress): number {
  return bytesTotal === 0 ? 0 : (bytesSent / bytesTotal) * 100;
}
