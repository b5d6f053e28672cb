import { basename } from 'node:path';
import { inflateSync } from 'node:zlib';
import { formatOf } from '../imageFormats';
import type { BackgroundImageSource, BlockStore, Inflate } from '../imageSource';
import { damagedData } from '../raster';
import type { FileByteSource } from './fileByteSource';

/** Node's zlib is several times as fast as the JavaScript that decoders without Node use. */
export const inflate: Inflate = (bytes, length) => {
  try {
    // In one chunk: several would have to be joined, which takes twice the memory.
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
 * Opens a file for reading in parts, whatever its format; undefined if it can only be decoded
 * whole. Releases the file only with the image. Throws `bad-request` with the reason, `not-a-file`,
 * `cancelled`.
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
