import { access } from 'node:fs/promises';
import * as path from 'node:path';
import { systemCode } from './diskErrors';
import { diskRefusal } from './diskRefusals';
import { CodedError, isCoded } from '../errors';
import { reason, type Reason } from '../reasons';

/** Throws `exists` if there is something of that name. */
export async function refuseExisting(file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw fileError(error, path.basename(file));
  }
  throw new CodedError('exists', 'The file exists already', { subject: path.basename(file) });
}

/** The coded error for what the file system said of a file named `subject`; coded errors pass. */
export function fileError(error: unknown, subject: string): CodedError {
  if (isCoded(error)) return error;
  const code = systemCode(error);
  const refusal = diskRefusal(error);
  if (refusal === 'no-space') return new CodedError('no-space', 'The disk is full', { subject });
  const why = denial(error) ?? reason('file-not-writable', code || String(error));
  if (refusal)
    return new CodedError(refusal, 'The disk does not let it be written', { subject, reason: why });
  switch (code) {
    case 'EBUSY':
      return new CodedError('in-use', 'Another program has the file open', { subject });
    case 'EEXIST':
      return new CodedError('exists', 'The file exists already', { subject });
    case 'ENOENT':
      return new CodedError('not-found', 'The folder does not exist', {
        subject,
        reason: reason('folder-missing'),
      });
    default:
      return new CodedError('not-a-file', 'The file cannot be written', { subject, reason: why });
  }
}

/** The error for a file that can't be read, which `subject` names; coded errors pass. */
export function unreadableFile(error: unknown, subject: string): CodedError {
  if (isCoded(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (systemCode(error) === 'EBUSY')
    return new CodedError('in-use', 'Another program has the file open', { subject }, { cause: error });
  const why = denial(error) ?? reason('quoted', message);
  return new CodedError('not-a-file', `The file can't be read: ${message}`, { subject, reason: why });
}

/**
 * Why macOS denies a file, where its privacy settings do: a program that may not use Desktop, Documents, Downloads or a
 * removable disk gets EPERM, one without the permissions of the file system EACCES.
 */
export function denial(error: unknown): Reason | undefined {
  const code = systemCode(error);
  // VS Code has one code for both, and the system's own words in its message.
  const isDenied = code === 'EPERM' || (code === 'NoPermissions' && /\bEPERM\b/.test(String(error)));
  return process.platform === 'darwin' && isDenied ? reason('denied-by-macos') : undefined;
}
