import type { FileInMemory } from '../api/fileInMemory';
import { CodedError } from '../base/errors';
import { reason } from '../base/reasons';
import type { FileFacts, WholeFile } from './fileSource';

/** Longer files are sent as they are read. Bytes. */
export const MAX_WHOLE_BYTES = 1024 * 1024;

/**
 * Reads a short file; undefined where it is a long one. `read` gets the size that the file should have. Throws
 * `file-changed` where the file is not the same before and after.
 */
export async function readWhole(
  fileName: string,
  facts: () => Promise<FileFacts>,
  read: (size: number) => Promise<FileInMemory>,
): Promise<WholeFile | undefined> {
  const { size, identity } = await facts();
  if (size > MAX_WHOLE_BYTES) return undefined;
  const content = await read(size);
  if (content.size !== size) throw changedWhileRead(fileName, content.size - size);
  if ((await facts()).identity !== identity) throw changedWhileRead(fileName);
  return { ...content, identity };
}

/** The error of a file that changed while it was read, by so many bytes if that is known. */
export function changedWhileRead(fileName: string, growth = 0): CodedError {
  return new CodedError('file-changed', 'The file changed while it was sent', {
    subject: fileName,
    ...(growth !== 0 && { reason: reason(growth > 0 ? 'file-grew' : 'file-shrank') }),
  });
}
