import { unzlibSync } from 'fflate';
import { throwIfCancelled } from '../../base/errors';
import { checkReach } from '../byteSource';
import type { Samples } from '../raster';
import { decodeCodec } from './tiffCodecs';
import { toRgb } from './tiffColour';
import { Compression } from './tiffCompression';
import { isOtherColourSpace, type TiffImage } from './tiffImage';
import { arrangeFloatBytes, asNativeSamples, undoDifferences, unpackBits } from './tiffSamples';
import { Photometric, Tag } from './tiffTags';
import { unpackLzw, unpackPackBits } from './unpack';

/** Samples of one block: interleaved when it holds all channels, row-major, `width` pixels a row. */
export interface TiffBlock {
  width: number;
  height: number;
  /** Channels in the block: 1 in planar files. */
  channels: number;
  samples: Samples;
}

/** Bytes that a packed block may have beyond twice its samples: headers, tables and profiles. */
const PACKED_EXTRA = 1 << 20;

/** Inflates zlib data into so many bytes, or fewer when there are no more. Throws when they are damaged. */
export type Inflate = (bytes: Uint8Array, length: number) => Uint8Array;

const inflateHere: Inflate = (bytes, length) => unzlibSync(bytes, { out: new Uint8Array(length) });

/** Pixels of a block in the picture; tiles are whole, the last strip is as high as what is left. */
export function blockRows({ tiled, height, blockHeight }: TiffImage, y: number): number {
  return tiled ? blockHeight : Math.min(blockHeight, height - y * blockHeight);
}

/**
 * Reads and decodes the block at (x, y) of the grid of blocks; `plane` is the channel in planar files, else 0. Throws with
 * the reason when it is cut off or damaged; never allocates more than the block has. `inflate` may be a faster one.
 */
export async function readBlock(
  image: TiffImage,
  x: number,
  y: number,
  plane: number,
  signal?: AbortSignal,
  inflate: Inflate = inflateHere,
): Promise<TiffBlock> {
  const width = image.blockWidth;
  const height = blockRows(image, y);
  const channels = image.planar ? 1 : image.stored;
  const bytes = await storedBytes(image, x, y, plane, height, signal);
  throwIfCancelled(signal);
  const samples = bytes
    ? await decode(image, bytes, { width, height, channels }, inflate)
    : // A sparse file leaves out blocks that are all zero.
      blank(image, width * height * channels);
  if (image.photometric === Photometric.palette || isOtherColourSpace(image.photometric))
    return { width, height, channels: 3, samples: toRgb(image, samples, width * height) };
  return { width, height, channels, samples };
}

/** The block's bytes in the file, or undefined when it was left out. */
async function storedBytes(
  image: TiffImage,
  x: number,
  y: number,
  plane: number,
  rows: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const { directory, tiled, blockHeight, stripRows } = image;
  const { source } = directory;
  const [offsets, counts] = tiled
    ? [Tag.tileOffsets, Tag.tileByteCounts]
    : [Tag.stripOffsets, Tag.stripByteCounts];
  const inPart = !tiled && blockHeight !== stripRows;
  const row = inPart ? Math.floor((y * blockHeight) / stripRows) : y;
  const down = inPart ? Math.ceil(image.height / stripRows) : image.down;
  const index = (plane * down + row) * image.across + x;
  const stated = await directory.element(offsets, index);
  const offset = stated === undefined ? undefined : stated + (image.shift ?? 0);
  let length = await directory.element(counts, index);
  if (offset === undefined) throw new Error(`its block ${index} is missing`);
  if (offset === 0 && (length ?? 0) === 0) return undefined;
  if (image.compression === Compression.none) {
    // The size of uncompressed blocks is known better than some writers say it.
    const perRow = rowBytes(image);
    const skipped = inPart ? (y * blockHeight - row * stripRows) * perRow : 0;
    checkReach(offset, skipped + rows * perRow, source.size);
    return source.read(offset + skipped, rows * perRow, signal);
  }
  length ??= source.size - offset;
  if (length === 0) return undefined;
  // No codec makes a block much larger than it is: a damaged length must not fetch the whole file.
  return source.read(offset, Math.min(length, 2 * rows * rowBytes(image) + PACKED_EXTRA), signal);
}

function rowBytes({ blockWidth, planar, stored, bits }: TiffImage): number {
  return Math.ceil((blockWidth * (planar ? 1 : stored) * bits) / 8);
}

async function decode(
  image: TiffImage,
  bytes: Uint8Array,
  { width, height, channels }: Omit<TiffBlock, 'samples'>,
  inflate: Inflate,
): Promise<Samples> {
  const { bits, kind, compression, predictor } = image;
  const { littleEndian } = image.directory.encoding;
  const byCodec = await decodeCodec(image, bytes, width, height, channels);
  if (byCodec) return byCodec;
  const raw = await unpack(compression, bytes, rowBytes(image) * height, inflate);
  if (predictor === 3) {
    if (kind !== 'float' || bits < 16) throw new Error('its predictor is for floating point numbers');
    return asNativeSamples(arrangeFloatBytes(raw, width * channels, height, bits / 8, channels), image, true);
  }
  if (bits < 8 || bits === 10 || bits === 12 || bits === 14) {
    if (predictor === 2) throw new Error(`predictors of ${bits} bits are not supported`);
    return unpackBits(raw, width * channels, height, bits, image.photometric === Photometric.palette);
  }
  // Differences are between the numbers as they are stored, floats among them.
  if (predictor === 2) return undoDifferences(raw, width, height, channels, image, littleEndian);
  return asNativeSamples(raw, image, littleEndian);
}

/** Inflates, or otherwise unpacks, to exactly the expected number of bytes. */
async function unpack(
  compression: number,
  bytes: Uint8Array,
  expected: number,
  inflate: Inflate,
): Promise<Uint8Array> {
  if (compression === Compression.none) return bytes;
  if (compression === Compression.zstandard) {
    const { ZSTDDecoder } = await import('zstddec');
    const decoder = new ZSTDDecoder();
    await decoder.init();
    const decoded = decoder.decode(bytes, expected);
    if (decoded.length !== expected) throw new Error('its Zstandard data are damaged or cut off');
    return decoded;
  }
  let out: Uint8Array;
  let written: number;
  if (compression === Compression.lzw || compression === Compression.packBits) {
    out = new Uint8Array(expected);
    written = (compression === Compression.lzw ? unpackLzw : unpackPackBits)(bytes, out);
  } else {
    out = inflate(bytes, expected);
    written = out.length;
  }
  if (written < expected) throw new Error('its compressed data are damaged or cut off');
  return out;
}

function blank({ bits, kind }: TiffImage, length: number): Samples {
  if (kind === 'float') return bits === 64 ? new Float64Array(length) : new Float32Array(length);
  if (bits <= 8) return kind === 'signed' ? new Int8Array(length) : new Uint8Array(length);
  if (bits <= 16) return kind === 'signed' ? new Int16Array(length) : new Uint16Array(length);
  return kind === 'signed' ? new Int32Array(length) : new Uint32Array(length);
}
