import { reason } from '../../base/reasons';
import { joined, plainJpeg } from '../jpegStream';
import { damagedData, DecodingError } from '../raster';

/*
 * A slide's level is one JPEG stream, which may be a hundred thousand pixels wide. To decode a
 * part, a new stream is made: the tables of the whole stream, a frame of the part's size, and the
 * data of some restart intervals.
 */

/** A channel of the frame: its sampling factors, and the numbers of its Huffman tables. */
interface JpegChannel {
  across: number;
  down: number;
  dcTable: number;
  acTable: number;
}

/** The header of a stream. */
export interface JpegStart {
  /** Size in the frame header; 0 or wrong if the true size doesn't fit there. */
  width: number;
  height: number;
  channels: JpegChannel[];
  /** Size in pixels of an MCU, the smallest unit of data. */
  mcuWidth: number;
  mcuHeight: number;
  /** MCUs between restart markers; 0 without them. */
  restart: number;
  /** Number of bytes before the data. */
  length: number;
  /** Segments with tables and the color space. */
  tables: Uint8Array;
  frame: Uint8Array;
  scan: Uint8Array;
  /** Huffman tables by class and number: 0x00 is the first DC table, 0x10 the first AC table. */
  codes: ReadonlyMap<number, HuffmanTable>;
  /** Whether parts can be decoded alone: one baseline or extended scan with all channels. */
  isSequential: boolean;
}

/** A Huffman table: the number of codes of each length from 1 to 16, and their values. */
export interface HuffmanTable {
  counts: Uint8Array;
  values: Uint8Array;
}

/** Maximum number of segments before the data. */
const MAX_SEGMENTS = 200;

/** Reads a stream's header; undefined if more bytes are needed. Throws if it isn't JPEG. */
export function readJpegStart(bytes: Uint8Array): JpegStart | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw damagedData('JPEG');
  let length = 2;
  for (let segments = 0; ; segments++) {
    if (length + 4 > bytes.length) return undefined;
    const marker = bytes[length + 1] ?? 0;
    const size = ((bytes[length + 2] ?? 0) << 8) | (bytes[length + 3] ?? 0);
    if (bytes[length] !== 0xff || marker < 0xc0 || size < 2 || segments > MAX_SEGMENTS)
      throw damagedData('JPEG');
    length += 2 + size;
    if (marker === 0xda) break;
  }
  if (length > bytes.length) return undefined;
  return startOf(plainJpeg(bytes.subarray(0, length)).bytes, length);
}

function startOf(bytes: Uint8Array, length: number): JpegStart {
  const tables: Uint8Array[] = [];
  const codes = new Map<number, HuffmanTable>();
  let frame: Uint8Array | undefined;
  let scan: Uint8Array | undefined;
  let restart = 0;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
    const segment = bytes.subarray(at, end);
    if (marker === 0xdd) restart = ((segment[4] ?? 0) << 8) | (segment[5] ?? 0);
    else if (marker === 0xda) scan = segment;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (frame) throw damagedData('JPEG');
      frame = segment;
    } else {
      if (marker === 0xc4) readHuffmanTables(segment.subarray(4), codes);
      tables.push(segment);
    }
    at = end;
  }
  if (!frame || !scan) throw damagedData('JPEG');
  const [, kind = 0, , , precision = 0, h1 = 0, h0 = 0, w1 = 0, w0 = 0, count = 0] = frame;
  if (precision !== 8) throw new DecodingError(reason("{0}-bit JPEG isn't supported", precision));
  if (count !== 1 && count !== 3)
    throw new DecodingError(reason("JPEG with {0} channels isn't supported", count));
  if (frame.length < 10 + 3 * count) throw damagedData('JPEG');
  const scanChannels = scan[4] ?? 0;
  const channels = Array.from({ length: count }, (_, channel): JpegChannel => {
    const factors = frame[11 + 3 * channel] ?? 0;
    // The scan lists the channels in the same order, two bytes each; the second has the numbers of
    // the tables.
    const tableNumbers = scan[6 + 2 * channel] ?? 0;
    const [across, down] = count === 1 ? [1, 1] : [factors >> 4, factors & 15];
    if (across < 1 || across > 4 || down < 1 || down > 4) throw damagedData('JPEG');
    return { across, down, dcTable: tableNumbers >> 4, acTable: tableNumbers & 15 };
  });
  const mcuWidth = 8 * Math.max(...channels.map(({ across }) => across));
  const mcuHeight = 8 * Math.max(...channels.map(({ down }) => down));
  return {
    width: (w1 << 8) | w0,
    height: (h1 << 8) | h0,
    channels,
    mcuWidth,
    mcuHeight,
    restart,
    length,
    tables: joined(tables),
    frame: frame.slice(),
    scan: scan.slice(),
    codes,
    isSequential: (kind === 0xc0 || kind === 0xc1) && scanChannels === count,
  };
}

function readHuffmanTables(content: Uint8Array, codes: Map<number, HuffmanTable>): void {
  for (let at = 0; at + 17 <= content.length;) {
    const counts = content.slice(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total > 256 || at + 17 + total > content.length) throw damagedData('JPEG');
    codes.set(content[at] ?? 0, { counts, values: content.slice(at + 17, at + 17 + total) });
    at += 17 + total;
  }
}

/** Maximum width and height of a stream that the codec accepts. */
export const MAX_JPEG_SIDE = 65_500;

/**
 * A stream of some restart intervals, one below the other, of `restart` MCUs each. `moreTables`
 * override the tables of the header.
 */
export function jpegOfIntervals(
  { tables, frame, scan }: JpegStart,
  { width, height, restart }: { width: number; height: number; restart: number },
  intervals: readonly Uint8Array[],
  moreTables: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const sized = frame.slice();
  sized.set([height >> 8, height & 255, width >> 8, width & 255], 5);
  const restartSegment = restart > 0 ? [0xff, 0xdd, 0, 4, restart >> 8, restart & 255] : [];
  const parts: ArrayLike<number>[] = [[0xff, 0xd8], tables, moreTables, sized, restartSegment, scan];
  for (const [at, interval] of intervals.entries()) {
    if (at > 0) parts.push([0xff, 0xd0 + ((at - 1) % 8)]);
    parts.push(interval);
  }
  parts.push([0xff, 0xd9]);
  return joined(parts);
}
