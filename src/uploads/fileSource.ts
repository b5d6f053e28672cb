import { CodedError } from '../base/errors';

/** A file to upload, wherever it lies; `ui` implements it over the editor's file systems. */
export interface FileSource {
  uri: string;
  /** Its name in the service's filesystem. */
  fileName: string;
  /** Slash-separated path under the destination, for a file that comes with its folder. */
  folder?: string;
  /** Bytes. */
  size(): Promise<number>;
  /** A text made of size and time of change: another one means that the file has changed. */
  identity(): Promise<string>;
  /** Its bytes in pieces of any size; stops when the signal fires. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * The folder on the service for a source: the destination and the source's own folder, without empty parts; undefined
 * for the root. Throws `bad-request` for a path that climbs.
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
    throw new CodedError('bad-request', 'The destination folder cannot be used', {
      reason: 'A folder on the service cannot be named ".."',
    });
  }
  return parts.length === 0 ? undefined : parts.join('/');
}
