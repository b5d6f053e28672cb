import type { Disposable } from '../../../base/disposable';
import type { PlainError } from '../../../base/errors';
import type { Reason } from '../../../base/reasons';
import { imageWithoutObjects, knownImage } from '../../../archives/engine/archiveImages';
import type { ClassNames } from '../../../archives/engine/classNames';
import type { ImageObjects, ObjectColumns } from '../../../archives/engine/imageObjects';
import { type KnownImage, Masks } from '../../../archives/engine/masks';
import type { UnreadableObjects } from '../../../archives/masksSummary';
import type { MasksFormat } from '../../comparison';

/** Masks of whatever file, with the regions beside them in which objects of the other side are ignored. */
export interface ReferenceMasks extends Disposable {
  format: MasksFormat;
  masks: Masks;
  /** Crowds by image, where it has any. */
  crowds: ReadonlyMap<number, ImageObjects>;
  /** Images whose file doesn't tell their size: it is that of the box around all objects. */
  unknownSizes: ReadonlySet<number>;
}

/** Reports how much was read. */
export type OnRead = (done: number, total: number) => void;

/** What is said of how many objects of a side. */
export type CountKind =
  | 'annotations-as-objects'
  | 'annotations-hold-annotations'
  | 'areas-separated'
  | 'nuclei-left-out'
  | 'one-label'
  | 'planes-left-out'
  | 'polygons-overlap'
  | 'regions-left-out';

/** Adds to what is said of so many objects. */
export function countNote(notes: Map<CountKind, number>, kind: CountKind, count: number): void {
  if (count > 0) notes.set(kind, (notes.get(kind) ?? 0) + count);
}

/** Drops objects of other planes than the first, by t, then z: masks are of one plane, and these would lie over its own. */
export function leaveOutOtherPlanes(
  kinds: readonly { columns: ObjectColumns; planes: readonly StackPlane[] }[],
  notes: Map<CountKind, number>,
): void {
  let first: StackPlane | undefined;
  for (const { planes } of kinds)
    for (const plane of planes)
      if (!first || plane.t < first.t || (plane.t === first.t && plane.z < first.z)) first = plane;
  for (const { columns, planes } of kinds)
    planes.forEach(({ t, z }, object) => {
      if (t === first?.t && z === first.z) return;
      columns.drop(object);
      countNote(notes, 'planes-left-out', 1);
    });
}

/** Where in a stack an object is. */
export interface StackPlane {
  z: number;
  t: number;
}

/** An image that was read, or why it couldn't be. */
export interface ReadReference extends UnreadableObjects {
  id: string;
  filename: string;
  /** Undefined with `failure`. */
  objects: ImageObjects | undefined;
  failure?: PlainError;
  /** What was left out of it, and what is unusual. */
  notes?: Map<CountKind, number>;
}

/** Lists more unreadable objects of an image only as a number. */
export const MAX_LISTED = 1000;

/** The image at a position, as masks know it. */
export function knownReference(image: ReadReference, at: number): KnownImage {
  const { id, filename, objects, unreadable, unreadableCount, failure } = image;
  if (!objects)
    return imageWithoutObjects({ id, filename, width: 0, height: 0, ...(failure && { failure }) }, at);
  return knownImage({ id, filename, objects, unreadable, unreadableCount }, at);
}

/** Masks of these images, in their order; `read` gives an image's objects again. */
export function masksOfReference(
  images: readonly KnownImage[],
  classNames: ClassNames,
  notes: Reason[],
  read: (image: number, signal: AbortSignal) => Promise<ImageObjects>,
): Masks {
  const classes = classNames.names.map(name => ({ name, count: 0 }));
  images.forEach(({ summary }, index) => {
    summary.index = index;
    while (summary.classCounts.length < classes.length) summary.classCounts.push(0);
    classes.forEach((known, at) => (known.count += summary.classCounts[at] ?? 0));
  });
  const summaries = images.map(({ summary }) => summary);
  return new Masks({ dispose: () => undefined }, read, images, { classes, images: summaries, notes });
}
