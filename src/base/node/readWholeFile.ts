import { open, type FileHandle } from 'node:fs/promises';
import { whenReleased } from './diskErrors';
import { CodedError, throwIfCanceled } from '../errors';
import { unreadableFile } from './fileErrors';

const CHUNK = 8 * 1024 * 1024;

/**
 * Reads a whole file in chunks. Throws `not-a-file` (also when there is none), `file-too-large` (over `limit` bytes), `file-changed`
 * (it became shorter meanwhile), `cancelled`.
 */
export async function readWholeFile(
  path: string,
  limit: number,
  signal?: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  await using file = await openForReading(path);
  const stat = await file.stat();
  if (!stat.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject: path });
  if (stat.size > limit)
    throw new CodedError('file-too-large', `The file has ${stat.size} bytes, the limit is ${limit}`, {
      subject: path,
    });
  const bytes = new Uint8Array(stat.size);
  let done = 0;
  while (done < bytes.length) {
    throwIfCanceled(signal);
    const { bytesRead } = await file.read(bytes, done, Math.min(CHUNK, bytes.length - done), done);
    if (bytesRead === 0)
      throw new CodedError('file-changed', 'The file became shorter while it was read', { subject: path });
    done += bytesRead;
    onProgress?.(done, bytes.length);
  }
  return bytes;
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await whenReleased(() => open(path, 'r'));
  } catch (error) {
    throw unreadableFile(error, path);
  }
}
