import type { ObjectsOfImage } from '../../objectsOfImage';
import type { MaskImage } from '../../masksSummary';

/**
 * Objects of an image that are selected together, as they are saved with the view. The image goes by its ID, and is the same
 * one while it has as many objects.
 */
export interface SavedObjects {
  image: string;
  objectCount: number;
  objects: readonly number[];
}

type KnownImage = Pick<MaskImage, 'index' | 'id' | 'objectCount'>;

/** Objects that are saved: more would slow down each saving of the view. */
const MAX_SAVED = 20_000;

/** A selection to be saved; none of one that is too large. */
export function savedSelection(
  selection: readonly ObjectsOfImage[],
  images: readonly KnownImage[],
): SavedObjects[] {
  const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count > MAX_SAVED) return [];
  return selection.flatMap(({ image, objects }) => {
    const known = images.find(({ index }) => index === image);
    return known ? [{ image: known.id, objectCount: known.objectCount, objects }] : [];
  });
}

/** The selection as it was saved, of the images that are the same. */
export function restoredSelection(
  saved: readonly SavedObjects[],
  images: readonly KnownImage[],
): ObjectsOfImage[] {
  return saved.flatMap(({ image, objectCount, objects }) => {
    const known = images.find(({ id }) => id === image);
    return known?.objectCount === objectCount ? [{ image: known.index, objects }] : [];
  });
}
