import { CodedError, isCoded } from '../base/errors';
import { reasonForLog } from '../base/reasonForLog';
import { reason, type Reason, codedReason, quoted } from '../base/reasons';

/** Raw samples; a decoded Raster has the unsigned ones and Float32Array alone. */
export type Samples =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Empty samples of the same type. */
export function alike(samples: Samples, length: number): Samples {
  const Type = samples.constructor as new (length: number) => Samples;
  return new Type(length);
}

/** A rectangle of pixels. */
export interface PixelWindow {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type SampleKind = 'unsigned' | 'signed' | 'float';

/** A decoded image: raw samples, as stored in the file, neither rotated nor color managed. */
export interface Raster {
  width: number;
  height: number;
  /** Samples per pixel, alpha among them. */
  channels: number;
  /** Of the samples here: 1, 2, 4, 8, 16 or 32. Samples of 4 bits are 0 to 15, in a Uint8Array. */
  bitsPerSample: number;
  /** Interleaved, row-major: sample c of pixel (x, y) is at (y · width + x) · channels + c. */
  samples: Samples;
  /** What the channels mean; `white-is-zero`: samples as stored, to be shown inverted. */
  photometric: 'black-is-zero' | 'white-is-zero' | 'rgb' | 'other';
  /** Position of the alpha channel, if there is one. */
  alpha?: number;
  /** What a viewer should know: several pages, an EXIF rotation that was not applied, …. */
  notes: Reason[];
}

/** Samples (width · height · channels) an image may have unless the caller says otherwise. */
export const DEFAULT_MAX_SAMPLES = 400e6;

/** Throws `bad-request` when an image is too large to be decoded in memory, or has no pixels. */
export function checkRasterSize(
  fileName: string,
  width: number,
  height: number,
  channels: number,
  maxSamples = DEFAULT_MAX_SAMPLES,
): void {
  if (![width, height, channels].every(side => Number.isSafeInteger(side) && side > 0)) {
    throw unreadableRaster(
      fileName,
      reason('The image size is {0} × {1} with {2} channels', width, height, channels),
    );
  }
  if (width * height * channels > maxSamples) {
    const millions = Math.floor(maxSamples / 1e6);
    throw unreadableRaster(
      fileName,
      reason(
        '{0} × {1} pixels with {2} channels are more than the limit of {3} million samples',
        width,
        height,
        channels,
        millions,
      ),
    );
  }
}

/** A part of an image can't be decoded; its file's name isn't known here, see `namingFile`. */
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
  return new DecodingError(codedReason('undecodable', 'The {0} data is damaged or cut off', codec), {
    cause,
  });
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

/** Runs a decoder; its errors become `bad-request` with the file's name. Coded errors pass. */
export async function namingFile<T>(fileName: string, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (isCoded(error)) throw error;
    throw unreadableRaster(fileName, whyUndecodable(error), error);
  }
}

/** Why something that a decoder, or the system, threw made it fail. */
export function whyUndecodable(error: unknown): Reason {
  if (error instanceof DecodingError) return error.reason;
  // Reading beyond the last byte throws a RangeError, here and in the libraries.
  if (error instanceof RangeError) return codedReason('undecodable', 'The file is damaged or cut off');
  // The system's own words; a library's are for its programmers.
  const isSystem = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystem ? quoted(error.message) : codedReason('undecodable', 'The file is damaged');
}
