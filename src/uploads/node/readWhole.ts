import type { FileInMemory } from '../../service/node/fileInMemory';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { FileFacts, WholeFile } from './fileSource';

/** Longer files are streamed. Bytes. */
export const MAX_WHOLE_BYTES = 1024 * 1024;

/**
 * Reads a short file; undefined if it is longer. `read` gets the expected size. Throws `file-changed` if the file changes
 * while it is read.
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

/** The error for a file that changed while it was read; `growth` in bytes, 0 if unknown. */
export function changedWhileRead(fileName: string, growth = 0): CodedError {
  return new CodedError('file-changed', 'The file changed while it was sent', {
    subject: fileName,
    ...(growth !== 0 && { reason: reason(growth > 0 ? 'file-grew' : 'file-shrank') }),
  });
}
