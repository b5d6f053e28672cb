import { channel } from 'node:diagnostics_channel';
import type { FileHandle } from 'node:fs/promises';
import { delay } from '../waiting';
import { toDisposable, type Disposable } from '../disposable';

/*
 * Meanings of file system errors. Only "not found" means that a file is missing. Others pass, as
 * when a virus scanner reads a file on Windows, or mean that a disk lacks a function.
 */

/** The system's name for a failure, such as EACCES; '' where it has none. */
export function systemCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether there is no such file: any other error may hide one. */
export function isMissing(error: unknown): boolean {
  // A file stands where its folder should be.
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
}

/** Virus scanners and indexers on Windows hold files open briefly; handles may run out briefly. */
const PASSING = new Set(['EACCES', 'EBUSY', 'EMFILE', 'ENFILE', 'EPERM']);
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 10;

/**
 * Retries work on files for about a second if it fails for a reason that usually passes. Throws
 * `cancelled`, and the last error of the work.
 */
export async function whenReleased<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !PASSING.has(systemCode(error))) throw error;
    }
    await delay(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
  }
}

/** Errors of a flush on network and virtual folders. EISDIR is Windows's for a missing function. */
const FLUSH_UNSUPPORTED = new Set([
  'EINVAL',
  'EISDIR',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EPERM',
  'UNKNOWN',
]);

/** Code that writes a file has no log, and may run in another thread. */
const UNFLUSHED = 'image-analysis.unflushed';

/** Flushes a written file to the disk, if the disk can: saving without a flush beats not saving. */
export async function flush(
  handle: Pick<FileHandle, 'sync' | 'datasync'>,
  how: 'sync' | 'datasync' = 'sync',
): Promise<void> {
  try {
    await handle[how]();
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
  const listening = channel(UNFLUSHED);
  const once = (code: unknown) => {
    listening.unsubscribe(once);
    listener(String(code));
  };
  listening.subscribe(once);
  return toDisposable(() => listening.unsubscribe(once));
}
