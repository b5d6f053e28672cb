import { unzlibSync } from 'fflate';
import { checkReach } from '../byteSource';
import { throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { JpegCodec } from '../decodeJpeg';
import { blocksIn, copyChannel, type ImageBlock } from '../imageSource';
import { alike, damagedData, DecodingError, type PixelWindow, type Samples } from '../raster';
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

/** Samples of one block; it holds one channel in planar files, else all. */
export type TiffBlock = ImageBlock;

/** Bytes that a packed block may have beyond twice its samples: headers, tables and profiles. */
const PACKED_EXTRA = 1 << 20;

/** Codecs that work anywhere; Node.js has a faster `inflate`. */
export function portableCodecs(): BlockCodecs {
  return {
    inflate: (bytes, length) => unzlibSync(bytes, { out: new Uint8Array(length) }),
    jpeg: new JpegCodec(),
    jpeg2000: new Jpeg2000Codec(),
  };
}

/** Pixels of a block in the image; tiles are whole, the last strip is as high as what is left. */
function blockRows({ tiled, height, blockHeight }: TiffImage, y: number): number {
  return tiled ? blockHeight : Math.min(blockHeight, height - y * blockHeight);
}

/** Where a block is: its place in the grid of blocks, and in planar files its channel, else 0. */
export interface BlockPlace {
  x: number;
  y: number;
  plane: number;
}

/** Reads and decodes a block. Throws if cut off or damaged; allocates a block at most. */
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
    : // A sparse file leaves out blocks that are all of the sample for no data, or of zero.
      blank(image, width * height * channels).fill(image.noData ?? 0);
  if (isConverted(image))
    return { width, height, channels: 3, samples: toRgb(image, samples, width * height) };
  return { width, height, channels, samples };
}

/** A block in the place of one that can't be decoded. */
export function blankBlock(image: TiffImage, { y }: BlockPlace): TiffBlock {
  const width = image.blockWidth;
  const height = blockRows(image, y);
  const channels = image.planar ? 1 : image.channels;
  const length = width * height * channels;
  const isRgb = image.channels === 3 && image.deliveredBits === 8 && image.kind === 'unsigned';
  return { width, height, channels, samples: isRgb ? new Uint8Array(length) : blank(image, length) };
}

/** Whether the samples of a block are still to be converted to RGB. */
function isConverted({ photometric, compression, stored }: TiffImage): boolean {
  const madeRgb = tiffCompressions[compression]?.makesRgb && stored === 3;
  if (photometric === Photometric.ycbcr && madeRgb) return false;
  return photometric === Photometric.palette || isOtherColorSpace(photometric);
}

/** The block's bytes in the file, or undefined when it was left out. */
async function storedBytes(
  image: TiffImage,
  { x, y, plane }: BlockPlace,
  rows: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const { directory, tiled, blockHeight, stripRows } = image;
  const { source } = directory;
  const { offsets, counts } = blockTags(directory, tiled);
  const inPart = !tiled && blockHeight !== stripRows;
  const row = inPart ? Math.floor((y * blockHeight) / stripRows) : y;
  const down = inPart ? Math.ceil(image.height / stripRows) : image.down;
  const index = (plane * down + row) * image.across + x;
  const stated = await directory.element(offsets, index);
  const offset = stated === undefined ? undefined : stated + (image.shift ?? 0);
  let length = await directory.element(counts, index);
  if (offset === undefined) throw new DecodingError(reason('Block {0} of the image is missing', index));
  if (offset === 0 && (length ?? 0) === 0) return undefined;
  if (image.compression === UNCOMPRESSED) {
    // Some writers store wrong sizes of uncompressed blocks, so it is computed.
    const perRow = rowBytes(image);
    // Rows of a tile below the image may be missing.
    const needed = Math.min(stripRows, image.height - row * stripRows) * perRow;
    if (await reachesIntoNext(image, index, { offset: stated ?? 0, length, needed }))
      throw new DecodingError(reason('Block {0} of the image is shorter than its rows', index));
    const skipped = inPart ? (y * blockHeight - row * stripRows) * perRow : 0;
    checkReach(offset, skipped + rows * perRow, source.size);
    return source.read(offset + skipped, rows * perRow, signal);
  }
  length ??= source.size - offset;
  if (length === 0) return undefined;
  // No codec makes a block much larger: a damaged length must not read the whole file.
  return source.read(offset, Math.min(length, 2 * rows * rowBytes(image) + PACKED_EXTRA), signal);
}

/**
 * Whether a block is listed as shorter than its rows are, and nothing shows that they are there all
 * the same: behind them begins the next block. Then the file has other rows than its tags say. A
 * block alone may have any size in its list.
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
  // Some writers pad the last strip.
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
  // Differences are between the numbers as they are stored, floats among them.
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

/** Samples that can also be NaN, and hold any of the image exactly. */
export function floats({ bits }: Pick<TiffImage, 'bits'>, length: number): Float32Array | Float64Array {
  return bits > 16 ? new Float64Array(length) : new Float32Array(length);
}

/** Gives the block at (x, y) of the grid; `plane` is the channel in planar files, else 0. */
type LoadBlock = (x: number, y: number, plane: number) => Promise<TiffBlock>;

/** Samples of some channels in a window inside the image, row-major per channel. */
export async function readWindow(
  image: TiffImage,
  channels: readonly number[],
  window: PixelWindow,
  load: LoadBlock,
): Promise<Samples[]> {
  const { planar } = image;
  const wanted: (Samples | undefined)[] = channels.map(() => undefined);
  for (const { x, y, left, top } of blocksIn(image, window)) {
    for (const [at, channel] of channels.entries()) {
      const block = await load(x, y, planar ? channel : 0);
      const length = window.width * window.height;
      const out = (wanted[at] ??= image.marksOutside ? floats(image, length) : alike(block.samples, length));
      copyChannel(block, planar ? 0 : channel, { x: left, y: top }, out, window);
    }
  }
  return wanted.map(samples => samples ?? new Uint8Array(window.width * window.height));
}

type SampleShape = Pick<TiffImage, 'bits' | 'kind'>;

/** Whether this machine keeps the low byte of a number first; nearly all do. */
const NATIVE_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Bytes as samples in native order; half floats become floats, 64-bit integers doubles. */
function asNativeSamples(bytes: Uint8Array, { bits, kind }: SampleShape, littleEndian: boolean): Samples {
  const copy = ownBytes(bytes);
  if (littleEndian !== NATIVE_LITTLE) swap(copy, bits / 8);
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

/** Integers of 64 bits, given by halves; beyond 2^53 they are rounded. */
function longIntegers(halves: Uint32Array, signed: boolean): Float64Array {
  const low = NATIVE_LITTLE ? 0 : 1;
  const numbers = new Float64Array(halves.length / 2);
  for (let at = 0; at < numbers.length; at++) {
    const high = halves[2 * at + 1 - low] as number;
    numbers[at] = (signed ? high | 0 : high) * 2 ** 32 + (halves[2 * at + low] as number);
  }
  return numbers;
}

/** A copy in its own buffer: wider numbers' views need that, and the input must not change. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

function swap(bytes: Uint8Array, size: number): void {
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

/** Predictor 2: a sample is stored as its difference to its channel's sample on the left. */
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
  const whole = asNativeSamples(raw, { bits: shape.bits, kind: 'unsigned' }, littleEndian);
  const perRow = width * channels;
  for (let row = 0; row < height; row++) {
    const end = (row + 1) * perRow;
    // Stored in whole numbers of that size, sums wrap as they must.
    for (let i = row * perRow + channels; i < end; i++)
      whole[i] = (whole[i] as number) + (whole[i - channels] as number);
  }
  const bytes = new Uint8Array(whole.buffer, whole.byteOffset, whole.byteLength);
  return asNativeSamples(bytes, shape, NATIVE_LITTLE);
}

/**
 * Predictor 3: in each row all highest bytes of the floats come first, then all second bytes, …,
 * and each byte is stored as its difference to the byte `channels` before. Returns floats with the
 * lowest byte first.
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

/** Samples of under 8, or 10, 12 or 14 bits, highest bit first; rows start at whole bytes. */
function unpackBits(raw: Uint8Array, perRow: number, height: number, bits: number): Samples {
  const samples = bits < 8 ? new Uint8Array(perRow * height) : new Uint16Array(perRow * height);
  const rowBytes = Math.ceil((perRow * bits) / 8);
  const maxSample = 2 ** bits - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < perRow; x++) {
      const bit = x * bits;
      const at = y * rowBytes + (bit >> 3);
      const three = ((raw[at] ?? 0) << 16) | ((raw[at + 1] ?? 0) << 8) | (raw[at + 2] ?? 0);
      samples[y * perRow + x] = (three >> (24 - bits - (bit & 7))) & maxSample;
    }
  }
  return samples;
}

type Color = [red: number, green: number, blue: number];

/** Palette, YCbCr, CMYK, 8-bit CIE or ICC L*a*b* as 8-bit RGB; leaves out extra samples. */
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
      const place = (channel: number) => palette[channel * colors + a] ?? 0;
      color = [place(0), place(1), place(2)];
    } else if (fromYcbcr) {
      color = fromYcbcr(a, b, c);
    } else if (photometric === Photometric.cmyk) {
      const light = 1 - (samples[from + 3] ?? 0) / 255;
      color = [(255 - a) * light, (255 - b) * light, (255 - c) * light];
    } else {
      // a* and b* are signed bytes, or as ICC profiles have them bytes less 128.
      const chroma = (byte: number) => (photometric === Photometric.icclab ? byte - 128 : (byte << 24) >> 24);
      color = fromCielab((a / 255) * 100, chroma(b), chroma(c));
    }
    rgb.set(color, i * 3);
  }
  return new Uint8Array(rgb.buffer);
}

/** YCbCr to RGB as TIFF 6.0 defines it in section 21. */
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

/** CIE L*a*b* with white D50, as in ICC profiles, to sRGB by Bradford's method, 0…255. */
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
