import type { CancelSignal } from '../../base/canceling';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { FileInMemory } from '../../service/node/multipartBody';

/** The current facts of a file. */
export interface FileFacts {
  /** Bytes. */
  size: number;
  /** Text of size, modification time and, on a disk, inode; it differs after a change. */
  identity: string;
}

/** A short file in memory, and its identity, which didn't change while it was read. */
export interface WholeFile extends FileInMemory {
  identity: string;
}

/** A file to upload, from any file system of VS Code. */
export interface FileSource {
  uri: string;
  /** Its name in the service's filesystem. */
  fileName: string;
  /** Slash-separated path under the destination, for a file that comes with its folder. */
  folder?: string;
  /** Its size in bytes from the selection, to check whether it may be sent. */
  listedSize?: number;
  facts(): Promise<FileFacts>;
  /**
   * Yields its bytes, at most `size`, in pieces of any length. A piece is valid until the next is
   * requested, because its memory is reused. Stops when the signal fires.
   */
  open(size: number, signal: CancelSignal): AsyncIterable<Uint8Array>;
  /**
   * Reads a file of at most MAX_WHOLE_BYTES; undefined if it is longer. Throws errors of readWhole.
   */
  whole(): Promise<WholeFile | undefined>;
  /** Whether to call `whole` some files ahead, so that uploads don't wait for the disk. */
  readonly isReadAhead?: boolean;
}

/** Like `folderFor`, with a cache, because an upload has many files in few folders. */
export function foldersUnder(
  destinationFolder: string | undefined,
): (folder: string | undefined) => string | undefined {
  const folders = new Map<string, string | undefined>();
  return (folder = '') => {
    if (!folders.has(folder)) folders.set(folder, folderFor(destinationFolder, folder));
    return folders.get(folder);
  };
}

/**
 * A source's folder on the service: destination and the source's folder, without empty parts;
 * undefined for the root. Throws `bad-request` for a path with "..".
 */
export function folderFor(
  destinationFolder: string | undefined,
  folder: string | undefined,
): string | undefined {
  const parts = `${destinationFolder ?? ''}/${folder ?? ''}`
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new CodedError('bad-request', 'The destination folder is not valid', {
      reason: reason('A folder on the service can\'t be named ".."'),
    });
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

/** The members of a file's stats that show a change. */
interface FileStats {
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  mtimeMs: number;
  ino: number;
}

/** The identity of a file on disk, see FileFacts. */
export function fileIdentity({ size, mtimeMs, ino }: FileStats): string {
  return `${size}:${mtimeMs}:${ino}`;
}

/** Whether two stats have the same identity. */
export function isUnchanged(before: FileStats, after: FileStats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs && before.ino === after.ino;
}
