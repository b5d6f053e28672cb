import { access } from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError, isCoded } from '../base/errors';
import { reason } from '../base/reasons';

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
        reason: reason('folder-missing'),
      });
    default:
      return new CodedError('not-a-file', 'The file cannot be written', {
        subject,
        reason: reason('file-not-writable', code || String(error)),
      });
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
