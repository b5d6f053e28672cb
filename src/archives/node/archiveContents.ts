import { type FileHandle, open } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { whenReleased } from '../../base/node/diskErrors';
import { reasonForLog } from '../../base/reasonForLog';
import { reason, type Reason, quoted } from '../../base/reasons';

/** Limits of an archive; one beyond these is damaged or malicious. */
const MAX_ENTRIES = 20_000;
const MAX_TOTAL_BYTES = 64 * 1024 ** 3;

/**
 * Inflated bytes per compressed byte. Deflate can't exceed 1032; mask JSON stays far below this.
 */
export const MAX_RATIO = 300;
/** Smaller archives and entries may have any ratio: few masks of long runs deflate well. */
const RATIO_FROM_TOTAL_BYTES = 64 * 1024 ** 2;

/**
 * Bytes of an entry's local header before its name; extra fields aren't counted, as only the header
 * has their length.
 */
export const LOCAL_HEADER = 30;
/** The end of the central directory, after all entries. */
const END_BYTES = 22;
/** The first bytes of a local header. */
const LOCAL_SIGNATURE = 0x04034b50;

const OBJECTS_SUFFIX = '_objects.json';

/** The entries of a masks archive that are read, found by name in any folder of the zip. */
export interface ArchiveContents {
  index?: Entry;
  images: { entry: Entry; imageId: string }[];
  /** ROIs of ImageJ, in an archive that isn't one of masks. */
  rois: Entry[];
  /** Names that occur more than once; the first one counts. */
  duplicates: string[];
}

/**
 * Lists the entries of the archive in a file. Nothing is inflated for one whose entries share
 * bytes, exceed the file or inflate too much: a few kilobytes could be made to take minutes. Throws
 * `damaged-archive`, `cancelled`, and errors of yauzl.
 */
export async function listContents(
  file: FileWindow,
  signal?: AbortSignal,
  maxEntries = MAX_ENTRIES,
): Promise<ArchiveContents> {
  // It only reads through the window: closing it would do nothing.
  const zip = await fromRandomAccessReaderPromise(new WindowReader(file), file.size, { autoClose: false });
  if (zip.entryCount > maxEntries)
    throw damagedArchive(reason('The archive has more than {0} entries', maxEntries));
  const contents: ArchiveContents = { images: [], rois: [], duplicates: [] };
  const entryNames = new Set<string>();
  const extents: Extent[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    throwIfCanceled(signal);
    const name = entry.fileName;
    const baseName = posix.basename(name);
    extents.push(extentOf(entry, file.size));
    // Directories and the metadata files of macOS don't count.
    if (name.endsWith('/') || name.startsWith('__MACOSX/') || baseName.startsWith('._')) continue;
    total += entry.uncompressedSize;
    if (total > MAX_TOTAL_BYTES)
      throw damagedArchive(reason('The archive is larger than 64 GB when extracted'));
    if (entryNames.has(name)) {
      contents.duplicates.push(name);
      continue;
    }
    entryNames.add(name);
    if (baseName === 'index.json') {
      if (!contents.index || depth(name) < depth(contents.index.fileName)) contents.index = entry;
    } else if (baseName.endsWith(OBJECTS_SUFFIX)) {
      contents.images.push({ entry, imageId: baseName.slice(0, -OBJECTS_SUFFIX.length) });
    } else if (/\.roi$/i.test(baseName)) contents.rois.push(entry);
  }
  refuseOverlaps(extents);
  if (total > RATIO_FROM_TOTAL_BYTES && total > MAX_RATIO * file.size)
    throw damagedArchive(reason('The archive is more than {0} times as large when extracted', MAX_RATIO));
  return contents;
}

/** The bytes of the file that an entry takes up at least. */
interface Extent {
  name: string;
  start: number;
  end: number;
}

function extentOf(entry: Entry, fileSize: number): Extent {
  const { fileName, fileNameLength, relativeOffsetOfLocalHeader: start, compressedSize } = entry;
  const end = start + LOCAL_HEADER + fileNameLength + compressedSize;
  if (end > fileSize - END_BYTES) throw damagedArchive(reason('"{0}" is cut off', fileName));
  return { name: fileName, start, end };
}

function refuseOverlaps(extents: Extent[]): void {
  extents.sort((a, b) => a.start - b.start);
  let end = 0;
  for (const extent of extents) {
    if (extent.start < end)
      throw damagedArchive(reason('"{0}" overlaps another entry of the archive', extent.name));
    end = extent.end;
  }
}

function depth(name: string): number {
  return name.split('/').length;
}

/**
 * Checks that an archive is complete: its list can be read, and each entry is where the list says.
 * Inflates nothing. Throws `damaged-archive`, `cancelled`.
 */
export async function checkZip(
  file: FileHandle,
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const reader = new WindowReader(new FileWindow(file, bytes));
    const zip = await fromRandomAccessReaderPromise(reader, bytes, { autoClose: false });
    // Opening the archive reports this.
    if (zip.entryCount > MAX_ENTRIES) return;
    for await (const entry of zip.eachEntry()) {
      throwIfCanceled(signal);
      await checkEntry(file, entry, bytes);
    }
  } catch (error) {
    if (isCoded(error) || (error instanceof Error && 'syscall' in error)) throw error;
    throw archiveError(error);
  }
}

async function checkEntry(
  file: FileHandle,
  { fileName, relativeOffsetOfLocalHeader: position, fileNameLength, compressedSize }: Entry,
  bytes: number,
): Promise<void> {
  if (position + LOCAL_HEADER + fileNameLength + compressedSize > bytes - END_BYTES)
    throw damagedArchive(reason('"{0}" is cut off', fileName));
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, position);
  if (buffer.readUInt32LE(0) !== LOCAL_SIGNATURE)
    throw damagedArchive(reason('"{0}" isn\'t at the position given in the archive', fileName));
}

/** Bytes read at a time. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads many small, neighboring parts of a file in larger pieces: single reads take longer than
 * inflating.
 */
export class FileWindow {
  private pieceStart = 0;
  private pieceEnd = 0;
  private piece: Promise<Buffer> = Promise.resolve(Buffer.alloc(0));

  /** Over an open file of `size` bytes. */
  constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileWindow> {
    const file = await whenReleased(() => open(path, 'r'));
    try {
      const { size } = await file.stat();
      return new FileWindow(file, size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** `length` bytes, fewer only at the end of the file. The memory is shared: don't write to it. */
  async read(position: number, length: number): Promise<Buffer> {
    if (length > PIECE_BYTES) return this.fill(position, length);
    if (position < this.pieceStart || position + length > this.pieceEnd) {
      this.pieceStart = position;
      this.pieceEnd = position + PIECE_BYTES;
      this.piece = this.fill(position, PIECE_BYTES);
    }
    const { piece } = this;
    const start = position - this.pieceStart;
    try {
      return (await piece).subarray(start, start + length);
    } catch (error) {
      if (this.piece === piece) this.pieceEnd = 0;
      throw error;
    }
  }

  /**
   * The bytes from `start` to before `end`, or to the end of the file, piece by piece on demand. A
   * piece is valid until the next is requested. A stream of the handle would leave listeners and a
   * buffer at the open handle. Throws `cancelled`.
   */
  async *pieces(start: number, end: number, signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const memory = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, end - start));
    for (let position = start; position < end; position += PIECE_BYTES) {
      throwIfCanceled(signal);
      const piece = await this.fill(position, Math.min(PIECE_BYTES, end - position), memory);
      if (piece.length === 0) return;
      yield piece;
    }
  }

  /** Waits for reads in progress. */
  close(): Promise<void> {
    return this.file.close();
  }

  private async fill(position: number, wanted: number, memory?: Buffer): Promise<Buffer> {
    const length = Math.max(0, Math.min(wanted, this.size - position));
    const bytes = memory?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.file.read(bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }
}

/** Lets yauzl read the list of entries through the window. */
class WindowReader extends RandomAccessReader {
  constructor(private readonly file: FileWindow) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.file.read(position, length).then(bytes => {
      bytes.copy(buffer, offset);
      callback(bytes.length < length ? damagedArchive(reason('The archive is cut off')) : null);
    }, callback);
  }
}

/** The error for an archive, or an image's entry of one, that can't be read. */
export function damagedArchive(why: Reason): CodedError {
  return new CodedError('damaged-archive', reasonForLog(why), { reason: why });
}

/** The error for too many objects or classes; `subject`: the file, if it is one of several. */
export function tooManyObjects(why: Reason, subject?: string): CodedError {
  return new CodedError('too-many-objects', reasonForLog(why), {
    reason: why,
    ...(subject !== undefined && { subject }),
  });
}

/**
 * The error for a failure of yauzl or zlib; coded errors stay. Their messages are in English and
 * have no codes, so no user sees them.
 */
export function archiveError(error: unknown, entry?: Entry): CodedError {
  if (isCoded(error)) return error;
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  const why = syscall !== undefined ? quoted(message) : damageReason(message, code, entry);
  return new CodedError('damaged-archive', reasonForLog(why), { reason: why }, { cause: error });
}

function damageReason(message: string, code: string | undefined, entry: Entry | undefined): Reason {
  if (entry && code === 'ERR_BUFFER_TOO_LARGE')
    return reason(
      '"{0}" doesn\'t have the size given in the archive ({1} bytes)',
      entry.fileName,
      entry.uncompressedSize,
    );
  if (entry) return reason('"{0}" is damaged', entry.fileName);
  return /end of central directory|unexpected EOF/i.test(message)
    ? reason('The archive is cut off')
    : reason("The archive's list of entries can't be read");
}
