import { checkRasterSize, unreadableRaster, type SampleKind } from '../raster';
import type { TiffDirectory } from './tiffDirectory';
import { Compression, compressionName, isReadable } from './tiffCompression';
import { Photometric, Tag } from './tiffTags';

/** Uncompressed strips are read in parts of about so many bytes, however long they are. */
const PART_BYTES = 1 << 20;
/** Samples of one block that may be decoded at once, and their bytes. */
export const MOST_BLOCK_SAMPLES = 400e6;
const MOST_BLOCK_BYTES = 800e6;
/** The decoder of JPEG blocks needs about ten times the bytes of their samples. */
const MOST_JPEG_SAMPLES = 64e6;

/** What the samples of one directory are, and in which blocks (tiles or strips) they are stored. */
export interface TiffImage {
  directory: TiffDirectory;
  width: number;
  height: number;
  /** Samples of a pixel in the file. */
  stored: number;
  /** Bits of a sample in the file. */
  bits: number;
  kind: SampleKind;
  /** Each channel in blocks of its own. */
  planar: boolean;
  compression: number;
  predictor: number;
  photometric: number;
  tiled: boolean;
  blockWidth: number;
  /** Rows of a block; the last strip may have fewer. */
  blockHeight: number;
  across: number;
  down: number;
  /** Rows of a strip in the file: a multiple of blockHeight where uncompressed strips are read in parts. */
  stripRows: number;
  /** Channels after palettes and colour spaces were turned into RGB. */
  channels: number;
  /** Bits of a sample as it is delivered. */
  deliveredBits: 8 | 16 | 32 | 64;
  alpha?: number;
  /** Bytes by which the samples lie behind where the directory says. */
  shift?: number;
  /** Red, green and blue of each palette entry, 16 bits, all reds first. */
  palette?: readonly number[];
  /** Cr and Cb are as fine as Y only where this says 1, 1. */
  jpegTables?: Uint8Array;
  lercParameters?: readonly number[];
}

/** Reads what a directory says of its samples. Throws `bad-request` that names what cannot be read. */
export async function readTiffImage(
  directory: TiffDirectory,
  fileName: string,
  mostBlockSamples = MOST_BLOCK_SAMPLES,
): Promise<TiffImage> {
  const number = async (tag: number, otherwise: number) => (await directory.number(tag)) ?? otherwise;
  const width = await number(Tag.width, 0);
  const height = await number(Tag.height, 0);
  const stored = await number(Tag.samplesPerPixel, 1);
  // Blocks bound what is allocated; the picture itself may be of any size.
  checkRasterSize(fileName, width, height, stored, Infinity);
  const compression = await number(Tag.compression, 1);
  if (!isReadable(compression))
    throw unreadableRaster(fileName, `its compression, ${compressionName(compression)}, is not supported`);
  const bits = await commonBits(directory, fileName, stored);
  const kind = await sampleKind(directory, fileName, bits);
  const photometric = await number(Tag.photometric, Photometric.blackIsZero);
  await checkColours(directory, fileName, { photometric, compression, bits });
  if ((await number(Tag.fillOrder, 1)) === 2 && compression !== Compression.jpeg)
    throw unreadableRaster(fileName, 'bytes whose lowest bit comes first are not supported');
  const predictor = await number(Tag.predictor, 1);
  if (![1, 2, 3].includes(predictor)) throw unreadableRaster(fileName, `predictor ${predictor} is unknown`);
  const planar = stored > 1 && (await number(Tag.planarConfiguration, 1)) === 2;
  const toRgb = photometric === Photometric.palette || isOtherColourSpace(photometric);
  if (planar && toRgb) throw unreadableRaster(fileName, 'its colours in separate planes are not supported');
  const tiled = directory.count(Tag.tileOffsets) > 0;
  const rowsPerStrip = Math.min(height, Math.max(1, await number(Tag.rowsPerStrip, height)));
  const blockWidth = tiled ? await number(Tag.tileWidth, 0) : width;
  const stripRows = tiled ? await number(Tag.tileLength, 0) : rowsPerStrip;
  const rowBytes = Math.ceil((blockWidth * (planar ? 1 : stored) * bits) / 8);
  const inParts = !tiled && compression === Compression.none && predictor === 1;
  const blockHeight = inParts ? partRows(stripRows, height, rowBytes) : stripRows;
  // A single tile may be larger than the picture.
  const most = Math.min(mostBlockSamples, (MOST_BLOCK_BYTES * 8) / Math.max(8, bits));
  const mostHere = compression === Compression.jpeg ? Math.min(most, MOST_JPEG_SAMPLES) : most;
  checkRasterSize(fileName, blockWidth, blockHeight, planar ? 1 : stored, mostHere);
  const alpha = toRgb ? undefined : await alphaChannel(directory, stored);
  const jpegTables = await directory.bytes(Tag.jpegTables);
  return {
    directory,
    width,
    height,
    stored,
    bits,
    kind,
    planar,
    compression,
    predictor,
    photometric,
    tiled,
    blockWidth,
    blockHeight,
    across: Math.ceil(width / blockWidth),
    down: Math.ceil(height / blockHeight),
    stripRows,
    channels: toRgb ? 3 : stored,
    deliveredBits: deliveredBits(toRgb ? 8 : bits),
    ...(alpha !== undefined && { alpha }),
    ...(photometric === Photometric.palette && { palette: await palette(directory, fileName, bits) }),
    ...(jpegTables.length > 0 && { jpegTables }),
    ...(compression === Compression.lerc && { lercParameters: await directory.numbers(Tag.lercParameters) }),
  };
}

/** Colour spaces whose pixels are turned into RGB. */
export function isOtherColourSpace(photometric: number): boolean {
  return (
    photometric === Photometric.ycbcr ||
    photometric === Photometric.cmyk ||
    photometric === Photometric.cielab
  );
}

function deliveredBits(bits: number): 8 | 16 | 32 | 64 {
  if (bits <= 8) return 8;
  if (bits <= 16) return 16;
  return bits === 64 ? 64 : 32;
}

/** Rows of the parts in which uncompressed strips are read: none crosses from one strip into the next. */
function partRows(stripRows: number, height: number, rowBytes: number): number {
  const wanted = Math.min(stripRows, Math.max(1, Math.floor(PART_BYTES / rowBytes)));
  if (stripRows >= height) return wanted;
  let rows = wanted;
  while (stripRows % rows !== 0) rows--;
  return rows;
}

async function commonBits(directory: TiffDirectory, fileName: string, stored: number): Promise<number> {
  const bits = await directory.numbers(Tag.bitsPerSample);
  const [first = 1] = bits;
  if (bits.length > 0 && bits.length < stored && bits.length !== 1)
    throw unreadableRaster(fileName, 'it does not say how many bits its samples have');
  if (!bits.every(value => value === first))
    throw unreadableRaster(fileName, 'its channels differ in their bits');
  if (![1, 2, 4, 8, 10, 12, 14, 16, 32, 64].includes(first))
    throw unreadableRaster(fileName, `samples of ${first} bits are not supported`);
  return first;
}

async function sampleKind(directory: TiffDirectory, fileName: string, bits: number): Promise<SampleKind> {
  const formats = await directory.numbers(Tag.sampleFormat);
  const [format = 1] = formats;
  if (!formats.every(value => value === format))
    throw unreadableRaster(fileName, 'its channels differ in the format of their samples');
  // 4 is "undefined", which readers take as unsigned.
  if (format === 1 || format === 4) {
    if (bits === 64) throw unreadableRaster(fileName, 'whole numbers of 64 bits are not supported');
    return 'unsigned';
  }
  if (format === 2 && [8, 16, 32].includes(bits)) return 'signed';
  if (format === 3 && [16, 32, 64].includes(bits)) return 'float';
  throw unreadableRaster(fileName, `samples of ${bits} bits in format ${format} are not supported`);
}

async function checkColours(
  directory: TiffDirectory,
  fileName: string,
  { photometric, compression, bits }: Pick<TiffImage, 'photometric' | 'compression' | 'bits'>,
): Promise<void> {
  if (isOtherColourSpace(photometric) && bits !== 8)
    throw unreadableRaster(fileName, 'its colour space is supported with 8 bits only');
  // Subsampled 2 × 2 is what a file means that says nothing.
  const [horizontal = 2, vertical = 2] = await directory.numbers(Tag.ycbcrSubsampling);
  const byCodec = compression === Compression.jpeg || compression === Compression.webp;
  if (photometric === Photometric.ycbcr && !byCodec && (horizontal !== 1 || vertical !== 1))
    throw unreadableRaster(fileName, 'YCbCr with subsampled colours is supported only with JPEG compression');
}

async function palette(directory: TiffDirectory, fileName: string, bits: number): Promise<number[]> {
  const colours = await directory.numbers(Tag.colorMap);
  if (colours.length < 3 * 2 ** bits) throw unreadableRaster(fileName, 'its palette is missing');
  return colours;
}

async function alphaChannel(directory: TiffDirectory, stored: number): Promise<number | undefined> {
  const kinds = await directory.numbers(Tag.extraSamples);
  // 1 is premultiplied alpha, 2 is not; extra samples come last.
  const position = kinds.findIndex(kind => kind === 1 || kind === 2);
  return position === -1 || kinds.length >= stored ? undefined : stored - kinds.length + position;
}
