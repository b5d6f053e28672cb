import { sameObject, type ObjectRef } from '../../../model/objectRef';
import type { ObjectsOfImage } from '../../../model/objectsOfImage';
import type { MaskImage } from '../../../model/masksSummary';

/**
 * Objects that are selected together, as they are saved with the view. Images go by their ID, and are the same ones while
 * they have as many objects.
 */
export interface SavedSelection {
  of: { image: string; objectCount: number; objects: readonly number[] }[];
  /** The one object that was selected beside them. */
  focus: ObjectRef | null;
}

type KnownImage = Pick<MaskImage, 'index' | 'id' | 'objectCount'>;

/** Objects that are saved: more would slow down each saving of the view. */
const MAX_SAVED = 20_000;

/** A selection to be saved; null where there is none, or too large a one. */
export function savedSelection(
  selection: readonly ObjectsOfImage[],
  focus: ObjectRef | null,
  images: readonly KnownImage[],
): SavedSelection | null {
  const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count === 0 || count > MAX_SAVED) return null;
  const of = selection.flatMap(({ image, objects }) => {
    const known = images.find(({ index }) => index === image);
    return known ? [{ image: known.id, objectCount: known.objectCount, objects }] : [];
  });
  return { of, focus: focus && { image: focus.image, object: focus.object } };
}

/** The selection as it was saved, none if another object was `selected` since. */
export function restoredSelection(
  saved: SavedSelection | null | undefined,
  selected: ObjectRef | null,
  images: readonly KnownImage[],
): ObjectsOfImage[] {
  if (!saved) return [];
  const restored = saved.of.flatMap(({ image, objectCount, objects }) => {
    const known = images.find(({ id }) => id === image);
    return known?.objectCount === objectCount ? [{ image: known.index, objects }] : [];
  });
  const isAmong = restored.some(
    ({ image, objects }) => image === selected?.image && objects.includes(selected.object),
  );
  return selected === null || isAmong || sameObject(selected, saved.focus) ? restored : [];
}
