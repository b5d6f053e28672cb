import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { CodedError, throwIfCanceled } from '../../base/errors';
import { whenReleased } from '../../base/node/diskErrors';
import { unreadableFile } from '../../base/node/fileErrors';
import { CachedValues } from '../../base/node/joinedWork';
import { reason } from '../../base/reasons';
import { checkRasterStart, decodeRaster } from '../decodeRaster';
import { unreadableRaster } from '../raster';
import { BackgroundImage, type OnProgress } from './backgroundImage';
import { type BackgroundImageSource, rasterSource } from '../imageSource';
import { BlockCache } from './blockCache';
import { FileByteSource } from './fileByteSource';
import { openImageFile } from './openImageFile';
import { isTurn, turnedSource } from './turnedSource';

/*
 * Most formats are read block by block; PNG, JPEG and WebP can only be decoded whole. All open
 * images share one cache of blocks. Images that are decoded whole share a limit: the least recently
 * used are closed, and decoded again when a tile needs them.
 */

/** Maximum bytes of cached blocks. */
const MAX_BLOCK_BYTES = 128 * 1024 ** 2;
/** Maximum bytes of all images that are decoded whole. */
const MAX_DECODED_BYTES = 512 * 1024 ** 2;
/** Number of images that stay decoded, even above that limit. */
const MIN_READY = 3;
/** Maximum bytes of a PNG, JPEG or WebP file. */
const MAX_FILE_BYTES = 1024 ** 3;

/** The part of a file to open: a level of a pyramid, or a page. */
interface BackgroundImagePart {
  level?: number;
  page?: number;
  /** EXIF orientation to apply, one that swaps width and height. */
  turned?: number;
}

interface OpenedFile extends BackgroundImagePart {
  path: string;
  /** Size of the file in bytes; set once the file was read. */
  fileSize?: number;
  onProgress?: OnProgress;
}

/** The opened background images of one result, by number. */
export class BackgroundImages {
  private readonly opened = new Map<number, OpenedFile>();
  private readonly ready = new Map<number, BackgroundImage>();
  private readonly opening = new CachedValues<number, BackgroundImage>();
  private readonly blocks = new BlockCache(MAX_BLOCK_BYTES);
  private lastNumber = 0;

  /** Opens an image file. Throws `bad-request` with the reason, `not-a-file`, `cancelled`. */
  async open(
    path: string,
    part: BackgroundImagePart = {},
    signal?: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<{ number: number; name: string; fileSize: number; image: BackgroundImage }> {
    const number = ++this.lastNumber;
    const opened: OpenedFile = { path, ...part, ...(onProgress && { onProgress }) };
    this.opened.set(number, opened);
    try {
      const image = await this.get(number, signal);
      return { number, name: basename(path), fileSize: opened.fileSize ?? 0, image };
    } catch (error) {
      await this.close(number);
      throw error;
    }
  }

  /**
   * An open image; decodes it again if it was released. Throws `bad-request` if it isn't open, and
   * the errors of `open`.
   */
  async get(number: number, signal?: AbortSignal): Promise<BackgroundImage> {
    const opened = this.opened.get(number);
    if (!opened) throw new CodedError('bad-request', `There is no background image ${number}`);
    const ready = this.ready.get(number);
    if (ready) {
      this.ready.delete(number);
      this.ready.set(number, ready);
      return ready;
    }
    try {
      return await this.opening.get(number, shared => this.load(number, opened, shared), signal);
    } finally {
      if (!signal?.aborted) this.opening.delete(number);
    }
  }

  async close(number: number): Promise<void> {
    this.opened.delete(number);
    const image = this.ready.get(number);
    this.ready.delete(number);
    await image?.source.release();
  }

  /** Closes all images. */
  async release(): Promise<void> {
    for (const number of [...this.opened.keys()]) await this.close(number);
  }

  private async load(number: number, opened: OpenedFile, signal: AbortSignal): Promise<BackgroundImage> {
    const stored = await this.sourceOf(number, opened, signal);
    const source = isTurn(opened.turned) ? turnedSource(stored, opened.turned) : stored;
    let image;
    try {
      image = await BackgroundImage.open(source, opened.level, signal, opened.onProgress);
    } catch (error) {
      await source.release();
      throw error;
    }
    if (!this.opened.has(number)) {
      await source.release();
      return image;
    }
    this.ready.set(number, image);
    await this.releaseOldest(number);
    return image;
  }

  private async sourceOf(
    number: number,
    opened: OpenedFile,
    signal: AbortSignal,
  ): Promise<BackgroundImageSource> {
    const { path, page, onProgress } = opened;
    const fileName = basename(path);
    const file = await FileByteSource.of(path);
    opened.fileSize = file.size;
    let start: Uint8Array;
    try {
      const part = { ...(page !== undefined && { page }), ...(onProgress && { onProgress }) };
      const options = { blocks: this.blocks, key: String(number), ...part };
      const source = await openImageFile(path, file, options, signal);
      source?.prepare?.();
      if (source) return source;
      start = await file.read(0, Math.min(4, file.size), signal);
    } catch (error) {
      await file.release();
      throw error;
    }
    await file.release();
    // Reject unknown formats before gigabytes are read.
    const { compression } = checkRasterStart(start, fileName);
    if (file.size > MAX_FILE_BYTES)
      throw unreadableRaster(
        fileName,
        reason('The file is larger than 1 GB; only TIFF files and slides can be'),
      );
    const bytes = await readWholeFile(path, MAX_FILE_BYTES, signal);
    return rasterSource(await decodeRaster(bytes, fileName), compression);
  }

  /** Releases the least recently used images that are past the limits. */
  private async releaseOldest(newest: number): Promise<void> {
    let bytes = 0;
    for (const { source } of this.ready.values()) bytes += source.bytes;
    for (const [number, image] of this.ready) {
      if (number === newest || (this.ready.size <= MIN_READY && bytes <= MAX_DECODED_BYTES)) break;
      this.ready.delete(number);
      bytes -= image.source.bytes;
      await image.source.release();
    }
  }
}

const CHUNK = 8 * 1024 * 1024;

/**
 * Reads a whole file in chunks. Throws `not-a-file` (also for a missing file), `file-too-large`
 * (over `limit` bytes), `file-changed` (if it became shorter), `cancelled`.
 */
async function readWholeFile(
  path: string,
  limit: number,
  signal?: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  await using file = await openForReading(path);
  const stat = await file.stat();
  if (!stat.isFile()) throw new CodedError('not-a-file', 'Not a regular file', { subject: path });
  if (stat.size > limit)
    throw new CodedError('file-too-large', `The file has ${stat.size} bytes, the limit is ${limit}`, {
      subject: path,
    });
  const bytes = new Uint8Array(stat.size);
  let done = 0;
  while (done < bytes.length) {
    throwIfCanceled(signal);
    const { bytesRead } = await file.read(bytes, done, Math.min(CHUNK, bytes.length - done), done);
    if (bytesRead === 0)
      throw new CodedError('file-changed', 'The file became shorter while it was read', { subject: path });
    done += bytesRead;
    onProgress?.(done, bytes.length);
  }
  return bytes;
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await whenReleased(() => open(path, 'r'));
  } catch (error) {
    throw unreadableFile(error, path);
  }
}
