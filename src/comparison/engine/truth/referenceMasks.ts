import type { Disposable } from '../../../base/disposable';
import type { PlainError } from '../../../base/errors';
import { type Reason, countedReason } from '../../../base/reasons';
import { imageWithoutObjects, locatedImage } from '../../../archives/engine/archiveImages';
import type { ClassNames } from '../../../archives/engine/classNames';
import type { ImageObjects, ObjectColumns } from '../../../archives/engine/imageObjects';
import { type LocatedImage, Masks } from '../../../archives/engine/masks';
import type { UnreadableObjects } from '../../../archives/masksSummary';
import type { MasksFormat } from '../../comparison';

/** Masks from a file of any format. */
export interface ReferenceMasks extends Disposable {
  format: MasksFormat;
  masks: Masks;
  /**
   * COCO's crowds by image, for images with crowds: regions where the objects of the compared masks
   * are ignored.
   */
  crowds: ReadonlyMap<number, ImageObjects>;
  /** Images whose file doesn't have their size: the box around all objects is used instead. */
  unknownSizes: ReadonlySet<number>;
}

/** Reports the progress of reading. */
export type OnRead = (done: number, total: number) => void;

/** Notes with a number of objects or images, by kind. */
export const countedNotes = {
  'annotations-as-objects': (count: number) =>
    countedReason(
      count,
      '1 annotation that holds no detection counts as an object',
      '{0} annotations that hold no detections count as objects',
    ),
  'annotations-hold-annotations': (count: number) =>
    countedReason(
      count,
      '1 annotation holds several others and counts as an object; if it is a region, export without it',
      '{0} annotations hold several others and count as objects; if they are regions, export without them',
    ),
  'areas-separated': (count: number): Reason => ({
    ...countedReason(
      count,
      '1 image has one label, as a binary mask has: each of its areas is an object',
      '{0} images have one label, as binary masks have: each of their areas is an object',
    ),
    code: 'areas-separated',
  }),
  'nuclei-left-out': (count: number) =>
    countedReason(
      count,
      '1 cell has a nucleus, which was left out: the mask is that of the cell',
      '{0} cells have nuclei, which were left out: masks are those of the cells',
    ),
  'one-label': (count: number): Reason => ({
    ...countedReason(
      count,
      '1 image has several areas with one label, as a binary mask has: all of them are one object',
      '{0} images have several areas with one label, as binary masks have: in each, all of them are one object',
    ),
    code: 'one-label',
  }),
  'planes-left-out': (count: number) =>
    countedReason(
      count,
      '1 object was left out: it is in another plane (z, t) than the first',
      '{0} objects were left out: they are in other planes (z, t) than the first',
    ),
  'polygons-overlap': (count: number) =>
    countedReason(
      count,
      '1 object has polygons that overlap or cross themselves: all that they hold is its mask',
      '{0} objects have polygons that overlap or cross themselves: all that they hold is their mask',
    ),
  'regions-left-out': (count: number) =>
    countedReason(
      count,
      "1 region that holds detections was left out: it isn't an object",
      "{0} regions that hold detections were left out: they aren't objects",
    ),
} as const;

export type CountKind = keyof typeof countedNotes;

/** Adds a number of objects to the note of a kind; zero adds no note. */
export function countNote(notes: Map<CountKind, number>, kind: CountKind, count: number): void {
  if (count > 0) notes.set(kind, (notes.get(kind) ?? 0) + count);
}

/**
 * Drops the objects outside the first plane, so that they don't cover those in it. The first plane
 * has the lowest t, and among those the lowest z. An image's objects may be in several lists.
 */
export function leaveOutOtherPlanes(
  objectLists: readonly { columns: ObjectColumns; planes: readonly StackPlane[] }[],
  notes: Map<CountKind, number>,
): void {
  let first: StackPlane | undefined;
  for (const { planes } of objectLists)
    for (const plane of planes)
      if (!first || plane.t < first.t || (plane.t === first.t && plane.z < first.z)) first = plane;
  for (const { columns, planes } of objectLists)
    planes.forEach(({ t, z }, object) => {
      if (t === first?.t && z === first.z) return;
      columns.drop(object);
      countNote(notes, 'planes-left-out', 1);
    });
}

/** The plane of an object in a stack. */
export interface StackPlane {
  z: number;
  t: number;
}

/** An image that was read, or the reason why it couldn't be. */
export interface ReferenceImage extends UnreadableObjects {
  id: string;
  filename: string;
  /** Undefined if reading failed: `failure` has the reason. */
  objects: ImageObjects | undefined;
  failure?: PlainError;
  /** Numbers of left-out objects, and of anomalies. */
  notes?: Map<CountKind, number>;
}

/** Maximum number of listed unreadable objects of an image; more are only counted. */
export const MAX_LISTED = 1000;

/** The image at a position, for Masks. */
export function locatedReference(image: ReferenceImage, position: number): LocatedImage {
  const { id, filename, objects, unreadable, unreadableCount, failure } = image;
  if (!objects)
    return imageWithoutObjects({ id, filename, width: 0, height: 0, ...(failure && { failure }) }, position);
  return locatedImage({ id, filename, objects, unreadable, unreadableCount }, position);
}

/** The masks of these images; `read` reads an image's objects again. */
export function masksOfReference(
  images: readonly LocatedImage[],
  classNames: ClassNames,
  notes: Reason[],
  read: (image: number, signal: AbortSignal) => Promise<ImageObjects>,
): Masks {
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  images.forEach(({ summary }, index) => {
    summary.index = index;
    while (summary.classCounts.length < classes.length) summary.classCounts.push(0);
    classes.forEach((classSummary, position) => (classSummary.count += summary.classCounts[position] ?? 0));
  });
  const summaries = images.map(({ summary }) => summary);
  return new Masks({ dispose: () => undefined }, read, images, { classes, images: summaries, notes });
}
