import { stat } from 'node:fs/promises';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { readPieces, readStart } from '../../uploads/filePieces';
import type { FileFacts, FileSource } from '../../uploads/fileSource';
import type { LocalFile } from './expandFiles';

/** A file of a virtual file system is loaded into memory for upload; larger ones are refused. Bytes. */
const MAX_VIRTUAL_BYTES = 256 * 1024 * 1024;

/** A file system that isn't a disk: files are read as a whole. */
export interface VirtualFiles {
  /** Size in bytes, `mtime` in milliseconds since 1970. */
  stat(uri: string): PromiseLike<{ size: number; mtime: number }>;
  readFile(uri: string): PromiseLike<Uint8Array>;
}

/** A file on disk for the upload queue, read in pieces. Throws `not-a-file` where it isn't a readable file. */
export function diskFileSource(file: LocalFile, path: string): FileSource {
  return {
    ...named(file),
    facts: () => diskFacts(path, file.fileName),
    open: (size, signal) => readPieces(path, size, signal),
    readInto: target => readStart(path, target),
  };
}

/** A file of a virtual file system for the upload queue. Throws `not-a-file` where it is too large to be loaded. */
export function virtualFileSource(file: LocalFile, files: VirtualFiles): FileSource {
  return {
    ...named(file),
    facts: async () => {
      const { size, mtime } = await files.stat(file.uri);
      return { size, identity: `${size}:${mtime}` };
    },
    async *open(_, signal) {
      throwIfCanceled(signal);
      const bytes = await readWhole(file, files);
      throwIfCanceled(signal);
      yield bytes;
    },
    readInto: async target => {
      const bytes = await readWhole(file, files);
      target.set(bytes.subarray(0, target.byteLength));
      return bytes.byteLength;
    },
  };
}

function named({ uri, fileName, folder, size }: LocalFile): Omit<FileSource, 'facts' | 'open' | 'readInto'> {
  return { uri, fileName, ...(folder && { folder }), listedSize: size };
}

/** Size and identity of a file on disk. Throws `not-a-file` where it isn't a readable file. */
export async function diskFacts(path: string, subject: string): Promise<FileFacts> {
  let found;
  try {
    found = await stat(path);
  } catch {
    throw new CodedError('not-a-file', 'The file cannot be read', { subject });
  }
  if (!found.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject });
  const { size, mtimeMs, ino } = found;
  return { size, identity: `${size}:${mtimeMs}:${ino}` };
}

async function readWhole({ uri, fileName }: LocalFile, files: VirtualFiles): Promise<Uint8Array> {
  const { size } = await files.stat(uri);
  if (size > MAX_VIRTUAL_BYTES) {
    throw new CodedError('not-a-file', 'Too large to be read from a virtual file system', {
      subject: fileName,
      reason: reason('too-large-for-virtual-file'),
    });
  }
  return files.readFile(uri);
}
