import { stat } from 'node:fs/promises';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { type FileFacts, fileIdentity, type FileSource } from './fileSource';
import { isMissing, whenReleased } from '../../base/node/diskErrors';
import { unreadableFile } from '../../base/node/fileErrors';
import { reason } from '../../base/reasons';
import type { LocalFile } from './expandFiles';
import type { ShortFiles } from './fileReading';

/** Maximum bytes of a virtual file, which is loaded into memory for upload. */
const MAX_VIRTUAL_BYTES = 256 * 1024 * 1024;

/** A file system that isn't a disk; its files are read as a whole. */
export interface VirtualFiles {
  /** Size in bytes, `mtime` in milliseconds since 1970. */
  stat(uri: string): PromiseLike<{ size: number; mtime: number }>;
  readFile(uri: string): PromiseLike<Uint8Array>;
}

/**
 * A disk file for the upload queue. It is read in pieces, or as a whole by `shortFiles`, which the
 * files of an upload share. Throws `not-a-file` if it can't be read.
 */
export function diskFileSource(file: LocalFile, path: string, shortFiles?: ShortFiles): FileSource {
  const { fileName } = file;
  const facts = () => diskFacts(path, fileName);
  return {
    ...named(file),
    facts,
    async *open(size, signal) {
      const { readPieces } = await import('./fileReading');
      yield* readPieces(path, size, signal);
    },
    whole: async () => {
      const files = shortFiles ?? new (await import('./fileReading')).ShortFiles();
      return await whenReleased(() => files.read(path, fileName, facts));
    },
    isReadAhead: true,
  };
}

/** A virtual file for the upload queue. Throws `not-a-file` if it is too large to be loaded. */
export function virtualFileSource(file: LocalFile, files: VirtualFiles): FileSource {
  const facts = async () => {
    const { size, mtime } = await files.stat(file.uri);
    return { size, identity: `${size}:${mtime}` };
  };
  return {
    ...named(file),
    facts,
    async *open(_, signal) {
      throwIfCanceled(signal);
      const bytes = await readVirtual(file, files);
      throwIfCanceled(signal);
      yield bytes;
    },
    async whole() {
      const { readWhole } = await import('./fileReading');
      const { memoryWith } = await import('../../service/node/multipartBody');
      return readWhole(file.fileName, facts, async () => memoryWith(await readVirtual(file, files)));
    },
  };
}

function named({ uri, fileName, folder, size }: LocalFile): Omit<FileSource, 'facts' | 'open' | 'whole'> {
  return { uri, fileName, ...(folder && { folder }), listedSize: size };
}

/** Size and identity of a file on disk. Throws `not-a-file` unless it is a readable file. */
export async function diskFacts(path: string, subject: string): Promise<FileFacts> {
  let stats;
  try {
    stats = await whenReleased(() => stat(path));
  } catch (error) {
    throw isMissing(error)
      ? new CodedError('not-a-file', 'The file cannot be read', { subject })
      : unreadableFile(error, subject);
  }
  if (!stats.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject });
  return { size: stats.size, identity: fileIdentity(stats) };
}

async function readVirtual({ uri, fileName }: LocalFile, files: VirtualFiles): Promise<Uint8Array> {
  const { size } = await files.stat(uri);
  if (size > MAX_VIRTUAL_BYTES) {
    throw new CodedError('not-a-file', 'Too large to be read from a virtual file system', {
      subject: fileName,
      reason: reason('Files over 256 MB can only be uploaded from disk'),
    });
  }
  return files.readFile(uri);
}
