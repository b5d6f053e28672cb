import { throwIfCanceled } from '../../base/errors';
import { inParallel } from '../../base/waiting';
import { type ImageExtent, isBesideSlide } from '../backgroundImageInfo';
import { BlockCache } from './blockCache';
import { FileByteSource } from './fileByteSource';
import { openImageFile } from './openImageFile';

/** Sides of pixels that differ by less are equal: files round them. */
const SAME_SIDES = 1e-3;
/** Files that are read at once. */
const MAX_FILES = 8;

/**
 * How large the images in files are, by their headers alone, where they say how large pixels are.
 * Null for others, for a file with images of different sizes, and for one that can't be read.
 * Throws `cancelled`.
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
      // A damaged file fails anywhere: its size is then unknown.
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
    if (!size || !pixelSize || pages.filter(page => !isBesideSlide(page)).length > 1) return null;
    const pixels = size.width * size.height;
    const area = pixels * pixelSize.x * pixelSize.y;
    const isOblong = Math.abs(pixelSize.x / pixelSize.y - 1) > SAME_SIDES;
    return area > 0 ? { pixels, area, ...(isOblong && { isOblong }) } : null;
  } finally {
    await file.release();
  }
}
