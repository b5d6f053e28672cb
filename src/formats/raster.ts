import { CodedError } from '../base/errors';

/** Raw samples; a decoded Raster has the unsigned ones and Float32Array alone. */
export type Samples =
  Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array;

export type SampleKind = 'unsigned' | 'signed' | 'float';

/** A decoded picture: raw samples, as stored in the file, neither rotated nor colour managed. */
export interface Raster {
  width: number;
  height: number;
  /** Samples per pixel, alpha among them. */
  channels: number;
  bitsPerSample: 8 | 16 | 32;
  /** Interleaved, row-major: sample c of pixel (x, y) is at (y · width + x) · channels + c. */
  samples: Samples;
  /** What the channels mean; `white-is-zero` is MINISWHITE: the samples are as stored, to be shown inverted. */
  photometric: 'black-is-zero' | 'white-is-zero' | 'rgb' | 'other';
  /** Position of the alpha channel, if there is one. */
  alpha?: number;
  /** What a viewer should know: several pages, an EXIF rotation that was not applied, …. */
  notes: string[];
}

/** Samples (width · height · channels) a picture may have unless the caller says otherwise. */
export const DEFAULT_MAX_SAMPLES = 400e6;

/** Throws `bad-request` when a picture is too large to be decoded in memory, or has no pixels. */
export function checkRasterSize(
  fileName: string,
  width: number,
  height: number,
  channels: number,
  maxSamples = DEFAULT_MAX_SAMPLES,
): void {
  if (![width, height, channels].every(side => Number.isSafeInteger(side) && side > 0)) {
    throw unreadableRaster(fileName, `its size is ${width} × ${height} × ${channels}`);
  }
  if (width * height * channels > maxSamples) {
    const reason =
      `its ${width} × ${height} pixels with ${channels} channels are more than ` +
      `${Math.floor(maxSamples / 1e6)} million samples`;
    throw new CodedError('bad-request', `${fileName} is too large to be opened: ${reason}`, {
      subject: fileName,
      reason,
    });
  }
}

/** The error for a picture that cannot be read. */
export function unreadableRaster(fileName: string, reason: string, cause?: unknown): CodedError {
  return new CodedError(
    'bad-request',
    `${fileName} cannot be read: ${reason}`,
    { subject: fileName, reason },
    { cause },
  );
}
