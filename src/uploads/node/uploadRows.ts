import type { QueuedFile } from './uploadQueue';
import { errorWords } from '../../words/errorWords';
import { formatBytes } from '../../words/format';
import type { Language } from '../../words/translate';
import type { RunningUpload } from './accountUploads';

/** A file of a running upload as one row of a list. */
export interface UploadRow {
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

/** Order of the states in a list: first what happens, then what needs the user, then what waits and what is over. */
const ORDER: readonly QueuedFile['state'][] = ['sending', 'failed', 'queued', 'canceled', 'done'];

/** The files of an upload, first those that a user looks for. */
export function sortedFiles(files: readonly QueuedFile[]): QueuedFile[] {
  return ORDER.flatMap(state => files.filter(file => file.state === state));
}

/** The files of a window's uploads, for programs. */
export function uploadsReport(running: readonly Pick<RunningUpload, 'queue'>[]) {
  return running.flatMap(({ queue }) =>
    queue.files.map(({ uri, fileName, state, size, sent }) => ({ uri, fileName, state, bytes: size, sent })),
  );
}
