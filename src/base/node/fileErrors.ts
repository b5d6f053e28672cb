import { access } from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError, type ErrorDetails, isCoded } from '../errors';
import { reason, type Reason, quoted } from '../reasons';
import { systemCode } from './diskErrors';

/** Throws `exists` if something has that name; `subject` names it in the error. */
export async function refuseExisting(file: string, subject = path.basename(file)): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw fileError(error, subject);
  }
  throw new CodedError('exists', 'The file exists already', { subject });
}

/** The coded error for a failed write to the file `subject`; coded errors are returned as is. */
export function fileError(error: unknown, subject: string): CodedError {
  if (isCoded(error)) return error;
  const code = systemCode(error);
  const refusal = diskRefusal(error);
  if (refusal === 'no-space') return new CodedError('no-space', 'The disk is full', { subject });
  const why = denial(error) ?? reason("The file can't be written ({0})", code || String(error));
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
        reason: reason("The folder doesn't exist"),
      });
    default:
      return new CodedError('not-a-file', 'The file cannot be written', { subject, reason: why });
  }
}

/** The coded error for a failed read of the file `subject`; coded errors are returned as is. */
export function unreadableFile(error: unknown, subject: string): CodedError {
  if (isCoded(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (systemCode(error) === 'EBUSY')
    return new CodedError('in-use', 'Another program has the file open', { subject }, { cause: error });
  const why = denial(error) ?? quoted(message);
  return new CodedError('not-a-file', `The file can't be read: ${message}`, { subject, reason: why });
}

/**
 * The reason if the privacy settings of macOS deny a file: a program that may not use Desktop,
 * Documents, Downloads or a removable disk gets EPERM. A program without permissions of the file
 * system gets EACCES instead.
 */
export function denial(error: unknown): Reason | undefined {
  const code = systemCode(error);
  // VS Code has one code for both; its message contains the system's code.
  const isDenied = code === 'EPERM' || (code === 'NoPermissions' && /\bEPERM\b/.test(String(error)));
  return process.platform === 'darwin' && isDenied
    ? reason(
        "macOS doesn't let VS Code use this folder. Allow it in System Settings > Privacy & Security > Files and Folders",
      )
    : undefined;
}

/** Codes for a full disk or quota, a read-only disk, and missing permission to write. */
const REFUSALS: Readonly<Record<string, 'no-space' | 'not-writable'>> = {
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EACCES: 'not-writable',
  EPERM: 'not-writable',
  EROFS: 'not-writable',
};

/** Classifies an error as a full disk or a refused write; undefined for other errors. */
function diskRefusal(error: unknown): 'no-space' | 'not-writable' | undefined {
  return REFUSALS[systemCode(error)];
}

/**
 * The coded error if a file of the extension can't be stored or removed: `no-space`, `in-use`, else
 * `not-writable`. Its subject is the folder. Coded errors are returned as is.
 */
export function diskError(error: unknown, details: ErrorDetails = {}): CodedError {
  if (isCoded(error)) return error;
  const code = diskRefusal(error) ?? (systemCode(error) === 'EBUSY' ? 'in-use' : 'not-writable');
  const why =
    code === 'not-writable' && reason("The file can't be written ({0})", systemCode(error) || String(error));
  const { path: file } = (error ?? {}) as { path?: unknown };
  return new CodedError(
    code,
    `The disk refuses: ${String(error)}`,
    {
      ...(typeof file === 'string' && { subject: path.dirname(file) }),
      ...(why && { reason: why }),
      ...details,
    },
    { cause: error },
  );
}
