import { reason, type Reason } from '../../base/reasons';
import type { Samples } from '../raster';
import { damagedData, DecodingError } from '../unreadableRaster';
import type { BlockCodecs, BlockShape, CodecImage } from './codecImage';
import { decodeJpegBlock } from './jpegBlock';
import { decodeLercBlock, decodeWebpBlock } from './sampleCodecs';
import { Tag } from './tiffTags';
import { unpackLzw, unpackPackBits } from './unpack';

/*
 * Every compression that a TIFF file can name, by its number in the file. Without a decoder here a compression is refused,
 * with its name where it has one: nothing falls through to the decoder of another. A new one is an entry in this record.
 */

export interface TiffCompression {
  name: string;
  /** How its blocks are decoded; without it the compression is refused. */
  decoder?: TiffDecoder;
  /** The codec reads fields of bits by itself, whatever the file's fill order says. */
  ignoresFillOrder?: boolean;
  /** The codec makes RGB of YCbCr by itself, subsampled or not. */
  makesRgb?: boolean;
  /** Samples of a block that its decoder can be given, where memory limits it. */
  maxBlockSamples?: number;
  /** A tag of the codec's own, which becomes CodecImage.codecParameters. */
  parametersTag?: number;
}

export type TiffDecoder =
  /** Gives the bytes of the samples as TIFF stores them: at most `length`, and fewer in a shorter last strip or damaged data. */
  | { unpack(bytes: Uint8Array, length: number, codecs: BlockCodecs): Uint8Array | Promise<Uint8Array> }
  /** Gives the samples themselves. Checks the size of what comes out before it decodes. */
  | {
      decode(image: CodecImage, bytes: Uint8Array, shape: BlockShape, codecs: BlockCodecs): Promise<Samples>;
    };

/** The number of samples that are stored as they are. */
export const UNCOMPRESSED = 1;

const inflated: TiffDecoder = { unpack: (bytes, length, { inflate }) => inflate(bytes, length) };

export const tiffCompressions: Readonly<Record<number, TiffCompression>> = {
  [UNCOMPRESSED]: { name: 'none', decoder: { unpack: bytes => bytes } },
  2: { name: 'CCITT modified Huffman' },
  3: { name: 'CCITT Group 3 fax' },
  4: { name: 'CCITT Group 4 fax' },
  5: { name: 'LZW', decoder: { unpack: (bytes, length) => unpackInto(unpackLzw, bytes, length) } },
  6: { name: 'old-style JPEG' },
  7: {
    name: 'JPEG',
    decoder: { decode: decodeJpegBlock },
    ignoresFillOrder: true,
    makesRgb: true,
    // The codec needs about ten times the bytes of the samples.
    maxBlockSamples: 64e6,
  },
  8: { name: 'Deflate', decoder: inflated },
  22610: { name: 'JPEG XR' },
  32773: {
    name: 'PackBits',
    decoder: { unpack: (bytes, length) => unpackInto(unpackPackBits, bytes, length) },
  },
  32946: { name: 'Deflate', decoder: inflated },
  33003: { name: 'JPEG 2000 (Aperio, YCbCr)' },
  33004: { name: 'JPEG 2000 (Aperio)' },
  33005: { name: 'JPEG 2000 (Aperio, RGB)' },
  34712: { name: 'JPEG 2000' },
  34887: { name: 'LERC', decoder: { decode: decodeLercBlock }, parametersTag: Tag.lercParameters },
  34892: { name: 'lossy JPEG (DNG)' },
  34925: { name: 'LZMA' },
  34926: { name: 'Zstandard (old number)' },
  34927: { name: 'WebP (old number)' },
  34933: { name: 'PNG' },
  34934: { name: 'JPEG XR' },
  50000: { name: 'Zstandard', decoder: { unpack: unpackZstandard } },
  50001: { name: 'WebP', decoder: { decode: decodeWebpBlock }, makesRgb: true },
  50002: { name: 'JPEG XL' },
  52546: { name: 'JPEG XL' },
};

/** Why a compression has no decoder. */
export function whyUnsupported(compression: number): Reason {
  const known = tiffCompressions[compression];
  return known ? reason('unsupported-compression', known.name) : reason('unknown-compression', compression);
}

/** The decoder of a compression. Throws where there is none. */
export function decoderOf(compression: number): TiffDecoder {
  const decoder = tiffCompressions[compression]?.decoder;
  if (!decoder) throw new DecodingError(whyUnsupported(compression));
  return decoder;
}

function unpackInto(
  unpack: (bytes: Uint8Array, out: Uint8Array) => number,
  bytes: Uint8Array,
  length: number,
): Uint8Array {
  const out = new Uint8Array(length);
  const written = unpack(bytes, out);
  return written < length ? out.subarray(0, written) : out;
}

async function unpackZstandard(bytes: Uint8Array, length: number): Promise<Uint8Array> {
  const { ZSTDDecoder } = await import('zstddec');
  const decoder = new ZSTDDecoder();
  await decoder.init();
  const decoded = decoder.decode(bytes, length);
  if (decoded.length > length) throw damagedData('Zstandard');
  return decoded;
}
