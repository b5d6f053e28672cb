import { isCoded, throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { type JpegCodec, withoutAlpha } from '../decodeJpeg';
import type { ImageBlock } from '../imageSource';
import { scansIn } from '../jpegStream';
import { damagedData, DecodingError, type PixelWindow } from '../raster';
import { Tag, type TiffDirectory } from '../tiff/tiffDirectory';
import { jpegOfIntervals, type JpegStart, MAX_JPEG_SIDE, readJpegStart } from './jpegParts';
import { type Checkpoints, firstOf, intervalTables, JpegWalk } from './jpegWalk';

/** Bytes in which the header of a stream is looked for. */
const HEAD_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 16 * 1024 ** 2;
/** Rows of a block, and at most how many pixels it has, unless an interval has more. */
const BLOCK_ROWS = 256;
const BLOCK_PIXELS = 512 * 1024;
/** Pixels of a level that is decoded as a whole where it has no intervals. */
const MAX_WHOLE = 8e6;
/** Intervals of a level: beyond, a list of their places takes too much memory. */
const MAX_INTERVALS = 1 << 22;
/** Pixels of an interval: the codec needs some ten bytes for each. */
const MAX_INTERVAL_PIXELS = 64e6;
/** Width, about, of the intervals that are made where there are none. */
const MADE_WIDTH = 2048;
/** A coefficient has at most a code and a value of 31 bits, and 0xFF takes two bytes. */
const MAX_BYTES_PER_SAMPLE = 8;
/** Bytes that are read at once in search of markers. */
const SEARCHED = 4 << 20;
/** What the codec says of bytes behind all samples. */
const HARMLESS = /extraneous bytes before marker 0xd9/i;

/** Called with rows read and all rows. */
type OnProgress = (done: number, total: number) => void;

/** How a level can be taken apart. */
type Parts =
  /** Not at all: it is one block. */
  | { by: 'whole' }
  /** By restart markers at the ends of rows, or of equal parts of them. */
  | { by: 'markers'; perRow: number; mcus: number }
  /** By places that walking through it gives, each `mcus` MCUs after the one before in a row. */
  | { by: 'walking'; perRow: number; mcus: number };

/** One level of a slide: a JPEG stream, decoded in blocks of restart intervals. */
export class NdpiLevel {
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Rows of MCUs that are decoded above and below a block. */
  private readonly context: number = 0;
  private readonly mcuRows: number;
  private readonly mcuColumns: number;
  /** Places of intervals in the file where its table can't be trusted. */
  private foundStarts: Promise<Float64Array | undefined> | undefined;
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
    // Colors that are stored for two rows are smoothed between rows, also with those above and
    // below the block.
    this.context = channels.some(({ down }) => down !== channels[0]?.down) ? 1 : 0;
    // A view's tiles end where blocks end, wherever an interval is narrow enough.
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
    const fits = width <= MAX_JPEG_SIDE && height <= MAX_JPEG_SIDE;
    const differs = start.width !== width || start.height !== height;
    const parts = partsOf(start, width, height);
    if (fits && differs) {
      // Sides of the coarsest levels are rounded in other ways; of others it is damage.
      const isNear = (one: number, other: number) => Math.abs(one - other) <= 0.01 * other + 2;
      if (parts.by !== 'whole' || !isNear(start.width, width) || !isNear(start.height, height))
        throw new DecodingError(reason('The {0} data has a different size than its tile', 'JPEG'));
      [width, height] = [start.width, start.height];
    }
    return new NdpiLevel(directory, width, height, { offset, length }, start, parts);
  }

  /** A part has a multiple of so many pixel rows, to be decoded alone. */
  get rowsOfPart(): number {
    return this.parts.by === 'whole' ? this.height : this.start.mcuHeight;
  }

  get channels(): number {
    return this.start.channels.length;
  }

  /** Reads the whole level to find its parts, if nothing lists them. Throws `cancelled`. */
  async findParts(onProgress: OnProgress, signal?: AbortSignal): Promise<void> {
    const { parts } = this;
    try {
      if (parts.by === 'walking') await this.checkpoints(this.walk(), parts, onProgress, signal);
      else if (parts.by === 'markers' && this.directory.count(Tag.ndpiMcuStarts) === 0)
        await this.starts(parts, onProgress, signal);
    } catch (error) {
      // Reading a damaged part reports it.
      if (isCoded(error)) throw error;
    }
  }

  /**
   * Decodes the rows from `top` to before `bottom` of a column of blocks; both are at the ends of
   * MCUs, or of the level. The first block of a level whose parts have to be looked for, and
   * weren't found before, takes as long as reading all of it, with progress in rows.
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
      // With an MCU to the left and to the right, where there is one.
      const first = firstOf(x, parts.mcus);
      const restart = Math.min(this.mcuColumns, (x + 1) * parts.mcus + 1) - first;
      for (let at = firstRow; at < endRow; at++)
        intervals.push(await walk.interval(checkpoints, at * parts.perRow + x, restart, signal));
      const before = left - first * start.mcuWidth;
      const wide = Math.min(this.width, (first + restart) * start.mcuWidth) - first * start.mcuWidth;
      const sized = { width: wide, height: shape.height, restart };
      const stream = jpegOfIntervals(start, sized, intervals, intervalTables);
      const block = await this.decode(codec, stream, wide, shape.height);
      return partOf(block, { x: before, y: above, width, height });
    }
    for (let at = firstRow; at < endRow; at++) {
      throwIfCanceled(signal);
      intervals.push(await this.interval(at * parts.perRow + x, parts, onProgress, signal));
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
    // Colors stay RGBA, as a view shows them.
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

  /** The data of a restart interval, without the marker behind it. */
  private async interval(
    at: number,
    parts: Extract<Parts, { by: 'markers' }>,
    onProgress: OnProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const { start } = this;
    const { source } = this.directory;
    const end = this.stream.offset + this.stream.length;
    const most = parts.mcus * start.mcuWidth * start.mcuHeight * 3 * MAX_BYTES_PER_SAMPLE + 64;
    const isLast = at === parts.perRow * this.mcuRows - 1;
    const read = async (from: number, to: number): Promise<Uint8Array | undefined> => {
      // With the marker before it, if there is one, which says whether the place is right.
      const before = at === 0 ? 0 : 2;
      if (!(from - before >= this.stream.offset && to > from && to <= end && to - from <= most))
        return undefined;
      const bytes = await source.read(from - before, to - from + before, signal);
      if (before > 0 && (bytes[0] !== 0xff || bytes[1] !== 0xd0 + ((at - 1) % 8))) return undefined;
      const data = bytes.subarray(before);
      const marker = data.length - 2;
      if (data[marker] !== 0xff || data[marker + 1] !== (isLast ? 0xd9 : 0xd0 + (at % 8))) return undefined;
      const interval = data.subarray(0, marker);
      // Markers repeat after eight: several intervals at once would be taken for the rows of one.
      return hasMarker(interval) ? undefined : interval;
    };
    const from = await this.listedStart(at);
    const to = isLast ? await this.endOf(from, most) : await this.listedStart(at + 1);
    const listed = await read(from, to);
    if (listed) return listed;
    // The table is known to be wrong in some files. Where a marker is lost, all that follow would
    // be taken for others.
    const starts = await this.starts(parts, onProgress, signal);
    if (!starts) throw damagedData('JPEG');
    const begin = starts[at] ?? NaN;
    const decoded = await read(begin, isLast ? await this.endOf(begin, most) : (starts[at + 1] ?? NaN));
    if (!decoded) throw damagedData('JPEG');
    return decoded;
  }

  /** Where the last interval ends: after the end marker, though some streams continue. */
  private async endOf(from: number, most: number): Promise<number> {
    const end = this.stream.offset + this.stream.length;
    if (!(from > 0 && from < end)) return NaN;
    const bytes = await this.directory.source.read(from, Math.min(most, end - from));
    for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1))
      if (bytes[at + 1] === 0xd9) return from + at + 2;
    return NaN;
  }

  /** Where an interval begins as the file's table says; NaN where it says nothing. */
  private async listedStart(at: number): Promise<number> {
    const low = await this.directory.element(Tag.ndpiMcuStarts, at);
    const high = (await this.directory.element(Tag.ndpiMcuStartsHigh, at)) ?? 0;
    return low === undefined ? NaN : this.stream.offset + low + high * 2 ** 32;
  }

  /** Where the intervals begin, by the markers between them; undefined if some are missing. */
  private starts(
    parts: Extract<Parts, { by: 'markers' }>,
    onProgress: OnProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Float64Array | undefined> {
    return unlessOthersCancel(() => {
      if (!this.foundStarts) {
        this.foundStarts = this.findStarts(parts, onProgress, signal);
        this.foundStarts.catch(() => (this.foundStarts = undefined));
      }
      return this.foundStarts;
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
      const bytes = await source.read(from, Math.min(SEARCHED, offset + length - from), signal);
      for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
        const marker = bytes[at + 1] ?? 0;
        const isRestart = marker >= 0xd0 && marker <= 0xd7;
        if (!isRestart && marker !== 0xd9) continue;
        if (marker === 0xd9 || count === starts.length || marker !== 0xd0 + ((count - 1) % 8))
          return marker === 0xd9 && count === starts.length ? starts : undefined;
        starts[count++] = from + at + 2;
      }
      onProgress?.(Math.floor(count / perRow), this.mcuRows);
      // The last byte may be half of a marker.
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
    return unlessOthersCancel(() => {
      if (!this.walked) {
        const onRow = (done: number) => onProgress?.(done, this.mcuRows);
        this.walked = walk.checkpoints(this.mcuColumns, this.mcuRows, mcus, onRow, signal);
        this.walked.catch(() => (this.walked = undefined));
      }
      return this.walked;
    }, signal);
  }
}

/** Whether data contain a marker: a 0xFF followed neither by 0 nor by fill bytes to the end. */
function hasMarker(data: Uint8Array): boolean {
  for (let at = data.indexOf(0xff); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const next = data[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff) return true;
  }
  return false;
}

/** Work that blocks share: where the one that began it was canceled, the next begins it again. */
async function unlessOthersCancel<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isCoded(error, 'cancelled') || signal?.aborted) throw error;
    }
  }
}

/** A part of a block. */
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
  const isSmall = width * height <= MAX_WHOLE && width <= MAX_JPEG_SIDE && height <= MAX_JPEG_SIDE;
  if (restart > 0 && isSequential && columns % restart === 0 && restart * mcuWidth <= MAX_JPEG_SIDE) {
    const perRow = columns / restart;
    if (perRow * rows > MAX_INTERVALS)
      throw new DecodingError(reason('A level of the slide has {0} parts', perRow * rows));
    if (perRow * rows > 1) return { by: 'markers', perRow, mcus: restart };
  }
  if (isSmall) return { by: 'whole' };
  if (!isSequential) throw new DecodingError(reason("This kind of JPEG isn't supported"));
  const mcus = Math.min(columns, Math.max(1, Math.round(MADE_WIDTH / mcuWidth)));
  const perRow = Math.ceil(columns / mcus);
  if (perRow * rows > MAX_INTERVALS || mcus * mcuWidth * mcuHeight > MAX_INTERVAL_PIXELS)
    throw new DecodingError(reason('A level of the slide has {0} parts', perRow * rows));
  return { by: 'walking', perRow, mcus };
}
