import { isCoded } from '../base/errors';
import { decodeJpeg } from './decodeJpeg';
import { decodePng } from './decodePng';
import { decodeTiff } from './decodeTiff';
import { decodeWebp } from './decodeWebp';
import { DEFAULT_MAX_SAMPLES, unreadableRaster, type Raster } from './raster';

/** Decodes one kind of picture; `maxSamples` bounds width · height · channels before anything is allocated. */
type Decoder = (bytes: Uint8Array, fileName: string, maxSamples: number) => Raster | Promise<Raster>;

const kinds: readonly { signature: readonly number[]; decode: Decoder }[] = [
  { signature: [0x89, 0x50, 0x4e, 0x47], decode: decodePng },
  { signature: [0xff, 0xd8, 0xff], decode: decodeJpeg },
  // "RIFF"; its form type, "WEBP", is checked by the decoder.
  { signature: [0x52, 0x49, 0x46, 0x46], decode: decodeWebp },
  // "II" or "MM", then 42, or 43 for BigTIFF.
  { signature: [0x49, 0x49, 0x2a, 0x00], decode: decodeTiff },
  { signature: [0x4d, 0x4d, 0x00, 0x2a], decode: decodeTiff },
  { signature: [0x49, 0x49, 0x2b, 0x00], decode: decodeTiff },
  { signature: [0x4d, 0x4d, 0x00, 0x2b], decode: decodeTiff },
];

/**
 * Decodes a PNG, JPEG, WebP or TIFF file, told by its first bytes, into raw samples. `fileName` is for messages only.
 * Throws `bad-request`, with the reason and the codec's name, when it cannot be read or is too large.
 */
export async function decodeRaster(
  bytes: Uint8Array,
  fileName: string,
  maxSamples = DEFAULT_MAX_SAMPLES,
): Promise<Raster> {
  const decode = decoderOf(bytes, fileName);
  try {
    return await decode(bytes, fileName, maxSamples);
  } catch (error) {
    if (isCoded(error)) throw error;
    throw unreadableRaster(fileName, reasonOf(error), error);
  }
}

/** Throws `bad-request` unless a file that starts so can be a PNG, JPEG, WebP or TIFF file; four bytes are enough. */
export function checkRasterStart(start: Uint8Array, fileName: string): void {
  decoderOf(start, fileName);
}

function decoderOf(start: Uint8Array, fileName: string): Decoder {
  const kind = kinds.find(({ signature }) => signature.every((byte, i) => start[i] === byte));
  if (kind) return kind.decode;
  const reason = start.length === 0 ? 'it is empty' : 'it is not a PNG, JPEG, WebP or TIFF file';
  throw unreadableRaster(fileName, reason);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it is damaged';
  // What a reader beyond the last byte comes to, in the libraries' words.
  return error instanceof RangeError ? `it is cut off or damaged (${error.message})` : error.message;
}
