import * as path from 'node:path';
import { systemCode } from './diskErrors';
import { CodedError, isCoded, type ErrorDetails } from '../errors';
import { reason } from '../reasons';

/** The disk, or what a user may use of it, is full; or it is read-only, or the user may not write. */
const REFUSALS: Readonly<Record<string, 'no-space' | 'not-writable'>> = {
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EACCES: 'not-writable',
  EPERM: 'not-writable',
  EROFS: 'not-writable',
};

/** Whether the disk is full, or doesn't let the user write; undefined for all other failures. */
export function diskRefusal(error: unknown): 'no-space' | 'not-writable' | undefined {
  return REFUSALS[systemCode(error)];
}

/**
 * The coded error for files of our own that can't be stored or removed: `no-space`, `in-use`, else `not-writable`, with their
 * folder as the subject; coded errors pass.
 */
export function diskError(error: unknown, details: ErrorDetails = {}): CodedError {
  if (isCoded(error)) return error;
  const code = diskRefusal(error) ?? (systemCode(error) === 'EBUSY' ? 'in-use' : 'not-writable');
  const why = code === 'not-writable' && reason('file-not-writable', systemCode(error) || String(error));
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
