import { isCoded, throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { type JpegCodec, withoutAlpha } from '../decodeJpeg';
import type { ByteSource } from '../byteSource';
import type { ImageBlock } from '../imageSource';
import { scansIn } from '../jpegStream';
import { damagedData, DecodingError, type PixelWindow } from '../raster';
import { Tag, type TiffDirectory } from '../tiff/tiffDirectory';
import { jpegOfIntervals, type JpegStart, MAX_JPEG_SIDE, readJpegStart } from './jpegParts';
import { type Checkpoints, firstMcuOf, intervalTables, JpegWalk } from './jpegWalk';

/** Number of first bytes in which to look for a stream's header, and their maximum. */
const HEAD_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 16 * 1024 ** 2;
/** Rows of a block, and its maximum pixels unless a single interval has more. */
const BLOCK_ROWS = 256;
const BLOCK_PIXELS = 512 * 1024;
/** Maximum pixels of a level without intervals that is decoded as a whole. */
const MAX_WHOLE_PIXELS = 8e6;
/** Maximum intervals of a level, because a list of their positions takes memory. */
const MAX_INTERVALS = 1 << 22;
/** Maximum pixels of an interval: the codec needs about ten bytes for each. */
const MAX_INTERVAL_PIXELS = 64e6;
/** Approximate width, in pixels, of intervals for a level that has none. */
const WALKED_INTERVAL_WIDTH = 2048;
/** A coefficient takes at most 31 bits for code and value; 0xFF takes two bytes. */
const MAX_BYTES_PER_SAMPLE = 8;
/** Maximum bytes of intervals to read at once. */
const MAX_AHEAD = 4 << 20;
/** Bytes per read in the search for markers. */
const SEARCH_BYTES = 4 << 20;
/** The codec's warning about bytes after the last sample. */
const HARMLESS = /extraneous bytes before marker 0xd9/i;

/** Called with the number of rows read so far, and of all rows. */
type OnProgress = (done: number, total: number) => void;

/** How a level is divided into parts. */
type Parts =
  /** It can't be divided: it is one block. */
  | { by: 'whole' }
  /** By restart markers, which divide each row into equal intervals of `mcus` MCUs. */
  | { by: 'markers'; perRow: number; mcus: number }
  /** By checkpoints of a walk over its data (see JpegWalk), every `mcus` MCUs of a row. */
  | { by: 'walking'; perRow: number; mcus: number };

/** One level of a slide: a JPEG stream, decoded in blocks of restart intervals. */
export class NdpiLevel {
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Number of MCU rows that are decoded above and below a block. */
  private readonly context: number = 0;
  private readonly mcuRows: number;
  private readonly mcuColumns: number;
  /** Positions of intervals in the file, from a search, if the file's table is wrong. */
  private searchedStarts: Promise<Float64Array | undefined> | undefined;
  private walked: Promise<Checkpoints> | undefined;

  private constructor(
    private readonly directory: TiffDirectory,
    readonly width: number,
    readonly height: number,
    private readonly stream: { offset: number; length: number },
    private readonly start: JpegStart,
    private readonly parts: Parts,
  ) {
    const { mcuWidth, mcuHeight, channels } = start;
    this.mcuColumns = Math.ceil(width / mcuWidth);
    this.mcuRows = Math.ceil(height / mcuHeight);
    if (parts.by === 'whole') {
      this.blockWidth = width;
      this.blockHeight = height;
      return;
    }
    this.blockWidth = Math.min(width, parts.mcus * mcuWidth);
    // Vertically subsampled colors are smoothed between rows, also with rows above and below the
    // block.
    this.context = channels.some(({ down }) => down !== channels[0]?.down) ? 1 : 0;
    // Halving keeps the blocks aligned with the view's tiles.
    let rows = Math.ceil(BLOCK_ROWS / mcuHeight);
    while (rows > 1 && rows * mcuHeight * this.blockWidth > BLOCK_PIXELS) rows = Math.ceil(rows / 2);
    this.blockHeight = rows * mcuHeight;
  }

  /** Reads a directory's stream header. Throws if it is too large and can't be decoded in parts. */
  static async open(directory: TiffDirectory, signal?: AbortSignal): Promise<NdpiLevel> {
    const { source } = directory;
    const number = async (tag: number) => (await directory.number(tag)) ?? 0;
    let [width, height] = [await number(Tag.width), await number(Tag.height)];
    const compression = await number(Tag.compression);
    if (compression !== 7 && compression !== 6)
      throw new DecodingError(reason('TIFF compression {0} is unknown', compression));
    if (directory.count(Tag.stripOffsets) !== 1)
      throw new DecodingError(
        reason(
          'The file lists {0} tiles or strips, but an image of its size has {1}',
          directory.count(Tag.stripOffsets),
          1,
        ),
      );
    const offset = await number(Tag.stripOffsets);
    const length = Math.min(await number(Tag.stripByteCounts), source.size - offset);
    if (!(offset > 0 && length > 4)) throw damagedData('JPEG');
    const start = await readStart(directory, offset, length, signal);
    const isPossible = (side: number) => Number.isSafeInteger(side) && side > 0 && side < 2 ** 31;
    if (!isPossible(width) || !isPossible(height))
      throw new DecodingError(
        reason('The image size is {0} × {1} with {2} channels', width, height, start.channels.length),
      );
    const fitsHeader = width <= MAX_JPEG_SIDE && height <= MAX_JPEG_SIDE;
    const differs = start.width !== width || start.height !== height;
    const parts = partsOf(start, width, height);
    if (fitsHeader && differs) {
      // The coarsest levels may be rounded differently; in other levels a difference is damage.
      const isNear = (a: number, b: number) => Math.abs(a - b) <= 0.01 * b + 2;
      if (parts.by !== 'whole' || !isNear(start.width, width) || !isNear(start.height, height))
        throw new DecodingError(reason('The {0} data has a different size than its tile', 'JPEG'));
      [width, height] = [start.width, start.height];
    }
    return new NdpiLevel(directory, width, height, { offset, length }, start, parts);
  }

  /** The height of a part that is decoded alone must be a multiple of this, in pixels. */
  get rowsOfPart(): number {
    return this.parts.by === 'whole' ? this.height : this.start.mcuHeight;
  }

  get channels(): number {
    return this.start.channels.length;
  }

  /** Reads the whole level to find its parts, if the file doesn't list them. Throws `cancelled`. */
  async findParts(onProgress: OnProgress, signal?: AbortSignal): Promise<void> {
    const { parts } = this;
    try {
      if (parts.by === 'walking') await this.checkpoints(this.walk(), parts, onProgress, signal);
      else if (parts.by === 'markers' && this.directory.count(Tag.ndpiMcuStarts) === 0)
        await this.starts(parts, onProgress, signal);
    } catch (error) {
      // `readBlock` reports damaged parts.
      if (isCoded(error)) throw error;
    }
  }

  /**
   * Decodes the rows from `top` to before `bottom` of a column of blocks; both are multiples of the
   * MCU's height, or the end of the level. If the level's parts haven't been found yet, the first
   * block reads the whole level, with progress in rows.
   */
  async readBlock(
    x: number,
    top: number,
    bottom: number,
    codec: JpegCodec,
    onProgress?: OnProgress,
    signal?: AbortSignal,
  ): Promise<ImageBlock> {
    const { parts, start } = this;
    const left = x * this.blockWidth;
    const width = Math.min(this.blockWidth, this.width - left);
    const height = Math.min(bottom, this.height) - top;
    if (!(width > 0 && height > 0)) throw damagedData('JPEG');
    if (parts.by === 'whole') {
      const { offset, length } = this.stream;
      const data = await this.directory.source.read(offset + start.length, length - start.length, signal);
      const stream = jpegOfIntervals(start, { width, height, restart: start.restart }, [data]);
      if (scansIn(stream) !== 'all') throw damagedData('JPEG');
      return this.decode(codec, stream, width, height);
    }
    const row = top / start.mcuHeight;
    const firstRow = Math.max(0, row - this.context);
    const endRow = Math.min(this.mcuRows, row + Math.ceil(height / start.mcuHeight) + this.context);
    const mcus = Math.min(parts.mcus, this.mcuColumns - x * parts.mcus);
    const above = top - firstRow * start.mcuHeight;
    const end = Math.min(this.height, endRow * start.mcuHeight);
    const shape = { width, height: end - firstRow * start.mcuHeight, restart: mcus };
    const intervals: Uint8Array[] = [];
    if (parts.by === 'walking') {
      const walk = this.walk();
      const checkpoints = await this.checkpoints(walk, parts, onProgress, signal);
      // Include one MCU to the left and one to the right, if any.
      const first = firstMcuOf(x, parts.mcus);
      const restart = Math.min(this.mcuColumns, (x + 1) * parts.mcus + 1) - first;
      for (let at = firstRow; at < endRow; at++)
        intervals.push(await walk.interval(checkpoints, at * parts.perRow + x, restart, signal));
      const leftMargin = left - first * start.mcuWidth;
      const streamWidth = Math.min(this.width, (first + restart) * start.mcuWidth) - first * start.mcuWidth;
      const streamShape = { width: streamWidth, height: shape.height, restart };
      const stream = jpegOfIntervals(start, streamShape, intervals, intervalTables);
      const block = await this.decode(codec, stream, streamWidth, shape.height);
      return partOf(block, { x: leftMargin, y: above, width, height });
    }
    const source = await this.readAhead(firstRow, endRow, parts, signal);
    for (let at = firstRow; at < endRow; at++) {
      throwIfCanceled(signal);
      intervals.push(await this.interval(at * parts.perRow + x, source, parts, onProgress, signal));
    }
    const stream = jpegOfIntervals(start, shape, intervals);
    const block = await this.decode(codec, stream, width, shape.height);
    return partOf(block, { x: 0, y: above, width, height });
  }

  private async decode(
    codec: JpegCodec,
    stream: Uint8Array,
    width: number,
    height: number,
  ): Promise<ImageBlock> {
    const decoded = await codec.decode(stream);
    if ('failed' in decoded) throw damagedData('JPEG', decoded.cause);
    const isDamaged = decoded.messages.some(message => !HARMLESS.test(message));
    if (isDamaged || decoded.width !== width || decoded.height !== height) throw damagedData('JPEG');
    // Colors stay RGBA, because the view needs RGBA.
    const { rgba } = decoded;
    if (this.channels > 1)
      return {
        width,
        height,
        channels: 4,
        samples: new Uint8Array(rgba.buffer, rgba.byteOffset, rgba.length),
      };
    return { width, height, channels: 1, samples: withoutAlpha(rgba, width * height, 1) };
  }

  /** The file; if the rows' intervals follow each other there, with their bytes in memory. */
  private async readAhead(
    firstRow: number,
    endRow: number,
    { perRow }: Extract<Parts, { by: 'markers' }>,
    signal: AbortSignal | undefined,
  ): Promise<ByteSource> {
    const { source } = this.directory;
    const { offset, length } = this.stream;
    if (perRow > 1) return source;
    const from = firstRow === 0 ? offset : (await this.listedStart(firstRow)) - 2;
    const to = endRow < this.mcuRows ? await this.listedStart(endRow) : offset + length;
    if (!(from >= offset && to > from && to <= offset + length && to - from <= MAX_AHEAD)) return source;
    const bytes = await source.read(from, to - from, signal);
    return {
      size: source.size,
      read: async (start, count, canceled) =>
        start >= from && start + count <= to
          ? bytes.subarray(start - from, start - from + count)
          : source.read(start, count, canceled),
    };
  }

  /** The data of a restart interval, without the marker after it. */
  private async interval(
    at: number,
    source: ByteSource,
    parts: Extract<Parts, { by: 'markers' }>,
    onProgress: OnProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const { start } = this;
    const end = this.stream.offset + this.stream.length;
    const maxBytes = parts.mcus * start.mcuWidth * start.mcuHeight * 3 * MAX_BYTES_PER_SAMPLE + 64;
    const isLast = at === parts.perRow * this.mcuRows - 1;
    const read = async (from: number, to: number): Promise<Uint8Array | undefined> => {
      // Read the marker before the interval too, to check that the position is right.
      const markerLength = at === 0 ? 0 : 2;
      if (!(from - markerLength >= this.stream.offset && to > from && to <= end && to - from <= maxBytes))
        return undefined;
      const bytes = await source.read(from - markerLength, to - from + markerLength, signal);
      if (markerLength > 0 && (bytes[0] !== 0xff || bytes[1] !== 0xd0 + ((at - 1) % 8))) return undefined;
      const data = bytes.subarray(markerLength);
      const marker = data.length - 2;
      if (data[marker] !== 0xff || data[marker + 1] !== (isLast ? 0xd9 : 0xd0 + (at % 8))) return undefined;
      const interval = data.subarray(0, marker);
      // Marker numbers repeat after eight, so the data could contain several intervals.
      return hasMarker(interval) ? undefined : interval;
    };
    const from = await this.listedStart(at);
    const to = isLast ? await this.endOf(from, maxBytes) : await this.listedStart(at + 1);
    const listedInterval = await read(from, to);
    if (listedInterval) return listedInterval;
    // Some files have a wrong table: search for the markers. If one is lost, all later intervals
    // would be mistaken for their predecessors.
    const starts = await this.starts(parts, onProgress, signal);
    if (!starts) throw damagedData('JPEG');
    const begin = starts[at] ?? NaN;
    const interval = await read(begin, isLast ? await this.endOf(begin, maxBytes) : (starts[at + 1] ?? NaN));
    if (!interval) throw damagedData('JPEG');
    return interval;
  }

  /** End of the last interval: after the end marker, because some streams continue there. */
  private async endOf(from: number, maxBytes: number): Promise<number> {
    const end = this.stream.offset + this.stream.length;
    if (!(from > 0 && from < end)) return NaN;
    const bytes = await this.directory.source.read(from, Math.min(maxBytes, end - from));
    for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1))
      if (bytes[at + 1] === 0xd9) return from + at + 2;
    return NaN;
  }

  /** Start of an interval according to the file's table; NaN without an entry. */
  private async listedStart(at: number): Promise<number> {
    const low = await this.directory.element(Tag.ndpiMcuStarts, at);
    const high = (await this.directory.element(Tag.ndpiMcuStartsHigh, at)) ?? 0;
    return low === undefined ? NaN : this.stream.offset + low + high * 2 ** 32;
  }

  /** Starts of the intervals, from a search for markers; undefined if some are missing. */
  private starts(
    parts: Extract<Parts, { by: 'markers' }>,
    onProgress: OnProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Float64Array | undefined> {
    return retryIfOthersCancel(() => {
      if (!this.searchedStarts) {
        this.searchedStarts = this.findStarts(parts, onProgress, signal);
        this.searchedStarts.catch(() => (this.searchedStarts = undefined));
      }
      return this.searchedStarts;
    }, signal);
  }

  private async findStarts(
    { perRow }: Extract<Parts, { by: 'markers' }>,
    onProgress: OnProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Float64Array | undefined> {
    const { source } = this.directory;
    const { offset, length } = this.stream;
    const starts = new Float64Array(perRow * this.mcuRows).fill(NaN);
    let count = 0;
    starts[count++] = offset + this.start.length;
    for (let from = offset + this.start.length; from < offset + length;) {
      throwIfCanceled(signal);
      const bytes = await source.read(from, Math.min(SEARCH_BYTES, offset + length - from), signal);
      for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
        const marker = bytes[at + 1] ?? 0;
        const isRestart = marker >= 0xd0 && marker <= 0xd7;
        if (!isRestart && marker !== 0xd9) continue;
        if (marker === 0xd9 || count === starts.length || marker !== 0xd0 + ((count - 1) % 8))
          return marker === 0xd9 && count === starts.length ? starts : undefined;
        starts[count++] = from + at + 2;
      }
      onProgress?.(Math.floor(count / perRow), this.mcuRows);
      // The last byte may be the first of a marker.
      from += bytes.length - 1;
      if (bytes.length < 2 || from >= offset + length - 1) break;
    }
    return undefined;
  }

  private walk(): JpegWalk {
    const { offset, length } = this.stream;
    return new JpegWalk(this.directory.source, this.start, offset + this.start.length, offset + length);
  }

  private checkpoints(
    walk: JpegWalk,
    { mcus }: Extract<Parts, { by: 'walking' }>,
    onProgress: OnProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Checkpoints> {
    return retryIfOthersCancel(() => {
      if (!this.walked) {
        const onRow = (done: number) => onProgress?.(done, this.mcuRows);
        this.walked = walk.checkpoints(this.mcuColumns, this.mcuRows, mcus, onRow, signal);
        this.walked.catch(() => (this.walked = undefined));
      }
      return this.walked;
    }, signal);
  }
}

/** Whether data contains a marker: a byte 0xFF before one that is neither 0 nor 0xFF. */
function hasMarker(data: Uint8Array): boolean {
  for (let at = data.indexOf(0xff); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const next = data[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff) return true;
  }
  return false;
}

/** Waits for shared work; starts it again if only the block that started it was canceled. */
async function retryIfOthersCancel<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isCoded(error, 'cancelled') || signal?.aborted) throw error;
    }
  }
}

/** Cuts a part out of a block. */
function partOf(block: ImageBlock, { x, y, width, height }: PixelWindow): ImageBlock {
  if (width === block.width && height === block.height) return block;
  const { channels } = block;
  const samples = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * block.width + x) * channels;
    samples.set(block.samples.subarray(from, from + width * channels), row * width * channels);
  }
  return { width, height, channels, samples };
}

async function readStart(
  { source }: TiffDirectory,
  offset: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<JpegStart> {
  for (let bytes = HEAD_BYTES; ; bytes *= 16) {
    const head = await source.read(offset, Math.min(bytes, length), signal);
    const start = readJpegStart(head);
    if (start) return start;
    if (bytes >= length || bytes >= MAX_HEAD_BYTES) throw damagedData('JPEG');
  }
}

function partsOf(start: JpegStart, width: number, height: number): Parts {
  const { mcuWidth, mcuHeight, restart, isSequential } = start;
  const columns = Math.ceil(width / mcuWidth);
  const rows = Math.ceil(height / mcuHeight);
  const isSmall = width * height <= MAX_WHOLE_PIXELS && width <= MAX_JPEG_SIDE && height <= MAX_JPEG_SIDE;
  if (restart > 0 && isSequential && columns % restart === 0 && restart * mcuWidth <= MAX_JPEG_SIDE) {
    const perRow = columns / restart;
    if (perRow * rows > MAX_INTERVALS)
      throw new DecodingError(reason('A level of the slide has {0} parts', perRow * rows));
    if (perRow * rows > 1) return { by: 'markers', perRow, mcus: restart };
  }
  if (isSmall) return { by: 'whole' };
  if (!isSequential) throw new DecodingError(reason("This kind of JPEG isn't supported"));
  const mcus = Math.min(columns, Math.max(1, Math.round(WALKED_INTERVAL_WIDTH / mcuWidth)));
  const perRow = Math.ceil(columns / mcus);
  if (perRow * rows > MAX_INTERVALS || mcus * mcuWidth * mcuHeight > MAX_INTERVAL_PIXELS)
    throw new DecodingError(reason('A level of the slide has {0} parts', perRow * rows));
  return { by: 'walking', perRow, mcus };
}
