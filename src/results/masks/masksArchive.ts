import { posix } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import type { Disposable } from '../../base/disposable';
import { CodedError, isCoded, throwIfCancelled } from '../../base/errors';

/** What an archive may hold; beyond these it is damaged or hostile. */
const MAX_ENTRIES = 20_000;
const MAX_TOTAL_BYTES = 64 * 1024 ** 3;
/** Deflate cannot exceed 1032; mask JSON, mostly base64, stays far below this. */
const MAX_RATIO = 300;
const RATIO_FROM_BYTES = 16 * 1024 ** 2;
/** One entry becomes one string, and V8's longest has about 512 million characters. */
export const MAX_ENTRY_BYTES = 450e6;

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
    try {
      const contents = await list(zip, signal);
      if (contents.images.length === 0) throw damaged('It holds no masks of images.');
      return new MasksArchive(zip, path, contents);
    } catch (error) {
      zip.close();
      throw withSubject(error, path);
    }
  }

  /** The text of an entry. Throws `too-many-objects` when it is too long for one string, `damaged-archive`, `cancelled`. */
  async readText(entry: Entry, signal?: AbortSignal): Promise<string> {
    try {
      return await this.read(entry, signal);
    } catch (error) {
      throwIfCancelled(signal);
      throw withSubject(error, this.path);
    }
  }

  dispose(): void {
    this.zip.close();
  }

  private async read(entry: Entry, signal: AbortSignal | undefined): Promise<string> {
    throwIfCancelled(signal);
    if (!entry.canDecodeFileData())
      throw damaged(`${entry.fileName} is encrypted or packed in an unknown way.`);
    if (entry.uncompressedSize > MAX_ENTRY_BYTES)
      throw new CodedError('too-many-objects', `${entry.fileName} has ${entry.uncompressedSize} bytes`, {
        reason: `${entry.fileName} holds more objects than can be opened at once.`,
      });
    if (
      entry.uncompressedSize > RATIO_FROM_BYTES &&
      entry.uncompressedSize > MAX_RATIO * entry.compressedSize
    )
      throw damaged(`${entry.fileName} inflates more than ${MAX_RATIO} times.`);
    const stream = await this.zip.openReadStreamPromise(entry);
    if (signal) addAbortSignal(signal, stream);
    const chunks: Buffer[] = [];
    let checksum = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      chunks.push(chunk);
    }
    if (checksum !== entry.crc32) throw damaged(`The checksum of ${entry.fileName} is wrong.`);
    const text = Buffer.concat(chunks).toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
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
