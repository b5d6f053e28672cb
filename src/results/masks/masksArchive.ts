import { open, type FileHandle } from 'node:fs/promises';
import { posix } from 'node:path';
import { addAbortSignal, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCancelled } from '../../base/errors';

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

/** Bytes that a stream inflates at a time. */
const CHUNK = 256 * 1024;

const DEFLATED = 8;

/** Before an entry's data: this many bytes, its name, and a little more that only the header there tells. */
const LOCAL_HEADER = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const USUAL_EXTRA = 64;

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
    private readonly zip: ZipFile,
    /** The same file, for entries that are read in one go: it waits for reads under way before it closes. */
    private readonly file: FileHandle,
    private readonly path: string,
    readonly contents: ArchiveContents,
  ) {}

  /** Opens and lists the archive. Throws `damaged-archive`, `not-a-file`, `cancelled`. */
  static async open(path: string, signal?: AbortSignal): Promise<MasksArchive> {
    throwIfCancelled(signal);
    let zip: ZipFile;
    try {
      zip = await openPromise(path, { autoClose: false });
    } catch (error) {
      throw openingError(path, error);
    }
    let file: FileHandle | undefined;
    try {
      const contents = await list(zip, signal);
      if (contents.images.length === 0) throw damaged('It holds no masks of images.');
      file = await open(path, 'r');
      throwIfCancelled(signal);
      return new MasksArchive(zip, file, path, contents);
    } catch (error) {
      zip.close();
      await file?.close();
      throw withSubject(error, path);
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
    this.zip.close();
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
    const packed = await this.packedInOneGo(entry);
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
    const packed = await this.packed(entry, signal);
    const inflated =
      entry.compressionMethod === DEFLATED
        ? pipeline(packed, createInflateRaw({ chunkSize: CHUNK }), () => undefined)
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

  /** The bytes of a small entry as they are in the file, its local header read along with them. */
  private async packedInOneGo(entry: Entry): Promise<Uint8Array> {
    const { relativeOffsetOfLocalHeader: position, fileNameLength, compressedSize } = entry;
    const bytes = Buffer.allocUnsafeSlow(LOCAL_HEADER + fileNameLength + USUAL_EXTRA + compressedSize);
    const { bytesRead } = await this.file.read(bytes, 0, bytes.length, position);
    if (bytesRead < LOCAL_HEADER || bytes.readUInt32LE(0) !== LOCAL_SIGNATURE)
      throw damaged(`${entry.fileName} is not where the archive says.`);
    const start = LOCAL_HEADER + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
    if (start + compressedSize <= bytesRead) return bytes.subarray(start, start + compressedSize);
    const data = Buffer.allocUnsafeSlow(compressedSize);
    const rest = await this.file.read(data, 0, compressedSize, position + start);
    if (rest.bytesRead < compressedSize) throw damaged(`${entry.fileName} is cut off.`);
    return data;
  }

  /** The bytes of an entry as they are in the file. */
  private async packed(entry: Entry, signal: AbortSignal | undefined) {
    const stream = await this.zip.openReadStreamPromise(entry, { decodeFileData: false });
    if (signal) addAbortSignal(signal, stream);
    return stream as typeof stream & AsyncIterable<Buffer>;
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

function openingError(path: string, error: unknown): CodedError {
  const system = error instanceof Error && 'code' in error && typeof error.code === 'string';
  if (!system) return withSubject(error, path);
  const reason = error.message;
  return new CodedError('not-a-file', `The archive cannot be opened: ${reason}`, { subject: path, reason });
}
