import { reason } from '../../base/reasons';
import { checkRasterSize, type SampleKind, unreadableRaster } from '../raster';
import { type CodecImage, tiffCompressions, UNCOMPRESSED, whyUnsupported } from './tiffCompressions';
import { Photometric, Tag, type TiffDirectory } from './tiffDirectory';

/** Approximate bytes per read of an uncompressed strip. */
const PART_BYTES = 1 << 20;
/** Maximum samples and bytes of one block. */
const MAX_BLOCK_SAMPLES = 400e6;
const MAX_BLOCK_BYTES = 800e6;

/** The scale of YCbCr: weights of red, green and blue in Y; black and white of Y, Cb and Cr. */
export interface YcbcrScale {
  luma: readonly [red: number, green: number, blue: number];
  range: readonly number[];
}

/** The image of a directory: the meaning of its samples, and its blocks (tiles or strips). */
export interface TiffImage extends CodecImage {
  directory: TiffDirectory;
  width: number;
  height: number;
  /** Samples per pixel in the file. */
  stored: number;
  compression: number;
  predictor: number;
  tiled: boolean;
  across: number;
  down: number;
  /** Rows of a strip in the file: a multiple of blockHeight if strips are read in parts. */
  stripRows: number;
  /** Channels after palettes and color spaces are converted to RGB. */
  channels: number;
  /** Bits per sample after decoding: 1, 2, 4, 8, 16, 32 or 64. */
  deliveredBits: number;
  alpha?: number;
  /** Bytes to add to the directory's offsets to find the samples. */
  shift?: number;
  /** Palette of 8-bit colors: first all reds, then all greens, then all blues. */
  palette?: readonly number[] | undefined;
  /** Scale for converting YCbCr; absent if the codec converts it. */
  ycbcr?: YcbcrScale;
  /** The file has an unusual ReferenceBlackWhite, which isn't applied. */
  otherRange?: boolean;
  /** GDAL's no-data sample. Absent blocks are filled with it. */
  noData?: number;
  /** Number of blocks that the file omits. */
  absentBlocks: number;
  /** Samples without data are decoded as NaN, in floats. */
  marksOutside?: boolean;
}

/**
 * Reads how a directory's samples are stored. `isLabels` allows 64-bit integers. Throws
 * `bad-request` that names an unsupported feature.
 */
export async function readTiffImage(
  directory: TiffDirectory,
  fileName: string,
  { maxBlockSamples = MAX_BLOCK_SAMPLES, isLabels = false } = {},
): Promise<TiffImage> {
  const number = async (tag: number, fallback: number) => (await directory.number(tag)) ?? fallback;
  const width = await number(Tag.width, 0);
  const height = await number(Tag.height, 0);
  const stored = await number(Tag.samplesPerPixel, 1);
  // Memory is allocated per block, so the image itself may have any size.
  checkRasterSize(fileName, width, height, stored, Infinity);
  const compression = await number(Tag.compression, 1);
  const codec = tiffCompressions[compression];
  if (!codec?.decoder) throw unreadableRaster(fileName, whyUnsupported(compression));
  const bits = await commonBits(directory, fileName, stored);
  const photometric = await number(Tag.photometric, Photometric.blackIsZero);
  const toRgb = photometric === Photometric.palette || isOtherColorSpace(photometric);
  const kind = await sampleKind(directory, fileName, bits, { isColor: toRgb, isLabels });
  await checkColors(directory, fileName, { photometric, bits, stored }, codec.makesRgb);
  if ((await number(Tag.fillOrder, 1)) === 2 && !codec.ignoresFillOrder)
    throw unreadableRaster(fileName, reason("Bytes with the lowest bit first aren't supported"));
  const predictor = await number(Tag.predictor, 1);
  if (![1, 2, 3].includes(predictor))
    throw unreadableRaster(fileName, reason('TIFF predictor {0} is unknown', predictor));
  if ((await number(Tag.imageDepth, 1)) > 1 || (await number(Tag.tileDepth, 1)) > 1)
    throw unreadableRaster(
      fileName,
      reason("TIFF volumes (ImageDepth, TileDepth) aren't supported; save the planes as pages"),
    );
  const planar = stored > 1 && (await number(Tag.planarConfiguration, 1)) === 2;
  if (planar && toRgb) throw unreadableRaster(fileName, reason("Colors in separate planes aren't supported"));
  const tiled = await isTiled(directory, width, height);
  const rowsPerStrip = Math.min(height, Math.max(1, await number(Tag.rowsPerStrip, height)));
  const blockWidth = tiled ? await number(Tag.tileWidth, 0) : width;
  const stripRows = tiled ? await number(Tag.tileLength, 0) : rowsPerStrip;
  const rowBytes = Math.ceil((blockWidth * (planar ? 1 : stored) * bits) / 8);
  const inParts = !tiled && compression === UNCOMPRESSED && predictor === 1;
  const blockHeight = inParts ? partRows(stripRows, height, rowBytes) : stripRows;
  // A single tile may be larger than the image.
  const maxSamples = Math.min(maxBlockSamples, (MAX_BLOCK_BYTES * 8) / Math.max(8, bits));
  const maxCodecSamples = Math.min(maxSamples, codec.maxBlockSamples ?? Infinity);
  checkRasterSize(fileName, blockWidth, blockHeight, planar ? 1 : stored, maxCodecSamples);
  const across = Math.ceil(width / blockWidth);
  const down = Math.ceil(height / blockHeight);
  const grid = { tiled, planes: planar ? stored : 1, blocks: across * Math.ceil(height / stripRows) };
  const minBytes = compression === UNCOMPRESSED ? rowBytes * Math.min(stripRows, height) : 0;
  await checkBlocks(directory, fileName, grid, minBytes);
  const alpha = toRgb ? undefined : await alphaChannel(directory, stored);
  const range = await directory.numbers(Tag.referenceBlackWhite);
  const isYcbcr = photometric === Photometric.ycbcr;
  const convertsYcbcr = isYcbcr && !codec.makesRgb;
  const usualRange = isYcbcr ? FULL_YCBCR : [0, 2 ** bits - 1, 0, 2 ** bits - 1, 0, 2 ** bits - 1];
  const hasColors = isYcbcr || photometric === Photometric.rgb;
  const jpegTables = await directory.bytes(Tag.jpegTables);
  // The no-data value applies to stored samples, not to converted colors. Labels need none: a label
  // without data is no object.
  const noData = toRgb || isLabels ? undefined : await noDataSample(directory, kind, bits);
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
    across,
    down,
    stripRows,
    channels: toRgb ? 3 : stored,
    deliveredBits: deliveredBits(toRgb ? 8 : bits),
    absentBlocks: await countAbsent(directory, tiled),
    ...(noData !== undefined && { noData }),
    ...(alpha !== undefined && { alpha }),
    ...(photometric === Photometric.palette && { palette: await palette(directory, fileName, bits) }),
    ...(convertsYcbcr && { ycbcr: await ycbcrScale(directory, range) }),
    ...(hasColors && !convertsYcbcr && !isUsual(range, usualRange) && { otherRange: true }),
    ...(jpegTables.length > 0 && { jpegTables }),
    ...(codec.parametersTag && { codecParameters: await directory.numbers(codec.parametersTag) }),
  };
}

/** The same image with palette indexes as the samples of one channel, if it has a palette. */
export function withoutPalette(image: TiffImage): TiffImage {
  if (image.photometric !== Photometric.palette) return image;
  return {
    ...image,
    palette: undefined,
    photometric: Photometric.blackIsZero,
    channels: image.stored,
    deliveredBits: deliveredBits(image.bits),
  };
}

/** The tags with the blocks' offsets and lengths; old versions of LibTIFF list tiles as strips. */
export function blockTags(directory: TiffDirectory, tiled: boolean): { offsets: number; counts: number } {
  const has = (tag: number) => tiled && directory.count(tag) > 0;
  return {
    offsets: has(Tag.tileOffsets) ? Tag.tileOffsets : Tag.stripOffsets,
    counts: has(Tag.tileByteCounts) ? Tag.tileByteCounts : Tag.stripByteCounts,
  };
}

/** GDAL's no-data sample; undefined without one, or if the sample type can't represent it. */
async function noDataSample(
  directory: TiffDirectory,
  kind: SampleKind,
  bits: number,
): Promise<number | undefined> {
  const text = (await directory.text(Tag.gdalNoData)).replaceAll('\0', '').trim();
  const value = Number(text);
  if (text === '' || Number.isNaN(value)) return undefined;
  if (kind === 'float') return bits === 64 ? value : Math.fround(value);
  const [lowest, highest] =
    kind === 'signed' ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  return Number.isInteger(value) && value >= lowest && value <= highest ? value : undefined;
}

/**
 * Longer block lists aren't searched for absent blocks; shorter lists of coarser levels show those
 * too.
 */
const MAX_LISTED_BLOCKS = 1 << 16;

async function countAbsent(directory: TiffDirectory, tiled: boolean): Promise<number> {
  const { offsets, counts } = blockTags(directory, tiled);
  const listLength = directory.count(counts);
  if (listLength === 0 || listLength > MAX_LISTED_BLOCKS) return 0;
  const lengths = await directory.numbers(counts);
  if (!lengths.includes(0)) return 0;
  const starts = await directory.numbers(offsets);
  return lengths.filter((length, block) => length === 0 && starts[block] === 0).length;
}

/** Whether some samples of an image may have no data. */
export function mayLackData({ noData, absentBlocks }: TiffImage): boolean {
  return noData !== undefined || absentBlocks > 0;
}

/** Whether blocks are tiles. They may be listed as strips; then there are as many as tiles. */
async function isTiled(directory: TiffDirectory, width: number, height: number): Promise<boolean> {
  if (directory.count(Tag.tileOffsets) > 0) return true;
  const tileWidth = (await directory.number(Tag.tileWidth)) ?? 0;
  const tileLength = (await directory.number(Tag.tileLength)) ?? 0;
  if (tileWidth < 1 || tileLength < 1) return false;
  const tiles = Math.ceil(width / tileWidth) * Math.ceil(height / tileLength);
  const planar = (await directory.number(Tag.planarConfiguration)) === 2;
  const planes = planar ? ((await directory.number(Tag.samplesPerPixel)) ?? 1) : 1;
  return directory.count(Tag.stripOffsets) === tiles * planes;
}

/**
 * Throws unless the file lists as many blocks as its size needs, because blocks could be mixed up.
 * Allows extra blocks at the end if the others are clear: in one plane, with a first block that is
 * long enough.
 */
async function checkBlocks(
  directory: TiffDirectory,
  fileName: string,
  { tiled, planes, blocks }: { tiled: boolean; planes: number; blocks: number },
  minBytes: number,
): Promise<void> {
  const { offsets, counts } = blockTags(directory, tiled);
  const listed = directory.count(offsets);
  const needed = blocks * planes;
  if (listed === needed) return;
  const isLong = ((await directory.element(counts, 0)) ?? Infinity) >= minBytes;
  if (listed < needed || planes > 1 || !isLong)
    throw unreadableRaster(
      fileName,
      reason('The file lists {0} tiles or strips, but an image of its size has {1}', listed, needed),
    );
}

/** Color spaces that are converted to RGB, and the number of channels that they need. */
const COLOR_SPACES: Readonly<Record<number, { name: string; channels: number }>> = {
  [Photometric.ycbcr]: { name: 'YCbCr', channels: 3 },
  [Photometric.cmyk]: { name: 'CMYK', channels: 4 },
  [Photometric.cielab]: { name: 'CIE L*a*b*', channels: 3 },
  [Photometric.icclab]: { name: 'ICC L*a*b*', channels: 3 },
};

/** Color spaces that are refused: their samples would show as wrong colors. */
const UNSUPPORTED_SPACES: Readonly<Record<number, string>> = {
  10: 'ITU L*a*b*',
  32844: 'LogL',
  32845: 'LogLuv',
};

/** Whether pixels of a color space are converted to RGB. */
export function isOtherColorSpace(photometric: number): boolean {
  return COLOR_SPACES[photometric] !== undefined;
}

/**
 * A key of the samples' format: pages with different keys can't be shown as one series. Throws for
 * invalid fields.
 */
export async function samplesKey(directory: TiffDirectory): Promise<string> {
  const number = async (tag: number, fallback: number) => (await directory.number(tag)) ?? fallback;
  const photometric = await number(Tag.photometric, Photometric.blackIsZero);
  const toRgb = photometric === Photometric.palette || isOtherColorSpace(photometric);
  if (toRgb) return 'rgb 3 8';
  const stored = await number(Tag.samplesPerPixel, 1);
  const bits = deliveredBits(await number(Tag.bitsPerSample, 1));
  // Format 4, "undefined", counts as unsigned.
  const format = (await number(Tag.sampleFormat, 1)) % 4 || 1;
  const rgb = photometric === Photometric.rgb;
  const alpha = await alphaChannel(directory, stored);
  const extra = `${format === 1 ? '' : ` ${format}`}${alpha === undefined ? '' : ` alpha ${alpha}`}`;
  return `${rgb ? 'rgb ' : ''}${stored} ${bits}${extra}`;
}

/** Samples of 10, 12 and 14 bits become 16 bits; smaller ones keep their bits, which bound them. */
function deliveredBits(bits: number): number {
  return bits > 8 && bits < 16 ? 16 : bits;
}

/** Rows per read of an uncompressed strip. A read never crosses into another strip. */
function partRows(stripRows: number, height: number, rowBytes: number): number {
  let rows = Math.min(stripRows, Math.max(1, Math.floor(PART_BYTES / rowBytes)));
  if (stripRows >= height) return rows;
  while (stripRows % rows !== 0) rows--;
  return rows;
}

async function commonBits(directory: TiffDirectory, fileName: string, stored: number): Promise<number> {
  const bits = await directory.numbers(Tag.bitsPerSample);
  const [first = 1] = bits;
  if (bits.length > 0 && bits.length < stored && bits.length !== 1)
    throw unreadableRaster(fileName, reason("The file doesn't specify the number of bits per sample"));
  if (!bits.every(value => value === first))
    throw unreadableRaster(fileName, reason('The channels have different numbers of bits'));
  if (![1, 2, 4, 8, 10, 12, 14, 16, 32, 64].includes(first))
    throw unreadableRaster(fileName, reason("{0}-bit samples aren't supported", first));
  return first;
}

async function sampleKind(
  directory: TiffDirectory,
  fileName: string,
  bits: number,
  { isColor, isLabels }: { isColor: boolean; isLabels: boolean },
): Promise<SampleKind> {
  const formats = await directory.numbers(Tag.sampleFormat);
  const [format = 1] = formats;
  if (!formats.every(value => value === format))
    throw unreadableRaster(fileName, reason('The channels have different sample formats'));
  // Format 4, "undefined", counts as unsigned.
  if (format === 1 || format === 4) {
    if (bits === 64 && !isLabels)
      throw unreadableRaster(fileName, reason("{0}-bit integers aren't supported", 64));
    return 'unsigned';
  }
  // Palette indexes and inks have no sign; the color space defines the sign of a* and b*.
  if (format === 2 && isColor && bits <= 16) return 'unsigned';
  if (isColor)
    throw unreadableRaster(fileName, reason("{0}-bit samples in format {1} aren't supported", bits, format));
  if (format === 2 && ([8, 16, 32].includes(bits) || (bits === 64 && isLabels))) return 'signed';
  if (format === 3 && [16, 32, 64].includes(bits)) return 'float';
  throw unreadableRaster(fileName, reason("{0}-bit samples in format {1} aren't supported", bits, format));
}

async function checkColors(
  directory: TiffDirectory,
  fileName: string,
  { photometric, bits, stored }: Pick<TiffImage, 'photometric' | 'bits' | 'stored'>,
  makesRgb = false,
): Promise<void> {
  const unsupported = UNSUPPORTED_SPACES[photometric];
  if (unsupported !== undefined)
    throw unreadableRaster(fileName, reason("{0} colors aren't supported", unsupported));
  const space = COLOR_SPACES[photometric];
  // A codec that converts to RGB returns only three channels.
  const isConvertedByCodec = photometric === Photometric.ycbcr && makesRgb;
  const colors = stored - directory.count(Tag.extraSamples);
  if (space && (colors < space.channels || (isConvertedByCodec && stored > space.channels)))
    throw unreadableRaster(
      fileName,
      reason(
        "{0} colors with {1} channels aren't supported",
        space.name,
        isConvertedByCodec ? stored : colors,
      ),
    );
  if (photometric === Photometric.cmyk) {
    const inkSet = (await directory.number(Tag.inkSet)) ?? 1;
    const inks = (await directory.number(Tag.numberOfInks)) ?? 4;
    if (inkSet !== 1 || inks !== 4)
      throw unreadableRaster(
        fileName,
        reason("Inks other than cyan, magenta, yellow and black aren't supported"),
      );
  }
  if (isOtherColorSpace(photometric) && bits !== 8)
    throw unreadableRaster(
      fileName,
      reason("This color space isn't supported with {0} bits, only with 8", bits),
    );
  // Without the tag, the default is 2 × 2.
  const [horizontal = 2, vertical = 2] = await directory.numbers(Tag.ycbcrSubsampling);
  if (photometric === Photometric.ycbcr && !makesRgb && (horizontal !== 1 || vertical !== 1))
    throw unreadableRaster(fileName, reason('Subsampled YCbCr is supported only with JPEG compression'));
}

async function palette(directory: TiffDirectory, fileName: string, bits: number): Promise<number[]> {
  const colors = await directory.numbers(Tag.colorMap);
  if (colors.length < 3 * 2 ** bits) throw unreadableRaster(fileName, reason('The palette is missing'));
  // Colors have 16 bits, the high byte is the 8-bit color; some programs store only 8 bits.
  return colors.some(value => value > 255) ? colors.map(value => value >> 8) : colors;
}

/** The default of ReferenceBlackWhite: black and white of Y, Cb and Cr. */
const FULL_YCBCR: readonly number[] = [0, 255, 128, 255, 128, 255];

async function ycbcrScale(directory: TiffDirectory, range: readonly number[]): Promise<YcbcrScale> {
  const [red = 0.299, green = 0.587, blue = 0.114] = await directory.numbers(Tag.ycbcrCoefficients);
  return { luma: [red, green, blue], range: range.length === 6 ? range : FULL_YCBCR };
}

function isUsual(range: readonly number[], usual: readonly number[]): boolean {
  return range.length !== 6 || range.every((value, at) => value === usual[at]);
}

async function alphaChannel(directory: TiffDirectory, stored: number): Promise<number | undefined> {
  const kinds = await directory.numbers(Tag.extraSamples);
  // Kind 1 is premultiplied alpha, 2 is other alpha. Extra samples are the last ones.
  const position = kinds.findIndex(kind => kind === 1 || kind === 2);
  return position === -1 || kinds.length >= stored ? undefined : stored - kinds.length + position;
}
