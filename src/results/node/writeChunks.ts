import type { FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { writeAtomicFile, type AtomicFileSystem } from '../../base/node/atomicFile';
import { CodedError, canceledError, throwIfCanceled } from '../../base/errors';
import { fileError } from '../../base/node/fileErrors';

export interface WriteOptions {
  /** Replace a file that is there; else `exists`. */
  overwrite: boolean;
  /** How many bytes there must be. */
  expected: number;
  signal?: AbortSignal | undefined;
  fileSystem?: AtomicFileSystem;
}

/**
 * Writes bytes to an atomic file. Throws `exists`, `no-space`, `not-found` (no such folder), `not-a-file`, `file-changed` for
 * another number of bytes, `cancelled`; nothing is left behind then.
 */
export async function writeChunks(
  destination: string,
  chunks: AsyncIterable<Uint8Array>,
  { overwrite, expected, ...options }: WriteOptions,
): Promise<void> {
  const { signal } = options;
  const subject = path.basename(destination);
  const write = async (file: FileHandle) => {
    const bytes = await writeAll(file, chunks, signal);
    if (bytes !== expected)
      throw new CodedError('file-changed', `${bytes} bytes came instead of ${expected}`, { subject });
  };
  try {
    await writeAtomicFile(destination, write, { ...options, replace: overwrite });
  } catch (error) {
    if (signal?.aborted) throw canceledError();
    throw fileError(error, subject);
  }
}

/** The number of bytes written. */
async function writeAll(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let written = 0;
  for await (const chunk of chunks) {
    throwIfCanceled(signal);
    for (let start = 0; start < chunk.byteLength;) {
      const { bytesWritten } = await file.write(chunk.subarray(start));
      start += bytesWritten;
    }
    written += chunk.byteLength;
  }
  return written;
}
