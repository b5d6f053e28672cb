import type { Sessions, ServiceSession } from '../../accounts/node/sessions';
import type { Event } from '../../base/event';
import type { AccountUploads, RunningUpload } from './accountUploads';
import type { UploadHashes, UploadRecords } from './uploadRecords';

/** An account with its uploads. */
export interface UploadSession extends ServiceSession {
  readonly uploads: AccountUploads;
  readonly uploadRecords: UploadRecords;
  readonly uploadHashes: UploadHashes;
}

export interface UploadSessions<S extends UploadSession = UploadSession> extends Sessions<S> {
  /** Fires when an upload of this window begins, progresses or ends. */
  readonly onDidChangeUploads: Event<void>;
}

/** The total progress of a window's uploads; undefined without any. */
export function uploadsTotal(
  running: readonly Pick<RunningUpload, 'queue'>[],
): { filesDone: number; filesTotal: number; percent: number } | undefined {
  const files = running.flatMap(({ queue }) => queue.files);
  if (files.length === 0) return undefined;
  let [filesDone, sent, size] = [0, 0, 0];
  for (const file of files) {
    const isOver = file.state !== 'queued' && file.state !== 'sending';
    if (isOver) filesDone += 1;
    sent += isOver ? file.size : file.sent;
    size += file.size;
  }
  return { filesDone, filesTotal: files.length, percent: size === 0 ? 0 : Math.floor((sent / size) * 100) };
}
