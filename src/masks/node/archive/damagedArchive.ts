import type { Entry } from 'yauzl';
import { CodedError, isCoded } from '../../../base/errors';
import { reason, reasonForLog, type Reason } from '../../../base/reasons';

/** The error for an archive, or an image's entry of one, that can't be read. */
export function damagedArchive(why: Reason): CodedError {
  return new CodedError('damaged-archive', reasonForLog(why), { reason: why });
}

/** The error for more objects or classes than can be opened. */
export function tooManyObjects(why: Reason): CodedError {
  return new CodedError('too-many-objects', reasonForLog(why), { reason: why });
}

/**
 * The error for what yauzl says of an archive, or zlib of one of its entries; a coded error as it is. They say it in English
 * and without codes, which no user is shown.
 */
export function archiveError(error: unknown, entry?: Entry): CodedError {
  if (isCoded(error)) return error;
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  const why = syscall !== undefined ? reason('quoted', message) : damage(message, code, entry);
  return new CodedError('damaged-archive', reasonForLog(why), { reason: why }, { cause: error });
}

function damage(message: string, code: string | undefined, entry: Entry | undefined): Reason {
  if (entry && code === 'ERR_BUFFER_TOO_LARGE')
    return reason('entry-size', entry.fileName, entry.uncompressedSize);
  if (entry) return reason('entry-damaged', entry.fileName);
  return /end of central directory|unexpected EOF/i.test(message)
    ? reason('archive-cut-off')
    : reason('archive-list-unreadable');
}
