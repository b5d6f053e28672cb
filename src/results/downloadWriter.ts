import { randomBytes } from 'node:crypto';
import { access, link, open, rename, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError, cancelledError, isCoded, throwIfCancelled } from '../base/errors';

/** What is needed of a file that is being written. */
export interface WritableFile {
  write(bytes: Uint8Array): Promise<{ bytesWritten: number }>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** Replace a file that is there; else `exists`. */
  overwrite: boolean;
  /** Hears the bytes written so far. */
  onBytes?: (bytes: number) => void;
  /** The bytes must be so many, or `network` is thrown: the download ended early. */
  expected?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Readable by the owner alone; else as the system makes new files. */
  secret?: boolean;
  /** For tests: makes the new file that is written. */
  create?: (file: string) => Promise<WritableFile>;
}

/**
 * Writes bytes to a file beside the destination, then gives it the destination's name: there is never half a file under
 * it. Returns the number of bytes. Throws `exists`, `no-space`, `not-found` (no such folder), `not-a-file`, `cancelled`;
 * nothing is left behind then.
 */
export async function writeAside(
  destination: string,
  chunks: AsyncIterable<Uint8Array>,
  {
    overwrite,
    onBytes,
    expected,
    signal,
    secret = false,
    create = file => open(file, 'wx', secret ? 0o600 : 0o666),
  }: WriteOptions,
): Promise<number> {
  const aside = path.join(path.dirname(destination), `.${randomBytes(8).toString('hex')}.part`);
  const subject = path.basename(destination);
  try {
    const bytes = await writeAll(aside, chunks, create, onBytes, signal);
    if (expected !== undefined && bytes !== expected) {
      const reason = `${bytes} bytes arrived instead of ${expected}`;
      throw new CodedError('network', 'The download ended early', { subject, reason });
    }
    throwIfCancelled(signal);
    await (overwrite ? rename(aside, destination) : renameToNew(aside, destination));
    return bytes;
  } catch (error) {
    await rm(aside, { force: true });
    if (signal?.aborted) throw cancelledError();
    throw fileError(error, subject);
  }
}

/** Throws `exists` if there is something of that name. */
export async function refuseExisting(file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw fileError(error, path.basename(file));
  }
  throw new CodedError('exists', 'The file exists already', { subject: path.basename(file) });
}

/** The coded error for what the file system said of a file named `subject`; coded errors pass. */
export function fileError(error: unknown, subject: string): CodedError {
  if (isCoded(error)) return error;
  const code = codeOf(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new CodedError('no-space', 'The disk is full', { subject });
    case 'EEXIST':
      return new CodedError('exists', 'The file exists already', { subject });
    case 'ENOENT':
      return new CodedError('not-found', 'The folder does not exist', {
        subject,
        reason: 'The folder does not exist',
      });
    default:
      return new CodedError('not-a-file', 'The file cannot be written', {
        subject,
        reason: `The file cannot be written (${code || String(error)})`,
      });
  }
}

async function writeAll(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  create: (file: string) => Promise<WritableFile>,
  onBytes: WriteOptions['onBytes'],
  signal: AbortSignal | undefined,
): Promise<number> {
  const handle = await create(file);
  let written = 0;
  try {
    for await (const chunk of chunks) {
      throwIfCancelled(signal);
      for (let start = 0; start < chunk.byteLength;) {
        const { bytesWritten } = await handle.write(chunk.subarray(start));
        start += bytesWritten;
      }
      written += chunk.byteLength;
      onBytes?.(written);
    }
  } finally {
    await handle.close();
  }
  return written;
}

/** Renames, but unlike a rename does not replace what appeared under the name meanwhile. Throws what the file system says. */
export async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // Not every file system has links.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK|EXDEV|EINVAL|EACCES|UNKNOWN)$/.test(codeOf(error)))
      throw error;
    await refuseExisting(to);
    await rename(from, to);
    return;
  }
  await rm(from, { force: true });
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
