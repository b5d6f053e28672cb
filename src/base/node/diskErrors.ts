import { channel } from 'node:diagnostics_channel';
import type { FileHandle } from 'node:fs/promises';
import { delay } from '../waiting';
import { toDisposable, type Disposable } from '../disposable';

/*
 * Meanings of file system errors. Only "not found" means that a file is missing. Some others are
 * temporary, as when a virus scanner reads a file on Windows; some mean that a disk lacks a
 * feature.
 */

/** The system's code of an error, such as EACCES; '' if it has none. */
export function systemCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether an error means that the file is missing; other errors don't. */
export function isMissing(error: unknown): boolean {
  // ENOTDIR: a file has the name of the parent folder.
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
}

/** Errors that usually pass: virus scanners on Windows open files briefly; handles run out. */
const TEMPORARY = new Set(['EACCES', 'EBUSY', 'EMFILE', 'ENFILE', 'EPERM']);
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 10;

/**
 * Retries work on files for about a second while it fails with a temporary error. Throws
 * `cancelled`, and the last error of the work.
 */
export async function whenReleased<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !TEMPORARY.has(systemCode(error))) throw error;
    }
    await delay(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
  }
}

/** Errors of a flush on network and virtual folders. Windows reports EISDIR if flush is missing. */
const FLUSH_UNSUPPORTED = new Set([
  'EINVAL',
  'EISDIR',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EPERM',
  'UNKNOWN',
]);

/** Diagnostics channel, because code that writes files has no log and may run in a thread. */
const UNFLUSHED = 'image-analysis.unflushed';

/** Flushes a written file to the disk. A disk without flush is reported, but the file is saved. */
export async function flush(
  handle: Pick<FileHandle, 'sync' | 'datasync'>,
  method: 'sync' | 'datasync' = 'sync',
): Promise<void> {
  try {
    await handle[method]();
  } catch (error) {
    const code = systemCode(error);
    if (!FLUSH_UNSUPPORTED.has(code)) throw error;
    reportUnflushed(code);
  }
}

/** Reports that this or another thread found a disk that doesn't support flushing. */
export function reportUnflushed(code: string): void {
  channel(UNFLUSHED).publish(code);
}

/** Calls back when a disk first turns out not to support flushing, in this thread. */
export function onceUnflushed(listener: (code: string) => void): Disposable {
  const unflushedChannel = channel(UNFLUSHED);
  const once = (code: unknown) => {
    unflushedChannel.unsubscribe(once);
    listener(String(code));
  };
  unflushedChannel.subscribe(once);
  return toDisposable(() => unflushedChannel.unsubscribe(once));
}
