import type { CancelSignal } from '../../base/canceling';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { FileInMemory } from '../../service/node/multipartBody';

/** A file as it is at the moment. */
export interface FileFacts {
  /** Bytes. */
  size: number;
  /** Size, modification time and, on a disk, inode as a text that differs after a change. */
  identity: string;
}

/** A short file in memory, and its identity, which was the same before and after it was read. */
export interface WholeFile extends FileInMemory {
  identity: string;
}

/** A file to upload from anywhere; uploads/editor implements it over VS Code's file systems. */
export interface FileSource {
  uri: string;
  /** Its name in the service's filesystem. */
  fileName: string;
  /** Slash-separated path under the destination, for a file that comes with its folder. */
  folder?: string;
  /** Its size in bytes if selected a moment ago: enough to tell whether it may be sent. */
  listedSize?: number;
  facts(): Promise<FileFacts>;
  /**
   * Its bytes, at most `size`, in pieces of any length. A piece is valid until the next is
   * requested: its memory is reused. Stops when the signal fires.
   */
  open(size: number, signal: CancelSignal): AsyncIterable<Uint8Array>;
  /** Reads a file of at most MAX_WHOLE_BYTES, else undefined. Throws as readWhole does. */
  whole(): Promise<WholeFile | undefined>;
  /** Whether `whole` should be called some files ahead, so that no file waits for the disk. */
  readonly isReadAhead?: boolean;
}

/** As `folderFor`, for the many sources of an upload, which are in few folders. */
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
 * A source's folder on the service: the destination and the source's folder, without empty parts;
 * undefined for the root. Throws `bad-request` for a path that climbs.
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

/** The stats of a file that show a change. */
interface FileStats {
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  mtimeMs: number;
  ino: number;
}

/** A disk file's size, modification time and inode as a text that differs after a change. */
export function fileIdentity({ size, mtimeMs, ino }: FileStats): string {
  return `${size}:${mtimeMs}:${ino}`;
}

/** Whether the identity is the same, without making it. */
export function isUnchanged(before: FileStats, now: FileStats): boolean {
  return before.size === now.size && before.mtimeMs === now.mtimeMs && before.ino === now.ino;
}
