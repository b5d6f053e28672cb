import { basename } from 'node:path';
import { CodedError } from '../../base/errors';
import { checkRasterStart, decodeRaster } from '../../formats/decodeRaster';
import { unreadableRaster } from '../../formats/raster';
import type { TiffBlock } from '../../formats/tiff/tiffBlock';
import { tiffEncoding } from '../../formats/tiff/tiffDirectory';
import { readWholeFile } from '../readWholeFile';
import { SharedValues } from '../sharedWork';
import { ByteCache } from './byteCache';
import { FileSource } from './fileSource';
import type { Progress } from './overviews';
import { Picture } from './picture';
import type { PictureSource } from './pictureSource';
import { rasterSource } from './rasterSource';
import { TiffSource } from './tiffSource';

/** Bytes of decoded blocks of TIFF files that are kept. */
const BLOCKS = 128 * 1024 ** 2;
/** Bytes of pictures that are decoded whole; others are decoded again when a tile of them is wanted. */
const WHOLE = 512 * 1024 ** 2;
/** Pictures kept ready, whatever their size; more cost nothing but their overviews. */
const KEPT = 3;
/** Largest PNG, JPEG or WebP file: it is read whole. */
const MAX_BYTES = 1024 ** 3;

/** What of a file is opened: a level of a pyramid, a page of another size. */
export interface PictureChoiceInFile {
  level?: number;
  page?: number;
}

interface Opened extends PictureChoiceInFile {
  path: string;
  onProgress?: Progress;
}

/** The pictures opened under masks, by a number of their own. Nothing of a file is decoded before it is opened. */
export class Pictures {
  private readonly opened = new Map<number, Opened>();
  private readonly ready = new Map<number, Picture>();
  private readonly opening = new SharedValues<number, Picture>();
  private readonly blocks = new ByteCache<TiffBlock>(BLOCKS);
  private lastNumber = 0;

  /** Opens a picture file. Throws `bad-request` with the reason, `not-a-file`, `cancelled`. */
  async open(
    path: string,
    choice: PictureChoiceInFile = {},
    signal?: AbortSignal,
    onProgress?: Progress,
  ): Promise<{ number: number; name: string; picture: Picture }> {
    const number = ++this.lastNumber;
    this.opened.set(number, { path, ...choice, ...(onProgress && { onProgress }) });
    try {
      return { number, name: basename(path), picture: await this.picture(number, signal) };
    } catch (error) {
      await this.close(number);
      throw error;
    }
  }

  /** An opened picture. Throws `bad-request` for one that is not open. */
  async picture(number: number, signal?: AbortSignal): Promise<Picture> {
    const opened = this.opened.get(number);
    if (!opened) throw new CodedError('bad-request', `There is no picture ${number}`);
    const ready = this.ready.get(number);
    if (ready) {
      this.ready.delete(number);
      this.ready.set(number, ready);
      return ready;
    }
    try {
      return await this.opening.get(number, shared => this.make(number, opened, shared), signal);
    } finally {
      if (!signal?.aborted) this.opening.delete(number);
    }
  }

  async close(number: number): Promise<void> {
    this.opened.delete(number);
    const picture = this.ready.get(number);
    this.ready.delete(number);
    await picture?.source.release();
  }

  /** Closes all pictures. */
  async release(): Promise<void> {
    for (const number of [...this.opened.keys()]) await this.close(number);
  }

  private async make(number: number, opened: Opened, signal: AbortSignal): Promise<Picture> {
    const source = await this.sourceOf(number, opened, signal);
    let picture;
    try {
      picture = await Picture.open(source, opened.level, signal, opened.onProgress);
    } catch (error) {
      await source.release();
      throw error;
    }
    if (!this.opened.has(number)) {
      await source.release();
      return picture;
    }
    this.ready.set(number, picture);
    await this.makeRoom(number);
    return picture;
  }

  private async sourceOf(number: number, opened: Opened, signal: AbortSignal): Promise<PictureSource> {
    const { path, page } = opened;
    const fileName = basename(path);
    const file = await FileSource.of(path);
    const start = await file.read(0, Math.min(4, file.size), signal);
    if (tiffEncoding(start)) {
      const parts = { file, fileName, blocks: this.blocks, key: String(number) };
      try {
        return await TiffSource.open({ ...parts, ...(page !== undefined && { page }) }, signal);
      } catch (error) {
        await file.release();
        throw error;
      }
    }
    await file.release();
    // Before gigabytes of something else are read.
    checkRasterStart(start, fileName);
    if (file.size > MAX_BYTES)
      throw unreadableRaster(fileName, 'it has more than 1 GB, and only TIFF files are read by parts');
    const bytes = await readWholeFile(path, MAX_BYTES, signal);
    return rasterSource(await decodeRaster(bytes, fileName));
  }

  /** Pictures used longest ago are let go of, and opened again when they are wanted. */
  private async makeRoom(newest: number): Promise<void> {
    let bytes = 0;
    for (const { source } of this.ready.values()) bytes += source.bytes;
    for (const [number, picture] of this.ready) {
      if (number === newest || (this.ready.size <= KEPT && bytes <= WHOLE)) break;
      this.ready.delete(number);
      bytes -= picture.source.bytes;
      await picture.source.release();
    }
  }
}
