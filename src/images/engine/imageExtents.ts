import { throwIfCanceled } from '../../base/errors';
import { inParallel } from '../../base/waiting';
import { type ImageExtent, isAssociatedImage } from '../backgroundImageInfo';
import { BlockCache } from './blockCache';
import { FileByteSource } from './fileByteSource';
import { openImageFile } from './openImageFile';

/** Sides of pixels count as equal below this relative difference, because files round them. */
const SAME_SIDES = 1e-3;
/** Maximum number of files to read at the same time. */
const MAX_FILES = 8;

/**
 * Sizes of the images in files, from their headers alone. Null for files without a pixel size, with
 * several images, or that can't be read. Throws `cancelled`.
 */
export async function imageExtents(
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<(ImageExtent | null)[]> {
  const extents = new Map<string, ImageExtent | null>();
  await inParallel([...new Set(paths)], MAX_FILES, async path => {
    try {
      extents.set(path, await extentOf(path, signal));
    } catch {
      // Damaged files can throw any error; their size is unknown.
      throwIfCanceled(signal);
      extents.set(path, null);
    }
  });
  return paths.map(path => extents.get(path) ?? null);
}

async function extentOf(path: string, signal: AbortSignal | undefined): Promise<ImageExtent | null> {
  const file = await FileByteSource.of(path);
  try {
    const source = await openImageFile(path, file, { blocks: new BlockCache(0), key: 'extent' }, signal);
    if (!source) return null;
    const { levels, pages, pixelSize } = source.facts;
    const [size] = levels;
    if (!size || !pixelSize || pages.filter(page => !isAssociatedImage(page)).length > 1) return null;
    const pixels = size.width * size.height;
    const area = pixels * pixelSize.x * pixelSize.y;
    const isOblong = Math.abs(pixelSize.x / pixelSize.y - 1) > SAME_SIDES;
    return area > 0 ? { pixels, area, ...(isOblong && { isOblong }) } : null;
  } finally {
    await file.release();
  }
}
