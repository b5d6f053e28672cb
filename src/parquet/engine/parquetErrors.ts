import { CodedError } from '../../base/errors';
import { codedReason, reason, type Reason } from '../../base/reasons';

/** What is wrong with a Parquet file; `why` is for words, `message` for the log. */
export function damagedParquet(message: string, why: Reason, cause?: unknown): CodedError {
  return new CodedError(
    'damaged-table',
    `The Parquet file can't be read: ${message}`,
    { reason: why },
    { cause },
  );
}

/** A file that uses what isn't read, such as a codec. */
export function unsupported(feature: string): CodedError {
  return damagedParquet(feature, reason('The Parquet file uses {0}, which can’t be read', feature));
}

/** A page that is not as its header says; the column is named by who reads it. */
export function damagedPage(message: string): CodedError {
  return damagedParquet(
    message,
    codedReason('parquet-damaged', 'The values of column "{0}" are damaged', ''),
  );
}
