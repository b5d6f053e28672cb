import { unzlibSync } from 'fflate';
import { throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { checkReach } from '../../base/byteSource';
import { JpegCodec } from '../jpegCodec';
import type { Samples } from '../raster';
import { damagedData, DecodingError } from '../unreadableRaster';
import type { BlockCodecs, BlockShape } from './codecImage';
import { toRgb } from './tiffColor';
import { decoderOf, tiffCompressions, UNCOMPRESSED } from './tiffCompressions';
import { blockTags, isOtherColorSpace, type TiffImage } from './tiffImage';
import { arrangeFloatBytes, asNativeSamples, undoDifferences, unpackBits } from './tiffSamples';
import { Photometric } from './tiffTags';

/** Samples of one block: row-major, interleaved when it holds all channels; it holds one in planar files. */
export interface TiffBlock extends BlockShape {
  samples: Samples;
}

/** Bytes that a packed block may have beyond twice its samples: headers, tables and profiles. */
const PACKED_EXTRA = 1 << 20;

/** Codecs that work anywhere; Node.js has a faster `inflate`. */
export function portableCodecs(): BlockCodecs {
  return {
    inflate: (bytes, length) => unzlibSync(bytes, { out: new Uint8Array(length) }),
    jpeg: new JpegCodec(),
  };
}

/** Pixels of a block in the image; tiles are whole, the last strip is as high as what is left. */
export function blockRows({ tiled, height, blockHeight }: TiffImage, y: number): number {
  return tiled ? blockHeight : Math.min(blockHeight, height - y * blockHeight);
}

/** Where a block is: its place in the grid of blocks, and in planar files its channel, else 0. */
export interface BlockPlace {
  x: number;
  y: number;
  plane: number;
}

/**
 * Reads and decodes a block. Throws with the reason when it is cut off or damaged; never allocates more than the block has.
 */
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
  const samples = bytes
    ? await decode(image, bytes, { width, height, channels }, codecs)
    : // A sparse file leaves out blocks that are all zero.
      blank(image, width * height * channels);
  if (isConverted(image))
    return { width, height, channels: 3, samples: toRgb(image, samples, width * height) };
  return { width, height, channels, samples };
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
  if (offset === undefined) throw new DecodingError(reason('tiff-block-missing', index));
  if (offset === 0 && (length ?? 0) === 0) return undefined;
  if (image.compression === UNCOMPRESSED) {
    // Some writers store wrong sizes of uncompressed blocks, so it is computed.
    const perRow = rowBytes(image);
    // Rows of a tile below the image may be missing.
    const needed = Math.min(stripRows, image.height - row * stripRows) * perRow;
    if (await reachesIntoNext(image, index, { offset: stated ?? 0, length, needed }))
      throw new DecodingError(reason('tiff-block-short', index));
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
 * Whether a block is listed as shorter than its rows are, and nothing shows that they are there all the same: behind them begins
 * the next block. Then the file has other rows than its tags say. A block alone may have any size in its list.
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
    if (kind !== 'float' || bits < 16) throw new DecodingError(reason('predictor-for-floats'));
    return asNativeSamples(arrangeFloatBytes(raw, width * channels, height, bits / 8, channels), image, true);
  }
  if (bits < 8 || bits === 10 || bits === 12 || bits === 14) {
    if (predictor === 2) throw new DecodingError(reason('predictor-bits', bits));
    return unpackBits(raw, width * channels, height, bits);
  }
  // Differences are between the numbers as they are stored, floats among them.
  if (predictor === 2) return undoDifferences(raw, width, height, channels, image, littleEndian);
  return asNativeSamples(raw, image, littleEndian);
}

function blank({ bits, kind }: TiffImage, length: number): Samples {
  if (kind === 'float') return bits === 64 ? new Float64Array(length) : new Float32Array(length);
  if (bits <= 8) return kind === 'signed' ? new Int8Array(length) : new Uint8Array(length);
  if (bits <= 16) return kind === 'signed' ? new Int16Array(length) : new Uint16Array(length);
  return kind === 'signed' ? new Int32Array(length) : new Uint32Array(length);
}
