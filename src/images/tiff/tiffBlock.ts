import { unzlibSync } from 'fflate';
import { checkReach } from '../byteSource';
import { throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { JpegCodec } from '../decodeJpeg';
import { blocksIn, copyChannel, type ImageBlock } from '../imageSource';
import { zerosLike, damagedData, DecodingError, type PixelWindow, type Samples } from '../raster';
import {
  type BlockCodecs,
  type BlockShape,
  decoderOf,
  tiffCompressions,
  UNCOMPRESSED,
} from './tiffCompressions';
import { Jpeg2000Codec } from './jpeg2000Block';
import { Photometric } from './tiffDirectory';
import { blockTags, isOtherColorSpace, type TiffImage, type YcbcrScale } from './tiffImage';

/** Samples of one block: of one channel in planar files, else of all channels. */
export type TiffBlock = ImageBlock;

/** A packed block may have twice the bytes of its samples, and this many for headers and tables. */
const PACKED_EXTRA = 1 << 20;

/** Codecs that work anywhere; Node.js has a faster `inflate`. */
export function portableCodecs(): BlockCodecs {
  return {
    inflate: (bytes, length) => unzlibSync(bytes, { out: new Uint8Array(length) }),
    jpeg: new JpegCodec(),
    jpeg2000: new Jpeg2000Codec(),
  };
}

/** Height of a block. Tiles always have the full height; the last strip may be lower. */
function blockRows({ tiled, height, blockHeight }: TiffImage, y: number): number {
  return tiled ? blockHeight : Math.min(blockHeight, height - y * blockHeight);
}

/** Position of a block in the grid; `plane` is the channel in planar files, else 0. */
export interface BlockPlace {
  x: number;
  y: number;
  plane: number;
}

/** Reads and decodes a block. Throws if it is damaged; allocates at most one block. */
export async function readBlock(
  image: TiffImage,
  place: BlockPlace,
  codecs: BlockCodecs,
  signal?: AbortSignal,
): Promise<TiffBlock> {
  const width = image.blockWidth;
  const height = blockRows(image, place.y);
  const channels = image.planar ? 1 : image.stored;
  const bytes = await storedBytes(image, place, height, signal);
  throwIfCanceled(signal);
  if (!bytes && image.marksOutside) {
    const delivered = isConverted(image) ? 3 : channels;
    const samples = floats(image, width * height * delivered).fill(NaN);
    return { width, height, channels: delivered, samples };
  }
  const samples = bytes
    ? await decode(image, bytes, { width, height, channels }, codecs)
    : // A sparse file omits blocks that contain only the no-data sample, or only zeros.
      blank(image, width * height * channels).fill(image.noData ?? 0);
  if (isConverted(image))
    return { width, height, channels: 3, samples: toRgb(image, samples, width * height) };
  return { width, height, channels, samples };
}

/** A blank block, in place of a block that can't be decoded. */
export function blankBlock(image: TiffImage, { y }: BlockPlace): TiffBlock {
  const width = image.blockWidth;
  const height = blockRows(image, y);
  const channels = image.planar ? 1 : image.channels;
  const length = width * height * channels;
  const isRgb = image.channels === 3 && image.deliveredBits === 8 && image.kind === 'unsigned';
  return { width, height, channels, samples: isRgb ? new Uint8Array(length) : blank(image, length) };
}

/** Whether the decoded samples of a block must be converted to RGB. */
function isConverted({ photometric, compression, stored }: TiffImage): boolean {
  const madeRgb = tiffCompressions[compression]?.makesRgb && stored === 3;
  if (photometric === Photometric.ycbcr && madeRgb) return false;
  return photometric === Photometric.palette || isOtherColorSpace(photometric);
}

/** The block's bytes in the file; undefined if the file omits the block. */
async function storedBytes(
  image: TiffImage,
  { x, y, plane }: BlockPlace,
  rows: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const { directory, tiled, blockHeight, stripRows } = image;
  const { source } = directory;
  const { offsets, counts } = blockTags(directory, tiled);
  const isPartOfStrip = !tiled && blockHeight !== stripRows;
  const row = isPartOfStrip ? Math.floor((y * blockHeight) / stripRows) : y;
  const down = isPartOfStrip ? Math.ceil(image.height / stripRows) : image.down;
  const index = (plane * down + row) * image.across + x;
  const listedOffset = await directory.element(offsets, index);
  const offset = listedOffset === undefined ? undefined : listedOffset + (image.shift ?? 0);
  let length = await directory.element(counts, index);
  if (offset === undefined) throw new DecodingError(reason('Block {0} of the image is missing', index));
  if (offset === 0 && (length ?? 0) === 0) return undefined;
  if (image.compression === UNCOMPRESSED) {
    // Some programs store wrong sizes of uncompressed blocks, so compute the size.
    const bytesPerRow = rowBytes(image);
    // A tile may lack the rows below the image.
    const needed = Math.min(stripRows, image.height - row * stripRows) * bytesPerRow;
    if (await reachesIntoNext(image, index, { offset: listedOffset ?? 0, length, needed }))
      throw new DecodingError(reason('Block {0} of the image is shorter than its rows', index));
    const skipped = isPartOfStrip ? (y * blockHeight - row * stripRows) * bytesPerRow : 0;
    checkReach(offset, skipped + rows * bytesPerRow, source.size);
    return source.read(offset + skipped, rows * bytesPerRow, signal);
  }
  length ??= source.size - offset;
  if (length === 0) return undefined;
  // Limit the length, because a damaged length must not make this read the whole file.
  return source.read(offset, Math.min(length, 2 * rows * rowBytes(image) + PACKED_EXTRA), signal);
}

/**
 * Whether a block's listed length is too short for its rows, and its rows would reach into the next
 * block. If so, the tags don't describe the rows. The listed length of a single block doesn't
 * count, because some programs store a wrong one.
 */
async function reachesIntoNext(
  { directory, tiled }: TiffImage,
  index: number,
  { offset, length, needed }: { offset: number; length: number | undefined; needed: number },
): Promise<boolean> {
  const { offsets } = blockTags(directory, tiled);
  if (!length || length >= needed || directory.count(offsets) === 1) return false;
  const next = await directory.element(offsets, index + 1);
  return next === undefined || next < offset + needed;
}

function rowBytes({ blockWidth, planar, stored, bits }: TiffImage): number {
  return Math.ceil((blockWidth * (planar ? 1 : stored) * bits) / 8);
}

async function decode(
  image: TiffImage,
  bytes: Uint8Array,
  { width, height, channels }: BlockShape,
  codecs: BlockCodecs,
): Promise<Samples> {
  const { bits, kind, compression, predictor } = image;
  const { littleEndian } = image.directory.encoding;
  const decoder = decoderOf(compression);
  if ('decode' in decoder) return decoder.decode(image, bytes, { width, height, channels }, codecs);
  const expected = rowBytes(image) * height;
  // Some programs pad the last strip.
  const unpacked = await decoder.unpack(bytes, rowBytes(image) * image.blockHeight, codecs);
  const raw = unpacked.length > expected ? unpacked.subarray(0, expected) : unpacked;
  if (raw.length < expected) throw damagedData(tiffCompressions[compression]?.name ?? '');
  if (predictor === 3) {
    if (kind !== 'float' || bits < 16)
      throw new DecodingError(reason('The predictor is for floating-point samples only'));
    return asNativeSamples(arrangeFloatBytes(raw, width * channels, height, bits / 8, channels), image, true);
  }
  if (bits < 8 || bits === 10 || bits === 12 || bits === 14) {
    if (predictor === 2)
      throw new DecodingError(reason("A predictor for {0}-bit samples isn't supported", bits));
    return unpackBits(raw, width * channels, height, bits);
  }
  // Differences are between stored integers, even if these are the bits of floats.
  if (predictor === 2) return undoDifferences(raw, width, height, channels, image, littleEndian);
  return asNativeSamples(raw, image, littleEndian);
}

function blank({ bits, kind }: TiffImage, length: number): Samples {
  if (bits === 64) return new Float64Array(length);
  if (kind === 'float') return new Float32Array(length);
  if (bits <= 8) return kind === 'signed' ? new Int8Array(length) : new Uint8Array(length);
  if (bits <= 16) return kind === 'signed' ? new Int16Array(length) : new Uint16Array(length);
  return kind === 'signed' ? new Int32Array(length) : new Uint32Array(length);
}

/** An array of floats that can hold all samples of the image exactly, and NaN. */
export function floats({ bits }: Pick<TiffImage, 'bits'>, length: number): Float32Array | Float64Array {
  return bits > 16 ? new Float64Array(length) : new Float32Array(length);
}

/** Loads the block at (x, y) of the grid; `plane` is the channel in planar files, else 0. */
type LoadBlock = (x: number, y: number, plane: number) => Promise<TiffBlock>;

/** Samples of some channels in a window inside the image, row-major per channel. */
export async function readWindow(
  image: TiffImage,
  channels: readonly number[],
  window: PixelWindow,
  load: LoadBlock,
): Promise<Samples[]> {
  const { planar } = image;
  const samplesOfChannels: (Samples | undefined)[] = channels.map(() => undefined);
  for (const { x, y, left, top } of blocksIn(image, window)) {
    for (const [at, channel] of channels.entries()) {
      const block = await load(x, y, planar ? channel : 0);
      const length = window.width * window.height;
      const out = (samplesOfChannels[at] ??= image.marksOutside
        ? floats(image, length)
        : zerosLike(block.samples, length));
      copyChannel(block, planar ? 0 : channel, { x: left, y: top }, out, window);
    }
  }
  return samplesOfChannels.map(samples => samples ?? new Uint8Array(window.width * window.height));
}

type SampleShape = Pick<TiffImage, 'bits' | 'kind'>;

/** Whether this machine is little-endian, as nearly all are. */
const NATIVE_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Bytes as samples. Half floats become floats, 64-bit integers become doubles. */
function asNativeSamples(bytes: Uint8Array, { bits, kind }: SampleShape, littleEndian: boolean): Samples {
  const copy = bytesInOwnBuffer(bytes);
  if (littleEndian !== NATIVE_LITTLE) swapByteOrder(copy, bits / 8);
  const { buffer, byteOffset } = copy;
  const length = copy.length / (bits / 8);
  if (kind === 'float') {
    if (bits === 16) return halfFloats(new Uint16Array(buffer, byteOffset, length));
    return bits === 32
      ? new Float32Array(buffer, byteOffset, length)
      : new Float64Array(buffer, byteOffset, length);
  }
  const signed = kind === 'signed';
  if (bits === 64) return longIntegers(new Uint32Array(buffer, byteOffset, 2 * length), signed);
  if (bits === 8)
    return signed ? new Int8Array(buffer, byteOffset, length) : new Uint8Array(buffer, byteOffset, length);
  if (bits === 16)
    return signed ? new Int16Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length);
  return signed ? new Int32Array(buffer, byteOffset, length) : new Uint32Array(buffer, byteOffset, length);
}

/** Converts 64-bit integers, given as 32-bit halves; rounds beyond 2^53. */
function longIntegers(halves: Uint32Array, signed: boolean): Float64Array {
  const low = NATIVE_LITTLE ? 0 : 1;
  const numbers = new Float64Array(halves.length / 2);
  for (let at = 0; at < numbers.length; at++) {
    const high = halves[2 * at + 1 - low] as number;
    numbers[at] = (signed ? high | 0 : high) * 2 ** 32 + (halves[2 * at + low] as number);
  }
  return numbers;
}

/** A copy in a buffer of its own, because views of wider numbers need an aligned offset. */
function bytesInOwnBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

function swapByteOrder(bytes: Uint8Array, size: number): void {
  if (size === 1) return;
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/** IEEE half floats: sign 1 bit, exponent 5, fraction 10. */
function halfFloats(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, half => {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}

/** Undoes predictor 2: each sample is stored as the difference to the one to its left. */
function undoDifferences(
  raw: Uint8Array,
  width: number,
  height: number,
  channels: number,
  shape: SampleShape,
  littleEndian: boolean,
): Samples {
  if (shape.bits === 64)
    throw new DecodingError(reason("A predictor for {0}-bit samples isn't supported", 64));
  const integers = asNativeSamples(raw, { bits: shape.bits, kind: 'unsigned' }, littleEndian);
  const perRow = width * channels;
  for (let row = 0; row < height; row++) {
    const end = (row + 1) * perRow;
    // Sums in unsigned integers of that size wrap around, as the predictor requires.
    for (let i = row * perRow + channels; i < end; i++)
      integers[i] = (integers[i] as number) + (integers[i - channels] as number);
  }
  const bytes = new Uint8Array(integers.buffer, integers.byteOffset, integers.byteLength);
  return asNativeSamples(bytes, shape, NATIVE_LITTLE);
}

/**
 * Undoes predictor 3: a row first has the highest bytes of all floats, then all second bytes, and
 * so on. Each byte is stored as the difference to the byte `channels` before. Returns floats with
 * the lowest byte first.
 */
function arrangeFloatBytes(
  raw: Uint8Array,
  perRow: number,
  height: number,
  size: number,
  channels: number,
): Uint8Array {
  const arranged = new Uint8Array(raw.length);
  const rowBytes = perRow * size;
  const row = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    row.set(raw.subarray(y * rowBytes, (y + 1) * rowBytes));
    for (let i = channels; i < rowBytes; i++) row[i] = (row[i] as number) + (row[i - channels] as number);
    for (let i = 0; i < perRow; i++)
      for (let byte = 0; byte < size; byte++)
        arranged[y * rowBytes + i * size + size - 1 - byte] = row[byte * perRow + i] as number;
  }
  return arranged;
}

/** Unpacks samples of 1 to 14 bits, highest bit first; rows start at whole bytes. */
function unpackBits(raw: Uint8Array, perRow: number, height: number, bits: number): Samples {
  const samples = bits < 8 ? new Uint8Array(perRow * height) : new Uint16Array(perRow * height);
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const maxSample = 2 ** bits - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < perRow; x++) {
      const bit = x * bits;
      const at = y * rowBytes + (bit >> 3);
      const threeBytes = ((raw[at] ?? 0) << 16) | ((raw[at + 1] ?? 0) << 8) | (raw[at + 2] ?? 0);
      samples[y * perRow + x] = (threeBytes >> (24 - bits - (bit & 7))) & maxSample;
    }
  }
  return samples;
}

type Color = [red: number, green: number, blue: number];

/** Converts palette, YCbCr, CMYK, and 8-bit CIE or ICC L*a*b* to 8-bit RGB; drops extra samples. */
function toRgb(image: TiffImage, samples: Samples, pixels: number): Uint8Array {
  const rgb = new Uint8ClampedArray(pixels * 3);
  const { palette, stored, photometric } = image;
  const colors = 2 ** image.bits;
  const fromYcbcr = image.ycbcr && ycbcrConverter(image.ycbcr);
  for (let i = 0; i < pixels; i++) {
    const from = i * stored;
    const a = samples[from] ?? 0;
    const b = samples[from + 1] ?? 0;
    const c = samples[from + 2] ?? 0;
    let color: Color;
    if (palette) {
      const part = (channel: number) => palette[channel * colors + a] ?? 0;
      color = [part(0), part(1), part(2)];
    } else if (fromYcbcr) {
      color = fromYcbcr(a, b, c);
    } else if (photometric === Photometric.cmyk) {
      const light = 1 - (samples[from + 3] ?? 0) / 255;
      color = [(255 - a) * light, (255 - b) * light, (255 - c) * light];
    } else {
      // a* and b* are signed bytes; in ICC L*a*b* they are unsigned, with an offset of 128.
      const chroma = (byte: number) => (photometric === Photometric.icclab ? byte - 128 : (byte << 24) >> 24);
      color = fromCielab((a / 255) * 100, chroma(b), chroma(c));
    }
    rgb.set(color, i * 3);
  }
  return new Uint8Array(rgb.buffer);
}

/** Converts YCbCr to RGB (TIFF 6.0, section 21). */
function ycbcrConverter({ luma, range }: YcbcrScale): (y: number, cb: number, cr: number) => Color {
  const [lumaRed, lumaGreen, lumaBlue] = luma;
  const [y0 = 0, y1 = 255, cb0 = 128, cb1 = 255, cr0 = 128, cr1 = 255] = range;
  const scaled = (code: number, black: number, white: number, span: number) =>
    ((code - black) * span) / (white === black ? 1 : white - black);
  return (y, cb, cr) => {
    const light = scaled(y, y0, y1, 255);
    const red = light + scaled(cr, cr0, cr1, 127) * (2 - 2 * lumaRed);
    const blue = light + scaled(cb, cb0, cb1, 127) * (2 - 2 * lumaBlue);
    return [red, (light - lumaRed * red - lumaBlue * blue) / lumaGreen, blue];
  };
}

/** Converts CIE L*a*b* with white point D50 to sRGB by Bradford's method, 0…255. */
function fromCielab(lightness: number, a: number, b: number): Color {
  const fy = (lightness + 16) / 116;
  const cube = (f: number) => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29));
  const x = 0.9642 * cube(fy + a / 500);
  const y = cube(fy);
  const z = 0.8251 * cube(fy - b / 200);
  const gamma = (linear: number) =>
    255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
  return [
    gamma(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    gamma(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    gamma(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}
