import { posix } from 'node:path';
import { addAbortSignal, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCancelled } from '../../base/errors';
import { FileWindow } from './fileWindow';

/** What an archive may hold; beyond these it is damaged or hostile. */
const MAX_ENTRIES = 20_000;
const MAX_TOTAL_BYTES = 64 * 1024 ** 3;
/** Deflate cannot exceed 1032; mask JSON, mostly base64, stays far below this. */
const MAX_RATIO = 300;
const RATIO_FROM_BYTES = 16 * 1024 ** 2;
/** Most bytes of index.json, which becomes one string. */
const MAX_INDEX_BYTES = 64 * 1024 ** 2;

/** Entries up to this size are inflated in one go, which costs a quarter of a stream; larger ones as they are read. */
const ONE_GO_BYTES = 4 * 1024 ** 2;

/** Bytes that a stream inflates at a time, and how far it may be ahead: it goes on while what it gave is read. */
const CHUNK = 512 * 1024;
const AHEAD = 4 * CHUNK;

const DEFLATED = 8;

/** Before an entry's data: this many bytes, its name, and more that only the header there tells. */
const LOCAL_HEADER = 30;
const LOCAL_SIGNATURE = 0x04034b50;

const inflateInOneGo = promisify(inflateRaw);

const OBJECTS_SUFFIX = '_objects.json';

/** Entries of a masks archive that matter, found by name wherever in the zip they are. */
export interface ArchiveContents {
  index?: Entry;
  images: { entry: Entry; imageId: string }[];
  /** Names that occur more than once; the first one counts. */
  duplicates: string[];
}

/** A masks archive on disk, open for reading entries in any order; every byte read is checked against its CRC. */
export class MasksArchive implements Disposable {
  private constructor(
    private readonly file: FileWindow,
    private readonly path: string,
    readonly contents: ArchiveContents,
  ) {}

  /** Opens and lists the archive. Throws `damaged-archive`, `not-a-file`, `cancelled`. */
  static async open(path: string, signal?: AbortSignal): Promise<MasksArchive> {
    throwIfCancelled(signal);
    let file: FileWindow | undefined;
    try {
      file = await FileWindow.open(path);
      // What it reads is all it holds: it need not be closed.
      const zip = await fromRandomAccessReaderPromise(new WindowReader(file), file.size, {
        autoClose: false,
      });
      const contents = await list(zip, signal);
      if (contents.images.length === 0) throw damaged('It holds no masks of images.');
      throwIfCancelled(signal);
      return new MasksArchive(file, path, contents);
    } catch (error) {
      await file?.close();
      throw isSystemError(error) ? unopened(path, error) : withSubject(error, path);
    }
  }

  /** The text of a small entry, such as the index. Throws `damaged-archive`, `cancelled`. */
  async readText(entry: Entry, signal?: AbortSignal): Promise<string> {
    if (entry.uncompressedSize > MAX_INDEX_BYTES)
      throw withSubject(damaged(`${entry.fileName} is too large.`), this.path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.chunks(entry, signal)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }

  /**
   * The bytes of an entry, inflated; only after the last of them is it certain that they are as they were written.
   * Throws `damaged-archive`, `cancelled`.
   */
  async *chunks(entry: Entry, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      this.check(entry);
      throwIfCancelled(signal);
      if (this.isSmall(entry)) yield await this.whole(entry, signal);
      else yield* this.stream(entry, signal);
    } catch (error) {
      throwIfCancelled(signal);
      throw withSubject(error, this.path);
    }
  }

  /** Whether an entry is small enough to be read ahead as a whole. */
  isSmall(entry: Entry): boolean {
    return entry.uncompressedSize <= ONE_GO_BYTES && entry.compressedSize <= ONE_GO_BYTES;
  }

  dispose(): void {
    // Only read from: that it does not close has no consequence.
    this.file.close().catch(() => undefined);
  }

  private check(entry: Entry): void {
    const { fileName, compressedSize, uncompressedSize } = entry;
    if (!entry.canDecodeFileData()) throw damaged(`${fileName} is encrypted or packed in an unknown way.`);
    if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > MAX_RATIO * compressedSize)
      throw damaged(`${fileName} inflates more than ${MAX_RATIO} times.`);
  }

  private async whole(entry: Entry, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const start = await this.startOf(entry);
    const packed = await this.file.read(start, entry.compressedSize);
    if (packed.length < entry.compressedSize) throw damaged(`${entry.fileName} is cut off.`);
    throwIfCancelled(signal);
    // One more byte than it says it has shows when it says too few.
    const size = entry.uncompressedSize + 1;
    const options = { chunkSize: Math.max(64, size), maxOutputLength: size };
    const bytes = entry.compressionMethod === DEFLATED ? await inflateInOneGo(packed, options) : packed;
    throwIfCancelled(signal);
    checkSize(entry, bytes.length);
    checkSum(entry, crc32(bytes));
    return bytes;
  }

  private async *stream(
    entry: Entry,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const start = await this.startOf(entry);
    const packed = this.file.stream(start, start + entry.compressedSize);
    if (signal) addAbortSignal(signal, packed);
    const options = { chunkSize: CHUNK, readableHighWaterMark: AHEAD };
    const inflated =
      entry.compressionMethod === DEFLATED
        ? pipeline(packed, createInflateRaw(options), () => undefined)
        : packed;
    let sum = 0;
    let length = 0;
    for await (const chunk of inflated as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      length += chunk.length;
      if (length > entry.uncompressedSize) checkSize(entry, length);
      yield chunk;
    }
    checkSize(entry, length);
    checkSum(entry, sum);
  }

  /** Where the data of an entry begins. */
  private async startOf({ fileName, relativeOffsetOfLocalHeader: position }: Entry): Promise<number> {
    const header = await this.file.read(position, LOCAL_HEADER);
    if (header.length < LOCAL_HEADER || header.readUInt32LE(0) !== LOCAL_SIGNATURE)
      throw damaged(`${fileName} is not where the archive says.`);
    return position + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28);
  }
}

/** What yauzl reads the list of entries with. */
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
      callback(bytes.length < length ? new Error('It is cut off.') : null);
    }, callback);
  }
}

function checkSize({ fileName, uncompressedSize }: Entry, length: number): void {
  if (length !== uncompressedSize)
    throw damaged(`${fileName} is not of the ${uncompressedSize} bytes that the archive says.`);
}

function checkSum(entry: Entry, sum: number): void {
  if (sum !== entry.crc32) throw damaged(`The checksum of ${entry.fileName} is wrong.`);
}

async function list(zip: ZipFile, signal: AbortSignal | undefined): Promise<ArchiveContents> {
  if (zip.entryCount > MAX_ENTRIES) throw damaged(`It has more than ${MAX_ENTRIES} entries.`);
  const contents: ArchiveContents = { images: [], duplicates: [] };
  const seen = new Set<string>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    throwIfCancelled(signal);
    const name = entry.fileName;
    const base = posix.basename(name);
    // Directories, and the shadow files of macOS, are no content.
    if (name.endsWith('/') || name.startsWith('__MACOSX/') || base.startsWith('._')) continue;
    total += entry.uncompressedSize;
    if (total > MAX_TOTAL_BYTES) throw damaged('It inflates to more than 64 GB.');
    if (seen.has(name)) {
      contents.duplicates.push(name);
      continue;
    }
    seen.add(name);
    if (base === 'index.json') {
      if (!contents.index || depth(name) < depth(contents.index.fileName)) contents.index = entry;
    } else if (base.endsWith(OBJECTS_SUFFIX)) {
      contents.images.push({ entry, imageId: base.slice(0, -OBJECTS_SUFFIX.length) });
    }
  }
  return contents;
}

function depth(name: string): number {
  return name.split('/').length;
}

function damaged(reason: string): CodedError {
  return new CodedError('damaged-archive', reason, { reason });
}

/** yauzl speaks of what it expected and found in plain errors: all of them mean that the archive is damaged. */
function withSubject(error: unknown, path: string): CodedError {
  const coded = isCoded(error) ? error : damaged(error instanceof Error ? error.message : String(error));
  if (coded.code === 'cancelled') return coded;
  return new CodedError(coded.code, coded.message, { ...coded.details, subject: path }, { cause: error });
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && !isCoded(error) && 'syscall' in error;
}

function unopened(path: string, { message: reason }: Error): CodedError {
  return new CodedError('not-a-file', `The archive cannot be opened: ${reason}`, { subject: path, reason });
}
