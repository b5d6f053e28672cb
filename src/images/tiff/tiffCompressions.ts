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
 * Every compression that a TIFF file can name, by its number in the file. Without a decoder here a
 * compression is refused, with its name where it has one: nothing falls through to the decoder of
 * another. A new one is an entry in this record.
 */

interface TiffCompression {
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

type TiffDecoder =
  /** Samples' bytes as TIFF stores them: `length`, or fewer in a short last strip or if damaged. */
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
    // The codec needs some twenty bytes for each.
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

/** What a decoder has to know of the image that a block belongs to; a TiffImage has all of it. */
export interface CodecImage {
  /** Bits of a sample in the file. */
  bits: number;
  /** What the samples mean: see Photometric. */
  photometric: number;
  kind: SampleKind;
  /** Each channel in separate blocks. */
  planar: boolean;
  blockWidth: number;
  /** Rows of a block; the last strip may have fewer. */
  blockHeight: number;
  jpegTables?: Uint8Array;
  /** Values of the codec's own tag, see TiffCompression.parametersTag. */
  codecParameters?: readonly number[];
}

/** What a block holds: `width` × `height` pixels of `channels` interleaved samples. */
export interface BlockShape {
  width: number;
  height: number;
  channels: number;
}

/** What the blocks of an image are decoded with; one of each serves many blocks. */
export interface BlockCodecs {
  inflate: Inflate;
  jpeg: JpegCodec;
  jpeg2000: Jpeg2000Codec;
}

/** Codes of TIFF's LZW, read from the highest bit: 256 clears the table, 257 ends the data. */
const CLEAR = 256;
const END = 257;
const MAX_CODES = 4096;

/** Unpacks TIFF's LZW into `out`. Returns the bytes written, at most its size. May throw. */
export function unpackLzw(bytes: Uint8Array, out: Uint8Array): number {
  // An entry is the bytes that an earlier code wrote, and one more: it is stored as its position in
  // `out`.
  const starts = new Int32Array(MAX_CODES);
  const lengths = new Int32Array(MAX_CODES);
  let codes = 258;
  let width = 9;
  let bits = 0;
  let bitCount = 0;
  let written = 0;
  // Place and length of what the last code wrote; no length right after a clear.
  let lastStart = 0;
  let lastLength = 0;
  // Before TIFF 6.0 codes were packed from the lowest bit on: a clear is then 0, 1.
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
      // The entry that this very code completes: what was written last, and its first byte again.
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
  // Byte by byte: an entry's last byte may be the first one written now.
  for (let i = from; to < end; i++) out[to++] = out[i] ?? 0;
  return to;
}

/** Unpacks PackBits into `out`; returns the bytes written. */
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
 * A block is decoded as a file of its own, by the codec of JPEG files: other decoders repeat the
 * nearest sample of a subsampled channel, which is tens of levels off at edges. That codec knows
 * gray and color alone; what else a TIFF may hold, such as CMYK, goes to another one, and only
 * where no channel is subsampled.
 */

/** What the codec says of bytes behind all samples: some scanners pad their tiles. */
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

/** The header of a block; throws unless it is of the block's shape and nothing more hides in it. */
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
  // Some writers pad the last strip, but not by much.
  if (header.height > height + 4096)
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'JPEG'));
  if (jpegFrames(stream.bytes) !== 1 || (tables && jpegFrames(tables.bytes) !== 0)) throw damagedData('JPEG');
  // It may be cut off, or lack a segment; the codecs make up what is missing.
  if (!stream.ended || stream.skipped > 0 || (tables && tables.skipped > 0)) throw damagedData('JPEG');
  return header;
}

/** Throws where scans are missing, whose samples would be made up. */
function checkScans(bytes: Uint8Array): void {
  if (scansIn(bytes) !== 'all') throw damagedData('JPEG');
}

/**
 * The block with the tables that it shares with others. Where the file doesn't say YCbCr, the
 * channels are left as they are unless the block is marked as JFIF, which is always YCbCr: as
 * tifffile does.
 */
function streamOf(
  { photometric }: CodecImage,
  bytes: Uint8Array,
  shared: PlainJpeg | undefined,
  header: JpegHeader,
): Uint8Array {
  const start = [0xff, 0xd8];
  const tables = shared?.bytes.subarray(2, shared.ended ? -2 : undefined) ?? [];
  const mark = photometric === Photometric.ycbcr || header.components === 1 ? [] : adobeSegment(false);
  const { frameAt } = header;
  const stream = new Uint8Array(tables.length + mark.length + bytes.length);
  stream.set(start);
  stream.set(tables, 2);
  stream.set(bytes.subarray(2, frameAt), 2 + tables.length);
  // Behind a mark of the block's own: the last one counts.
  stream.set(mark, tables.length + frameAt);
  stream.set(bytes.subarray(frameAt), tables.length + frameAt + mark.length);
  return stream;
}

/** Two, four or more channels, none of them subsampled. */
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
  // Imported by name: the whole library brings a worker that can't be loaded in a thread.
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
 * Decoders of blocks whose codec makes samples by itself. The size of what comes out is checked
 * before anything is decoded, where the block says it.
 */

export async function decodeLercBlock(
  image: CodecImage,
  bytes: Uint8Array,
  shape: BlockShape,
): Promise<Samples> {
  const blob = checkedLerc(image, bytes, shape);
  const { pixels, mask } = await decodeLerc(image, blob);
  const samples = exactly(lercSamples(image, pixels), lengthOf(shape), 'LERC');
  return mask ? withoutInvalid(samples, mask, shape.channels) : samples;
}

/** Makes invalid pixels NaN: the library fills in zeros, which would count in means. */
function withoutInvalid(samples: Samples, mask: Uint8Array, channels: number): Samples {
  if (mask.every(valid => valid !== 0)) return samples;
  if (!(samples instanceof Float32Array || samples instanceof Float64Array))
    throw new DecodingError(reason('LERC with invalid pixels is supported only for floating-point samples'));
  for (let pixel = 0; pixel < mask.length; pixel++)
    if (mask[pixel] === 0) samples.fill(NaN, pixel * channels, (pixel + 1) * channels);
  return samples;
}

/** The samples as the array of the file's type; throws where the data hold another. */
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
 * The data, without what follows: the library would decode it too, as further images of any number.
 *
 * Rows and columns are 32-bit numbers, behind "Lerc2 ", the version and, from version 3 on, a
 * checksum; or @18, behind "CntZImage ". From version 4 of Lerc2 on the samples of a pixel follow,
 * then two numbers and the bytes of the data. What is compressed once more could become anything
 * before its size can be read.
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
  const isSecond = String.fromCharCode(...bytes.subarray(0, 6)) === 'Lerc2 ';
  const version = isSecond ? view.getInt32(6, true) : 1;
  const at = !isSecond ? 18 : version >= 3 ? 14 : 10;
  const stored = version >= 4 ? view.getInt32(at + 8, true) : channels;
  if (view.getInt32(at, true) !== height || view.getInt32(at + 4, true) !== width || stored !== channels)
    throw new DecodingError(reason('The {0} data has a different size than its tile', 'LERC'));
  if (!isSecond) return bytes;
  const length = view.getInt32(at + (version >= 4 ? 20 : 16), true);
  if (length <= 0 || length > bytes.length) throw damagedData('LERC');
  return bytes.subarray(0, length);
}

function lengthOf({ width, height, channels }: BlockShape): number {
  return width * height * channels;
}

function exactly<T extends Samples>(samples: T, length: number, codec: string): T {
  if (samples.length < length) throw damagedData(codec);
  return samples.subarray(0, length) as T;
}

function withChannels(rgba: Uint8Array, channels: 3 | 4): Uint8Array {
  if (channels === 4) return rgba;
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let i = 0; i * 4 < rgba.length; i++) for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rgba[i * 4 + c] ?? 0;
  return rgb;
}
