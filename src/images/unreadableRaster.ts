import { CodedError, isCoded } from '../base/errors';
import { reason, reasonForLog, type Reason } from '../base/reasons';

/** Thrown where a part of an image can't be decoded and the name of its file isn't known; see `namingFile`. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';

  constructor(
    readonly reason: Reason,
    options?: ErrorOptions,
  ) {
    super(reasonForLog(reason), options);
  }
}

/** The data of a codec, or of a file format, are damaged or cut off. */
export function damagedData(codec: string, cause?: unknown): DecodingError {
  return new DecodingError(reason('damaged-data', codec), { cause });
}

/** The error for an image that can't be read. */
export function unreadableRaster(fileName: string, why: Reason, cause?: unknown): CodedError {
  return new CodedError(
    'bad-request',
    `${fileName} can't be decoded: ${reasonForLog(why)}`,
    { subject: fileName, reason: why },
    { cause },
  );
}

/** Runs a decoder; what it throws becomes `bad-request` with the file's name and the reason. Coded errors pass. */
export async function namingFile<T>(fileName: string, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (isCoded(error)) throw error;
    throw unreadableRaster(fileName, whyUndecodable(error), error);
  }
}

function whyUndecodable(error: unknown): Reason {
  if (error instanceof DecodingError) return error.reason;
  // Reading beyond the last byte throws a RangeError, here and in the libraries.
  if (error instanceof RangeError) return reason('cut-off-file');
  // The system's own words; a library's are for its programmers.
  const isSystem = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystem ? reason('quoted', error.message) : reason('damaged-file');
}
