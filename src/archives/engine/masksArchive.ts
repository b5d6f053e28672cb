import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { unreadableFile } from '../../base/node/fileErrors';
import { freeMemory } from '../../base/node/freeMemory';
import { reason } from '../../base/reasons';
import {
  type ArchiveContents,
  archiveError,
  damagedArchive,
  FileWindow,
  listContents,
  LOCAL_HEADER,
  MAX_RATIO,
} from '../node/archiveContents';

/** Smaller entries may have any ratio. */
const RATIO_FROM_BYTES = 16 * 1024 ** 2;
/** Maximum size of index.json, which becomes one string. */
const MAX_INDEX_BYTES = 64 * 1024 ** 2;

/**
 * Entries up to this size are inflated at once, in a quarter of the time of a stream; larger ones
 * as they are read.
 */
const MAX_AT_ONCE_BYTES = 4 * 1024 ** 2;

/** Handing an entry this small to another thread takes far longer than inflating it. */
const MAX_INFLATED_HERE_BYTES = 64 * 1024;

/**
 * Entries up to this size are read at once and inflated by one write: the inflating thread never
 * waits for this one.
 */
const MAX_WRITE_BYTES = 8 * 1024 ** 2;

/** Bytes that a stream inflates at a time, and inflated bytes that may wait for the reader. */
const CHUNK_BYTES = 512 * 1024;
const AHEAD_BYTES = 4 * CHUNK_BYTES;

const DEFLATED = 8;

const LOCAL_SIGNATURE = 0x04034b50;

const inflateAtOnce = promisify(inflateRaw);

/**
 * A masks archive on disk, open for reading entries in any order; every byte read is checked
 * against its CRC.
 */
export class MasksArchive implements Disposable {
  private constructor(
    private readonly file: FileWindow,
    private readonly path: string,
    readonly contents: ArchiveContents,
  ) {}

  /** Opens and lists the archive. Throws `damaged-archive`, `not-a-file`, `cancelled`. */
  static async open(path: string, signal?: AbortSignal): Promise<MasksArchive> {
    return await this.list(path, signal, undefined, contents => {
      if (contents.images.length === 0) throw damagedArchive(reason('The archive has no masks'));
    });
  }

  /** Opens an archive of at most `maxRois` ROIs of ImageJ, with the same errors. */
  static async openRois(path: string, maxRois: number, signal?: AbortSignal): Promise<MasksArchive> {
    return await this.list(path, signal, maxRois, contents => {
      if (contents.rois.length === 0) throw damagedArchive(reason('The archive has no ROIs of ImageJ'));
    });
  }

  private static async list(
    path: string,
    signal: AbortSignal | undefined,
    maxEntries: number | undefined,
    check: (contents: ArchiveContents) => void,
  ): Promise<MasksArchive> {
    throwIfCanceled(signal);
    let file: FileWindow | undefined;
    try {
      file = await FileWindow.open(path);
      const contents = await listContents(file, signal, maxEntries);
      check(contents);
      throwIfCanceled(signal);
      return new MasksArchive(file, path, contents);
    } catch (error) {
      await file?.close();
      throw isSystemError(error) ? unreadableFile(error, path) : withSubject(archiveError(error), path);
    }
  }

  /** The text of a small entry, such as the index. Throws `damaged-archive`, `cancelled`. */
  async readText(entry: Entry, signal?: AbortSignal): Promise<string> {
    if (entry.uncompressedSize > MAX_INDEX_BYTES)
      throw withSubject(damagedArchive(reason('"{0}" is too large', entry.fileName)), this.path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.chunks(entry, signal)) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }

  /**
   * The bytes of an entry, inflated; they are verified only after the last of them. A chunk is
   * valid until the next is requested. Throws `damaged-archive`, `cancelled`.
   */
  async *chunks(entry: Entry, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      this.check(entry);
      throwIfCanceled(signal);
      if (this.isSmall(entry)) yield await this.readAtOnce(entry, signal);
      else yield* this.stream(entry, signal);
    } catch (error) {
      throwIfCanceled(signal);
      throw withSubject(archiveError(error, entry), this.path);
    }
  }

  /**
   * The start of an entry, unverified, inflated from its first `length` compressed bytes. Empty if
   * it can't be read.
   */
  async readStart(entry: Entry, length: number): Promise<Uint8Array> {
    try {
      this.check(entry);
      const start = await this.startOf(entry);
      const compressed = await this.file.read(start, Math.min(length, entry.compressedSize));
      if (entry.compressionMethod !== DEFLATED) return compressed;
      return inflateRawSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 8 * length });
    } catch {
      return new Uint8Array(0);
    }
  }

  /** Whether an entry is small enough to be read ahead at once. */
  isSmall(entry: Entry): boolean {
    return entry.uncompressedSize <= MAX_AT_ONCE_BYTES && entry.compressedSize <= MAX_AT_ONCE_BYTES;
  }

  dispose(): void {
    // The file is only read: a failure to close it has no effect.
    this.file.close().catch(() => undefined);
  }

  private check(entry: Entry): void {
    const { fileName, compressedSize, uncompressedSize } = entry;
    if (!entry.canDecodeFileData())
      throw damagedArchive(reason('"{0}" is encrypted or compressed in an unknown way', fileName));
    if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > MAX_RATIO * compressedSize)
      throw damagedArchive(
        reason('"{0}" is more than {1} times as large when extracted', fileName, MAX_RATIO),
      );
  }

  private async readAtOnce(entry: Entry, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const start = await this.startOf(entry);
    const compressed = await this.file.read(start, entry.compressedSize);
    if (compressed.length < entry.compressedSize)
      throw damagedArchive(reason('"{0}" is cut off', entry.fileName));
    throwIfCanceled(signal);
    // Room for one more byte than declared shows that the declared size is too small.
    const size = entry.uncompressedSize + 1;
    const options = { chunkSize: Math.max(64, size), maxOutputLength: size };
    const bytes = entry.compressionMethod === DEFLATED ? await inflateAll(compressed, options) : compressed;
    throwIfCanceled(signal);
    checkSize(entry, bytes.length);
    checkSum(entry, crc32(bytes));
    return bytes;
  }

  private async *stream(
    entry: Entry,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const start = await this.startOf(entry);
    const bytes = await this.inflatedChunks(entry, start, signal);
    let sum = 0;
    let length = 0;
    for await (const chunk of bytes) {
      sum = crc32(chunk, sum);
      length += chunk.length;
      if (length > entry.uncompressedSize) checkSize(entry, length);
      yield chunk;
      freeChunk(chunk);
    }
    checkSize(entry, length);
    checkSum(entry, sum);
  }

  private async inflatedChunks(
    { compressedSize, compressionMethod }: Entry,
    start: number,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterable<Buffer>> {
    const isOneWrite = compressionMethod === DEFLATED && compressedSize <= MAX_WRITE_BYTES;
    if (isOneWrite) return inflatedPieces(await this.file.read(start, compressedSize), signal);
    const pieces = this.file.pieces(start, start + compressedSize, signal);
    return compressionMethod === DEFLATED ? inflatedPieces(pieces, signal) : pieces;
  }

  /** Where the data of an entry begins. */
  private async startOf({ fileName, relativeOffsetOfLocalHeader: position }: Entry): Promise<number> {
    const header = await this.file.read(position, LOCAL_HEADER);
    if (header.length < LOCAL_HEADER || header.readUInt32LE(0) !== LOCAL_SIGNATURE)
      throw damagedArchive(reason('"{0}" isn\'t at the position given in the archive', fileName));
    return position + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28);
  }
}

/** Inflates bytes, or pieces of them, chunk by chunk. Leaving the loop stops the reading. */
function inflatedPieces(
  compressed: AsyncIterable<Buffer> | Buffer,
  signal: AbortSignal | undefined,
): AsyncIterable<Buffer> {
  // A piece is only valid until the next is requested, so none may wait.
  const options = { chunkSize: CHUNK_BYTES, readableHighWaterMark: AHEAD_BYTES, writableHighWaterMark: 1 };
  const inflate = createInflateRaw(options);
  if (signal) addAbortSignal(signal, inflate);
  if (Buffer.isBuffer(compressed)) return inflate.end(compressed);
  // An error of either stream is thrown where the chunks are read.
  return pipeline(compressed, inflate, () => undefined) as Readable & AsyncIterable<Buffer>;
}

/** Frees a buffer whose last chunk was read; one that isn't full is still written to. */
function freeChunk({ buffer, byteOffset, length }: Buffer): void {
  const isFull = byteOffset + length === CHUNK_BYTES && buffer.byteLength === CHUNK_BYTES;
  if (isFull) freeMemory(buffer as ArrayBuffer);
}

function inflateAll(
  compressed: Uint8Array,
  options: { chunkSize: number; maxOutputLength: number },
): Promise<Buffer> | Buffer {
  const isTiny = options.maxOutputLength <= MAX_INFLATED_HERE_BYTES;
  return isTiny ? inflateRawSync(compressed, options) : inflateAtOnce(compressed, options);
}

function checkSize({ fileName, uncompressedSize }: Entry, length: number): void {
  if (length !== uncompressedSize)
    throw damagedArchive(
      reason('"{0}" doesn\'t have the size given in the archive ({1} bytes)', fileName, uncompressedSize),
    );
}

function checkSum(entry: Entry, sum: number): void {
  if (sum !== entry.crc32) throw damagedArchive(reason('The checksum of "{0}" is wrong', entry.fileName));
}

/** Adds the archive to an error. */
function withSubject(error: CodedError, path: string): CodedError {
  const { code, message, details } = error;
  if (code === 'cancelled') return error;
  return new CodedError(code, message, { ...details, subject: path }, { cause: error });
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && !isCoded(error) && 'syscall' in error;
}

/** Twice the number of threads that inflate them (libuv's default), so that no thread is idle. */
const MAX_ENTRIES_AHEAD = 8;

/** Inflated bytes that may wait to be read. */
const MAX_BYTES_AHEAD = 16 * 1024 ** 2;

/**
 * Reads entries of an archive one after the other; small ones are inflated ahead, several at a
 * time.
 */
export class EntryQueue implements AsyncDisposable {
  private readonly entriesAhead = new Map<number, Promise<Uint8Array[]>>();
  private next = 0;
  private bytesAhead = 0;

  constructor(
    private readonly archive: MasksArchive,
    private readonly entries: readonly Entry[],
    private readonly signal?: AbortSignal,
  ) {}

  /** The bytes of the entry at an index; see MasksArchive.chunks. */
  async *chunks(index: number): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.entries[index];
    if (!entry) throw new CodedError('bad-request', `No entry ${index}`);
    this.readAhead(index);
    const ready = this.entriesAhead.get(index);
    if (this.entriesAhead.delete(index)) this.bytesAhead -= entry.uncompressedSize;
    if (ready) yield* await ready;
    else yield* this.archive.chunks(entry, this.signal);
  }

  /** Skips an entry, which is read in another way; drops it if it was read ahead. */
  skip(index: number): void {
    if (this.entriesAhead.delete(index)) this.bytesAhead -= this.entries[index]?.uncompressedSize ?? 0;
    this.next = Math.max(this.next, index + 1);
  }

  /** Waits for entries that were read ahead: the archive must not be closed before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.entriesAhead.values());
    this.entriesAhead.clear();
  }

  private readAhead(start: number): void {
    this.next = Math.max(this.next, start);
    const end = Math.min(this.entries.length, start + MAX_ENTRIES_AHEAD);
    for (; this.next < end && this.bytesAhead < MAX_BYTES_AHEAD; this.next++) {
      const entry = this.entries[this.next];
      if (!entry || !this.archive.isSmall(entry)) continue;
      const bytes = this.collect(entry);
      // An error is thrown where the entry is read; until then it is no unhandled rejection.
      bytes.catch(() => undefined);
      this.entriesAhead.set(this.next, bytes);
      this.bytesAhead += entry.uncompressedSize;
    }
  }

  private async collect(entry: Entry): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.archive.chunks(entry, this.signal)) chunks.push(chunk);
    return chunks;
  }
}
