import { getDecoder } from 'geotiff';
import { reason } from '../../base/reasons';
import { withoutAlpha } from '../jpegCodec';
import { jpegFrames } from '../jpegFrames';
import { readJpegHeader, type JpegHeader } from '../jpegHeader';
import { scansIn } from '../jpegScans';
import { adobeSegment, plainJpeg, type PlainJpeg } from '../jpegStream';
import { damagedData, DecodingError } from '../unreadableRaster';
import type { BlockCodecs, BlockShape, CodecImage } from './codecImage';
import { Photometric } from './tiffTags';

/*
 * A block is decoded as a file of its own, by the codec of JPEG files: other decoders repeat the nearest sample of a
 * subsampled channel, which is tens of levels off at edges. That codec knows gray and color alone; what else a TIFF may
 * hold, such as CMYK, goes to another one, and only where no channel is subsampled.
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
  if (header.precision !== 8) throw new DecodingError(reason('jpeg-bits', header.precision));
  if (header.frame > 0xc2) throw new DecodingError(reason('unsupported-jpeg'));
  if (header.width !== width || header.height < height || header.components !== channels)
    throw new DecodingError(reason('block-size-differs', 'JPEG'));
  // Some writers pad the last strip, but not by much.
  if (header.height > height + 4096) throw new DecodingError(reason('block-size-differs', 'JPEG'));
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
 * The block with the tables that it shares with others. Where the file doesn't say YCbCr, the channels are left as they are
 * unless the block is marked as JFIF, which is always YCbCr: as tifffile does.
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
  if (samplesPerPixel !== channels) throw new DecodingError(reason('subsampled-jpeg', channels));
  checkScans(bytes);
  // Imported by name: as a whole the library brings a worker of its own that can't be loaded in a thread.
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
