import { getDecoder } from 'geotiff';
import { reason, type Reason } from '../../base/reasons';
import { type JpegCodec, withoutAlpha } from '../decodeJpeg';
import { decodeWebpPixels } from '../decodeWebp';
import {
  adobeSegment,
  jpegFrames,
  type JpegHeader,
  plainJpeg,
  type PlainJpeg,
  readJpegHeader,
  scansIn,
} from '../jpegStream';
import type { Inflate } from '../imageSource';
import { damagedData, DecodingError, type SampleKind, type Samples } from '../raster';
import { decodeJpeg2000Block, type Jpeg2000Codec } from './jpeg2000Block';
import { Photometric, Tag } from './tiffDirectory';

/*
 * Compressions of TIFF files by their number. A compression without a decoder is refused, with its
 * name if it has one. To support another compression, add an entry to `tiffCompressions`.
 */

interface TiffCompression {
  name: string;
  /** Decodes its blocks; without it, the compression is refused. */
  decoder?: TiffDecoder;
  /** The codec ignores the file's bit order (FillOrder). */
  ignoresFillOrder?: boolean;
  /** The codec itself converts YCbCr to RGB, subsampled or not. */
  makesRgb?: boolean;
  /** Maximum samples of a block, if the decoder's memory limits them. */
  maxBlockSamples?: number;
  /** The codec's tag; its values become CodecImage.codecParameters. */
  parametersTag?: number;
}

type TiffDecoder =
  /** Unpacks to `length` uncompressed bytes, or fewer for a short last strip or damaged data. */
  | { unpack(bytes: Uint8Array, length: number, codecs: BlockCodecs): Uint8Array | Promise<Uint8Array> }
  /** Decodes to samples. Checks the size of the result before it decodes. */
  | {
      decode(image: CodecImage, bytes: Uint8Array, shape: BlockShape, codecs: BlockCodecs): Promise<Samples>;
    };

/** The number that means "not compressed". */
export const UNCOMPRESSED = 1;

const deflate: TiffDecoder = { unpack: (bytes, length, { inflate }) => inflate(bytes, length) };

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
  8: { name: 'Deflate', decoder: deflate },
  22610: { name: 'JPEG XR' },
  32773: {
    name: 'PackBits',
    decoder: { unpack: (bytes, length) => unpackInto(unpackPackBits, bytes, length) },
  },
  32946: { name: 'Deflate', decoder: deflate },
  33003: jpeg2000('JPEG 2000 (Aperio, YCbCr)', () => true),
  33004: { name: 'JPEG 2000 (Aperio)' },
  33005: jpeg2000('JPEG 2000 (Aperio, RGB)', () => false),
  34712: jpeg2000('JPEG 2000', ({ photometric }) => photometric === Photometric.ycbcr),
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

function jpeg2000(name: string, isYcbcr: (image: CodecImage) => boolean): TiffCompression {
  return {
    name,
    decoder: {
      decode: (image, bytes, shape, codecs) =>
        decodeJpeg2000Block({ ...image, isYcbcr: isYcbcr(image) }, bytes, shape, codecs.jpeg2000),
    },
    ignoresFillOrder: true,
    makesRgb: true,
    // The codec needs about twenty bytes for each sample.
    maxBlockSamples: 16e6,
  };
}

/** Why a compression has no decoder. */
export function whyUnsupported(compression: number): Reason {
  const entry = tiffCompressions[compression];
  return entry
    ? reason("{0} compression isn't supported", entry.name)
    : reason('TIFF compression {0} is unknown', compression);
}

/** The decoder of a compression. Throws if it has none. */
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

/** The members of TiffImage that a block's decoder needs. */
export interface CodecImage {
  /** Bits of a sample in the file. */
  bits: number;
  /** Meaning of the samples: see Photometric. */
  photometric: number;
  kind: SampleKind;
  /** Whether each channel has separate blocks. */
  planar: boolean;
  blockWidth: number;
  /** Rows of a block; the last strip may have fewer. */
  blockHeight: number;
  jpegTables?: Uint8Array;
  /** Values of the codec's tag, see TiffCompression.parametersTag. */
  codecParameters?: readonly number[];
}

/** Shape of a block: `width` × `height` pixels of `channels` interleaved samples. */
export interface BlockShape {
  width: number;
  height: number;
  channels: number;
}

/** Codecs that decode the blocks of an image; many blocks share them. */
export interface BlockCodecs {
  inflate: Inflate;
  jpeg: JpegCodec;
  jpeg2000: Jpeg2000Codec;
}

/** Special codes of TIFF's LZW, which is read from the highest bit. */
const CLEAR = 256;
const END = 257;
const MAX_CODES = 4096;

/** Unpacks TIFF's LZW into `out`. Returns the number of bytes written. Throws if damaged. */
export function unpackLzw(bytes: Uint8Array, out: Uint8Array): number {
  // An entry of the table is the output of an earlier code plus one byte: its position in `out`.
  const starts = new Int32Array(MAX_CODES);
  const lengths = new Int32Array(MAX_CODES);
  let codes = 258;
  let width = 9;
  let bits = 0;
  let bitCount = 0;
  let written = 0;
  // Position and length of the last code's output; length 0 after a clear.
  let lastStart = 0;
  let lastLength = 0;
  // Before TIFF 6.0, codes were packed from the lowest bit: the first code, a clear, is then 0, 1.
  if (bytes[0] === 0 && ((bytes[1] ?? 0) & 1) === 1)
    throw new DecodingError(reason("LZW compression from before TIFF 6.0 isn't supported"));
  for (let at = 0; written < out.length;) {
    while (bitCount < width) {
      if (at >= bytes.length) return written;
      bits = ((bits << 8) | (bytes[at++] ?? 0)) & 0xffffff;
      bitCount += 8;
    }
    const code = (bits >> (bitCount - width)) & ((1 << width) - 1);
    bitCount -= width;
    if (code === END) return written;
    if (code === CLEAR) {
      codes = 258;
      width = 9;
      lastLength = 0;
      continue;
    }
    const start = written;
    if (code < CLEAR) {
      out[written++] = code;
    } else if (code < codes) {
      written = repeat(out, starts[code] ?? 0, lengths[code] ?? 0, written);
    } else if (code === codes && lastLength > 0) {
      // This code's own entry isn't complete yet: it is the last output plus its first byte.
      written = repeat(out, lastStart, lastLength, written);
      if (written < out.length) out[written++] = out[lastStart] ?? 0;
    } else {
      throw damagedData('LZW');
    }
    if (lastLength > 0 && codes < MAX_CODES) {
      starts[codes] = lastStart;
      lengths[codes] = lastLength + 1;
      codes++;
      // TIFF widens its codes one entry early.
      if (codes + 1 >= 1 << width && width < 12) width++;
    }
    lastStart = start;
    lastLength = written - start;
  }
  return written;
}

function repeat(out: Uint8Array, from: number, length: number, to: number): number {
  const end = Math.min(out.length, to + length);
  // Copy byte by byte: the entry may include bytes that this copy writes.
  for (let i = from; to < end; i++) out[to++] = out[i] ?? 0;
  return to;
}

/** Unpacks PackBits into `out`. Returns the number of bytes written. */
export function unpackPackBits(bytes: Uint8Array, out: Uint8Array): number {
  let written = 0;
  for (let at = 0; at < bytes.length && written < out.length;) {
    const head = bytes[at++] ?? 0;
    if (head === 128) continue;
    if (head < 128) {
      const length = Math.min(head + 1, out.length - written);
      if (at + length > bytes.length) throw damagedData('PackBits');
      out.set(bytes.subarray(at, at + length), written);
      at += head + 1;
      written += length;
    } else {
      const end = Math.min(out.length, written + 257 - head);
      out.fill(bytes[at++] ?? 0, written, end);
      written = end;
    }
  }
  return written;
}

/*
 * A block is decoded as a separate file by the codec for JPEG files. Other decoders repeat the
 * nearest sample of a subsampled channel, which is tens of levels wrong at edges. The codec
 * supports only one or three channels. Others, such as CMYK, go to a second decoder, which is used
 * only if no channel is subsampled.
 */

/** The codec's warning about bytes after the last sample; some scanners pad their tiles. */
const HARMLESS = /extraneous bytes before marker 0xd9/i;

/** Samples of a JPEG block; YCbCr becomes RGB. */
export async function decodeJpegBlock(
  image: CodecImage,
  bytes: Uint8Array,
  shape: BlockShape,
  { jpeg }: BlockCodecs,
): Promise<Uint8Array> {
  const stream = plainJpeg(bytes);
  const tables = image.jpegTables && plainJpeg(image.jpegTables);
  const header = checkedHeader(stream, tables, shape);
  const { width, height, channels } = shape;
  if (channels !== 1 && channels !== 3)
    return decodeOtherChannels(image, stream.bytes, tables?.bytes, shape, header);
  checkScans(stream.bytes);
  const decoded = await jpeg.decode(streamOf(image, stream.bytes, tables, header));
  if ('failed' in decoded) throw damagedData('JPEG', decoded.cause);
  const isDamaged = decoded.messages.some(message => !HARMLESS.test(message));
  if (isDamaged || decoded.width !== width || decoded.height < height) throw damagedData('JPEG');
  return withoutAlpha(decoded.rgba, width * height, channels);
}

/** The header of a block. Throws unless it has the block's shape and exactly one frame. */
function checkedHeader(
  stream: PlainJpeg,
  tables: PlainJpeg | undefined,
  { width, height, channels }: BlockShape,
): JpegHeader {
  const header = readJpegHeader(stream.bytes);
  if (!header) throw damagedData('JPEG');
  if (header.precision !== 8)
    throw new DecodingError(reason("{0}-bit JPEG isn't supported", header.precision));
  if (header.frame > 0xc2) throw new DecodingError(reason("This kind of JPEG isn't supported"));
  if (header.width !== width || header.height < height || header.components !== channels)
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'JPEG'));
  // Some programs pad the last strip a little.
  if (header.height > height + 4096)
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'JPEG'));
  if (jpegFrames(stream.bytes) !== 1 || (tables && jpegFrames(tables.bytes) !== 0)) throw damagedData('JPEG');
  // Reject a stream that is cut off or lacks a segment: codecs invent the missing samples.
  if (!stream.ended || stream.skipped > 0 || (tables && tables.skipped > 0)) throw damagedData('JPEG');
  return header;
}

/** Throws if scans are missing: the codec would invent their samples. */
function checkScans(bytes: Uint8Array): void {
  if (scansIn(bytes) !== 'all') throw damagedData('JPEG');
}

/**
 * The block with the tables that all blocks share. Its channels are RGB unless the file says YCbCr,
 * or the block has a JFIF segment, as in tifffile.
 */
function streamOf(
  { photometric }: CodecImage,
  bytes: Uint8Array,
  shared: PlainJpeg | undefined,
  header: JpegHeader,
): Uint8Array {
  const start = [0xff, 0xd8];
  const tables = shared?.bytes.subarray(2, shared.ended ? -2 : undefined) ?? [];
  const adobe = photometric === Photometric.ycbcr || header.components === 1 ? [] : adobeSegment(false);
  const { frameAt } = header;
  const stream = new Uint8Array(tables.length + adobe.length + bytes.length);
  stream.set(start);
  stream.set(tables, 2);
  stream.set(bytes.subarray(2, frameAt), 2 + tables.length);
  // After an Adobe segment of the block itself, because the last one counts.
  stream.set(adobe, tables.length + frameAt);
  stream.set(bytes.subarray(frameAt), tables.length + frameAt + adobe.length);
  return stream;
}

/** Decodes two, four or more channels that aren't subsampled. */
async function decodeOtherChannels(
  { blockWidth, blockHeight, bits, planar }: CodecImage,
  bytes: Uint8Array,
  tables: Uint8Array | undefined,
  { width, height, channels }: BlockShape,
  { samplesPerPixel }: JpegHeader,
): Promise<Uint8Array> {
  if (samplesPerPixel !== channels)
    throw new DecodingError(reason("Subsampled JPEG with {0} channels isn't supported", channels));
  checkScans(bytes);
  // Import only this function: the whole library includes a worker that a thread can't load.
  const decoder = await getDecoder(7, {
    tileWidth: blockWidth,
    tileHeight: blockHeight,
    predictor: 1,
    bitsPerSample: bits,
    planarConfiguration: planar ? 2 : 1,
    ...(tables && { JPEGTables: tables }),
  });
  let samples;
  try {
    samples = new Uint8Array(await decoder.decodeBlock(bytes.slice().buffer));
  } catch (error) {
    throw damagedData('JPEG', error);
  }
  const length = width * height * channels;
  if (samples.length < length) throw damagedData('JPEG');
  return samples.subarray(0, length);
}

/*
 * Decoders of LERC and WebP blocks. If a block states its size, the size is checked before
 * decoding.
 */

export async function decodeLercBlock(
  image: CodecImage,
  bytes: Uint8Array,
  shape: BlockShape,
): Promise<Samples> {
  const blob = checkedLerc(image, bytes, shape);
  const { pixels, mask } = await decodeLerc(image, blob);
  const samples = firstSamples(lercSamples(image, pixels), lengthOf(shape), 'LERC');
  return mask ? withoutInvalid(samples, mask, shape.channels) : samples;
}

/** Sets invalid pixels to NaN, because the library's zeros would count in means. */
function withoutInvalid(samples: Samples, mask: Uint8Array, channels: number): Samples {
  if (mask.every(valid => valid !== 0)) return samples;
  if (!(samples instanceof Float32Array || samples instanceof Float64Array))
    throw new DecodingError(reason('LERC with invalid pixels is supported only for floating-point samples'));
  for (let pixel = 0; pixel < mask.length; pixel++)
    if (mask[pixel] === 0) samples.fill(NaN, pixel * channels, (pixel + 1) * channels);
  return samples;
}

/** Checks that the samples have the file's type; throws otherwise. */
function lercSamples({ kind, bits }: CodecImage, pixels: Samples): Samples {
  const types: Readonly<Record<string, new (length: number) => Samples>> = {
    'float 32': Float32Array,
    'float 64': Float64Array,
    'unsigned 8': Uint8Array,
    'unsigned 16': Uint16Array,
    'unsigned 32': Uint32Array,
    'signed 8': Int8Array,
    'signed 16': Int16Array,
    'signed 32': Int32Array,
  };
  const Type = types[`${kind} ${bits}`];
  if (!Type || !(pixels instanceof Type))
    throw new DecodingError(reason("LERC with this sample type isn't supported"));
  return pixels;
}

async function decodeWebpBlock(
  _image: CodecImage,
  bytes: Uint8Array,
  { width, height, channels }: BlockShape,
): Promise<Samples> {
  if (channels !== 3 && channels !== 4)
    throw new DecodingError(reason("WebP with {0} channels isn't supported", channels));
  const { data, ...size } = await decodeWebpPixels(bytes, width * height * 4);
  if (size.width !== width || size.height !== height)
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'WebP'));
  return withChannels(data, channels);
}

async function decodeLerc(
  { planar }: CodecImage,
  bytes: Uint8Array,
): Promise<{ pixels: Samples; mask?: Uint8Array }> {
  const { default: Lerc } = await import('lerc');
  let decoded;
  try {
    decoded = Lerc.decode(bytes.slice().buffer, { returnPixelInterleavedDims: !planar });
  } catch (error) {
    throw damagedData('LERC', error);
  }
  const { pixels, mask } = decoded;
  const [first] = pixels;
  if (!first) throw damagedData('LERC');
  return { pixels: first, ...(mask && { mask }) };
}

/**
 * Checks the size of LERC data, and cuts off bytes after it, which the library would decode as any
 * number of further images. Data that is compressed once more is refused, because its size can't be
 * read first.
 *
 * Rows and columns are 32-bit numbers. They follow "Lerc2 ", the version and, from version 3 on, a
 * checksum; in the old format "CntZImage " they are @18. From version 4 on, the samples per pixel
 * follow, then two numbers and the length of the data.
 */
function checkedLerc(
  { codecParameters }: CodecImage,
  bytes: Uint8Array,
  { width, height, channels }: BlockShape,
): Uint8Array {
  const [, compressedAgain = 0] = codecParameters ?? [];
  if (compressedAgain !== 0)
    throw new DecodingError(reason("LERC with a second compression isn't supported"));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLerc2 = String.fromCharCode(...bytes.subarray(0, 6)) === 'Lerc2 ';
  const version = isLerc2 ? view.getInt32(6, true) : 1;
  const at = !isLerc2 ? 18 : version >= 3 ? 14 : 10;
  const stored = version >= 4 ? view.getInt32(at + 8, true) : channels;
  if (view.getInt32(at, true) !== height || view.getInt32(at + 4, true) !== width || stored !== channels)
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'LERC'));
  if (!isLerc2) return bytes;
  const length = view.getInt32(at + (version >= 4 ? 20 : 16), true);
  if (length <= 0 || length > bytes.length) throw damagedData('LERC');
  return bytes.subarray(0, length);
}

function lengthOf({ width, height, channels }: BlockShape): number {
  return width * height * channels;
}

function firstSamples<T extends Samples>(samples: T, length: number, codec: string): T {
  if (samples.length < length) throw damagedData(codec);
  return samples.subarray(0, length) as T;
}

function withChannels(rgba: Uint8Array, channels: 3 | 4): Uint8Array {
  if (channels === 4) return rgba;
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let i = 0; i * 4 < rgba.length; i++) for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rgba[i * 4 + c] ?? 0;
  return rgb;
}
