import { basename } from 'node:path';
import { inflateSync } from 'node:zlib';
import { formatOf } from '../imageFormats';
import type { BackgroundImageSource, BlockStore, Inflate } from '../imageSource';
import { damagedData } from '../raster';
import type { FileByteSource } from './fileByteSource';

/** Inflates by Node's zlib, which is several times as fast as JavaScript. */
export const inflate: Inflate = (bytes, length) => {
  try {
    // One chunk: to join several takes twice the memory.
    return inflateSync(bytes, { maxOutputLength: length, chunkSize: Math.max(64, length) });
  } catch (error) {
    throw damagedData('Deflate', error);
  }
};

interface OpenOptions {
  blocks: BlockStore;
  key: string;
  page?: number;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Opens an image file of any format that can be read in parts; undefined for other formats. The
 * file is released with the returned image; the caller releases it otherwise. Throws `bad-request`
 * with the reason, `not-a-file`, `cancelled`.
 */
export async function openImageFile(
  path: string,
  file: FileByteSource,
  options: OpenOptions,
  signal?: AbortSignal,
): Promise<BackgroundImageSource | undefined> {
  const fileName = basename(path);
  const format = await formatOf(file, fileName, signal);
  return format && (await format.open({ file, fileName, inflate, ...options }, signal));
}
