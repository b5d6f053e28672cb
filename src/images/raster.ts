import { CodedError, isCoded } from '../base/errors';
import { reasonForLog } from '../base/reasonForLog';
import { reason, type Reason, codedReason, quoted } from '../base/reasons';

/** Raw samples. A decoded Raster has only unsigned types and Float32Array. */
export type Samples =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** New samples of the same type, all 0. */
export function zerosLike(samples: Samples, length: number): Samples {
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
  /** Samples per pixel, including alpha. */
  channels: number;
  /** 1, 2, 4, 8, 16 or 32. A Uint8Array of 4-bit samples has values from 0 to 15. */
  bitsPerSample: number;
  /** Interleaved, row-major: sample c of pixel (x, y) is at (y · width + x) · channels + c. */
  samples: Samples;
  /** Meaning of the channels. `white-is-zero`: `samples` are as stored; show them inverted. */
  photometric: 'black-is-zero' | 'white-is-zero' | 'rgb' | 'other';
  /** Position of the alpha channel, if there is one. */
  alpha?: number;
  /** Notes for the viewer: several pages, an EXIF rotation that isn't applied, … */
  notes: Reason[];
}

/** Default for the maximum samples (width · height · channels) of an image. */
export const DEFAULT_MAX_SAMPLES = 400e6;

/** Throws `bad-request` if an image is too large to decode in memory, or has no pixels. */
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

/** A part of an image can't be decoded. `namingFile` adds the name of the file. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';

  constructor(
    readonly reason: Reason,
    options?: ErrorOptions,
  ) {
    super(reasonForLog(reason), options);
  }
}

/** The error for damaged or cut off data of a codec or file format. */
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

/** Runs a decoder. Its errors become `bad-request` with the file's name; coded errors stay. */
export async function namingFile<T>(fileName: string, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (isCoded(error)) throw error;
    throw unreadableRaster(fileName, whyUndecodable(error), error);
  }
}

/** The reason for an error that a decoder or the system threw. */
export function whyUndecodable(error: unknown): Reason {
  if (error instanceof DecodingError) return error.reason;
  // Reading beyond the last byte throws a RangeError, here and in the libraries.
  if (error instanceof RangeError) return codedReason('undecodable', 'The file is damaged or cut off');
  // Show messages of the system, but not those of libraries, which are for programmers.
  const isSystem = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystem ? quoted(error.message) : codedReason('undecodable', 'The file is damaged');
}
