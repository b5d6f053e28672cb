import { reason, codedReason } from '../base/reasons';
import { decodeJpeg } from './decodeJpeg';
import { decodePng } from './decodePng';
import { decodeSlide } from './decodeSlide';
import { decodeWebp } from './decodeWebp';
import { DEFAULT_MAX_SAMPLES, namingFile, type Raster, unreadableRaster } from './raster';

/** Decodes a kind of image; `maxSamples` limits width · height · channels before allocation. */
type Decoder = (bytes: Uint8Array, fileName: string, maxSamples: number) => Raster | Promise<Raster>;

interface RasterKind {
  signature: readonly number[];
  decode: Decoder;
  /** The compression, if all files of the kind have the same. */
  compression?: string;
}

const kinds: readonly RasterKind[] = [
  { signature: [0x89, 0x50, 0x4e, 0x47], decode: decodePng, compression: 'Deflate' },
  { signature: [0xff, 0xd8, 0xff], decode: decodeJpeg, compression: 'JPEG' },
  // "RIFF"; its form type, "WEBP", is checked by the decoder.
  { signature: [0x52, 0x49, 0x46, 0x46], decode: decodeWebp, compression: 'WebP' },
  // "II" or "MM", then 42, or 43 for BigTIFF.
  { signature: [0x49, 0x49, 0x2a, 0x00], decode: decodeSlide },
  { signature: [0x4d, 0x4d, 0x00, 0x2a], decode: decodeSlide },
  { signature: [0x49, 0x49, 0x2b, 0x00], decode: decodeSlide },
  { signature: [0x4d, 0x4d, 0x00, 0x2b], decode: decodeSlide },
];

/**
 * Decodes a PNG, JPEG, WebP or TIFF file, or a slide based on TIFF, to raw samples. The first bytes
 * tell the format. `fileName` is for messages only. Throws `bad-request` with the reason and the
 * codec's name if the file can't be read or is too large.
 */
export async function decodeRaster(
  bytes: Uint8Array,
  fileName: string,
  maxSamples = DEFAULT_MAX_SAMPLES,
): Promise<Raster> {
  const { decode } = kindOf(bytes, fileName);
  return namingFile(fileName, () => decode(bytes, fileName, maxSamples));
}

/**
 * Throws `bad-request` unless `start`, at least four bytes, can begin a PNG, JPEG, WebP or TIFF
 * file. Returns its compression if all files of the kind have the same.
 */
export function checkRasterStart(start: Uint8Array, fileName: string): { compression?: string } {
  const { compression } = kindOf(start, fileName);
  return compression === undefined ? {} : { compression };
}

function kindOf(start: Uint8Array, fileName: string): RasterKind {
  const kind = kinds.find(({ signature }) => signature.every((byte, i) => start[i] === byte));
  if (kind) return kind;
  throw unreadableRaster(
    fileName,
    start.length === 0
      ? codedReason('undecodable', 'The file is empty')
      : reason("The file isn't a PNG, JPEG, WebP or TIFF file"),
  );
}
