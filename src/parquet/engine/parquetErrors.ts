import { CodedError } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';

/** An error of a Parquet file: `why` is shown, `message` is for the log. */
export function damagedParquet(message: string, why: Reason, cause?: unknown): CodedError {
  return new CodedError(
    'damaged-table',
    `The Parquet file can't be read: ${message}`,
    { reason: why },
    { cause },
  );
}

/** The error for a feature that isn't supported, such as a codec. */
export function unsupportedFeature(feature: string): CodedError {
  return damagedParquet(feature, reason('The Parquet file uses {0}, which can’t be read', feature));
}
